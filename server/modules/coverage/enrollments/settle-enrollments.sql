-- Updates the enrollments of employees to match their periods of eligibility and the offered benefits. Only rows that
-- differ are written. A second run changes nothing.
with
  written as materialized (select judged.* from shared.judged() as judged),
  -- Missing enrollments, inserted together with their value for the counts to avoid a second write.
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
        counted_as,
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
  -- Rows with stored values that differ from the computed ones. They are joined by the organization in their row, not
  -- by :organization_id: with statistics of a small table, the planner would otherwise read the whole organization for
  -- each row. The array of ids prevents a scan of the whole table after planning on an empty table.
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
      counted_as = counts_as(target.answer, target.new_inactive_on, target.year_end, :today),
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
      old.counted_as as former,
      case
        when old.terminated_at is null
        and new.terminated_at is not null then 'terminated'
        when old.terminated_at is not null
        and new.terminated_at is null then 'reinstated'
        when old.coverage_end is distinct from new.coverage_end
        or old.ended_by = 'loss'
        and new.ended_by = 'plan_year' then 'termination_rescheduled'
      end as change,
      target.opens_again
      and (coalesce(old.inactive_on <= :today, false) or old.window_ends_on < :today) as opens_window,
      coalesce(new.coverage_end = target.chosen_until, false) as by_choice,
      old.coverage_start <> new.coverage_start as restarted
  )
-- Each written enrollment, how its plan year counted it before, its events, whether another choice is the reason, and
-- whether its first day moved. beside_choices: other benefits of its choice group can be elected. is_returned: its
-- employee returned within the service credit.
select
  id,
  plan_year_id,
  former,
  change,
  opens_window,
  by_choice,
  restarted,
  (plan_year_id, benefit_id) in (select plan_year_id, benefit_id from written where beside_choices) as beside_choices,
  employee_id in (select employee_id from written where is_returned) as is_returned
from
  (
    select *, null as former, 'granted' as change, true as opens_window, false as by_choice, false as restarted
    from granted
    union all
    select id, plan_year_id, benefit_id, employee_id, former, change, opens_window, by_choice, restarted from changed
  ) as each
order by change, id;
