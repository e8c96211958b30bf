import type { Ctx } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { findLastDay } from '../dependents/queries.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { announceWindow } from '../enrollments/actions.ts'
import {
  insertApproved,
  insertLifeEvent,
  saveDecision,
  type CoverageLost,
  type Decision,
  type LifeEventKey,
} from './queries.ts'
import { refusals, whyNotReport, windowFrom } from './rules.ts'
import type { NewLifeEvent } from './schemas.ts'

/** Reports what happened to an employee, for the operator to decide about; returns the life event's id. */
export async function reportLifeEvent(
  ctx: Ctx,
  { organization_id, employer_id, employee_id }: EmployeeKey,
  said: NewLifeEvent,
): Promise<string> {
  const employment = await findLastDay(ctx, organization_id, employee_id)
  refuse(whyNotReport(said.occurred_on, employment!, ctx.today))
  const id = newId('qle')
  await insertLifeEvent(ctx, { ...said, id, organization_id, employer_id, employee_id })
  const details = { employee_id, occurred_on: said.occurred_on }
  await openTasks(ctx, [{ kind: 'life_event_pending', organization_id, employer_id, resource_id: id, details }])
  return id
}

/** Decides about a life event that nobody decided about yet. */
async function decide(ctx: Ctx, { organization_id, life_event_id }: LifeEventKey, made: Decision): Promise<void> {
  if (!(await saveDecision(ctx, organization_id, life_event_id, made))) refuse(refusals.life_event_already_decided)
  await closeTasks(ctx, { organization_id, kind: 'life_event_pending' }, [life_event_id])
}

/**
 * Approves a life event: from today on its employee may make the changes that the event allows, and each of their
 * enrollments publishes the window. `exception`: why any change is allowed.
 */
export async function approveLifeEvent(ctx: Ctx, event: LifeEventKey, exception?: string): Promise<void> {
  await decide(ctx, event, { decision: 'approved', reason: exception ?? null, ...windowFrom(ctx.today) })
  await announceWindow(ctx, { organization_id: event.organization_id, employee_ids: [event.employee_id] })
}

/** Declines a life event, with the reason that its employee is shown. */
export async function declineLifeEvent(ctx: Ctx, event: LifeEventKey, reason: string): Promise<void> {
  await decide(ctx, event, { decision: 'declined', reason })
}

/** Lets employees choose again for 30 days since coverage of a dependent of theirs ended, once for each employment. */
export async function openWindowsOfLeavers(ctx: Ctx, organization_id: string, lost: CoverageLost[]): Promise<void> {
  if (lost.length === 0) return
  await insertApproved(ctx, organization_id, lost, windowFrom(ctx.today))
  await announceWindow(ctx, { organization_id, employee_ids: lost.map(({ employee_id }) => employee_id) })
}
