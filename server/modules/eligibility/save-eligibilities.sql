-- Writes the periods of eligibility of employees where they differ from what is stored.
with
  differing as materialized (select judged.* from shared.judged() as judged),
  gone as (
    delete from employee_eligibilities as stored
    using (select *, :organization_id as organization_id from differing where employee_id is null) as gone
    where
      stored.employee_id = gone.stored_of
      and stored.organization_id = gone.organization_id
      and stored.scope = gone.stored_scope
      and stored.anchored_on = gone.stored_on
  )
-- Today is when a new one became known.
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
