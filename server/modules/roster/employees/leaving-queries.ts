import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'

const saved_absences = statement(
  'employees.saveAbsences',
  `update employees set terminated_on = :today, absent_on = :today, last_day_told = terminated_on, updated_at = :now
    where organization_id = :organization_id and id = any(:employee_ids)`,
)

/** Makes today the last day of employments of which a roster no longer tells. */
export const saveAbsences = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  saved_absences.rows(ctx, { organization_id, employee_ids })

/** SQL: the employments of an organization whose last day is before a day and was not published. */
const leavers = (organization: string, day: string) => `
  from employees as leaver
 where leaver.organization_id = ${organization} and leaver.terminated_on < ${day}::date
   and leaver.deactivated_at is null`

/** SQL: whether there are such employments. */
export const hasLeaversToPublish = `exists (select ${leavers('organization.id', 'daily_run.day')})`

const saved_deactivations = statement(
  'employees.saveDeactivations',
  `update employees set deactivated_at = :now
    where organization_id = :organization_id
      and id = any(array(select id ${leavers(':organization_id', ':today')} limit :most))
   returning id`,
)

/** Marks employments whose last day is before today as published, so many; returns those that were not yet. */
export const saveDeactivations = (ctx: Ctx, organization_id: string, most: number) =>
  saved_deactivations.rows<{ id: string }>(ctx, { organization_id, most })
