-- Whether an employer has a subscription on a day.
create or replace function is_subscribed(of_employer text, of_organization text, day date)
returns boolean
language sql
stable
parallel safe
return exists (
  select
  from employer_subscriptions as subscription
  where
    subscription.employer_id = of_employer
    and subscription.organization_id = of_organization
    and subscription.span @> day
);

-- The steps of the setup of an employer on a day, in order. Nothing is stored: each step follows from the data that its
-- form changes.
create or replace function employer_setup(of_employer text, of_organization text, day date)
returns table (ordinal int, step text, status text, actor text, starts_on date)
language sql
stable
parallel safe
begin atomic
  with
    facts as (
      select
        employer.payroll_calendar_set_at is not null as has_calendar,
        employer.employee_count > 0 as has_people,
        year.first_start,
        exists (
          select
          from benefit_eligibility_policies as policy
          where
            policy.employer_id = of_employer
            and policy.organization_id = of_organization
            and policy.archived_at is null
            and policy.benefit_ids = '{}'
        ) as has_policy,
        exists (
          select
          from employer_admins as admin
          where
            admin.employer_id = of_employer
            and admin.organization_id = of_organization
            and admin.disabled_at is null
            and admin.name is not null
        ) as has_contact,
        is_subscribed(of_employer, of_organization, day) as subscribed,
        exists (
          select
          from employer_subscriptions as subscription
          where
            subscription.employer_id = of_employer
            and subscription.organization_id = of_organization
            and (subscription.ended_on is null or subscription.ended_on > day)
        ) as has_subscription,
        exists (
          select
          from plan_year_requests as request
          where request.employer_id = of_employer and request.organization_id = of_organization
        ) as has_request,
        exists (
          select
          from enrollment_schedules as schedule
          where schedule.employer_id = of_employer and schedule.organization_id = of_organization
        )
        or exists (
          select
          from enrollment_messages as message
          where message.employer_id = of_employer and message.organization_id = of_organization
        ) as has_messages
      from
        employers as employer
        cross join lateral (
          select min(coverage_start) as first_start
          from benefit_plan_years
          where employer_id = of_employer and organization_id = of_organization and coverage_end >= day
        ) as year
      where employer.id = of_employer and employer.organization_id = of_organization
    )
  select
    step.ordinal,
    step.step,
    step.status,
    case
      when step.status <> 'done' then step.actor
    end,
    step.starts_on
  from
    facts
    cross join lateral (
      values
        (1, 'details', 'done', null, null::date),
        (
          2,
          'eligibility',
          case
            when has_policy then 'done'
            else 'open'
          end,
          'organization',
          null
        ),
        (
          3,
          'payroll_calendar',
          case
            when has_calendar then 'done'
            else 'open'
          end,
          'organization',
          null
        ),
        (
          4,
          'contacts',
          case
            when has_contact then 'done'
            else 'open'
          end,
          'organization',
          null
        ),
        (
          5,
          'plan_year',
          case
            when first_start is not null then 'done'
            when has_request then 'waiting'
            else 'open'
          end,
          'operator',
          first_start
        ),
        (
          6,
          'census',
          case
            when has_people then 'done'
            when subscribed then 'open'
            else 'waiting'
          end,
          case
            when subscribed then 'organization'
            when not has_subscription then 'operator'
          end,
          null
        ),
        (
          7,
          'invitations',
          case
            when has_messages then 'done'
            else 'open'
          end,
          'organization',
          null
        ),
        (
          8,
          'go_live',
          case
            when subscribed
            and first_start <= day then 'done'
            else 'waiting'
          end,
          case
            when not has_subscription then 'operator'
          end,
          first_start
        )
    ) as step (ordinal, step, status, actor, starts_on);
end;
