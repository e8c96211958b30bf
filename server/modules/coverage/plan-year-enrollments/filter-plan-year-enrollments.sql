-- A page of the enrollments of a plan year that match a filter or a search, in the requested order, as the whole
-- response. No row if the plan year is out of reach.
with
  -- The plan year of the employer, within reach.
  target as materialized (
    select
      year.id,
      year.organization_id,
      year.employer_id,
      year.employer_id || :search as reference_key,
      year.open_enrollment_end,
      year.enrollment_count
    from benefit_plan_years as year
    where
      year.id = :benefit_plan_year_id
      and year.employer_id = :employer_id
      and shared.in_reach(year.organization_id, year.employer_id)
  ),
  -- The employees with a window of a life event.
  reopened as materialized (select * from shared.reopened() as event),
  -- The matching enrollments, read once for the page and its totals.
  kept as materialized (
    select enrollment.id, enrollment.organization_id, enrollment.created_at, shared.words() as words
    from
      target
      cross join lateral shared.candidates() as enrollment
    where shared.is_chosen()
  ),
  -- The keys of the page.
  page as (
    select *
    from kept as enrollment
    where shared.lies_ahead(enrollment)
    order by enrollment.words, shared.instant_of(enrollment) desc, enrollment.id desc
    limit :limit::int offset :offset::bigint
  ),
  shown as (select * from shared.rows() as enrollment_row),
  totals as (
    select counted.*
    from
      target
      cross join (
        select count(*) as total, count(*) filter (where shared.lies_ahead(kept)) as ahead from kept
      ) as counted
  )
select json, last_key
from shared.answer() as answer;
