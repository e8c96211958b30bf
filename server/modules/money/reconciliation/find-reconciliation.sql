-- Compares an invoice with the amounts due: checks its lines, all amounts in its correction window, and the deductions.
with
  -- The invoice, the months to which its lines can apply, and the last period whose invoice may bill them.
  target as materialized (
    select
      invoice.organization_id,
      invoice.employer_id,
      invoice.invoice_id,
      invoice.period,
      invoice.line_count,
      invoice.total_in_cents,
      (invoice.period - make_interval(months => employer.correction_reach_months))::date as first_month,
      extract(year from invoice.period)::int as year,
      make_date(extract(year from invoice.period)::int, 1, 1) as year_start,
      make_date(extract(year from invoice.period)::int, 12, 31) as year_end,
      -- Invoices never bill a month more than a year later.
      make_date(extract(year from invoice.period)::int + 1, 12, 1) as last_period,
      (invoice.period + interval '1 month')::date as next_period,
      employer.administered_from,
      (
        select coalesce(jsonb_object_agg(id, partial_month_rule), '{}')
        from plans
        where organization_id = invoice.organization_id and partial_month_rule <> 'full_month_on_first'
      ) as partial_month_rules
    from
      invoices as invoice
      join employers as employer
        on employer.id = invoice.employer_id and employer.organization_id = invoice.organization_id
    where shared.named_invoice()
  ),
  -- The months in the correction window of the invoice, and whether the employer is administered and subscribed on
  -- their first day, checked once per month.
  months as materialized (
    select
      month.day::date as day,
      (month.day + interval '1 month')::date - 1 as last_day,
      coalesce(target.administered_from <= month.day, true)
      and exists (
        select
        from served_days(target.employer_id, target.organization_id)
        where from_on <= month.day and month.day < to_on
      ) as is_charged
    from
      target
      cross join lateral generate_series(
        target.first_month::timestamp,
        target.period::timestamp,
        interval '1 month'
      ) as month (day)
  ),
  -- The enrollments of the employer in the plan years of these months and of the year of the invoice, with those that
  -- may be due for the months.
  held as materialized (
    select
      enrollment.id as enrollment_id,
      enrollment.employee_id,
      enrollment.coverage_start,
      least(enrollment.coverage_end, year.coverage_end) as coverage_end,
      year.is_in_reach and enrollment.answer = 'enrolled' as is_enrolled
    from
      target
      cross join lateral (
        select
          id,
          coverage_end,
          coverage_start < target.next_period and coverage_end >= target.first_month as is_in_reach
        from benefit_plan_years
        where
          employer_id = target.employer_id
          and organization_id = target.organization_id
          and coverage_start <= target.year_end
          and coverage_end >= least(target.first_month, target.year_start)
        offset 0
      ) as year
      cross join lateral (
        select *
        from enrollments
        where plan_year_id = year.id and organization_id = target.organization_id
        offset 0
      ) as enrollment
  ),
  enrolled as (
    select *
    from held
    where is_enrolled
  ),
  -- Their elections, and the day until which each is in force. Read together and joined below
  -- (docs/design/data/sql.md).
  elected as (
    select
      election.*,
      lead(effective_on, 1, 'infinity') over (
        partition by enrollment_id
        order by effective_on
      ) as until
    from
      (select organization_id, array(select enrollment_id from enrolled) as enrollment_ids from target) as requested
      cross join lateral (
        select enrollment_id, effective_on, plan_id, premium_in_cents, employee_deduction_in_cents
        from elections
        where
          enrollment_id = any (requested.enrollment_ids)
          and organization_id = requested.organization_id
          and individual_plan_name is null
        offset 0
      ) as election
  ),
  -- The current cost of each month for each enrollment of the employer, by the election of its first covered day and
  -- the partial-month rule of its plan. Computed here independently of the rules that write invoice lines, so that each
  -- checks the other.
  due as (
    select
      election.employee_id,
      election.enrollment_id,
      month.day as month,
      charge.premium_in_cents,
      charge.employee_deduction_in_cents
    from
      target
      cross join (
        select enrolled.*, effective_on, until, plan_id, premium_in_cents, employee_deduction_in_cents
        from
          enrolled
          full join elected on elected.enrollment_id = enrolled.enrollment_id
        offset 0
      ) as election
      cross join months as month
      cross join lateral (
        select
          greatest(month.day, election.coverage_start) as from_on,
          least(month.last_day, election.coverage_end) as to_on,
          target.partial_month_rules ->> election.plan_id as rule
      ) as covered
      cross join lateral (
        select
          case
            when covered.rule = 'daily' then covered.to_on - covered.from_on + 1
            else 1
          end as days,
          case
            when covered.rule = 'daily' then month.last_day - month.day + 1
            else 1
          end as of_days
      ) as part
      cross join lateral (
        select
          case
            when part.days = part.of_days then election.premium_in_cents
            else round(election.premium_in_cents::numeric * part.days / part.of_days)::bigint
          end as premium_in_cents,
          case
            when part.days = part.of_days then election.employee_deduction_in_cents
            else round(election.employee_deduction_in_cents::numeric * part.days / part.of_days)::bigint
          end as employee_deduction_in_cents
      ) as charge
    where
      month.is_charged
      and covered.from_on <= covered.to_on
      and covered.from_on >= election.effective_on
      and covered.from_on < election.until
      and case covered.rule
        when 'daily' then true
        when '15th_rule' then covered.from_on <= month.day + 14
        and covered.to_on >= month.day + 15
        else covered.from_on = month.day
      end
  ),
  -- The live invoices of the employer that may have billed these months, or its year so far.
  drafted as materialized (
    select target.*, invoice.invoice_id as drafted_id, invoice.period >= target.first_month as is_in_reach
    from
      target
      cross join lateral (
        select *
        from invoices
        where
          employer_id = target.employer_id
          and organization_id = target.organization_id
          and drafted_at is not null
          and voided_at is null
          and period between least(target.first_month, target.year_start) and target.last_period
        offset 0
      ) as invoice
  ),
  -- The amounts that they billed for these months.
  billed as (
    select employee_id, enrollment_id, month, premium_in_cents, employee_deduction_in_cents
    from shared.lines_drafted() as line
    where is_in_reach and month between first_month and period
  ),
  -- The due and billed amounts of each enrollment and month. The employer contribution is the part that the employee
  -- does not pay.
  books as materialized (
    select
      *,
      due_premium_in_cents - due_employee_deduction_in_cents as due_employer_contribution_in_cents,
      billed_premium_in_cents - billed_employee_deduction_in_cents as billed_employer_contribution_in_cents
    from
      (
        select
          employee_id,
          enrollment_id,
          month,
          sum(due_premium_in_cents)::bigint as due_premium_in_cents,
          sum(billed_premium_in_cents)::bigint as billed_premium_in_cents,
          sum(due_employee_deduction_in_cents)::bigint as due_employee_deduction_in_cents,
          sum(billed_employee_deduction_in_cents)::bigint as billed_employee_deduction_in_cents
        from
          (
            select
              employee_id,
              enrollment_id,
              month,
              premium_in_cents as due_premium_in_cents,
              0::bigint as billed_premium_in_cents,
              employee_deduction_in_cents as due_employee_deduction_in_cents,
              0::bigint as billed_employee_deduction_in_cents
            from due
            union all
            select employee_id, enrollment_id, month, 0, premium_in_cents, 0, employee_deduction_in_cents
            from billed
          ) as entry
        group by employee_id, enrollment_id, month
      ) as sums
  ),
  -- The differences, latest month first.
  differing as materialized (
    select *
    from books
    where
      due_premium_in_cents <> billed_premium_in_cents
      or due_employee_deduction_in_cents <> billed_employee_deduction_in_cents
  ),
  -- The first hundred differences as the API shows them.
  differences as (
    select differing.position, row_to_json(shown) as item
    from
      target
      cross join (
        select *, row_number() over (order by month desc, employee_id, enrollment_id) as position
        from (select * from differing order by month desc, employee_id, enrollment_id limit 100) as first
      ) as differing
      cross join lateral shared.tenant(differing.enrollment_id) as tenant
      cross join lateral (
        select
          tenant.employee_id,
          tenant.employee_name,
          differing.enrollment_id,
          tenant.benefit_name,
          to_char(month, 'YYYY-MM') as month,
          shared.cause_json() as cause,
          shared.side_json(due) as due,
          shared.side_json(billed) as billed,
          shared.amounts_json(
            due_premium_in_cents - billed_premium_in_cents,
            due_employer_contribution_in_cents - billed_employer_contribution_in_cents,
            due_employee_deduction_in_cents - billed_employee_deduction_in_cents
          ) as difference
      ) as shown
  ),
  -- The employee's share billed for the year of the invoice so far, and the deductions for that year, by enrollment.
  -- Read from the balances, which are written together with statement lines, so that the query does not slow down in
  -- the course of the year (docs/design/money/corrections.md).
  taken as materialized (
    select *, billed_in_cents + manual_adjustments_in_cents - collected_in_cents as difference_in_cents
    from shared.year_of_enrollments() as sums
  ),
  -- The enrollments where they differ.
  difference as materialized (
    select *
    from taken
    where difference_in_cents <> 0
  ),
  -- The hundred largest differences as the API shows them.
  shown_differences as (
    select difference.position, row_to_json(shown) as item
    from
      target
      cross join (
        select *, row_number() over (order by abs(difference_in_cents) desc, enrollment_id) as position
        from (select * from difference order by abs(difference_in_cents) desc, enrollment_id limit 100) as first
      ) as difference
      cross join lateral shared.tenant(difference.enrollment_id) as tenant
      cross join lateral (
        select
          tenant.employee_id,
          tenant.employee_name,
          difference.enrollment_id,
          tenant.benefit_name,
          difference.billed_in_cents,
          difference.manual_adjustments_in_cents,
          difference.collected_in_cents,
          difference.difference_in_cents
      ) as shown
  ),
  -- The totals of both sides.
  totals as (
    select
      coalesce(sum(due_premium_in_cents), 0) as due_premium_in_cents,
      coalesce(sum(billed_premium_in_cents), 0) as billed_premium_in_cents,
      coalesce(sum(due_employer_contribution_in_cents), 0) as due_employer_contribution_in_cents,
      coalesce(sum(billed_employer_contribution_in_cents), 0) as billed_employer_contribution_in_cents,
      coalesce(sum(due_employee_deduction_in_cents), 0) as due_employee_deduction_in_cents,
      coalesce(sum(billed_employee_deduction_in_cents), 0) as billed_employee_deduction_in_cents
    from books
  )
-- The Reconciliation. No row if out of reach.
select row_to_json(shown)::text as json
from
  target
  cross join totals
  cross join lateral (
    select
      target.invoice_id,
      (select json_agg(to_char(day, 'YYYY-MM') order by day) from months) as months,
      (
        select row_to_json(proof)
        from
          (
            select
              count(*) as line_count,
              coalesce(sum(premium_in_cents), 0) as total_in_cents,
              target.total_in_cents - coalesce(sum(premium_in_cents), 0) as difference_in_cents
            from invoice_lines as line
            where line.invoice_id = target.invoice_id and line.organization_id = target.organization_id
          ) as proof
      ) as lines,
      shared.side_json(totals.due) as due,
      shared.side_json(totals.billed) as billed,
      shared.amounts_json(
        totals.due_premium_in_cents - totals.billed_premium_in_cents,
        totals.due_employer_contribution_in_cents - totals.billed_employer_contribution_in_cents,
        totals.due_employee_deduction_in_cents - totals.billed_employee_deduction_in_cents
      ) as difference,
      (select count(*) from differing) as difference_count,
      (select coalesce(json_agg(item order by position), '[]') from differences) as differences,
      (
        select row_to_json(deducted)
        from
          (
            select
              target.year,
              (
                select max(statement.period_end_date)
                from deduction_statements as statement
                where
                  statement.employer_id = target.employer_id
                  and statement.organization_id = target.organization_id
                  and statement.generated_at is not null
              ) as through,
              coalesce(sum(billed_in_cents), 0) as billed_in_cents,
              coalesce(sum(manual_adjustments_in_cents), 0) as manual_adjustments_in_cents,
              coalesce(sum(collected_in_cents), 0) as collected_in_cents,
              coalesce(sum(difference_in_cents), 0) as difference_in_cents,
              (select count(*) from difference) as difference_count,
              (select coalesce(json_agg(item order by position), '[]') from shown_differences) as differences
            from taken
          ) as deducted
      ) as deductions
  ) as shown;
