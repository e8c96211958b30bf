-- Saves for each of these employees whether they are eligible today according to their periods. Returns the changes.
with
  -- Contains a row while daily runs for days before today are pending.
  pages_before as materialized (
    select from organizations where id = :organization_id and daily_run_on < :today::date - 1
  ),
  truth as materialized (select judged.* from shared.judged() as judged),
  -- Writes the rows that differ. While daily runs for earlier days are pending, writes all rows, to record in
  -- settled_by that these employees are settled as of today.
  settled as (
    insert into eligibility_statuses as known (organization_id, employer_id, employee_id, eligible, due_on, settled_by)
    select :organization_id, employer_id, id, eligible, due_on, (select :today from pages_before)
    from truth
    where
      (eligible, due_on) is distinct from (coalesce(former, false), former_due_on)
      or exists (select from pages_before)
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
