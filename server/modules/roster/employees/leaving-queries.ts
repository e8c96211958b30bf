import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'

const saved_absences = statement(
  'employees.saveAbsences',
  `update employees set terminated_on = :today, absent_on = :today, reported_last_day = terminated_on, updated_at = :now
    where organization_id = :organization_id and id = any(:employee_ids)`,
)

/** Terminates, as of today, employments that are missing from a roster. */
export const saveAbsences = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  saved_absences.rows(ctx, { organization_id, employee_ids })

/** SQL: the employments of an organization that ended before a day and whose end was not published. */
const leavers = (organization: string, day: string) => `
  from employees as leaver
 where leaver.organization_id = ${organization} and leaver.terminated_on < ${day}::date
   and leaver.deactivated_at is null`

/** SQL: whether such employments exist. */
export const hasLeaversToPublish = `exists (select ${leavers('organization.id', 'daily_run.day')})`

const saved_deactivations = statement(
  'employees.saveDeactivations',
  `update employees set deactivated_at = :now
    where organization_id = :organization_id
      and id = any(array(select id ${leavers(':organization_id', ':today')} limit :most))
   returning id`,
)

/** Marks up to `most` employments that ended before today as published, and returns them. */
export const saveDeactivations = (ctx: Ctx, organization_id: string, most: number) =>
  saved_deactivations.rows<{ id: string }>(ctx, { organization_id, most })
