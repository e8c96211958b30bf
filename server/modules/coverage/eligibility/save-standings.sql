-- Settles who of some employees is eligible today, by their periods, and tells of whom that changed.
with
  -- A row while days before today have not been run yet.
  behind as materialized (select from organizations where id = :organization_id and daily_run_on < :today::date - 1),
  truth as materialized (select judged.* from shared.judged() as judged),
  -- What differs is written. While days before today have not been run, it is noted of everybody that today has brought
  -- them all that those days would.
  settled as (
    insert into eligibility_standings as known (organization_id, employer_id, employee_id, eligible, due_on, settled_by)
    select :organization_id, employer_id, id, eligible, due_on, (select :today from behind)
    from truth
    where (eligible, due_on) is distinct from (coalesce(former, false), former_due_on) or exists (select from behind)
    on conflict (employee_id, organization_id) do update
      set
        eligible = excluded.eligible,
        due_on = excluded.due_on,
        settled_by = coalesce(excluded.settled_by, known.settled_by)
  )
select id as employee_id, eligible
from truth
where eligible <> coalesce(former, false)
order by id;
