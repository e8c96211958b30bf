import type { Ctx } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { findLastDay } from '../dependents/queries.ts'
import { storeFile } from '../../directory/files/actions.ts'
import { deleteFile } from '../../directory/files/queries.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { announceWindow } from '../enrollments/actions.ts'
import { refusals, whyNotRepeat, whyNotReport, windowFrom, whyNotAttach, whyNotDetach } from './rules.ts'
import type { NewAttachment } from '../../directory/files/schemas.ts'
import type { LifeEventKey, NewLifeEvent } from './schemas.ts'
import {
  findAttachable,
  findSameLifeEvent,
  insertApproved,
  insertAttachment,
  insertLifeEvent,
  saveDecision,
  type AttachmentPath,
  type CoverageLost,
  type Decision,
} from './queries.ts'

/** Reports a life event of an employee, which the operator then approves or declines. Returns its id. */
export async function reportLifeEvent(
  ctx: Ctx,
  { organization_id, employer_id, employee_id }: EmployeeKey,
  input: NewLifeEvent,
): Promise<string> {
  const employment = await findLastDay(ctx, { organization_id, employee_id })
  refuse(whyNotReport(input.occurred_on, employment!, ctx.today))
  refuse(whyNotRepeat(await findSameLifeEvent(ctx, { organization_id, employee_id }, input)))
  const id = newId('qle')
  await insertLifeEvent(ctx, { ...input, id, organization_id, employer_id, employee_id })
  const details = { employee_id, occurred_on: input.occurred_on }
  await openTasks(ctx, [{ kind: 'life_event_pending', organization_id, employer_id, resource_id: id, details }])
  return id
}

/** Saves the decision. Refused with 409 if the life event is already decided. */
async function decide(ctx: Ctx, { organization_id, life_event_id }: LifeEventKey, made: Decision): Promise<void> {
  if (!(await saveDecision(ctx, organization_id, life_event_id, made))) refuse(refusals.life_event_already_decided)
  await closeTasks(ctx, { organization_id, kinds: ['life_event_pending'] }, [life_event_id])
}

/**
 * Approves a life event. `exception` is the reason for allowing any change.
 *
 * 1. The decision and a window of 30 days are saved, and the task `life_event_pending` closes.
 * 2. Each enrollment of the employee that is not inactive publishes `enrollment.started` (`announceWindow`).
 *
 * Coverage does not change yet. While the window is open, `electEnrollment` and `waiveEnrollment`
 * (`elections/actions.ts`) and `terminateEnrollment` (`terminations/actions.ts`) accept the changes that
 * `enrollments/rules.ts` lists for the event.
 */
export async function approveLifeEvent(ctx: Ctx, event: LifeEventKey, exception?: string): Promise<void> {
  await decide(ctx, event, { decision: 'approved', reason: exception ?? null, ...windowFrom(ctx.today) })
  await announceWindow(ctx, { organization_id: event.organization_id, employee_ids: [event.employee_id] })
}

/** Declines a life event. The employee sees the reason. */
export async function declineLifeEvent(ctx: Ctx, event: LifeEventKey, reason: string): Promise<void> {
  await decide(ctx, event, { decision: 'declined', reason })
}

/** Opens a window of 30 days after coverage of a dependent ends, one for each employment. */
export async function openWindowsForLostCoverage(
  ctx: Ctx,
  organization_id: string,
  lost: CoverageLost[],
): Promise<void> {
  if (lost.length === 0) return
  await insertApproved(ctx, organization_id, lost, windowFrom(ctx.today))
  await announceWindow(ctx, { organization_id, employee_ids: lost.map(({ employee_id }) => employee_id) })
}

/** Attaches a document to a pending life event. If a scanner is configured, a job scans the document. */
export async function attachFile(ctx: Ctx, event: LifeEventKey, { file_name, content }: NewAttachment): Promise<void> {
  refuse(whyNotAttach(await findAttachable(ctx, event), ctx.today))
  const { organization_id, life_event_id } = event
  const file_id = newId('att')
  await storeFile(ctx, { organization_id, file_id }, content)
  await insertAttachment(ctx, { id: file_id, organization_id, life_event_id, file_name })
}

/** Removes a document from a life event and deletes its content. */
export async function detachFile(ctx: Ctx, attachment: LifeEventKey & AttachmentPath): Promise<void> {
  const is_own = ctx.caller.reach.employee_id !== null
  refuse(whyNotDetach(await findAttachable(ctx, attachment), is_own, ctx.today))
  const { organization_id, attachment_id: file_id } = attachment
  await deleteFile(ctx, { organization_id, file_id })
}
