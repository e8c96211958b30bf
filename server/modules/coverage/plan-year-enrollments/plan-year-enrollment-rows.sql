-- The enrollments of a `page`, by their keys, in the form of the list of a plan year `target`.
select
  -- Subqueries for each row instead of joins. The planner estimates a page of unknown length as a tenth of the table,
  -- and would scan the whole tables of enrollments and people for a join.
  (
    select row_to_json(shown)
    from
      (
        select
          employee.member_id,
          enrollment.employee_id,
          employee.reference_id as employee_external_reference_id,
          member.first_name as member_first_name,
          member.last_name as member_last_name,
          shared.election_status() as election_status,
          case
            when enrollment.answer = 'enrolled' then case
              when enrollment.coverage_end < enrollment.coverage_start then 'Cancelled'
              when enrollment.coverage_start > :today then 'Coverage Upcoming'
              when enrollment.coverage_end < :today then 'Coverage Ended'
              else 'Coverage Effective'
            end
          end as policy_status,
          (
            select count(*)
            from covered_dependents as covered
            where
              covered.enrollment_id = enrollment.id
              and covered.organization_id = enrollment.organization_id
              and covered.effective_on = elected.effective_on
              and shared.covered_now()
          ) as dependent_count,
          elected.carrier,
          elected.plan,
          elected.coverage_tier as tier,
          elected.premium_in_cents,
          elected.employer_contribution_in_cents,
          elected.employee_deduction_in_cents,
          enrollment.id as enrollment_id,
          enrollment.benefit_id,
          product.name as benefit_name,
          enrollment.coverage_start,
          enrollment.coverage_end,
          shared.window_end() as window_ends_on,
          case
            when product.family = 'ichra' then shared.affordability_facts()
          end as affordability,
          null as missing_figures
        from
          enrollments as enrollment
          join employees as employee
            on employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id
          join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
          join benefit_products as product
            on product.id = enrollment.benefit_id and product.organization_id = enrollment.organization_id
          join benefit_plan_years as year
            on year.id = enrollment.plan_year_id and year.organization_id = enrollment.organization_id
          left join lateral (
            select election.*, plan.name as plan, carrier.name as carrier
            from
              shared.election_in_force() as election
              join plans as plan on plan.id = election.plan_id and plan.organization_id = election.organization_id
              join carriers as carrier
                on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
          ) as elected
            on true
        where enrollment.id = page.id and enrollment.organization_id = page.organization_id
      ) as shown
  ) as item,
  row_number() over (order by shared.words_of(page), shared.instant_of(page) desc, page.id desc) as position,
  shared.key_of(page) as key
from
  target
  cross join page;
