-- The plan year to renew, if the caller has access to it, and the first day on which its enrollments can be granted.
select
  year.id,
  year.organization_id,
  year.employer_id,
  year.coverage_start,
  year.coverage_end,
  year.offered_states,
  year.renewal,
  year.plan_successors,
  year.renewed_on,
  case
    when year.open_enrollment_start is null then '-infinity'
    else least(year.open_enrollment_start, year.coverage_start)
  end as grants_from
from benefit_plan_years as year
where
  year.id = :plan_year_id
  and (:employer_id::text is null or year.employer_id = :employer_id)
  and shared.in_reach(year.organization_id, year.employer_id);
