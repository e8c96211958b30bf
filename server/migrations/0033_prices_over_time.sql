-- What a plan year offers, and at which prices, may change while it runs: each price and each contribution strategy says
-- from which day on it holds, '-infinity' for from the start, and before which day it ends. Of one plan and tier, and of
-- one benefit, no two hold at a time. A plan that is offered no more has prices that end, and none that follows.
alter table plan_year_rates
  add column effective_on date not null default '-infinity',
  add column until date not null default 'infinity',
  add column priced_on date,
  add column amendment_id text collate "C",
  drop constraint plan_year_rates_pkey,
  add primary key (plan_year_id, organization_id, plan_id, coverage_tier, effective_on),
  add check (effective_on < until);
alter table plan_year_rates alter column effective_on drop default, alter column until drop default;
comment on column plan_year_rates.priced_on is 'the day whose lists by age and area hold; null: the first day of the plan year';
comment on column plan_year_rates.amendment_id is 'the amendment that last changed what a plan costs in a tier; null: as it was opened';

create table plan_year_contributions (
  organization_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  benefit_id text collate "C" not null,
  effective_on date not null,
  until date not null check (effective_on < until),
  contribution_strategy jsonb not null,
  primary key (plan_year_id, organization_id, benefit_id, effective_on),
  foreign key (plan_year_id, organization_id, benefit_id) references plan_year_benefits (plan_year_id, organization_id, benefit_id)
);
insert into plan_year_contributions (organization_id, plan_year_id, benefit_id, effective_on, until, contribution_strategy)
select organization_id, plan_year_id, benefit_id, '-infinity', 'infinity', contribution_strategy from plan_year_benefits;
alter table plan_year_benefits drop column contribution_strategy;

-- The day by whose prices is shown what an enrollment can elect: that from which an election would hold that was made
-- today, life events aside.
create function election_day(answer text, coverage_start date, plan_year_end date, today date) returns date
  language sql immutable parallel safe
  return case when answer is distinct from 'enrolled' or today < coverage_start then coverage_start
              else least((date_trunc('month', today::timestamp) + interval '1 month')::date, plan_year_end) end;

-- The day by whose prices a plan year is shown: today while it runs, else its first or its last day.
create function shown_day(coverage_start date, coverage_end date, today date) returns date
  language sql immutable parallel safe
  return least(greatest(today, coverage_start), coverage_end);

-- The amendment by whose price an election is priced, null: as the plan year was opened; and what it cost as it was
-- elected, where it was priced anew since.
alter table elections
  add column amendment_id text collate "C",
  add column as_elected jsonb;
