import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'

/** SQL: the enrollments granted before today in plan years that open a window, found by their plan year. */
const openedBy = (years: string, more = '') => `
  select enrollment.id from benefit_plan_years as year
   cross join lateral (
     select id from enrollments
      where plan_year_id = year.id and organization_id = :organization_id and granted_on < :today
        and coalesce(inactive_on > :today, true)
     offset 0) as enrollment
   where year.organization_id = :organization_id and ${years} ${more}
   order by enrollment.id`

const opening = statement(
  'enrollments.listOpening',
  `${openedBy('year.open_enrollment_start = :today', 'and enrollment.id > :after')} limit :most`,
)

/** Lists the next enrollments granted before today in plan years that open enrollment today. */
export const listOpening = (ctx: Ctx, organization_id: string, { after, most }: DailyChunk) =>
  opening.column(ctx, { organization_id, after: after ?? '', most })

const opening_in = statement('enrollments.listOpeningIn', openedBy('year.id = :plan_year_id'))

/** Lists the enrollments of a plan year that were granted before today. */
export const listOpeningIn = (ctx: Ctx, organization_id: string, plan_year_id: string) =>
  opening_in.column(ctx, { organization_id, plan_year_id })

const live = statement(
  'enrollments.listLiveEnrollments',
  `select id from enrollments
    where employee_id = any(:employee_ids) and organization_id = :organization_id
      and coalesce(inactive_on > :today, true) order by id`,
)

/** Lists the enrollments of employees that are not inactive. */
export const listLiveEnrollments = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  live.column(ctx, { organization_id, employee_ids })
