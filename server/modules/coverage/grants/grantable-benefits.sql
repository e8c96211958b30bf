-- The offered benefits that can be granted to employees in today's period, from open enrollment or the first day of
-- the plan year on. moved_today: the employee moved into an offered state today. The rows have the columns of existing
-- enrollments. The conditions are outside of the subquery, because inside they would turn the full join into an
-- ordinary one (docs/design/data/sql.md).
select *
from
  (
    select
      offer.position,
      offer.employee_id,
      offer.formers,
      offer.moved_today,
      offer.term,
      offer.scope,
      offer.choice_number,
      offer.starts_on,
      offer.medical,
      offer.year_start,
      offer.year_end,
      offer.offered,
      null::text as id,
      null::date as former_anchor,
      null::date as granted_for,
      null::date as granted_on,
      null::date as coverage_start,
      null::date as coverage_end,
      false as coverage_start_fixed,
      false as coverage_end_fixed,
      offer.ends_on as ended_on,
      null::date as plan_closes_on,
      null::text as answer,
      null::date as inactive_on,
      null::timestamptz as terminated_at,
      null::text as ended_by,
      0 as choice,
      true as unsettled,
      period.anchored_on,
      period.waited_on,
      period.lost_on,
      period.covered_until,
      period.known_on
    from
      (
        select
          person.position,
          person.id as employee_id,
          person.formers,
          offer.offered_states <> '{}' and coalesce(person.moved_on = :today::date, false) as moved_today,
          offer.term,
          offer.scope,
          offer.choice_number,
          offer.starts_on,
          offer.medical,
          offer.year_start,
          offer.year_end,
          offer.ends_on,
          is_offered_in(offer.offered_states, coalesce(person.state, offer.employer_state)) as offered
        from
          persons as person
          full join (select * from offers where grantable) as offer on offer.employer_id = person.employer_id
        offset 0
      ) as offer
      full join (select * from periods where anchored_on <= :today and coalesce(lost_on > :today, true)) as period
        on period.position = offer.position and period.scope = offer.scope
    offset 0
  ) as each
where offered and anchored_on is not null;
