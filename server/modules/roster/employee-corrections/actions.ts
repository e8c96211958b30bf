import { correction_window_days } from '../../directory/tasks/rules.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { latestOf, readEmployments, requireSubscription, saveRoster, terminateEmployee } from '../employees/actions.ts'
import { changeEmployee } from '../employees/change-actions.ts'
import { listCoverage, findReferenced } from '../employees/queries.ts'
import { lostCoverage, isTerminated, noChanges, whyNotReference, type RosterChanges } from '../employees/rules.ts'
import { EmployeeChanges } from '../employees/schemas.ts'
import { closeTasks } from '../../directory/tasks/actions.ts'
import { insertCorrection } from './queries.ts'
import { whyNotReinstate, type Rescission } from './rules.ts'
import type { OperatorEmployeeChanges, OperatorTermination, Reinstatement } from './schemas.ts'

/**
 * Reverses the last termination of an employment. Coverage that it ended is restored to what it would be today without
 * it. `window_days` is how many days ago the last day may be, or null for the operator. Refused with 409 if the
 * employment has not ended or the person was employed here again.
 */
export async function reinstateEmployee(
  ctx: Ctx,
  employee: EmployeeKey,
  { reason }: Reinstatement,
  window_days: number | null = correction_window_days,
): Promise<void> {
  const { employee_id, organization_id, member_id } = employee
  const { employment, employments } = await readEmployments(ctx, employee)
  refuse(whyNotReinstate(employment, latestOf(employments), ctx.today, window_days))
  await requireSubscription(ctx, employee.employer_id)
  const { reference_id } = employment
  const holders = reference_id === null ? [] : await findReferenced(ctx, { ...employee, reference_ids: [reference_id] })
  refuse(whyNotReference(holders, member_id))
  const effective_on = employment.terminated_on!
  const changes: RosterChanges = {
    ...noChanges(),
    // If a roster omitted the person after a last day was reported, that day applies again.
    changed_employments: [
      { ...employment, terminated_on: employment.reported_last_day, absent_on: null, reported_last_day: null },
    ],
    events: [
      { event_name: isTerminated(employment, ctx.today) ? 'employee.reinstated' : 'employee.updated', employee_id },
    ],
  }
  await saveRoster(ctx, employee, changes, { since: effective_on })
  await insertCorrection(ctx, employee, { action: 'reinstated', effective_on, reason: reason ?? null })
  await closeTasks(ctx, { organization_id, kinds: ['reinstatement_too_old'] }, [employee_id])
}

/** Terminates an employment for the operator on any past day. Returns the coverage that this rescinds. */
export const terminateRetroactively = (
  ctx: Ctx,
  employee: EmployeeKey,
  input: OperatorTermination,
): Promise<Rescission[]> =>
  correctAndListRescissions(ctx, employee, async () => {
    await terminateEmployee(ctx, employee, input, null)
    await insertCorrection(ctx, employee, {
      action: 'terminated',
      effective_on: input.termination_date,
      reason: input.reason,
    })
  })

/**
 * Changes the class, compensation type, bargaining unit or first day of an employment for the operator from any past
 * day. Returns the coverage that this rescinds.
 */
export const correctEmployee = (
  ctx: Ctx,
  employee: EmployeeKey,
  { effective_date = ctx.today, reason, dry_run: _, ...facts }: OperatorEmployeeChanges,
): Promise<Rescission[]> =>
  correctAndListRescissions(ctx, employee, async () => {
    const changes = EmployeeChanges.parse({ effective_date, ...facts })
    const { start_date } = changes
    if (!(await changeEmployee(ctx, employee, changes, null))) return
    const effective_on = start_date !== undefined && start_date < effective_date ? start_date : effective_date
    await insertCorrection(ctx, employee, { action: 'corrected', effective_on, reason })
    const { organization_id, employee_id } = employee
    await closeTasks(ctx, { organization_id, kinds: ['start_too_old'] }, [employee_id])
  })

/** Performs a correction and returns the coverage, on days up to today, that it removed. */
async function correctAndListRescissions(
  ctx: Ctx,
  employee: EmployeeKey,
  correct: () => Promise<void>,
): Promise<Rescission[]> {
  const { employments } = await readEmployments(ctx, employee)
  const ids = employments.map(({ id }) => id)
  const coverage = () => listCoverage(ctx, { ...employee, employee_ids: ids, until: ctx.today })
  const before = await coverage()
  await correct()
  return lostCoverage(before, await coverage()).map(({ enrollment_id, from, until }) => ({
    enrollment_id,
    lost_from: from,
    lost_until: until,
  }))
}
