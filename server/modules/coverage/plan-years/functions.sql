-- Whether a plan year is offered in a state. Without states it is offered everywhere.
create or replace function is_offered_in(offered_states text[], state text)
returns boolean
language sql
immutable
parallel safe
return offered_states = '{}' or state = any (offered_states);

-- The day that selects the shown prices of a plan year: today while it runs, otherwise its first or last day.
create or replace function shown_day(coverage_start date, coverage_end date, today date)
returns date
language sql
immutable
parallel safe
return least(greatest(today, coverage_start), coverage_end);

-- The row that employer_benefits should contain for an employer on a day. No row if the employer has no plan year.
create or replace function employer_benefits_on(of_employer text, of_organization text, day date)
returns setof employer_benefits
language sql
stable
parallel safe
begin atomic
  with
    years as materialized (
      select
        year.id,
        year.coverage_start,
        year.coverage_end,
        year.open_enrollment_start,
        year.open_enrollment_end,
        day between year.coverage_start and year.coverage_end as runs
      from benefit_plan_years as year
      where year.employer_id = of_employer and year.organization_id = of_organization
    ),
    offers as materialized (
      select
        benefit.plan_year_id,
        benefit.starts_on,
        benefit.ends_on,
        years.runs,
        upper(product.family) as family,
        product.category = 'Medical' as medical
      from
        years
        join plan_year_benefits as benefit
          on benefit.plan_year_id = years.id and benefit.organization_id = of_organization
        join benefit_products as product
          on product.id = benefit.benefit_id and product.organization_id = of_organization
      where benefit.withdrawn_at is null
    ),
    boundaries as (
      select max(at) filter (where at <= day) as former, min(at) filter (where at > day) as next
      from
        (
          select unnest(array[coverage_start, coverage_end + 1, open_enrollment_start, open_enrollment_end + 1]) as at
          from years
          union all
          select unnest(array[starts_on, ends_on + 1]) from offers
        ) as boundary
    )
  select
    of_organization,
    of_employer,
    (select min(coverage_start) from years),
    chosen.id,
    chosen.coverage_start,
    chosen.coverage_end,
    (
      select coalesce(min(coverage_end) filter (where runs), max(coverage_end) filter (where coverage_start <= day))
      from years
    ),
    election.open_enrollment_start,
    election.open_enrollment_end,
    array(
      select distinct family
      from offers
      where runs and starts_on <= day and coalesce(ends_on >= day, true)
      order by family
    ),
    coalesce(boundaries.former, '-infinity'),
    coalesce(boundaries.next, 'infinity')
  from
    (
      select *
      from years
      order by
        coverage_end < day,
        case
          when coverage_end >= day then greatest(coverage_start, day)
        end,
        case
          when coverage_end < day then coverage_end
        end desc,
        not exists (select from offers where plan_year_id = years.id and medical),
        coverage_start,
        id
      limit 1
    ) as chosen
    left join (
      select open_enrollment_start, open_enrollment_end
      from years
      where open_enrollment_end >= day
      order by open_enrollment_start, open_enrollment_end
      limit 1
    ) as election
      on true
    cross join boundaries;
end;
