import type { Ctx } from '../../../runtime/ctx.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import {
  changeEmployee,
  latestOf,
  readEmployments,
  requireSubscription,
  saveRoster,
  terminateEmployee,
} from '../employees/actions.ts'
import { listCoverage } from '../employees/loss-queries.ts'
import { lostCoverage } from '../employees/loss-rules.ts'
import { findReferenced } from '../employees/queries.ts'
import { isTerminated, loss_reach, noChanges, whyNotReference, type RosterChanges } from '../employees/rules.ts'
import { EmployeeChanges } from '../employees/schemas.ts'
import { closeTasks } from '../../directory/tasks/actions.ts'
import { insertCorrection } from './queries.ts'
import { whyNotReinstate, type Rescission } from './rules.ts'
import type { OperatorEmployeeChanges, OperatorTermination, Reinstatement } from './schemas.ts'

/**
 * Takes back the last termination of an employment as if it had not been told: what it ended is what it would be now.
 * `reach`: how many days ago the last day may be, null for the operator. 409 when nothing ended, or the person was
 * employed here again.
 */
export async function reinstateEmployee(
  ctx: Ctx,
  employee: EmployeeKey,
  { reason }: Reinstatement,
  reach: number | null = loss_reach,
): Promise<void> {
  const { employee_id, organization_id, member_id } = employee
  const { employment, employments } = await readEmployments(ctx, employee)
  refuse(whyNotReinstate(employment, latestOf(employments), ctx.today, reach))
  await requireSubscription(ctx, employee.employer_id)
  const { reference_id } = employment
  const holders = reference_id === null ? [] : await findReferenced(ctx, employee, [reference_id])
  refuse(whyNotReference(holders, member_id))
  const effective_on = employment.terminated_on!
  const changes: RosterChanges = {
    ...noChanges(),
    // Who was left out, and had told a last day before, leaves on that day.
    changed_employments: [
      { ...employment, terminated_on: employment.last_day_told, absent_on: null, last_day_told: null },
    ],
    events: [
      { event_name: isTerminated(employment, ctx.today) ? 'employee.reinstated' : 'employee.updated', employee_id },
    ],
  }
  await saveRoster(ctx, employee, changes, { since: effective_on })
  await insertCorrection(ctx, employee, { action: 'reinstated', effective_on, reason: reason ?? null })
  await closeTasks(ctx, { organization_id, kind: 'reinstatement_beyond_reach' }, [employee_id])
}

/** Ends an employment for the operator, however long ago. Returns the coverage that this rescinds. */
export const endLongAgo = (ctx: Ctx, employee: EmployeeKey, said: OperatorTermination): Promise<Rescission[]> =>
  warned(ctx, employee, async () => {
    await terminateEmployee(ctx, employee, said, null)
    await insertCorrection(ctx, employee, {
      action: 'terminated',
      effective_on: said.termination_date,
      reason: said.reason,
    })
  })

/**
 * Sets the class, the compensation type or the first day of an employment for the operator, however long ago. Returns
 * the coverage that this rescinds.
 */
export const correctEmployee = (
  ctx: Ctx,
  employee: EmployeeKey,
  { effective_date = ctx.today, start_date, employee_class, compensation_type, reason }: OperatorEmployeeChanges,
): Promise<Rescission[]> =>
  warned(ctx, employee, async () => {
    const changes = EmployeeChanges.parse({ effective_date, start_date, employee_class, compensation_type })
    if (!(await changeEmployee(ctx, employee, changes, null))) return
    const effective_on = start_date !== undefined && start_date < effective_date ? start_date : effective_date
    await insertCorrection(ctx, employee, { action: 'corrected', effective_on, reason })
    const { organization_id, employee_id } = employee
    await closeTasks(ctx, { organization_id, kind: 'start_beyond_reach' }, [employee_id])
  })

/** Does something, and returns the coverage of days up to today that it took away. */
async function warned(ctx: Ctx, employee: EmployeeKey, correct: () => Promise<void>): Promise<Rescission[]> {
  const { employments } = await readEmployments(ctx, employee)
  const ids = employments.map(({ id }) => id)
  const coverage = () => listCoverage(ctx, employee.organization_id, ids, ctx.today)
  const before = await coverage()
  await correct()
  return lostCoverage(before, await coverage()).map(({ enrollment_id, from, until }) => ({
    enrollment_id,
    lost_from: from,
    lost_until: until,
  }))
}
