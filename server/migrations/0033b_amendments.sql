-- The operator amends a plan year while it runs. Amendments are facts: what was told, and what that means at the prices
-- of the catalog as it was then (`terms`). What a plan year offers is derived: from what it was opened with, which it
-- keeps once it is amended, and all amendments that are not withdrawn.
create table plan_year_amendments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  position integer not null,
  effective_on date not null,
  reason text not null,
  said jsonb not null,
  terms jsonb not null,
  told_at timestamptz not null,
  withdrawn_at timestamptz,
  withdrawal_reason text,
  primary key (id, organization_id),
  -- To list those of a plan year, in the order in which they were told.
  unique (plan_year_id, organization_id, position),
  foreign key (plan_year_id, organization_id) references benefit_plan_years (id, organization_id),
  check ((withdrawn_at is null) = (withdrawal_reason is null))
);

alter table benefit_plan_years
  add column as_opened jsonb,
  add column amended_count integer not null default 0;
comment on column benefit_plan_years.as_opened is 'its end and offers before the first amendment; null: it bears none';
comment on column benefit_plan_years.amended_count is 'how often it was amended, or an amendment withdrawn';

-- A benefit may be withdrawn while its plan year runs, and a plan closed: `ends_on` is its last day, `closed_plans` tells
-- by plan the first day on which it covers nobody any more.
alter table plan_year_benefits
  add column ends_on date,
  add column closed_plans jsonb not null default '{}';

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
    select benefit.plan_year_id, benefit.starts_on, benefit.ends_on, years.runs, upper(product.family) as family,
           product.category = 'Medical' as medical
      from years
      join plan_year_benefits as benefit on benefit.plan_year_id = years.id and benefit.organization_id = of_organization
      join benefit_products as product on product.id = benefit.benefit_id and product.organization_id = of_organization
     where benefit.withdrawn_at is null
  ), boundaries as (
    select max(at) filter (where at <= day) as former, min(at) filter (where at > day) as next
      from (select unnest(array[coverage_start, coverage_end + 1, open_enrollment_start, open_enrollment_end + 1]) as at from years
             union all
            select unnest(array[starts_on, ends_on + 1]) from offers) as boundary
  )
  select of_organization, of_employer, (select min(coverage_start) from years), chosen.id, chosen.coverage_start, chosen.coverage_end,
         (select coalesce(min(coverage_end) filter (where runs), max(coverage_end) filter (where coverage_start <= day)) from years),
         election.open_enrollment_start, election.open_enrollment_end,
         array(select distinct family from offers
                where runs and starts_on <= day and coalesce(ends_on >= day, true) order by family),
         coalesce(boundaries.former, '-infinity'), coalesce(boundaries.next, 'infinity')
    from (select * from years
           order by coverage_end < day, case when coverage_end >= day then greatest(coverage_start, day) end,
                    case when coverage_end < day then coverage_end end desc,
                    not exists (select from offers where plan_year_id = years.id and medical), coverage_start, id limit 1) as chosen
    left join (select open_enrollment_start, open_enrollment_end from years where open_enrollment_end >= day
                order by open_enrollment_start, open_enrollment_end limit 1) as election on true
   cross join boundaries;
end;
