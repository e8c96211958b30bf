-- The first day of coverage: the waiting period is over, for medical products no later than 90 days after the anchor;
-- and the plan year and the benefit have begun. The cap acts on the waiting period alone.
create or replace function coverage_starts_on(anchor date, waited date, benefit_starts_on date, plan_year_starts_on date, medical boolean) returns date
  language sql immutable parallel safe
  return greatest(plan_year_starts_on, benefit_starts_on,
                  case when medical then least(waited, anchor + 90) else waited end);

-- When a run became known. Who is granted something during an open enrollment chooses until that ends if their run was
-- known when it began, and else for 30 days like any newcomer. It is noted and not derived: the past is not told again.
alter table employee_eligibilities add column known_on date not null default '-infinity';
alter table employee_eligibilities alter column known_on drop default;

-- Newcomers who were told of during an open enrollment and had the rest of it alone.
update enrollments as enrollment set window_ends_on = enrollment.granted_on + 30
  from benefit_plan_years as year, employees as employee
 where enrollment.window_ends_on = enrollment.granted_on and enrollment.granted_on > current_date - 31
   and year.id = enrollment.plan_year_id and year.organization_id = enrollment.organization_id
   and enrollment.granted_on between year.open_enrollment_start and year.open_enrollment_end
   and employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id
   and (employee.known_at at time zone 'America/New_York')::date >= year.open_enrollment_start;

-- Days that are stored and would be others now follow by a job for each employer: where a medical benefit begins after
-- its plan year, and where a plan year has just ended, of which a last day may have been told since. A database that is
-- new has neither employers nor a place for jobs yet.
do $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  perform graphile_worker.add_jobs(array(
    select row('recalculate_employer',
               json_build_object('organization_id', organization_id, 'employer_id', employer_id),
               null, null, null, 'recalculate:' || employer_id, null, null)::graphile_worker.job_spec
      from benefit_plan_years as year
     where year.coverage_end >= current_date - 92
       and (year.coverage_end < current_date
            or exists (select from plan_year_benefits as benefit
                         join benefit_products as product on product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
                        where benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
                          and benefit.starts_on > year.coverage_start and product.category = 'Medical'))
     group by organization_id, employer_id));
end $$;
