import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { CoveredDays } from './loss-rules.ts'

const coverage = statement(
  'employees.listCoverage',
  `select enrollment.employee_id, enrollment.benefit_id, enrollment.id as enrollment_id,
          enrollment.coverage_start as from, least(enrollment.coverage_end, :until::date) as until
     from unnest(:employee_ids::text[]) as given (employee_id)
    cross join lateral (
      select * from enrollments
       where employee_id = given.employee_id and organization_id = :organization_id offset 0) as enrollment
    where enrollment.answer = 'enrolled' and enrollment.coverage_start <= least(enrollment.coverage_end, :until::date)
    order by enrollment.employee_id, enrollment.coverage_start, enrollment.id`,
)

/** The days, up to `until`, on which employees have been covered. */
export const listCoverage = (ctx: Ctx, organization_id: string, employee_ids: string[], until: Day) =>
  coverage.rows<CoveredDays>(ctx, { organization_id, employee_ids, until })
