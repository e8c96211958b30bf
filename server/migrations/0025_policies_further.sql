-- What a policy may say besides a classification and a waiting period: which classes and pay types it covers, for which
-- benefits, and whether coverage begins on firsts of months alone.

alter table benefit_eligibility_policies
  alter column classification drop not null,
  add column employee_classes text[] not null default '{}',
  add column compensation_types text[],
  add column benefit_ids text[] not null default '{}',
  add column start_alignment text not null default 'exact'
    constraint benefit_eligibility_policies_start_alignment_check check (start_alignment in ('exact', 'first_of_month'));

-- The classes that each policy covers. From now on `all` covers individual contractors only where their class is named.
update benefit_eligibility_policies
   set employee_classes = case classification
         when 'full_time' then array['Full Time']
         when 'part_time' then array['Part Time']
         else array['Full Time', 'Part Time', 'Temporary', 'Intern', 'Seasonal'] end;

-- What was promised to contractors until today stays: where there are some, the policies for `all` covered them as long
-- as they were in force, and one that does not follows, so that their coverage ends as by any loss.
with today as materialized (
  select (now() at time zone 'America/New_York')::date as day
), concerned as materialized (
  select distinct employee.employer_id, employee.organization_id
    from employee_classifications as history
    join employees as employee on employee.id = history.employee_id
     and employee.organization_id = history.organization_id
   where history.employee_class = 'Individual Contractor'
), ended as (
  update benefit_eligibility_policies as policy
     set employee_classes = policy.employee_classes || array['Individual Contractor'],
         archived_at = coalesce(policy.archived_at, now()),
         archived_on = coalesce(policy.archived_on, greatest(today.day, policy.effective_on)),
         updated_at = case when policy.archived_at is null then now() else policy.updated_at end
    from concerned cross join today
   where policy.employer_id = concerned.employer_id and policy.organization_id = concerned.organization_id
     and policy.classification = 'all'
  returning policy.*, old.archived_at is null as followed
)
insert into benefit_eligibility_policies
  (id, organization_id, employer_id, classification, employee_classes, waiting_period, effective_on, created_at,
   updated_at)
select new_id('epol'), organization_id, employer_id, classification,
       array_remove(employee_classes, 'Individual Contractor'), waiting_period, archived_on, now(), now()
  from ended where followed;

-- The daily run comes by those for whom this ends.
update eligibility_standings as standing
   set due_on = (now() at time zone 'America/New_York')::date
  from employee_classifications as history
 where history.employee_id = standing.employee_id and history.organization_id = standing.organization_id
   and history.employee_class = 'Individual Contractor' and standing.eligible;

alter table benefit_eligibility_policies
  alter column employee_classes drop default,
  add constraint benefit_eligibility_policies_employee_classes_check check (employee_classes <> '{}');

-- One policy is in force for all benefits that have none of their own; which of those are, an action sees to.
drop index active_policy_of_employer;
create unique index active_policy_of_employer on benefit_eligibility_policies (employer_id, organization_id)
  where archived_at is null and benefit_ids = '{}';

-- A period is of a benefit that has a policy of its own, or of all the rest, whose scope is empty.
alter table employee_eligibilities add column scope text collate "C" not null default '';
alter table employee_eligibilities drop constraint employee_eligibilities_pkey;
alter table employee_eligibilities add primary key (employee_id, organization_id, scope, anchored_on);

-- Policies for some benefits, which few employers have.
create index own_policies_of_employer on benefit_eligibility_policies (employer_id, organization_id)
  where benefit_ids <> '{}';

-- Whose periods of eligibility count for a benefit: its own when it ever had a policy of its own, or those of the rest.
create function scope_of(of_employer text, of_organization text, of_benefit text) returns table (scope text)
  language sql stable parallel safe
begin atomic
  select case when exists (select from benefit_eligibility_policies
                            where employer_id = of_employer and organization_id = of_organization
                              and benefit_ids <> '{}' and of_benefit = any (benefit_ids)
                              and (archived_on is null or archived_on > effective_on))
              then of_benefit else '' end;
end;

drop function policy_covers(text, text);

-- Whether a policy covers a class and a pay type: one that names pay types covers nobody whose own is not known.
create function policy_covers(
  employee_classes text[], compensation_types text[], employee_class text, compensation_type text
) returns boolean
  language sql immutable parallel safe
  return employee_class = any (employee_classes)
     and (compensation_types is null or coalesce(compensation_type = any (compensation_types), false));

drop function waiting_ends_on(date, text, date);

-- The first day on which a policy has been waited out. A policy that came during the period grants nothing before its
-- own first day, and where it knows firsts of months alone, nothing before the next one.
create function waiting_ends_on(
  anchored_on date, waiting_period text, policy_from_on date, start_alignment text
) returns date
  language sql immutable parallel safe
  return case when waiting_period = 'first_of_following_month' or start_alignment = 'first_of_month'
              then first_on_or_after(greatest(waited_on(anchored_on, waiting_period), policy_from_on, anchored_on))
              else greatest(waited_on(anchored_on, waiting_period), policy_from_on, anchored_on) end;

-- What a census warns of in rows that it took.
create table census_warnings (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  index integer not null,
  reference_id text,
  field text,
  reason text not null,
  primary key (census_sync_id, organization_id, index),
  foreign key (census_sync_id, organization_id) references census_syncs (id, organization_id)
);
