-- A page of the enrollments of a plan year as the whole response, newest first: all of them, or those with some
-- election statuses. No row if the plan year is out of reach.
with
  -- The plan year of the employer, within reach.
  target as materialized (
    select year.id, year.organization_id, year.employer_id, year.open_enrollment_end, year.enrollment_count
    from benefit_plan_years as year
    where
      year.id = :benefit_plan_year_id
      and year.employer_id = :employer_id
      and shared.in_reach(year.organization_id, year.employer_id)
  ),
  -- The employees with a window of a life event.
  reopened as materialized (select * from shared.reopened() as event),
  totals as (select counted.* from shared.totals() as counted),
  -- The keys of the page, in the order of the index.
  page as (
    select listed.*
    from
      target
      cross join lateral (
        select enrollment.id, enrollment.organization_id, enrollment.created_at
        from enrollments as enrollment
        where
          enrollment.plan_year_id = target.id
          and enrollment.organization_id = target.organization_id
          and shared.lies_ahead(enrollment)
          and shared.is_chosen()
        order by enrollment.created_at desc, enrollment.id desc
        limit shared.most() offset :offset::bigint
      ) as listed
  ),
  shown as (select * from shared.rows() as enrollment_row)
select json, last_key
from shared.answer() as answer;
