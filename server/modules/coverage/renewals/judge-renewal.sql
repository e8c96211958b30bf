-- Decides which employees are carried over into a plan year, with which election, and why others are not. Returns a
-- row for each benefit of the requested employees. The preview and the renewal share this statement, so that they
-- can't differ. It calculates no prices.
with
  -- The plan year, and the first day on which its enrollments can be granted.
  target as materialized (select target.* from shared.renewing_year() as target),
  -- The benefits that the employer offered before, each from the last plan year that had it, and whether the new plan
  -- year offers it again. A benefit that is no longer offered counts if its plan year ends when the new one begins and
  -- no other plan year continues it.
  benefits as materialized (
    select distinct on (benefit.benefit_id)
      benefit.benefit_id,
      former.id as former_year_id,
      former.coverage_end as former_end,
      former.coverage_end + 1 < target.coverage_start as has_gap,
      again.benefit_id is not null as offered,
      again.starts_on,
      again.choice_group,
      again.position,
      shared.contributed(again, target) as contribution_strategy,
      shared.has_rivals(again, target) as has_rivals,
      product.category = 'Medical' as medical
    from
      target
      join benefit_plan_years as former
        on former.employer_id = target.employer_id
        and former.organization_id = target.organization_id
        and former.coverage_end < target.coverage_start
      join plan_year_benefits as benefit
        on benefit.plan_year_id = former.id and benefit.organization_id = former.organization_id
      join benefit_products as product
        on product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
      left join plan_year_benefits as again
        on again.plan_year_id = target.id
        and again.organization_id = target.organization_id
        and again.benefit_id = benefit.benefit_id
        and again.withdrawn_at is null
    where
      again.benefit_id is not null
      or former.coverage_end + 1 = target.coverage_start
      and not exists (
        select
        from
          benefit_plan_years as other
          join plan_year_benefits as theirs
            on theirs.plan_year_id = other.id and theirs.organization_id = other.organization_id
        where
          other.employer_id = target.employer_id
          and other.organization_id = target.organization_id
          and other.id <> target.id
          and target.coverage_start between other.coverage_start and other.coverage_end
          and theirs.benefit_id = benefit.benefit_id
          and theirs.withdrawn_at is null
      )
    order by benefit.benefit_id, former.coverage_end desc
  ),
  -- The requested employees and benefits. `total` is the number of all rows if these are a page.
  requested as materialized (
    select requested.employee_id, requested.benefit_id, requested.total from shared.requested() as requested
  ),
  -- The enrollment that covers the last day of the previous plan year or was waived then, or else the last enrollment.
  befores as (
    select
      requested.employee_id,
      member.date_of_birth,
      coalesce(member.state, employer.state) as state,
      member.county,
      benefits.benefit_id,
      benefits.former_end,
      benefits.has_gap,
      benefits.offered,
      benefits.starts_on,
      benefits.choice_group,
      benefits.has_rivals,
      benefits.position,
      benefits.medical,
      benefits.contribution_strategy,
      former.id as former_id,
      former.answer as former_answer,
      former.choice as former_choice,
      former.waiver_reason,
      former.waiver_code,
      coalesce(former.covers, false) as covered,
      coalesce(former.waives, false) as waived
    from
      requested
      join benefits on benefits.benefit_id = requested.benefit_id
      cross join target
      cross join lateral (
        select member_id
        from employees
        where id = requested.employee_id and organization_id = target.organization_id
        offset 0
      ) as employee
      cross join lateral (
        select date_of_birth, state, county
        from members
        where id = employee.member_id and organization_id = target.organization_id
        offset 0
      ) as member
      cross join lateral (
        select state
        from employers
        where id = target.employer_id and organization_id = target.organization_id
        offset 0
      ) as employer
      left join lateral (
        select
          theirs.id,
          theirs.answer,
          theirs.choice,
          theirs.waiver_reason,
          theirs.waiver_code,
          theirs.answer = 'enrolled'
          and theirs.coverage_start <= benefits.former_end
          and coalesce(theirs.coverage_end >= benefits.former_end, true) as covers,
          theirs.answer = 'waived' and coalesce(theirs.inactive_on > benefits.former_end, true) as waives
        from
          (
            select *
            from enrollments
            where employee_id = requested.employee_id and organization_id = target.organization_id
            offset 0
          ) as theirs
        where theirs.plan_year_id = benefits.former_year_id and theirs.benefit_id = benefits.benefit_id
        order by
          covers desc nulls last,
          waives desc nulls last,
          theirs.answer is null,
          theirs.coverage_start desc,
          theirs.id desc
        limit 1
      ) as former
        on true
  ),
  -- The enrollment in the new plan year. Before it is granted, the day on which coverage would begin, if the employee
  -- is eligible.
  afters as (
    select
      befores.*,
      again.id as enrollment_id,
      again.answer,
      again.elected_by,
      coalesce(
        again.coverage_start,
        coverage_starts_on(
          period.anchored_on,
          period.waited_on,
          befores.starts_on,
          target.coverage_start,
          befores.medical
        )
      ) as coverage_start,
      case
        when again.id is not null then coalesce(again.inactive_on > greatest(:today::date, again.coverage_start), true)
        and again.coverage_start <= coalesce(again.coverage_end, target.coverage_end)
        when :today >= target.grants_from
        or not period.in_state then false
        else coalesce(period.lost_on, 'infinity') > coverage_starts_on(
          period.anchored_on,
          period.waited_on,
          befores.starts_on,
          target.coverage_start,
          befores.medical
        )
      end as eligible
    from
      befores
      cross join target
      left join lateral (
        select *
        from
          (
            select *
            from enrollments
            where employee_id = befores.employee_id and organization_id = target.organization_id
            offset 0
          ) as theirs
        where theirs.plan_year_id = target.id and theirs.benefit_id = befores.benefit_id
        order by
          theirs.answer = 'enrolled'
          and theirs.coverage_start <= coalesce(theirs.coverage_end, target.coverage_end) desc nulls last,
          coalesce(theirs.inactive_on > :today, true) desc,
          theirs.coverage_start desc,
          theirs.id desc
        limit 1
      ) as again
        on true
      left join lateral (
        select
          run.anchored_on,
          run.waited_on,
          run.lost_on,
          is_offered_in(target.offered_states, befores.state) as in_state
        from
          scope_of(target.employer_id, target.organization_id, befores.benefit_id) as own
          join employee_eligibilities as run on run.scope = own.scope
        where
          again.id is null
          and run.employee_id = befores.employee_id
          and run.organization_id = target.organization_id
          and run.anchored_on <= :today
          and coalesce(run.lost_on > :today, true)
        limit 1
      ) as period
        on true
  ),
  -- The election on the last day of the previous plan year, the plan that continues it, and its dependents with
  -- possible coverage.
  choices as (
    select
      afters.*,
      election.effective_on,
      election.plan_id as former_plan_id,
      election.coverage_tier as former_tier,
      election.premium_in_cents as reported_premium_in_cents,
      election.individual_plan_name,
      election.bought_on_exchange,
      offered.plan_id,
      case
        when election.plan_id is null then null
        when company.partners > 0 then case
          when company.children > 0 then 'EF'
          else 'ES'
        end
        when company.children > 0 then 'EC'
        else 'EE'
      end as coverage_tier,
      company.dependents,
      company.removed_dependent_ids
    from
      afters
      cross join target
      left join lateral (
        select effective_on, plan_id, coverage_tier, premium_in_cents, individual_plan_name, bought_on_exchange
        from elections
        where
          enrollment_id = afters.former_id
          and organization_id = target.organization_id
          and afters.covered
          and effective_on <= afters.former_end
        order by elections.effective_on desc
        limit 1
      ) as election
        on true
      left join lateral (
        select effective_on, removed_dependent_ids
        from elections
        where
          enrollment_id = afters.former_id
          and organization_id = target.organization_id
          and not follows
          and effective_on <= election.effective_on
        order by elections.effective_on desc
        limit 1
      ) as made
        on true
      left join lateral (
        select rate.plan_id
        from plan_year_rates as rate
        where
          rate.plan_year_id = target.id
          and rate.organization_id = target.organization_id
          and rate.benefit_id = afters.benefit_id
          and rate.plan_id in (election.plan_id, target.plan_successors ->> election.plan_id)
          and shared.in_force(rate, target.coverage_start)
        order by rate.plan_id <> election.plan_id
        limit 1
      ) as offered
        on true
      cross join lateral shared.renewed_company() as company
  ),
  -- The first reason that applies against carrying over. An end that was withdrawn since the renewal is ignored.
  judged as (
    select
      choices.*,
      rate.tier_id,
      rate.premium_in_cents,
      rate.pricing,
      rate.amendment_id,
      case
        when rate.pricing = 'area' then shared.area_rates(rate)
      end as rates,
      shared.price_without_partner(choices, year) as price_without_partner,
      case
        when choices.answer is not null then null
        when not choices.covered
        and not choices.waived then case choices.former_answer
          when 'enrolled' then 'coverage_ended'
          else 'nothing_to_carry'
        end
        when not choices.offered then 'benefit_not_offered'
        when not coalesce(choices.eligible, false) then 'not_eligible'
        when choices.has_gap then 'coverage_gap'
        when year.renewal = 'active' then 'active_renewal'
        when choices.covered
        and choices.has_rivals
        and shared.held_beside(choices, year) then 'choice_group'
        when choices.covered
        and choices.plan_id is null then 'plan_not_offered'
        when choices.covered
        and rate.plan_id is null then 'tier_not_offered'
        when year.renewed_on is not null
        and not shared.taken_back(choices, year) then 'after_renewal'
      end as reason
    from
      choices
      cross join target as year
      cross join lateral (select choices.state, choices.county) as member
      cross join lateral (select choices.state) as employer
      left join plan_year_rates as rate
        on rate.plan_year_id = year.id
        and rate.organization_id = year.organization_id
        and rate.plan_id = choices.plan_id
        and rate.coverage_tier = choices.coverage_tier
        and shared.in_force(rate, year.coverage_start)
  )
select
  (select id from target) as plan_year_id,
  totals.total,
  judged.employee_id,
  judged.benefit_id,
  judged.former_id as former_enrollment_id,
  judged.former_plan_id,
  judged.former_tier,
  judged.enrollment_id,
  judged.answer,
  judged.elected_by,
  judged.reason,
  case
    when judged.elected_by = 'renewal' then 'carried'
    when judged.answer is not null then 'answered'
    when judged.reason is null then 'carried'
    when judged.covered
    and judged.reason not in (
      'benefit_not_offered',
      'not_eligible',
      'coverage_ended',
      'nothing_to_carry',
      'choice_group'
    ) then 'lapses'
    else 'not_carried'
  end as outcome,
  case
    when judged.covered then 'enrolled'
    else 'waived'
  end as carries,
  judged.waiver_reason,
  judged.waiver_code,
  judged.coverage_start,
  judged.plan_id,
  judged.coverage_tier,
  judged.tier_id,
  judged.premium_in_cents,
  judged.pricing,
  judged.amendment_id,
  judged.rates,
  judged.price_without_partner,
  judged.reported_premium_in_cents,
  judged.individual_plan_name,
  judged.bought_on_exchange,
  judged.dependents,
  judged.removed_dependent_ids,
  judged.contribution_strategy,
  judged.date_of_birth,
  judged.state,
  coalesce(
    (
      select employee_class
      from employee_classifications
      where
        employee_id = judged.employee_id
        and organization_id = (select organization_id from target)
        and effective_on <= judged.coverage_start
      order by effective_on desc
      limit 1
    ),
    'Full Time'
  ) as employee_class
from
  (select max(total) as total from requested) as totals
  left join judged on true;
