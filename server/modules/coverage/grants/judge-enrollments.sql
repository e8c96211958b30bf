-- Calculates the enrollments that employees should have, by their periods of eligibility and offered benefits.
-- Compares them with the stored ones and returns each that differs; a missing one has no id. beside_choices: other
-- benefits of its choice group are or were offered. is_returned: its employee returned within the service credit.
with
  -- Numbers the employees, because sorting by numbers is much faster.
  people as materialized (
    select row_number() over () as position, self.*
    from
      (
        select id, employer_id, member_id, hired_on
        from employees
        where id = any (:employee_ids::text[]) and organization_id = :organization_id
        offset 0
      ) as self
  ),
  -- The numbered offers of the plan years of their employers.
  offers as materialized (select offer.* from shared.offered_benefits() as offer),
  -- The employees with the facts that decide which offers apply to them.
  persons as materialized (select person.* from shared.persons() as person),
  -- Their periods of eligibility.
  periods as materialized (select period.* from shared.periods() as period),
  -- The stored enrollments, each with its period unless that was withdrawn (is_of_period). The end of an amended plan
  -- is treated like a requested one, but the benefit is granted again. Of the offers, only the columns for decisions
  -- are included, because the rows are sorted several times.
  present as (
    select *
    from
      (
        select
          held.*,
          period.anchored_on,
          period.waited_on,
          period.lost_on,
          period.covered_until,
          period.known_on
        from
          (
            select
              person.position,
              enrollment.employee_id,
              person.formers,
              false as moved_today,
              offer.term,
              offer.scope,
              offer.choice_number,
              offer.starts_on,
              offer.medical,
              offer.year_start,
              offer.year_end,
              offer.withdrawn_at is null
              and is_offered_in(offer.offered_states, coalesce(person.state, offer.employer_state)) as offered,
              enrollment.id,
              enrollment.anchored_on as former_anchor,
              enrollment.granted_for,
              enrollment.granted_on,
              enrollment.coverage_start,
              enrollment.coverage_end,
              enrollment.coverage_start_fixed,
              enrollment.coverage_end_fixed,
              least(enrollment.ended_on, closing.plan_closes_on - 1, offer.ends_on) as ended_on,
              closing.plan_closes_on,
              enrollment.answer,
              enrollment.inactive_on,
              enrollment.terminated_at,
              enrollment.ended_by,
              enrollment.choice,
              not offer.stays
              and follows_facts(
                enrollment.inactive_on,
                enrollment.terminated_at,
                enrollment.ended_by,
                :today
              ) as unsettled
            from
              persons as person
              full join (
                select *
                from enrollments
                where employee_id = any (:employee_ids::text[]) and organization_id = :organization_id
                offset 0
              ) as enrollment
                on enrollment.employee_id = person.id
              full join offers as offer
                on offer.plan_year_id = enrollment.plan_year_id and offer.benefit_id = enrollment.benefit_id
              cross join lateral (select shared.plan_closes_on(enrollment, offer) as plan_closes_on offset 0) as closing
            offset 0
          ) as held
          full join periods as period
            on period.position = held.position
            and period.scope = held.scope
            and is_of_period(held.granted_for, held.inactive_on, period.hired_on, period.anchored_on, period.lost_on)
        offset 0
      ) as each
    where id is not null and term is not null and position is not null
  ),
  -- Removes from each enrollment the days that a later choice of its group takes.
  chosen as (
    select
      present.*,
      case
        when answer = 'enrolled' then chosen_until(
          range_agg(days.held) over (
            partition by position, choice_number
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
  status as materialized (select *, coalesce(chosen_until < :today, false) as given_up from chosen),
  -- Grantable benefits without an enrollment in their period, or only with one that gave way to another choice of the
  -- group or that has a closing plan.
  missing as (
    select *
    from
      (
        select benefit.*, null::date as chosen_until, false as given_up, granted.position as granted_already
        from
          shared.grantable_benefits() as benefit
          full join (
            select position, term, anchored_on
            from status
            where not given_up and plan_closes_on is null and (unsettled or coverage_end_fixed or ended_on is not null)
          ) as granted
            on granted.position = benefit.position
            and granted.term = benefit.term
            and granted.anchored_on = benefit.anchored_on
        offset 0
      ) as each
    where granted_already is null and position is not null
  ),
  -- The existing and the missing enrollments, with two flags: whether another choice of the group ended an enrollment
  -- of the period, and whether its plan closes.
  candidates as (
    select
      *,
      bool_or(given_up) over (partition by position, term, anchored_on) as given_up_before,
      bool_or(plan_closes_on is not null) over (partition by position, term, anchored_on) as closing
    from
      (
        select *, null::bigint as granted_already from status
        union all
        select * from missing
      ) as each
  ),
  -- The first and last day of each enrollment by its period alone, ignoring requested ends and other choices. doubled:
  -- an earlier enrollment has the same period, and its plan closes no sooner. Each enrollment that gave way to another
  -- choice keeps its days, however often the employee switched back. covered_before: in a former employment.
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
        when formers is not null then (
          select max(former.coverage_end)
          from
            (
              select *
              from enrollments
              where employee_id = any (formers) and organization_id = :organization_id
              offset 0
            ) as former
            cross join (select * from offers where term = candidate.term) as here
          where
            former.answer = 'enrolled'
            and former.coverage_end >= former.coverage_start
            and (
              (former.plan_year_id, former.benefit_id) = (here.plan_year_id, here.benefit_id)
              or exists (
                select
                from plan_year_benefits as other
                where
                  other.plan_year_id = former.plan_year_id
                  and other.organization_id = :organization_id
                  and other.benefit_id = former.benefit_id
                  and other.choice_group = here.choice_group
              )
            )
        )
      end as covered_before,
      not given_up
      and coalesce(
        max(coalesce(plan_closes_on, 'infinity')) over (
          partition by position, term, anchored_on, unsettled, given_up
          order by answer = 'enrolled' desc nulls last, granted_on, id
          rows between unbounded preceding and 1 preceding
        ) >= coalesce(plan_closes_on, 'infinity'),
        false
      ) as doubled
    from candidates as candidate
  ),
  -- The end that an enrollment keeps if it no longer follows from its period, and the last day that it takes from
  -- later ones.
  ends as (
    select
      *,
      taken_until(answer, doubled, keeps_end, coverage_start, kept_end, span_start, span_end, ending_on) as taken_until
    from
      (
        select
          *,
          coverage_end_fixed and coalesce(chosen_until >= coverage_end, true) or not unsettled as keeps_end,
          kept_end(coverage_start, coverage_end, coverage_end_fixed, span_end, ending_on) as kept_end
        from spans
        offset 0
      ) as kept
  ),
  -- The first day of coverage, after the days that earlier enrollments of the same benefit take.
  starts as (
    select
      *,
      new_coverage_start(
        coverage_start_fixed or not unsettled,
        span_start,
        covered_before,
        max(taken_until) over (
          partition by position, term
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
  -- Marks void enrollments. Ended ones keep their days. Each step is a separate subquery, because PostgreSQL would
  -- otherwise repeat an expression for each reference to it.
  judged as (
    select
      *,
      kept_coverage_start(id, void, coverage_start, begins_on) as new_start
    from
      (
        select
          *,
          is_void(unsettled, anchored_on, doubled, begins_on, year_end, offered, answer) as void
        from starts
        offset 0
      ) as verdict
    offset 0
  ),
  -- The calculated values of each enrollment.
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
    offset 0
  ),
  targets as (
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
      -- Also opens an enrollment that ended as a duplicate, and is needed again because a plan closes.
      coalesce(ended_by = 'duplicate' and new_terminated_at is null and closing, false)
      or window_reopens(answer, inactive_on, new_inactive_on, coverage_start, new_start, :today) as opens_again
    from ended
    offset 0
  )
select *
from
  (
    select
      target.id,
      :organization_id as organization_id,
      offer.employer_id,
      target.employee_id,
      offer.plan_year_id,
      offer.benefit_id,
      target.anchored_on,
      target.known_on,
      target.moved_today,
      offer.open_enrollment_start,
      offer.open_enrollment_end,
      target.year_end,
      target.answer,
      target.chosen_until,
      target.given_up_before,
      target.span_start,
      target.new_anchor,
      target.new_start,
      target.new_end,
      target.new_inactive_on,
      target.new_terminated_at,
      target.new_ended_by,
      target.opens_again,
      offer.has_rivals as beside_choices,
      offer.stays,
      target.position in (
        select position
        from periods
        where service_from is not null
      ) as is_returned
    from
      (
        select *
        from targets
        where
          case
            when id is null then not void
            and coalesce(ending_on > new_start, true)
            else (new_anchor, new_start, new_end, new_inactive_on, new_terminated_at, new_ended_by) is distinct from (
              former_anchor,
              coverage_start,
              coverage_end,
              inactive_on,
              terminated_at,
              ended_by
            )
          end
      ) as target
      full join offers as offer on offer.term = target.term
    offset 0
  ) as each
where employee_id is not null and not stays;
