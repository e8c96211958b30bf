-- The plan years of an employer as the whole response, newest first. No row if the employer is out of reach.
select
  '{"data":[' || coalesce(
    (
      select string_agg(row_to_json(shown)::text, ',' order by year.coverage_start desc, year.id desc)
      from
        benefit_plan_years as year
        cross join lateral shared.plan_year_facts() as facts
        cross join lateral (
          select
            year.id,
            year.id as benefit_plan_year_id,
            facts.benefit_id,
            year.year,
            facts.family,
            facts.product_name,
            facts.carrier,
            facts.network_names,
            facts.premium_in_cents,
            facts.employee_contribution,
            facts.employer_contribution,
            facts.status,
            year.coverage_start,
            year.coverage_end,
            coalesce(year.open_enrollment_start, year.coverage_start) as open_enrollment_start,
            year.open_enrollment_end,
            year.offered_states,
            year.renewal,
            year.plan_successors,
            facts.notice_due_on,
            facts.benefits,
            facts.benefit_families,
            facts.enrollment_rate,
            :today between year.coverage_start and year.coverage_end as is_current
        ) as shown
      where
        year.employer_id = employer.id
        and year.organization_id = employer.organization_id
        and (:year::int is null or year.year = :year)
    ),
    ''
  ) || ']}' as json
from employers as employer
where employer.id = :employer_id and shared.in_reach(employer.organization_id, employer.id);
