import { export_lists } from 'openbenefits/list-columns'
import { mailer } from '../../../integrations/mail/mailer.ts'
import { background_priority } from '../../../jobs/enqueue.ts'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import { easternDay } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { invalid, refuse } from '../../../kernel/refusal.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { findOrganizationState } from '../../access/organizations/queries.ts'
import { countExports, insertDeliveries, insertExport, listDue, listRoles, saveNextDue } from './queries.ts'
import { parameterFaults, mayRead, most_exports, nextDue, refusals, splitParameters } from './rules.ts'
import type { NewScheduledExport } from './schemas.ts'

/** Schedules an export, and returns its id. */
export async function scheduleExport(ctx: Ctx, organization_id: string, input: NewScheduledExport): Promise<string> {
  const { sandbox } = (await findOrganizationState(ctx, { organization_id }))!
  refuse(sandbox || integrationOf(ctx, mailer) ? undefined : refusals.exports_need_email)
  const list = ctx.reads.get(export_lists[input.list].operation)!
  const { parameters = {}, frequency } = input
  const recipient_user_ids = [...new Set(input.recipient_user_ids ?? [ctx.caller.user_id!])]
  const faults = parameterFaults(list, parameters)
  if (faults.length > 0) throw invalid(...faults)
  const located = list.locate ? await list.locate(ctx, splitParameters(list, parameters).path) : undefined
  if (list.params && !located) {
    const [name] = Object.keys(list.params).slice(-1)
    throw invalid({ field: `parameters.${name}`, message: 'does not exist' })
  }
  const roles = await listRoles(ctx, { organization_id, user_ids: recipient_user_ids })
  const readers = roles.filter(({ role }) => mayRead(list, role)).map(({ user_id }) => user_id)
  const without_access = recipient_user_ids.flatMap((id, at) =>
    readers.includes(id)
      ? []
      : [{ field: `recipient_user_ids[${at}]`, message: 'is not a member whose role can read the list' }],
  )
  if (without_access.length > 0) throw invalid(...without_access)
  const count = await countExports(ctx, organization_id)
  refuse(count >= most_exports ? refusals.too_many_scheduled_exports : undefined)
  const id = newId('sexp')
  const next_on = nextDue(frequency, ctx.today)
  await insertExport(ctx, { id, organization_id, next_on, recipient_user_ids, input })
  return id
}

/**
 * The daily run: creates the deliveries of the exports that are due. A run for a past day creates none, and the run of
 * the present day creates those that were missed, once.
 */
export async function dailyExports(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  if (ctx.today !== easternDay(Date.parse(ctx.now))) return null
  const exports = await listDue(ctx, { organization_id, ...chunk })
  if (exports.length === 0) return null
  const deliveries = exports.flatMap(({ id, recipient_user_ids }) =>
    recipient_user_ids.map((user_id) => ({ id: newId('sxdl'), scheduled_export_id: id, user_id })),
  )
  const created = await insertDeliveries(ctx, organization_id, deliveries)
  await saveNextDue(
    ctx,
    organization_id,
    exports.map(({ id, frequency }) => ({ id, next_on: nextDue(frequency, ctx.today) })),
  )
  const jobs = created.map((export_delivery_id) => ({
    payload: { organization_id, export_delivery_id },
    key: `send_export:${export_delivery_id}`,
  }))
  // Large files must not delay the other jobs of the organization.
  await ctx.enqueueEach('send_export', jobs, background_priority)
  return lastOf(
    exports.map(({ id }) => id),
    chunk,
  )
}
