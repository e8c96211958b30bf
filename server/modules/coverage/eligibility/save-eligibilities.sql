-- Writes the periods of eligibility of employees that differ from the stored ones.
with
  differing as materialized (select judged.* from shared.judged() as judged),
  -- The array and the hashed subquery force a hash plan, since the planner estimates a single row on each side.
  gone as (
    delete from employee_eligibilities as stored
    where
      stored.employee_id = any (array(select stored_of from differing where employee_id is null))
      and stored.organization_id = :organization_id
      and (
        (stored.employee_id, stored.scope, stored.anchored_on) in (
          select stored_of, stored_scope, stored_on
          from differing
          where employee_id is null
        )
      ) is true
  )
-- A new period becomes known today.
insert into employee_eligibilities
  (
    organization_id,
    employer_id,
    employee_id,
    scope,
    anchored_on,
    waited_on,
    service_from,
    policy_id,
    lost_on,
    covered_until,
    known_on
  )
select
  :organization_id,
  employer_id,
  employee_id,
  scope,
  anchored_on,
  waited_on,
  service_from,
  policy_id,
  lost_on,
  covered_until,
  :today
from differing
where employee_id is not null
on conflict (employee_id, organization_id, scope, anchored_on) do update
  set
    waited_on = excluded.waited_on,
    service_from = excluded.service_from,
    policy_id = excluded.policy_id,
    lost_on = excluded.lost_on,
    covered_until = excluded.covered_until;
