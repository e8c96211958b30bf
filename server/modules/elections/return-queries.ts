import type { Ctx } from '../../platform/ctx.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Day } from '../../kernel/days.ts'

const returns = statement(
  'elections.listReturns',
  `select enrollment.id as enrollment_id, before.id as former_id, before.last_day
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments where id = wanted.id and organization_id = :organization_id offset 0) as enrollment
    cross join lateral scope_of(enrollment.employer_id, :organization_id, enrollment.benefit_id) as own
    cross join lateral (
      select * from employee_eligibilities
       where employee_id = enrollment.employee_id and organization_id = :organization_id
         and scope = own.scope and anchored_on = enrollment.anchored_on offset 0) as period
    cross join lateral (
      select member_id from employees
       where id = enrollment.employee_id and organization_id = :organization_id offset 0) as self
    cross join lateral (
      select former.id, former.coverage_end as last_day
        from (select * from employees
               where member_id = self.member_id and organization_id = :organization_id offset 0) as other
       cross join lateral (
         select * from enrollments
          where employee_id = other.id and organization_id = :organization_id offset 0) as former
       cross join lateral (
         select * from employee_eligibilities
          where employee_id = other.id and organization_id = :organization_id
            and scope = own.scope and anchored_on = former.anchored_on offset 0) as earlier
       where other.employer_id = enrollment.employer_id and former.id <> enrollment.id
         and former.plan_year_id = enrollment.plan_year_id and former.benefit_id = enrollment.benefit_id
         and former.answer = 'enrolled' and former.coverage_end >= former.coverage_start
         and earlier.anchored_on >= period.service_from and earlier.lost_on <= period.anchored_on
         and former.coverage_end >= earlier.lost_on - 1
       order by former.coverage_end desc, former.id desc limit 1) as before
    where enrollment.answer is null and coalesce(enrollment.inactive_on > :today, true)
      and period.service_from is not null
    order by enrollment.id`,
)

/** An enrollment of somebody who came back, the one that covered them until they left, and its last day. */
export type Return = { enrollment_id: string; former_id: string; last_day: Day }

/**
 * Of enrollments those that nobody has answered of people who came back in time, and who were covered by the benefit,
 * in the same plan year, until they left.
 */
export const listReturns = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  returns.rows<Return>(ctx, { organization_id, enrollment_ids })
