-- A page of the enrollments of a plan year, all or those in some states of election, sorted by words, as the whole
-- answer; no row out of reach.
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
  -- Who has a window of a life event.
  reopened as materialized (select * from shared.reopened() as event),
  -- What the filter keeps. It is asked once, for the page and its totals.
  kept as materialized (
    select enrollment.id, enrollment.organization_id, enrollment.created_at, shared.words() as words
    from
      place
      join enrollments as enrollment
        on enrollment.plan_year_id = place.id and enrollment.organization_id = place.organization_id
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
      place
      cross join (
        select count(*) as total, count(*) filter (where shared.lies_ahead(kept)) as ahead from kept
      ) as counted
  )
select json, last_key
from shared.answer() as answer;
