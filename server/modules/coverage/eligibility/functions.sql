-- Calendar rules are functions of days alone. One statement then judges a hundred thousand people, and the
-- explanation for one person uses the same rule. calendar.test.ts and periods.test.ts hold tables of cases.

-- The first of a month: the day itself, or the next one.
create or replace function first_on_or_after(day date)
returns date
language sql
immutable
parallel safe
return month_end(day - 1) + 1;

-- The day after a waiting period that begins on the anchor.
create or replace function waited_on(anchor date, waiting_period text)
returns date
language sql
immutable
parallel safe
return case waiting_period
  when 'none' then anchor
  when 'first_of_following_month' then month_end(anchor) + 1
  when '30_days' then anchor + 30
  when '60_days' then anchor + 60
end;

-- The first day of coverage: after the waiting period, which for medical benefits ends at most 90 days after the
-- anchor, and not before the plan year and the benefit begin. The 90-day cap limits only the waiting period.
create or replace function coverage_starts_on(
  anchor date,
  waited date,
  benefit_starts_on date,
  plan_year_starts_on date,
  medical boolean
)
returns date
language sql
immutable
parallel safe
return greatest(
  plan_year_starts_on,
  benefit_starts_on,
  case
    when medical then least(waited, anchor + 90)
    else waited
  end
);

-- The first day after the waiting period of a policy. A policy that was added during the period of eligibility grants
-- nothing before its own first day. If it aligns starts to months, coverage waits for the next first of a month.
create or replace function waiting_ends_on(
  anchored_on date,
  waiting_period text,
  policy_from_on date,
  start_alignment text
)
returns date
language sql
immutable
parallel safe
return case
  when waiting_period = 'first_of_following_month'
  or start_alignment = 'first_of_month' then first_on_or_after(
    greatest(waited_on(anchored_on, waiting_period), policy_from_on, anchored_on)
  )
  else greatest(waited_on(anchored_on, waiting_period), policy_from_on, anchored_on)
end;

-- Like waiting_ends_on, for a person with a return in time. The earlier service counts, and coverage starts with a
-- month, or immediately if the policy has no waiting period. Never later than without the earlier service.
create or replace function returned_waiting_ends_on(
  anchored_on date,
  service_from date,
  waiting_period text,
  policy_from_on date,
  start_alignment text
)
returns date
language sql
immutable
parallel safe
return least(
  waiting_ends_on(anchored_on, waiting_period, policy_from_on, start_alignment),
  greatest(
    waiting_ends_on(
      anchored_on,
      case waiting_period
        when 'none' then 'none'
        else 'first_of_following_month'
      end,
      '-infinity',
      start_alignment
    ),
    waiting_ends_on(service_from, waiting_period, policy_from_on, start_alignment)
  )
);

-- Whether a person returned within the service credit of a policy after the end of eligibility. False if the employer
-- itself left and returned.
create or replace function is_return(anchored_on date, former_end date, service_credit_weeks integer, served_from date)
returns boolean
language sql
immutable
parallel safe
return coalesce(
  service_credit_weeks > 0 and anchored_on <= former_end + 7 * service_credit_weeks and served_from < anchored_on,
  false
);

-- The last day of coverage after a period of eligibility: the end of the month of the loss, or of the last day of
-- employment after a termination. Null while the period has no end; its end is then infinity.
create or replace function period_covered_until(ended_on date, left_on date, terminated_on date)
returns date
language sql
immutable
parallel safe
return case
  when ended_on = 'infinity' then null
  when ended_on = left_on then month_end(terminated_on)
  else month_end(ended_on)
end;

-- Whether a policy covers a class and a compensation type. A policy that names compensation types does not cover
-- employees with an unknown one.
create or replace function policy_covers(
  employee_classes text[],
  compensation_types text[],
  employee_class text,
  compensation_type text
)
returns boolean
language sql
immutable
parallel safe
return employee_class = any (employee_classes)
and (compensation_types is null or coalesce(compensation_type = any (compensation_types), false));

-- The days on which a policy covers an employee by its basis. By `measured`, these are the days with full-time status
-- by hours of service, and the administrative period before them, so that people can enroll in time: `stable_on` is
-- the first day of the stability period, which replaces the waiting period. Until an employee is measured, the class
-- decides.
create or replace function measured_days(
  of_employee text,
  of_organization text,
  employee_class text,
  eligibility_basis text
)
returns table (from_on date, to_on date, stable_on date)
language sql
stable
parallel safe
begin atomic
  select '-infinity'::date, 'infinity'::date, null::date
  where
    eligibility_basis = 'employee_class'
    or employee_class = 'Full Time'
    and not exists (
      select
      from measured_statuses
      where employee_id = of_employee and organization_id = of_organization
    )
  union all
  select
    coalesce(decided_on, starts_on),
    coalesce(ends_on + 1, 'infinity'),
    case
      when reason <> 'expected_full_time' then starts_on
    end
  from measured_statuses
  where
    eligibility_basis = 'measured'
    and is_full_time
    and employee_id = of_employee
    and organization_id = of_organization;
end;

-- The scope of the periods of eligibility for a benefit: the benefit if it ever had its own policy, otherwise the
-- empty scope of all other benefits.
create or replace function scope_of(of_employer text, of_organization text, of_benefit text)
returns table (scope text)
language sql
stable
parallel safe
begin atomic
  select
    case
      when exists (
        select
        from benefit_eligibility_policies
        where
          employer_id = of_employer
          and organization_id = of_organization
          and benefit_ids <> '{}'
          and of_benefit = any (benefit_ids)
          and (archived_on is null or archived_on > effective_on)
      ) then of_benefit
      else ''
    end;
end;

-- The days on which an employer has a subscription. A gap of up to 60 days counts as served, because a subscription
-- that is resumed in time never ended. Without any subscription every day is served.
create or replace function served_days(of_employer text, of_organization text)
returns table (from_on date, to_on date)
language sql
stable
parallel safe
begin atomic
  with
    subscriptions as (
      select started_on, coalesce(ended_on, 'infinity') as ended_on
      from employer_subscriptions
      where employer_id = of_employer and organization_id = of_organization
    ),
    numbered as (
      select started_on, ended_on, count(*) filter (where parted) over (order by started_on) as island
      from (select *, started_on > lag(ended_on) over (order by started_on) + 60 as parted from subscriptions) as marked
    )
  select
    case
      when island = 0 then '-infinity'::date
      else min(started_on)
    end,
    max(ended_on)
  from numbered
  group by island
  union all
  select '-infinity'::date, 'infinity'::date where not exists (select from subscriptions);
end;
