-- The counts of the enrollments of a plan year, for each benefit and for its people. No row if the plan year is
-- out of reach.
with
  -- The plan year of the employer, within reach.
  target as materialized (
    select year.id, year.organization_id, year.employer_id, year.open_enrollment_end
    from benefit_plan_years as year
    where
      year.id = :benefit_plan_year_id
      and year.employer_id = :employer_id
      and shared.in_reach(year.organization_id, year.employer_id)
  ),
  -- The employees with a window of a life event.
  reopened as materialized (select * from shared.reopened() as event),
  -- The status of each enrollment that the counts of the plan year include. Lost enrollments are not counted.
  status as materialized (
    select enrollment.employee_id, enrollment.benefit_id, shared.election_status() as status
    from
      target
      join enrollments as enrollment
        on enrollment.plan_year_id = target.id and enrollment.organization_id = target.organization_id
    where enrollment.counted_as is not null
  ),
  person as (
    select
      employee_id,
      bool_or(status = 'Enrolled') as is_enrolled,
      bool_or(status = 'Pending') as is_pending,
      bool_or(status = 'Waived') as has_waived
    from status
    group by employee_id
  ),
  people as (
    select
      count(*) as eligible,
      count(*) filter (where is_enrolled) as enrolled,
      count(*) filter (where has_waived and not is_enrolled and not is_pending) as waived,
      count(*) filter (where is_pending) as pending,
      count(*) filter (where not is_enrolled and not is_pending and not has_waived) as expired
    from person
  ),
  benefits as (
    select
      benefit_id,
      count(*) as eligible,
      count(*) filter (where status = 'Enrolled') as enrolled,
      count(*) filter (where status = 'Waived') as waived,
      count(*) filter (where status = 'Pending') as pending,
      count(*) filter (where status = 'Expired') as expired
    from status
    group by benefit_id
  )
select
  target.organization_id,
  json_build_object(
    'people',
    (select row_to_json(people) from people),
    'benefits',
    (
      select coalesce(json_agg(row_to_json(shown) order by offered.position), '[]')
      from
        plan_year_benefits as offered
        left join benefits as counted on counted.benefit_id = offered.benefit_id
        cross join lateral (
          select
            offered.benefit_id,
            json_build_object(
              'eligible',
              coalesce(counted.eligible, 0),
              'enrolled',
              coalesce(counted.enrolled, 0),
              'waived',
              coalesce(counted.waived, 0),
              'pending',
              coalesce(counted.pending, 0),
              'expired',
              coalesce(counted.expired, 0)
            ) as counts
        ) as shown
      where
        offered.plan_year_id = target.id
        and offered.organization_id = target.organization_id
        and offered.withdrawn_at is null
    )
  )::text as json
from target;
