-- The employee's share billed, the manual adjustments and the deductions for the year of an invoice so far, by
-- enrollment. Uses the row `target`, the enrollments `held` of that year and the invoices `drafted`.
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
      target
      join manual_adjustments as booked
        on booked.employer_id = target.employer_id and booked.organization_id = target.organization_id
    where booked.month between target.year_start and target.year_end
    union all
    select balance.enrollment_id, 0, 0, balance.collected_in_cents + balance.adjusted_in_cents
    from
      (
        select organization_id, year, array(select enrollment_id from held) as enrollment_ids
        from target
      ) as requested
      cross join lateral (
        select *
        from deduction_balances
        where
          enrollment_id = any (requested.enrollment_ids)
          and year = requested.year
          and organization_id = requested.organization_id
        offset 0
      ) as balance
    union all
    -- Subtracts the lines of a statement that is still being generated.
    select line.enrollment_id, 0, 0, -line.amount_in_cents
    from
      target
      cross join lateral (
        select id
        from deduction_statements
        where employer_id = target.employer_id and organization_id = target.organization_id and generated_at is null
        offset 0
      ) as statement
      cross join lateral (
        select *
        from deduction_lines
        where statement_id = statement.id and organization_id = target.organization_id
        offset 0
      ) as line
    where line.year = target.year and line.kind <> 'arrears'
  ) as entry
group by enrollment_id;
