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
export async function listOpening(ctx: Ctx, organization_id: string, { after, most }: DailyChunk): Promise<string[]> {
  const rows = await opening.rows<{ id: string }>(ctx, { organization_id, after: after ?? '', most })
  return rows.map((row) => row.id)
}

const opening_in = statement('enrollments.listOpeningIn', openedBy('year.id = :plan_year_id'))

/** Lists the enrollments of a plan year that were granted before today. */
export async function listOpeningIn(ctx: Ctx, organization_id: string, plan_year_id: string): Promise<string[]> {
  const rows = await opening_in.rows<{ id: string }>(ctx, { organization_id, plan_year_id })
  return rows.map((row) => row.id)
}

const live = statement(
  'enrollments.listLiveEnrollments',
  `select id from enrollments
    where employee_id = any(:employee_ids) and organization_id = :organization_id
      and coalesce(inactive_on > :today, true) order by id`,
)

/** Lists the enrollments of employees that are not inactive. */
export const listLiveEnrollments = async (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  (await live.rows<{ id: string }>(ctx, { organization_id, employee_ids })).map(({ id }) => id)
