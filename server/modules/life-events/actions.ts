import type { Ctx } from '../../platform/ctx.ts'
import { newId } from '../../kernel/ids.ts'
import { generic, refuse, Refusal } from '../../kernel/refusal.ts'
import { locateEmployee } from '../auth/queries.ts'
import { findLastDay } from '../dependents/queries.ts'
import { announceWindow } from '../enrollments/actions.ts'
import { lockOrganization } from '../organizations/queries.ts'
import { locateLifeEvent, insertLifeEvent, saveDecision, type Decision } from './queries.ts'
import { life_event_already_decided, whyNotReport, windowFrom } from './rules.ts'
import type { NewLifeEvent } from './schemas.ts'

/** Reports what happened to an employee, for the operator to decide about; returns the life event's id. */
export async function reportLifeEvent(ctx: Ctx, employee_id: string, said: NewLifeEvent): Promise<string> {
  const place = await locateEmployee(ctx, { employee_id })
  if (!place) throw new Refusal(generic.not_found)
  const { organization_id, employer_id } = place
  await lockOrganization(ctx, organization_id)
  const employment = await findLastDay(ctx, organization_id, employee_id)
  refuse(whyNotReport(said.occurred_on, employment!, ctx.today))
  const id = newId('qle')
  await insertLifeEvent(ctx, { ...said, id, organization_id, employer_id, employee_id })
  return id
}

/** Decides about a life event that nobody decided about yet, under its organization's lock. */
async function decide(ctx: Ctx, life_event_id: string, made: Decision) {
  const place = await locateLifeEvent(ctx, { life_event_id })
  if (!place) throw new Refusal(generic.not_found)
  await lockOrganization(ctx, place.organization_id)
  if (!(await saveDecision(ctx, place.organization_id, life_event_id, made))) refuse(life_event_already_decided)
  return place
}

/** Approves a life event: from today on its employee may choose again, and each of their enrollments says so. */
export async function approveLifeEvent(ctx: Ctx, life_event_id: string): Promise<void> {
  const place = await decide(ctx, life_event_id, { decision: 'approved', ...windowFrom(ctx.today) })
  await announceWindow(ctx, place)
}

/** Declines a life event, with the reason that its employee is shown. */
export async function declineLifeEvent(ctx: Ctx, life_event_id: string, reason: string): Promise<void> {
  await decide(ctx, life_event_id, { decision: 'declined', reason })
}
