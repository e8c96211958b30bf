-- Checks that the enrollments, employees and invoices of new invoice lines exist, see refuse_removal.
create or replace function check_invoice_line_references()
returns trigger
language plpgsql
as $$
begin
  if exists (
    select from (select distinct enrollment_id, employee_id, organization_id from written) as given
     where not exists (
          select from enrollments
           where id = given.enrollment_id and organization_id = given.organization_id
             and employee_id = given.employee_id offset 0))
  or exists (
    select from (select distinct invoice_id, organization_id from written) as given
     where not exists (
          select from invoices
           where invoice_id = given.invoice_id and organization_id = given.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of invoice_lines refers to a row that does not exist.';
  end if;
  return null;
end $$;

-- Every new invoice line refers to an existing invoice and enrollment.
create or replace trigger check_references
after insert on invoice_lines
referencing new table as written
for each statement
execute function check_invoice_line_references();

-- Invoice lines reference invoices, see refuse_removal.
create or replace trigger keep_rows
after delete or update of invoice_id, organization_id on invoices
for each row
execute function refuse_removal();
