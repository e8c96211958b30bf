import { rowsWith } from '../../../database/sql/fragments.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { coveredUntilLeaving, with_period } from '../enrollments/recalculation-queries.ts'

/**
 * Lists unanswered enrollments after a return within the service credit, if the same benefit covered the employee in
 * the same plan year until the leave. Excludes enrollments that were already resumed since the return, so that later
 * decisions stay.
 */
export const listReturns = statement(
  'elections.listReturns',
  `select enrollment.id as enrollment_id, before.id as former_id, before.last_day
     from ${rowsWith('enrollment_ids', 'enrollments', 'enrollment')}
    ${with_period}
    cross join lateral (${coveredUntilLeaving}) as before
    where enrollment.answer is null and coalesce(enrollment.inactive_on > :today, true)
      and period.service_from is not null
      and not exists (
        select from (select * from enrollments
                      where employee_id = enrollment.employee_id and organization_id = :organization_id
                       offset 0) as again
         where again.plan_year_id = enrollment.plan_year_id and again.benefit_id = enrollment.benefit_id
           and again.anchored_on = enrollment.anchored_on and again.elected_by = 'return' and again.answer = 'enrolled')
    order by enrollment.id`,
).rows<Return>

/** An enrollment of a returning employee, the one that covered them until they left, and its last day. */
export type Return = { enrollment_id: string; former_id: string; last_day: Day }

/** Lists enrollments with a resumed election that would not be resumed by current data. */
export const listLostReturns = statement(
  'elections.listLostReturns',
  `select enrollment.id, enrollment.organization_id, enrollment.employee_id
     from ${rowsWith('enrollment_ids', 'enrollments', 'enrollment')}
    ${with_period}
    where enrollment.elected_by = 'return' and enrollment.answer = 'enrolled' and not exists (${coveredUntilLeaving})
    order by enrollment.id`,
).rows<{ id: string; organization_id: string; employee_id: string }>
