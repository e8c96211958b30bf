-- The calculated and the stored status of employees: whether they are eligible today, and the day of the next change.
-- The full joins force hash joins regardless of the planner's estimates.
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
      least(min(waited_on) filter (where waited_on > :today), min(lost_on) filter (where lost_on > :today)) as due_on
    from employee_eligibilities
    where employee_id = any (:employee_ids::text[]) and organization_id = :organization_id
    group by employee_id
  ) as period
    on period.employee_id = employee.id
  full join (
    select employee_id, eligible, due_on
    from eligibility_statuses
    where employee_id = any (:employee_ids::text[]) and organization_id = :organization_id
    offset 0
  ) as stored
    on stored.employee_id = employee.id;
