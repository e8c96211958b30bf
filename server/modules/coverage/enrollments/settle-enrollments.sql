-- Brings the enrollments of employees into step with their periods of eligibility and what is offered to them: what
-- differs is written. Run again, it changes nothing.
with
  written as materialized (select judged.* from shared.judged() as judged),
  -- What was missing, with its note for the counts, so that it is written once.
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
        granted_for,
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
    from written
    where id is null
    returning id, plan_year_id, benefit_id, employee_id
  ),
  -- What is not as it is to be. It is found by the organization in its row, and not by :organization_id: for a table
  -- that was young when this was planned, all of the organization would be read, for each row. And by a list, or all of
  -- the table would be read where it was empty then.
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
    from written as target
    where
      stored.id = target.id
      and stored.organization_id = target.organization_id
      and stored.id = any (array(select id from written where id is not null))
    returning
      new.id,
      new.plan_year_id,
      new.benefit_id,
      new.employee_id,
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
      target.opens_again
      and (coalesce(old.inactive_on <= :today, false) or old.window_ends_on < :today) as opens_window,
      coalesce(new.coverage_end = target.chosen_until, false) as by_choice,
      old.coverage_start <> new.coverage_start as restarted
  )
-- Each enrollment that was written, what the counts held of it, what is to be told, if another choice is why, and if
-- its first day was moved;
-- beside_choices: others of its choice group may be held. is_returned: its employee came back within their service.
select
  id,
  plan_year_id,
  former,
  told,
  opens_window,
  by_choice,
  restarted,
  (plan_year_id, benefit_id) in (select plan_year_id, benefit_id from written where beside_choices) as beside_choices,
  employee_id in (select employee_id from written where is_returned) as is_returned
from
  (
    select *, null as former, 'granted' as told, true as opens_window, false as by_choice, false as restarted
    from granted
    union all
    select id, plan_year_id, benefit_id, employee_id, former, told, opens_window, by_choice, restarted from changed
  ) as each
order by told, id;
