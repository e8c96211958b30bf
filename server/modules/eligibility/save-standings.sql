-- Settles who of some employees is eligible today, by their periods, and tells of whom that changed.
with
  -- A row while days before today have not been run yet.
  behind as materialized (select from organizations where id = :organization_id and daily_run_on < :today::date - 1),
  -- Who is eligible today, when that will change next, and what was stored of both. Full joins are by hash, whatever is
  -- believed of the numbers.
  truth as materialized (
    select
      employee.id,
      employee.employer_id,
      coalesce(period.eligible, false) as eligible,
      period.due_on,
      stored.eligible as former,
      stored.due_on as former_due_on
    from
      (
        select id, employer_id
        from employees
        where id = any (:employee_ids::text[]) and organization_id = :organization_id
        offset 0
      ) as employee
      full join (
        select
          employee_id,
          bool_or(waited_on <= :today::date and coalesce(lost_on > :today, true)) as eligible,
          least(
            min(waited_on) filter (where waited_on > :today),
            min(lost_on) filter (where lost_on > :today)
          ) as due_on
        from employee_eligibilities
        where employee_id = any (:employee_ids::text[]) and organization_id = :organization_id
        group by employee_id
      ) as period
        on period.employee_id = employee.id
      full join (
        select employee_id, eligible, due_on
        from eligibility_standings
        where employee_id = any (:employee_ids::text[]) and organization_id = :organization_id
        offset 0
      ) as stored
        on stored.employee_id = employee.id
  ),
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
