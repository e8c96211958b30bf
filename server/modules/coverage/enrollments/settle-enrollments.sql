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
    returning id, plan_year_id, benefit_id, employee_id, counted_as as counts
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
      new.counted_as as counts,
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
  ),
  settled as (
    select
      id,
      plan_year_id,
      benefit_id,
      employee_id,
      null as former,
      counts,
      'granted' as change,
      true as opens_window,
      false as by_choice,
      false as restarted
    from granted
    union all
    select
      id,
      plan_year_id,
      benefit_id,
      employee_id,
      former,
      counts,
      change,
      opens_window,
      by_choice,
      restarted
    from changed
  ),
  -- The other enrollments. An election or waiver may have changed how they count.
  kept as materialized (
    select counted.*
    from shared.counted() as counted
    where counted.id not in (select id from written where id is not null)
  ),
  recounted as (
    update enrollments as stored
    set counted_as = kept.counts
    from kept
    where
      kept.former is distinct from kept.counts
      and stored.id = kept.id
      and stored.organization_id = kept.organization_id
  ),
  counted as materialized (
    select employee_id, plan_year_id, benefit_id, former, counts, coalesce(change = 'granted', false) as is_granted
    from settled
    union all
    select employee_id, plan_year_id, benefit_id, former, counts, false
    from kept
  ),
  -- In a plan year, an employee counts once. Only employees with a change are counted.
  heads as (
    select
      plan_year_id,
      case
        when grouping(benefit_id) = 0 then benefit_id
      end as benefit_id,
      bool_or(counts is not null)::int - bool_or(former is not null)::int as eligible,
      coalesce(bool_or(counts = 'enrolled'), false)::int - coalesce(
        bool_or(former = 'enrolled'),
        false
      )::int as enrolled,
      count(*) filter (where is_granted)::int as granted
    from
      (
        select counted.*, moved.plan_year_id as moved
        from
          counted
          full join (
            select employee_id, plan_year_id
            from counted
            where former is distinct from counts or is_granted
            group by 1, 2
          ) as moved
            on moved.employee_id = counted.employee_id and moved.plan_year_id = counted.plan_year_id
        offset 0
      ) as theirs
    where moved is not null
    group by grouping sets ((employee_id, plan_year_id), (employee_id, plan_year_id, benefit_id))
  )
-- Each written enrollment, its events, whether another choice is the reason, and whether its first day moved.
-- beside_choices: other benefits of its choice group can be elected. is_returned: its employee returned within the
-- service credit. Rows without an id are the changes of the counts of plan years and of their benefits.
select
  id,
  plan_year_id,
  null as benefit_id,
  change,
  opens_window,
  by_choice,
  restarted,
  (plan_year_id, benefit_id) in (select plan_year_id, benefit_id from written where beside_choices) as beside_choices,
  employee_id in (select employee_id from written where is_returned) as is_returned,
  null as eligible,
  null as enrolled,
  null as granted
from settled
union all
select
  null,
  plan_year_id,
  benefit_id,
  null,
  null,
  null,
  null,
  null,
  null,
  sum(eligible)::int,
  sum(enrolled)::int,
  sum(granted)::int
from heads
group by plan_year_id, benefit_id
having sum(abs(eligible)) + sum(abs(enrolled)) + sum(granted) > 0
order by change, id;
