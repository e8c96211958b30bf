-- Choice groups: benefits of which an employee may hold one at a time. They go by a name, which counts for the employer:
-- what plan years of the same time offer under one name is one group.
alter table plan_year_benefits add column choice_group text;

update plan_year_benefits as benefit
   set choice_group = 'medical'
  from benefit_products as product
 where product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
   and (product.product_code = 'EBA' or product.product_code ~ '^(MEC|MVP|ICHRA)');

-- Which of an employee's choices in a group an enrollment was elected by: a later one takes the place of an earlier. What
-- was elected before there were groups has 0, and takes nobody's place.
alter table enrollments add column choice integer not null default 0;

-- The days that an enrollment holds for its choice group, by its period alone; null where it holds none. span_end and
-- ending_on as they are without choices.
create function held_days(
  answer text, unsettled boolean, coverage_end_fixed boolean, coverage_start date, coverage_end date,
  anchored_on date, span_start date, span_end date, ending_on date, year_end date
) returns daterange
  language sql immutable parallel safe
  return case when answer is distinct from 'enrolled' then null
              when coverage_end_fixed or not unsettled
                then case when coverage_start <= coalesce(coverage_end, year_end)
                          then daterange(coverage_start, coalesce(coverage_end, year_end), '[]') end
              when anchored_on is not null and coalesce(ending_on > span_start, true)
                   and span_start <= coalesce(span_end, year_end)
                then daterange(span_start, coalesce(span_end, year_end), '[]') end;

-- The last day before somebody's later choice covers them; null where none does in the plan year. It is the day before
-- the first, where nothing is left of the coverage.
create function chosen_until(taken datemultirange, span_start date, year_end date) returns date
  language sql immutable parallel safe
  return case when span_start <= year_end
              then lower(taken * datemultirange(daterange(span_start, year_end, '[]'))) - 1 end;

-- Who holds two benefits of a group since before there were groups keeps both, until somebody decides which: it is an
-- open matter of the employee.
insert into open_matters (id, organization_id, employer_id, kind, resource_id, details, opened_at)
select new_id('omat'), doubled.organization_id, doubled.employer_id, 'choice_group_doubled', doubled.employee_id,
       doubled.details, now()
  from (select distinct on (latter.employee_id, latter.organization_id)
               latter.organization_id, latter.employer_id, latter.employee_id,
               jsonb_build_object(
                 'choice_group', theirs.choice_group, 'enrollment_id', latter.id, 'other_enrollment_id', former.id,
                 'from', greatest(former.coverage_start, latter.coverage_start)) as details
          from enrollments as latter
          join plan_year_benefits as theirs on theirs.plan_year_id = latter.plan_year_id
           and theirs.organization_id = latter.organization_id and theirs.benefit_id = latter.benefit_id
          join benefit_plan_years as latter_year on latter_year.id = latter.plan_year_id
           and latter_year.organization_id = latter.organization_id
          join enrollments as former on former.employee_id = latter.employee_id
           and former.organization_id = latter.organization_id and former.benefit_id <> latter.benefit_id
           and former.answer = 'enrolled'
           and (former.answered_at, former.id) < (latter.answered_at, latter.id)
          join plan_year_benefits as others on others.plan_year_id = former.plan_year_id
           and others.organization_id = former.organization_id and others.benefit_id = former.benefit_id
           and others.choice_group = theirs.choice_group
          join benefit_plan_years as former_year on former_year.id = former.plan_year_id
           and former_year.organization_id = former.organization_id
          join organizations as organization on organization.id = latter.organization_id
         where latter.answer = 'enrolled'
           and least(coalesce(former.coverage_end, former_year.coverage_end),
                     coalesce(latter.coverage_end, latter_year.coverage_end))
               >= greatest(former.coverage_start, latter.coverage_start,
                           (now() at time zone 'America/New_York')::date + organization.clock_offset_days)
         order by latter.employee_id, latter.organization_id, latter.answered_at desc, latter.id desc) as doubled;
