-- A loss that is withdrawn gives back what it took: whatever ended by its facts alone follows them for good, and only
-- an end that the operator set, or that came of an offer that was taken away, stays.

-- Who a census or an HRIS roster ended, because they were missing from it, on which day. They come back when a later
-- one knows them.
alter table employees add column absent_on date;

-- What was set right of employments, and why. Append-only.
create table employee_corrections (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  position bigint not null,
  deed text not null check (deed in ('terminated', 'reinstated', 'reclassified')),
  effective_on date not null,
  reason text,
  credential_id text not null,
  corrected_at timestamptz not null,
  primary key (employee_id, organization_id, position),
  foreign key (employee_id, organization_id) references employees (id, organization_id)
);

alter table enrollments add column ended_by text
  constraint enrollments_ended_by_check check (ended_by in ('loss', 'duplicate', 'offer', 'operator', 'plan_year'));

drop function is_unsettled(date, timestamptz, date);

-- Whether an enrollment follows its facts: it is not inactive, its end was not told yet, or it ended by them.
create function follows_facts(inactive_on date, terminated_at timestamptz, ended_by text, today date) returns boolean
  language sql immutable parallel safe
  return terminated_at is null or coalesce(inactive_on > today, true)
      or coalesce(ended_by in ('loss', 'duplicate', 'plan_year'), false);

-- The first day of coverage that is written: an enrollment of which nothing becomes keeps its own.
create function kept_coverage_start(id text, void boolean, coverage_start date, new_start date) returns date
  language sql immutable parallel safe
  return case when id is not null and void then coverage_start else new_start end;

create or replace function new_inactive_on(
  keeps_end boolean, inactive_on date, void boolean, answer text, new_start date, span_end date, ending_on date,
  today date
) returns date
  language sql immutable parallel safe
  return case when keeps_end then inactive_on
              when void then least(inactive_on, today)
              when answer = 'enrolled' and ending_on > new_start then span_end + 1
              else ending_on end;

-- What ended an enrollment, as long as it is ended: what did so first. loss: no days are left for it, or none in its
-- plan year; duplicate: another has its period; offer: it is offered no more; plan_year: its plan year is over.
create function new_ended_by(
  ended_by text, terminated_at timestamptz, coverage_end_fixed boolean, anchored_on date, doubled boolean,
  new_start date, year_end date, void boolean, lost_on date
) returns text
  language sql immutable parallel safe
  return case when terminated_at is null then null
              when ended_by is not null then ended_by
              when coverage_end_fixed then 'operator'
              when doubled then 'duplicate'
              when anchored_on is null or new_start > year_end then 'loss'
              when void then 'offer'
              when lost_on <= year_end + 1 then 'loss'
              else 'plan_year' end;

-- What ended so far. Of somebody for whom nothing tells, no loss is left to withdraw.
update enrollments as stored
   set ended_by = case when stored.coverage_end_fixed then 'operator'
                       when year.coverage_end < stored.inactive_on then 'plan_year'
                       else 'loss' end
  from enrollments as enrollment
  join benefit_plan_years as year on year.id = enrollment.plan_year_id
   and year.organization_id = enrollment.organization_id
  left join lateral (
    select lost_on from employee_eligibilities
     where employee_id = enrollment.employee_id and organization_id = enrollment.organization_id
       and coalesce(lost_on > enrollment.anchored_on, true)
     order by anchored_on limit 1) as period on true
 where stored.id = enrollment.id and stored.organization_id = enrollment.organization_id
   and enrollment.terminated_at is not null
   and (enrollment.coverage_end_fixed or year.coverage_end < enrollment.inactive_on
        or period.lost_on <= enrollment.inactive_on);

-- Days on which an employer is served: from one subscription to the next where no more than 60 days lie between, since
-- one that is resumed in time never ended. Without any subscription nothing ends.
create function served_days(of_employer text, of_organization text) returns table (from_on date, to_on date)
  language sql stable parallel safe
begin atomic
  with subscriptions as (
    select started_on, coalesce(ended_on, 'infinity') as ended_on
      from employer_subscriptions
     where employer_id = of_employer and organization_id = of_organization
  ), numbered as (
    select started_on, ended_on, count(*) filter (where parted) over (order by started_on) as island
      from (select *, started_on > lag(ended_on) over (order by started_on) + 60 as parted from subscriptions) as marked
  )
  select case when island = 0 then '-infinity'::date else min(started_on) end, max(ended_on)
    from numbered group by island
  union all
  select '-infinity'::date, 'infinity'::date where not exists (select from subscriptions);
end;
