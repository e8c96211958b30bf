-- What was billed to employees, booked by hand and deducted for the year of an invoice, all three up to now, of each
-- enrollment: of the invoice `place`, the enrollments `held` of that year and the invoices `drafted`.
select
  enrollment_id,
  sum(billed_in_cents)::bigint as billed_in_cents,
  sum(booked_in_cents)::bigint as manual_adjustments_in_cents,
  sum(collected_in_cents)::bigint as collected_in_cents
from
  (
    select
      enrollment_id,
      employee_deduction_in_cents as billed_in_cents,
      0::bigint as booked_in_cents,
      0::bigint as collected_in_cents
    from shared.lines_drafted() as line
    where month between year_start and year_end
    union all
    select booked.enrollment_id, 0, booked.employee_deduction_in_cents, 0
    from
      place
      join manual_adjustments as booked
        on booked.employer_id = place.employer_id and booked.organization_id = place.organization_id
    where booked.month between place.year_start and place.year_end
    union all
    select balance.enrollment_id, 0, 0, balance.collected_in_cents + balance.adjusted_in_cents
    from
      (
        select organization_id, year, array(select enrollment_id from held) as enrollment_ids
        from place
      ) as asked
      cross join lateral (
        select *
        from deduction_balances
        where
          enrollment_id = any (asked.enrollment_ids)
          and year = asked.year
          and organization_id = asked.organization_id
        offset 0
      ) as balance
    union all
    -- but for a statement that is still being written
    select line.enrollment_id, 0, 0, -line.amount_in_cents
    from
      place
      cross join lateral (
        select id
        from deduction_statements
        where employer_id = place.employer_id and organization_id = place.organization_id and generated_at is null
        offset 0
      ) as statement
      cross join lateral (
        select *
        from deduction_lines
        where statement_id = statement.id and organization_id = place.organization_id
        offset 0
      ) as line
    where line.year = place.year and line.kind <> 'arrears'
  ) as entry
group by enrollment_id;
