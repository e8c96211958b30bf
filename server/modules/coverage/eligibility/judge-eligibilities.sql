-- Calculates the periods in which employees belong to an eligible class, from their classes and the policies of their
-- employers. Returns a row for each period that is new, differs from the stored one, or no longer exists. Days are
-- half-open intervals [from_on, to_on); 'infinity' is an unknown end.
with
  -- The employments with their first day (the day on which we learned of them if the hire date is unknown) and the day
  -- after the last. Rows and people are numbered, because sorting by numbers is fast.
  people as materialized (
    select
      row_number() over (order by member_id, employer_id) as position,
      dense_rank() over (order by member_id, employer_id) as person,
      id,
      employer_id,
      coalesce(hired_on, (known_at at time zone 'America/New_York')::date) as hired_on,
      coalesce(terminated_on + 1, 'infinity') as left_on
    from
      (
        select *
        from employees
        where id = any (:employee_ids::text[]) and organization_id = :organization_id
        offset 0
      ) as employee
  ),
  -- The known classes with their first days; the latest entry of a day wins. A missing class counts as Full Time. The
  -- full join forces a hash join regardless of the planner's estimates.
  entries as (
    select distinct on (position, from_on) *
    from
      (
        select *, 'Full Time' as employee_class, null::date as effective_on, hired_on as from_on
        from people
        union all
        select *, greatest(effective_on, hired_on)
        from
          (
            select people.*, history.employee_class, history.effective_on
            from
              people
              full join (
                select employee_id, employee_class, effective_on
                from employee_classifications
                where employee_id = any (:employee_ids::text[]) and organization_id = :organization_id
                offset 0
              ) as history
                on history.employee_id = people.id
            offset 0
          ) as known
        where effective_on is not null
      ) as entry
    order by position, from_on, effective_on desc nulls last
  ),
  -- The class of each range of days.
  classes as (
    select
      position,
      person,
      id,
      employer_id,
      employee_class,
      from_on,
      left_on,
      least(
        lead(from_on, 1, 'infinity') over (
          partition by position
          order by from_on
        ),
        left_on
      ) as to_on
    from entries
  ),
  -- The policies of the employers, except those that were replaced on the day of their creation.
  rules as materialized (
    select policy.*
    from
      (select distinct employer_id from people) as employer
      cross join lateral (
        select *
        from benefit_eligibility_policies
        where
          employer_id = employer.employer_id
          and organization_id = :organization_id
          and (archived_on is null or archived_on > effective_on)
        offset 0
      ) as policy
  ),
  -- The scopes of the policies: each benefit with policies of its own and the day of the first one, and the empty
  -- scope for all other benefits.
  scopes as (
    select distinct employer_id, '' as scope, 'infinity'::date as own_from_on from rules
    union all
    select employer_id, benefit_id, min(effective_on)
    from
      rules
      cross join lateral unnest(benefit_ids) as benefit_id
    group by employer_id, benefit_id
  ),
  -- The policy of a scope on each day. The first policy also applies to all days before it. The policy of the empty
  -- scope applies to a benefit until the benefit has a policy of its own.
  policies as materialized (
    select
      *,
      case
        when row_number() over (
          partition by employer_id, scope
          order by effective_on
        ) = 1 then '-infinity'
        else effective_on
      end as from_on
    from
      (
        select
          rule.id,
          rule.employer_id,
          scope.scope,
          rule.employee_classes,
          rule.compensation_types,
          rule.waiting_period,
          rule.start_alignment,
          rule.service_credit_weeks,
          rule.service_credit_from,
          rule.eligibility_basis,
          rule.effective_on,
          case
            when rule.benefit_ids = '{}' then least(rule.archived_on, scope.own_from_on)
            else coalesce(rule.archived_on, 'infinity')
          end as to_on
        from
          scopes as scope
          join rules as rule using (employer_id)
        where rule.benefit_ids = '{}' or scope.scope = any (rule.benefit_ids)
      ) as policy
    where effective_on < to_on
  ),
  -- The days on which the employers have a subscription.
  services as materialized (
    select employer.employer_id, served.from_on, served.to_on
    from
      (select distinct employer_id from people) as employer
      cross join lateral served_days(employer.employer_id, :organization_id) as served
  ),
  -- Ranges of days in an eligible class. A new range begins where the class, the compensation type (if policies depend
  -- on it), the measured status (likewise), the policy or the subscription changes. left_on is the first day after the
  -- employment or the subscription. The administrative period takes the place of the waiting period.
  pieces as (
    select *
    from
      (
        select
          class.position,
          class.person,
          class.id as employee_id,
          class.employer_id,
          least(class.left_on, service.to_on) as left_on,
          policy.scope,
          policy.id as policy_id,
          case
            when measured.stable_on is null then policy.waiting_period
            else 'none'
          end as waiting_period,
          measured.stable_on,
          policy.start_alignment,
          policy.service_credit_weeks,
          policy.service_credit_from,
          service.from_on as served_from,
          policy.from_on as policy_from_on,
          policy.to_on as policy_to_on,
          greatest(class.from_on, pay.from_on, measured.from_on, policy.from_on, service.from_on) as from_on,
          least(class.to_on, pay.to_on, measured.to_on, policy.to_on, service.to_on) as to_on
        from
          classes as class
          join policies as policy using (employer_id)
          join services as service using (employer_id)
          cross join lateral (
            select null as compensation_type, '-infinity'::date as from_on, 'infinity'::date as to_on
            where policy.compensation_types is null
            union all
            select
              history.compensation_type,
              history.effective_on,
              lead(history.effective_on, 1, 'infinity') over (order by history.effective_on)
            from employee_compensations as history
            where
              policy.compensation_types is not null
              and history.employee_id = class.id
              and history.organization_id = :organization_id
          ) as pay
          cross join lateral measured_days(
            class.id,
            :organization_id,
            class.employee_class,
            policy.eligibility_basis
          ) as measured
        where
          policy_covers(policy.employee_classes, policy.compensation_types, class.employee_class, pay.compensation_type)
      ) as piece
    where from_on < to_on
  ),
  -- Adjacent ranges belong to one period. A new period begins after a gap.
  numbered as (
    select
      *,
      count(*)
        filter (where parted)
        over (
          partition by position, scope
          order by from_on
        ) as period
    from
      (
        select
          *,
          from_on > coalesce(
            max(to_on) over (
              partition by position, scope
              order by from_on
              rows between unbounded preceding and 1 preceding
            ),
            '-infinity'
          ) as parted
        from pieces
      ) as marked
  ),
  -- Adds the first and last day of its period to each range. Window functions avoid a join: the planner expects few
  -- computed rows and would choose a nested loop.
  spans as (
    select
      *,
      min(from_on) over (partition by position, scope, period) as anchored_on,
      max(to_on) over (partition by position, scope, period) as ended_on
    from numbered
  ),
  -- Whether a period is a return within the service credit of the policy in force on its first day. The period before
  -- it may belong to an earlier employment at the same employer. Service counts from the first period of such a chain.
  returns as (
    select
      *,
      is_return(
        anchored_on,
        max(ended_on) over (
          partition by person, scope
          order by anchored_on
          range between unbounded preceding and interval '1 day' preceding
        ),
        first_value(
          case
            when from_on >= service_credit_from then service_credit_weeks
          end
        ) over (
          partition by position, scope, period
          order by from_on
        ),
        first_value(served_from) over (
          partition by position, scope, period
          order by from_on
        )
      ) as returned
    from spans
  ),
  services_that_count as (
    select
      *,
      min(anchored_on) over (partition by person, scope, service) as service_from
    from
      (
        select
          *,
          count(*)
            filter (where not returned)
            over (
              partition by person, scope
              order by anchored_on
            ) as service
        from returns
      ) as counted
  ),
  -- One row per period. The waiting period ends on the first day on which the waiting period of the policy in force on
  -- that day has ended.
  desired as (
    select distinct on (span.position, span.scope, span.anchored_on)
      span.employee_id,
      span.employer_id,
      span.scope,
      span.anchored_on,
      span.waited_on,
      span.policy_id,
      case
        when span.returned then span.service_from
      end as service_from,
      nullif(span.ended_on, 'infinity') as lost_on,
      period_covered_until(span.ended_on, span.left_on, span.left_on - 1) as covered_until
    from
      (
        select
          *,
          case
            when returned then returned_waiting_ends_on(
              anchored_on,
              service_from,
              waiting_period,
              policy_from_on,
              start_alignment
            )
            else greatest(waiting_ends_on(anchored_on, waiting_period, policy_from_on, start_alignment), stable_on)
          end as waited_on
        from services_that_count
        offset 0
      ) as span
    order by
      span.position,
      span.scope,
      span.anchored_on,
      span.waited_on < span.policy_to_on desc,
      case
        when span.waited_on < span.policy_to_on then span.from_on
      end,
      span.from_on desc
  )
select *
from
  (
    select
      desired.*,
      stored.employee_id as stored_of,
      stored.scope as stored_scope,
      stored.anchored_on as stored_on,
      (stored.waited_on, stored.service_from, stored.policy_id, stored.lost_on, stored.covered_until) is distinct from (
        desired.waited_on,
        desired.service_from,
        desired.policy_id,
        desired.lost_on,
        desired.covered_until
      ) as differs
    from
      desired
      full join (
        select *
        from employee_eligibilities
        where employee_id = any (:employee_ids::text[]) and organization_id = :organization_id
        offset 0
      ) as stored
        on stored.employee_id = desired.employee_id
        and stored.scope = desired.scope
        and stored.anchored_on = desired.anchored_on
    offset 0
  ) as each
where differs or employee_id is null or stored_of is null;
