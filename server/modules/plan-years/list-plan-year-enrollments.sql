-- A page of all enrollments of a plan year, newest first, as the whole answer; no row out of reach.
with
  -- The plan year of the employer, within reach.
  place as materialized (
    select year.id, year.organization_id, year.employer_id, year.open_enrollment_end, year.enrollment_count
    from benefit_plan_years as year
    where
      year.id = :benefit_plan_year_id
      and year.employer_id = :employer_id
      and shared.in_reach(year.organization_id, year.employer_id)
  ),
  -- The keys of the page, by the index in the order of the list.
  page as (
    select listed.*
    from
      place
      cross join lateral (
        select *
        from enrollments as enrollment
        where
          enrollment.plan_year_id = place.id
          and enrollment.organization_id = place.organization_id
          and shared.lies_ahead(enrollment)
        order by enrollment.created_at desc, enrollment.id desc
        limit :limit::int offset :offset::bigint
      ) as listed
  ),
  shown as (select * from shared.rows() as enrollment_row),
  -- None leaves the list, so that pages need no counting.
  totals as (select enrollment_count as total, enrollment_count - :behind::bigint * :limit::int as ahead from place)
select json, last_key
from shared.answer() as answer;
