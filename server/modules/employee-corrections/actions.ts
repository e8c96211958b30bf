import type { Ctx } from '../../platform/ctx.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { EmployeeKey } from '../auth/queries.ts'
import { latestOf, readEmployments, requireSubscription, saveRoster, terminateEmployee } from '../employees/actions.ts'
import { saveHistory } from '../employees/history-queries.ts'
import { findReferenced } from '../employees/queries.ts'
import {
  isTerminated,
  loss_reach,
  noChanges,
  whyNotEffective,
  whyNotReference,
  type RosterChanges,
} from '../employees/rules.ts'
import { closeMatters } from '../open-matters/actions.ts'
import { insertCorrection, listCoveredUntil } from './queries.ts'
import { rescissionsOf, whyNotReinstate, type Rescission } from './rules.ts'
import type { OperatorTermination, Reclassification, Reinstatement } from './schemas.ts'

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
  await insertCorrection(ctx, employee, { deed: 'reinstated', effective_on, reason: reason ?? null })
  await closeMatters(ctx, { organization_id, kind: 'reinstatement_beyond_reach' }, [employee_id])
}

/** Ends an employment for the operator, however long ago. Returns the coverage that this rescinds. */
export const endLongAgo = (ctx: Ctx, employee: EmployeeKey, said: OperatorTermination): Promise<Rescission[]> =>
  warned(ctx, employee, async () => {
    await terminateEmployee(ctx, employee, said, null)
    await insertCorrection(ctx, employee, {
      deed: 'terminated',
      effective_on: said.termination_date,
      reason: said.reason,
    })
  })

/** Sets the class of an employee for the operator, however long ago. Returns the coverage that this rescinds. */
export const reclassifyEmployee = (
  ctx: Ctx,
  employee: EmployeeKey,
  { employee_class, effective_date: effective_on, reason }: Reclassification,
): Promise<Rescission[]> =>
  warned(ctx, employee, async () => {
    const { employee_id } = employee
    const { employment } = await readEmployments(ctx, employee)
    refuse(whyNotEffective(effective_on, employment, true, ctx.today))
    const entry = { employee_id, effective_on, value: employee_class }
    if ((await saveHistory(ctx, employee, 'class', [entry])).length === 0) return
    const events: RosterChanges['events'] = [{ event_name: 'employee.updated', employee_id }]
    await saveRoster(
      ctx,
      employee,
      { ...noChanges(), changed_employments: [employment], events },
      { since: effective_on },
    )
    await insertCorrection(ctx, employee, { deed: 'reclassified', effective_on, reason })
  })

/** Does something, and tells which coverage that had been in force is no more. */
async function warned(ctx: Ctx, employee: EmployeeKey, correct: () => Promise<void>): Promise<Rescission[]> {
  const before = await listCoveredUntil(ctx, employee)
  await correct()
  return rescissionsOf(before, await listCoveredUntil(ctx, employee))
}
