import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'

const waived = statement(
  'enrollments.saveWaivedForChoices',
  `update enrollments as stored
      set answer = 'waived', answered_at = :now, elected_by = held.elected_by, waiver_reason = held.reason,
          updated_at = :now
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments where id = wanted.id and organization_id = :organization_id offset 0) as granted
     join plan_year_benefits as theirs on theirs.plan_year_id = granted.plan_year_id
      and theirs.organization_id = :organization_id and theirs.benefit_id = granted.benefit_id
     join benefit_plan_years as their_year on their_year.id = granted.plan_year_id
      and their_year.organization_id = :organization_id
    cross join lateral (
      select rival.elected_by, product.name || ' was elected instead' as reason
        from (select * from enrollments
               where employee_id = granted.employee_id and organization_id = :organization_id offset 0) as rival
        join plan_year_benefits as other on other.plan_year_id = rival.plan_year_id
         and other.organization_id = :organization_id and other.benefit_id = rival.benefit_id
         and other.choice_group = theirs.choice_group
        join benefit_plan_years as year on year.id = rival.plan_year_id and year.organization_id = :organization_id
        join benefit_products as product on product.id = rival.benefit_id
         and product.organization_id = :organization_id
       where rival.benefit_id <> granted.benefit_id and rival.answer = 'enrolled'
         and rival.coverage_start <= granted.coverage_start and year.coverage_end >= granted.coverage_start
         and coalesce(rival.coverage_end >= least(year.coverage_end, their_year.coverage_end), true)
       order by rival.id limit 1) as held
    where stored.id = granted.id and stored.organization_id = :organization_id and stored.answer is null
   returning stored.id, stored.waiver_reason as reason`,
)

/**
 * Waives what was granted to employees who hold another benefit of the choice group, in a plan year of the same time,
 * whose end is not known; returns those, each with why.
 */
export const waiveForChoices = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  waived.rows<{ id: string; reason: string }>(ctx, { organization_id, enrollment_ids })

/** SQL: of employees those who were known to hold two benefits of a choice group, and do no more. */
export const decided = `
  select task.resource_id as id from tasks as task
    where task.organization_id = :organization_id and task.kind = 'choice_group_doubled'
      and task.closed_at is null and task.resource_id = any(:employee_ids::text[])
      and not exists (
        select
          from (select theirs.benefit_id, benefit.choice_group, theirs.coverage_start,
                       coalesce(theirs.coverage_end, year.coverage_end) as last_day
                  from (select * from enrollments
                         where employee_id = task.resource_id and organization_id = :organization_id
                        offset 0) as theirs
                  join plan_year_benefits as benefit on benefit.plan_year_id = theirs.plan_year_id
                   and benefit.organization_id = :organization_id and benefit.benefit_id = theirs.benefit_id
                  join benefit_plan_years as year on year.id = theirs.plan_year_id
                   and year.organization_id = :organization_id
                 where theirs.answer = 'enrolled' and benefit.choice_group is not null) as held
         where held.last_day >= greatest(held.coverage_start, :today::date)
         group by held.choice_group
        having count(distinct held.benefit_id) > 1
           and min(held.last_day) >= greatest(max(held.coverage_start), :today::date))`
