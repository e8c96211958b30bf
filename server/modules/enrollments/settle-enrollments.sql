-- Brings the enrollments of employees into step with their periods of eligibility and what is offered to them: what is
-- there stands beside what should be there, and what differs is written. Run again, it changes nothing.
with
  -- What plan years offer the employees.
  offers as materialized (select offer.* from shared.offered_benefits() as offer),
  -- The enrollments there are, each with its period: that which holds its anchor, or the next one, if it was moved.
  -- What an amendment ends is ended as on request; but whose plan is closed is granted the benefit again.
  present as materialized (
    select
      offer.*,
      enrollment.id,
      enrollment.anchored_on as former_anchor,
      enrollment.granted_on,
      enrollment.coverage_start,
      enrollment.coverage_end,
      enrollment.coverage_start_fixed,
      enrollment.coverage_end_fixed,
      least(enrollment.ended_on, shared.plan_closes_on(enrollment, offer) - 1, offer.ends_on) as ended_on,
      shared.plan_closes_on(enrollment, offer) as plan_closes_on,
      enrollment.answer,
      enrollment.inactive_on,
      enrollment.terminated_at,
      enrollment.ended_by,
      enrollment.choice,
      follows_facts(enrollment.inactive_on, enrollment.terminated_at, enrollment.ended_by, :today) as unsettled,
      period.anchored_on,
      period.waited_on,
      period.lost_on,
      period.covered_until,
      period.known_on
    from
      offers as offer
      cross join lateral (
        select *
        from
          (
            select *
            from enrollments
            where employee_id = offer.employee_id and organization_id = :organization_id
            offset 0
          ) as theirs
        where plan_year_id = offer.plan_year_id and benefit_id = offer.benefit_id
      ) as enrollment
      left join lateral (
        select *
        from employee_eligibilities
        where
          employee_id = offer.employee_id
          and organization_id = :organization_id
          and scope = offer.scope
          and coalesce(lost_on > enrollment.anchored_on, true)
        order by anchored_on
        limit 1
      ) as period
        on true
  ),
  -- Until when each holds what was chosen: days that a later choice of its group takes are its own no more.
  chosen as (
    select
      present.*,
      case
        when answer = 'enrolled' then chosen_until(
          range_agg(days.held) over (
            partition by employee_id, choice_group
            order by choice desc
            range between unbounded preceding and 1 preceding
          ),
          first_day,
          year_end
        )
      end as chosen_until
    from
      present
      cross join lateral (
        select
          span_start(
            unsettled,
            coverage_start,
            coverage_start_fixed,
            anchored_on,
            waited_on,
            starts_on,
            year_start,
            medical
          ) as first_day
      ) as span
      cross join lateral (
        select
          held_days(
            answer,
            unsettled,
            coverage_end_fixed,
            coverage_start,
            coverage_end,
            anchored_on,
            first_day,
            least(span_end(lost_on, covered_until, year_end, :today), ended_on),
            least(span_ending_on(lost_on, year_end, :today), ended_on + 1),
            year_end
          ) as held
      ) as days
  ),
  -- What may be granted.
  grantable as (select benefit.* from shared.grantable_benefits() as benefit),
  -- Both beside each other, and whether their period has an enrollment, or had one until another choice of the group,
  -- or holds a plan that closes.
  candidates as (
    select
      *,
      bool_or(
        id is not null
        and not given_up
        and plan_closes_on is null
        and (unsettled or coverage_end_fixed or ended_on is not null)
      ) over (partition by employee_id, plan_year_id, benefit_id, anchored_on) as granted_already,
      bool_or(given_up) over (partition by employee_id, plan_year_id, benefit_id, anchored_on) as given_up_before,
      bool_or(plan_closes_on is not null) over (
        partition by employee_id, plan_year_id, benefit_id, anchored_on
      ) as closing
    from
      (
        select *, coalesce(chosen_until < :today, false) as given_up from chosen
        union all
        select *, null, false from grantable
      ) as each
  ),
  -- From when to when each would be covered by its period alone, if not ended on request or for another choice.
  -- doubled: one before it has the same period, and its plan closes no sooner. covered_before: in a former employment.
  spans as (
    select
      *,
      span_start(
        unsettled,
        coverage_start,
        coverage_start_fixed,
        anchored_on,
        waited_on,
        starts_on,
        year_start,
        medical
      ) as span_start,
      least(span_end(lost_on, covered_until, year_end, :today), ended_on, chosen_until) as span_end,
      least(span_ending_on(lost_on, year_end, :today), ended_on + 1, chosen_until + 1) as ending_on,
      case
        when formers <> '{}' then (
          select max(former.coverage_end)
          from
            (
              select *
              from enrollments
              where employee_id = any (formers) and organization_id = :organization_id
              offset 0
            ) as former
          where
            former.answer = 'enrolled'
            and former.coverage_end >= former.coverage_start
            and (
              former.plan_year_id = candidate.plan_year_id
              and former.benefit_id = candidate.benefit_id
              or exists (
                select
                from plan_year_benefits as other
                where
                  other.plan_year_id = former.plan_year_id
                  and other.organization_id = :organization_id
                  and other.benefit_id = former.benefit_id
                  and other.choice_group = candidate.choice_group
              )
            )
        )
      end as covered_before,
      coalesce(
        max(coalesce(plan_closes_on, 'infinity')) over (
          partition by employee_id, plan_year_id, benefit_id, anchored_on, unsettled, given_up
          order by answer = 'enrolled' desc nulls last, granted_on, id
          rows between unbounded preceding and 1 preceding
        ) >= coalesce(plan_closes_on, 'infinity'),
        false
      ) as doubled
    from candidates as candidate
    where id is not null or not granted_already
  ),
  -- The end that each keeps, where it no longer follows from its period, and the last day it takes from later ones.
  ends as (
    select
      *,
      taken_until(answer, doubled, keeps_end, coverage_start, kept_end, span_start, span_end, ending_on) as taken_until
    from
      spans
      cross join lateral (
        select
          coverage_end_fixed and coalesce(chosen_until >= coverage_end, true) or not unsettled as keeps_end,
          kept_end(coverage_start, coverage_end, coverage_end_fixed, span_end, ending_on) as kept_end
      ) as kept
  ),
  -- The first day of coverage: after what earlier ones of the same benefit take.
  starts as (
    select
      *,
      new_coverage_start(
        coverage_start_fixed or not unsettled,
        span_start,
        covered_before,
        max(taken_until) over (
          partition by employee_id, plan_year_id, benefit_id
          order by anchored_on, granted_on nulls last, id
          rows between unbounded preceding and 1 preceding
        ),
        case
          when id is null
          and moved_today then :today
        end
      ) as begins_on
    from ends
  ),
  -- Of which nothing becomes. What ended keeps the days that it had.
  judged as (
    select
      *,
      kept_coverage_start(id, void, coverage_start, begins_on) as new_start
    from
      starts
      cross join lateral (
        select is_void(unsettled, anchored_on, doubled, begins_on, year_end, offered, answer) as void
      ) as verdict
  ),
  -- How each is to be.
  ended as (
    select
      *,
      case
        when unsettled
        and not void then coalesce(anchored_on, former_anchor)
        else former_anchor
      end as new_anchor,
      new_coverage_end(keeps_end, kept_end, void, answer, new_start, span_end, ending_on, :today) as new_end,
      new_inactive_on(keeps_end, inactive_on, void, answer, new_start, span_end, ending_on, :today) as new_inactive_on,
      new_terminated_at(
        unsettled,
        terminated_at,
        coverage_end_fixed,
        inactive_on,
        void,
        ending_on,
        :today,
        :now
      ) as new_terminated_at
    from judged
  ),
  targets as materialized (
    select
      *,
      new_ended_by(
        ended_by,
        new_terminated_at,
        coverage_end_fixed,
        anchored_on,
        doubled,
        begins_on,
        year_end,
        void,
        lost_on
      ) as new_ended_by,
      -- What was needed no more once a plan did not close after all, and is again: who loses a plan has a window.
      coalesce(ended_by = 'duplicate' and new_terminated_at is null and closing, false) as opens_again
    from ended
  ),
  -- What was missing, unless it would end before it begins; with its note for the counts, so that it is written once.
  granted as (
    insert into enrollments
      (
        id,
        organization_id,
        employer_id,
        employee_id,
        plan_year_id,
        benefit_id,
        anchored_on,
        granted_on,
        window_ends_on,
        coverage_start,
        coverage_start_fixed,
        inactive_on,
        counted,
        created_at,
        updated_at
      )
    select
      new_id('enrl'),
      :organization_id,
      employer_id,
      employee_id,
      plan_year_id,
      benefit_id,
      anchored_on,
      :today,
      case
        when given_up_before then :today
        else grant_window_ends_on(
          anchored_on,
          known_on,
          moved_today,
          open_enrollment_start,
          open_enrollment_end,
          :today
        )
      end,
      new_start,
      moved_today and new_start > span_start,
      new_inactive_on,
      counts_as(answer, new_inactive_on, year_end, :today),
      :now,
      :now
    from targets
    where id is null and not void and coalesce(ending_on > new_start, true)
    returning id, plan_year_id
  ),
  -- What is not as it is to be. It is found by the organization in its row, and not by :organization_id: for a table
  -- that was young when this was planned, all of the organization would be read, for each row.
  changed as (
    update enrollments as stored
    set
      anchored_on = target.new_anchor,
      coverage_start = target.new_start,
      coverage_end = target.new_end,
      inactive_on = target.new_inactive_on,
      terminated_at = target.new_terminated_at,
      ended_by = target.new_ended_by,
      window_ends_on = greatest(
        stored.window_ends_on,
        case
          when target.opens_again then :today::date + 30
        end
      ),
      counted = counts_as(target.answer, target.new_inactive_on, target.year_end, :today),
      updated_at = :now
    from targets as target
    where
      stored.id = target.id
      and stored.organization_id = target.organization_id
      and (
        target.new_anchor,
        target.new_start,
        target.new_end,
        target.new_inactive_on,
        target.new_terminated_at,
        target.new_ended_by
      ) is distinct from (
        target.former_anchor,
        target.coverage_start,
        target.coverage_end,
        target.inactive_on,
        target.terminated_at,
        target.ended_by
      )
    returning
      new.id,
      new.plan_year_id,
      old.counted as former,
      case
        when old.terminated_at is null
        and new.terminated_at is not null then 'terminated'
        when old.terminated_at is not null
        and new.terminated_at is null then 'reinstated'
        when old.coverage_end is distinct from new.coverage_end
        or old.ended_by = 'loss'
        and new.ended_by = 'plan_year' then 'termination_rescheduled'
      end as told,
      target.opens_again as opens_window,
      coalesce(new.coverage_end = target.chosen_until, false) as by_choice
  )
-- Each enrollment that was written, what the counts held of it, what is to be told, and if another choice is why.
select id, plan_year_id, null as former, 'granted' as told, true as opens_window, false as by_choice
from granted
union all
select id, plan_year_id, former, told, opens_window, by_choice
from changed
order by told, id;
