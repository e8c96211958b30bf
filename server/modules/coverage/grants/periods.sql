-- The periods of eligibility of `people`, each with the first day of the employment.
select *
from
  (
    select
      person.position,
      person.hired_on,
      period.scope,
      period.anchored_on,
      period.waited_on,
      period.service_from,
      period.lost_on,
      period.covered_until,
      period.known_on
    from
      people as person
      full join (
        select employee_id, scope, anchored_on, waited_on, service_from, lost_on, covered_until, known_on
        from employee_eligibilities
        where employee_id = any (:employee_ids::text[]) and organization_id = :organization_id
        offset 0
      ) as period
        on period.employee_id = person.id
    offset 0
  ) as each
where scope is not null;
