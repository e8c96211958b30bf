-- The lines of the invoices `drafted` except manual adjustments, with the columns of each invoice.
select drafted.*, line.*
from
  drafted
  cross join lateral (
    select employee_id, enrollment_id, month, premium_in_cents, employee_deduction_in_cents
    from invoice_lines
    where invoice_id = drafted.drafted_id and organization_id = drafted.organization_id and kind <> 'manual_adjustment'
    offset 0
  ) as line;
