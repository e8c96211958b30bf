-- An invoice beside what is due: the proof of its lines, of the books in its reach, and of what was deducted.
with
  -- The invoice, the months that its lines may be of, and until when other invoices may bill those.
  place as materialized (
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
      -- No invoice bills a month more than a year later.
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
  -- The months in reach of the invoice, and whether the employer is administered and subscribed on their first day:
  -- asked once for each.
  months as materialized (
    select
      month.day::date as day,
      (month.day + interval '1 month')::date - 1 as last_day,
      coalesce(place.administered_from <= month.day, true)
      and exists (
        select
        from served_days(place.employer_id, place.organization_id)
        where from_on <= month.day and month.day < to_on
      ) as is_charged
    from
      place
      cross join lateral generate_series(
        place.first_month::timestamp,
        place.period::timestamp,
        interval '1 month'
      ) as month (day)
  ),
  -- The enrollments of the employer in the plan years of those months and of the year of the invoice; those that may be
  -- due for the months.
  held as materialized (
    select
      enrollment.id as enrollment_id,
      enrollment.employee_id,
      enrollment.coverage_start,
      least(enrollment.coverage_end, year.coverage_end) as coverage_end,
      year.is_in_reach and enrollment.answer = 'enrolled' as is_enrolled
    from
      place
      cross join lateral (
        select
          id,
          coverage_end,
          coverage_start < place.next_period and coverage_end >= place.first_month as is_in_reach
        from benefit_plan_years
        where
          employer_id = place.employer_id
          and organization_id = place.organization_id
          and coverage_start <= place.year_end
          and coverage_end >= least(place.first_month, place.year_start)
        offset 0
      ) as year
      cross join lateral (
        select *
        from enrollments
        where plan_year_id = year.id and organization_id = place.organization_id
        offset 0
      ) as enrollment
  ),
  enrolled as (
    select *
    from held
    where is_enrolled
  ),
  -- Their elections, and until when each holds: read together, and joined in full below (decision 211).
  elected as (
    select
      election.*,
      lead(effective_on, 1, 'infinity') over (
        partition by enrollment_id
        order by effective_on
      ) as until
    from
      (select organization_id, array(select enrollment_id from enrolled) as enrollment_ids from place) as asked
      cross join lateral (
        select enrollment_id, effective_on, plan_id, premium_in_cents, employee_deduction_in_cents
        from elections
        where
          enrollment_id = any (asked.enrollment_ids)
          and organization_id = asked.organization_id
          and individual_plan_name is null
        offset 0
      ) as election
  ),
  -- What each of those months costs for each enrollment of the employer as it is known now, by the election of its
  -- first covered day and as its plan bills it. Said once more and not by the rule that the lines are made by, so that
  -- the one proves the other.
  due as (
    select
      election.employee_id,
      election.enrollment_id,
      month.day as month,
      charge.premium_in_cents,
      charge.employee_deduction_in_cents
    from
      place
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
          place.partial_month_rules ->> election.plan_id as rule
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
  -- The invoices of the employer that are not void and may have billed those months, or its year so far.
  drafted as materialized (
    select place.*, invoice.invoice_id as drafted_id, invoice.period >= place.first_month as is_in_reach
    from
      place
      cross join lateral (
        select *
        from invoices
        where
          employer_id = place.employer_id
          and organization_id = place.organization_id
          and drafted_at is not null
          and voided_at is null
          and period between least(place.first_month, place.year_start) and place.last_period
        offset 0
      ) as invoice
  ),
  -- What they billed for those months.
  billed as (
    select employee_id, enrollment_id, month, premium_in_cents, employee_deduction_in_cents
    from shared.lines_drafted() as line
    where is_in_reach and month between first_month and period
  ),
  -- Both sides of each enrollment and month. What an employer contributes is what the employee does not pay.
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
  -- Where the sides differ, the latest month first.
  differing as materialized (
    select *
    from books
    where
      due_premium_in_cents <> billed_premium_in_cents
      or due_employee_deduction_in_cents <> billed_employee_deduction_in_cents
  ),
  -- The first hundred of them as the interface shows them.
  differences as (
    select differing.position, row_to_json(shown) as item
    from
      place
      cross join (
        select *, row_number() over (order by month desc, employee_id, enrollment_id) as position
        from (select * from differing order by month desc, employee_id, enrollment_id limit 100) as first
      ) as differing
      cross join lateral shared.whose(differing.enrollment_id) as whose
      cross join lateral (
        select
          whose.employee_id,
          whose.employee_name,
          differing.enrollment_id,
          whose.benefit_name,
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
  -- The employees' part in what was billed for the year of the invoice so far, and what was deducted for that year, of
  -- each enrollment: as their balances have it, which are written with the lines of statements, so that a year costs no
  -- more late in it (decision 241).
  taken as materialized (
    select *, billed_in_cents + manual_adjustments_in_cents - collected_in_cents as difference_in_cents
    from shared.year_of_enrollments() as sums
  ),
  -- The enrollments where both differ.
  apart as materialized (
    select *
    from taken
    where difference_in_cents <> 0
  ),
  -- The hundred with the largest difference as the interface shows them.
  apart_shown as (
    select apart.position, row_to_json(shown) as item
    from
      place
      cross join (
        select *, row_number() over (order by abs(difference_in_cents) desc, enrollment_id) as position
        from (select * from apart order by abs(difference_in_cents) desc, enrollment_id limit 100) as first
      ) as apart
      cross join lateral shared.whose(apart.enrollment_id) as whose
      cross join lateral (
        select
          whose.employee_id,
          whose.employee_name,
          apart.enrollment_id,
          whose.benefit_name,
          apart.billed_in_cents,
          apart.manual_adjustments_in_cents,
          apart.collected_in_cents,
          apart.difference_in_cents
      ) as shown
  ),
  -- Both sides of all of them together.
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
-- The Reconciliation of the interface; no row out of reach.
select row_to_json(shown)::text as json
from
  place
  cross join totals
  cross join lateral (
    select
      place.invoice_id,
      (select json_agg(to_char(day, 'YYYY-MM') order by day) from months) as months,
      (
        select row_to_json(proof)
        from
          (
            select
              count(*) as line_count,
              coalesce(sum(premium_in_cents), 0) as total_in_cents,
              place.total_in_cents - coalesce(sum(premium_in_cents), 0) as difference_in_cents
            from invoice_lines as line
            where line.invoice_id = place.invoice_id and line.organization_id = place.organization_id
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
              place.year,
              (
                select max(statement.period_end_date)
                from deduction_statements as statement
                where
                  statement.employer_id = place.employer_id
                  and statement.organization_id = place.organization_id
                  and statement.generated_at is not null
              ) as through,
              coalesce(sum(billed_in_cents), 0) as billed_in_cents,
              coalesce(sum(manual_adjustments_in_cents), 0) as manual_adjustments_in_cents,
              coalesce(sum(collected_in_cents), 0) as collected_in_cents,
              coalesce(sum(difference_in_cents), 0) as difference_in_cents,
              (select count(*) from apart) as difference_count,
              (select coalesce(json_agg(item order by position), '[]') from apart_shown) as differences
            from taken
          ) as deducted
      ) as deductions
  ) as shown;
