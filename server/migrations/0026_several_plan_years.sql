-- An employer may have several plan years at a time, as long as no benefit is in two: what a plan year offers bears whose
-- it is and the days of its plan year, so that the database itself holds that nobody is covered by a benefit twice. Both
-- are written together with the offers; of what is withdrawn they are those of when it was last offered.
alter table plan_year_benefits
  add column employer_id text collate "C",
  add column during daterange;
update plan_year_benefits as benefit
   set employer_id = year.employer_id, during = daterange(year.coverage_start, year.coverage_end, '[]')
  from benefit_plan_years as year
 where year.id = benefit.plan_year_id and year.organization_id = benefit.organization_id;
alter table plan_year_benefits
  alter column employer_id set not null,
  alter column during set not null,
  -- Over an expression, see employees.
  add constraint one_plan_year_of_a_benefit_at_a_time
    exclude using gist ((benefit_id || employer_id || organization_id) with =, during with &&) where (withdrawn_at is null);
alter table benefit_plan_years drop constraint one_plan_year_at_a_time;

comment on column employer_benefits.plan_year_id is 'of those that run the one with medical benefits, or else the first; without one that runs the next, or else the last';
comment on column employer_benefits.latest_coverage_end is 'the first end of a plan year that runs, or else the last of those that ran; null before the first';

-- The row of employer_benefits as it is to be on a day; none for an employer without a plan year.
create or replace function employer_benefits_on(of_employer text, of_organization text, day date) returns setof employer_benefits
  language sql stable parallel safe
begin atomic
  with years as materialized (
    select year.id, year.coverage_start, year.coverage_end, year.open_enrollment_start, year.open_enrollment_end,
           day between year.coverage_start and year.coverage_end as runs
      from benefit_plan_years as year
     where year.employer_id = of_employer and year.organization_id = of_organization
  ), offers as materialized (
    select benefit.plan_year_id, benefit.starts_on, years.runs, upper(product.family) as family, product.category = 'Medical' as medical
      from years
      join plan_year_benefits as benefit on benefit.plan_year_id = years.id and benefit.organization_id = of_organization
      join benefit_products as product on product.id = benefit.benefit_id and product.organization_id = of_organization
     where benefit.withdrawn_at is null
  ), boundaries as (
    select max(at) filter (where at <= day) as former, min(at) filter (where at > day) as next
      from (select unnest(array[coverage_start, coverage_end + 1, open_enrollment_start, open_enrollment_end + 1]) as at from years
             union all
            select starts_on from offers) as boundary
  )
  select of_organization, of_employer, (select min(coverage_start) from years), chosen.id, chosen.coverage_start, chosen.coverage_end,
         (select coalesce(min(coverage_end) filter (where runs), max(coverage_end) filter (where coverage_start <= day)) from years),
         election.open_enrollment_start, election.open_enrollment_end,
         array(select distinct family from offers where runs and starts_on <= day order by family),
         coalesce(boundaries.former, '-infinity'), coalesce(boundaries.next, 'infinity')
    from (select * from years
           order by coverage_end < day, case when coverage_end >= day then greatest(coverage_start, day) end,
                    case when coverage_end < day then coverage_end end desc,
                    not exists (select from offers where plan_year_id = years.id and medical), coverage_start, id limit 1) as chosen
    left join (select open_enrollment_start, open_enrollment_end from years where open_enrollment_end >= day
                order by open_enrollment_start, open_enrollment_end limit 1) as election on true
   cross join boundaries;
end;
