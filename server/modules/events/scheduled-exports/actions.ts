import { export_lists } from 'openbenefits/list-columns'
import { mailer, type MailOutcome } from '../../../integrations/mail/mailer.ts'
import { background_priority } from '../../../jobs/enqueue.ts'
import { withSendTimes } from '../../../jobs/send-times.ts'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import { easternDay, addDays } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { invalid, refuse, Refusal } from '../../../kernel/refusal.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { findOrganizationState } from '../../access/organizations/queries.ts'
import {
  countExports,
  insertDeliveries,
  insertExport,
  listDue,
  listRoles,
  saveNextDue,
  lockDelivery,
  saveDelivery,
  type DeliveryFacts,
  type ExportDeliveryKey,
  type DeliveryState,
} from './queries.ts'
import {
  parameterFaults,
  mayRead,
  max_exports,
  nextDue,
  refusals,
  splitParameters,
  max_rows,
  recipientCaller,
  type FailureReason,
  coverOf,
  fileOf,
} from './rules.ts'
import type { NewScheduledExport } from './schemas.ts'
import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { serviceCaller, type Caller } from '../../../runtime/caller.ts'
import { contextOf, inTransaction, type Runtime } from '../../../runtime/runtime.ts'

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
  const without_access = recipient_user_ids.flatMap((id, index) =>
    readers.includes(id)
      ? []
      : [{ field: `recipient_user_ids[${index}]`, message: 'is not a member whose role can read the list' }],
  )
  if (without_access.length > 0) throw invalid(...without_access)
  const count = await countExports(ctx, { organization_id })
  refuse(count >= max_exports ? refusals.too_many_scheduled_exports : undefined)
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
  await ctx.enqueueEach('send_export', await withSendTimes(ctx, organization_id, jobs), background_priority)
  return lastOf(
    exports.map(({ id }) => id),
    chunk,
  )
}

/*
 * Sending an export. Like a message about enrollment, a file is sent at most once:
 *
 *   queued ──render──▶ queued ──lock──▶ sending ──SMTP──▶ sent, failed, or queued again for a later attempt
 *
 * The rows are read as the recipient, with the operations of the interface, and the file is rendered before the state
 * `sending` is committed. An attempt that finds this state was killed, and the mail server may have accepted the file.
 */

/** A delivery that cannot be sent. */
class Undeliverable extends Error {
  readonly reason: FailureReason
  constructor(reason: FailureReason) {
    super(reason)
    this.reason = reason
  }
}

const page_size = 100

/** Reads all rows of a list as a caller, page by page. */
async function readRows(
  runtime: Runtime,
  caller: Caller,
  { list, parameters }: Pick<DeliveryFacts, 'list' | 'parameters'>,
): Promise<unknown[]> {
  const endpoint = runtime.reads.get(export_lists[list as keyof typeof export_lists].operation)!
  const { path, query } = splitParameters(endpoint, parameters)
  const is_numbered = 'page' in endpoint.query!.shape
  const rows: unknown[] = []
  let offset: string | undefined
  for (let page = 1; ; page++) {
    const position = is_numbered ? { page: String(page) } : offset === undefined ? {} : { offset }
    const parsed = endpoint.query!.parse({ ...query, limit: String(page_size), ...position })
    const reply = await inTransaction(runtime, caller, (ctx) =>
      endpoint.handle(ctx, { params: path, located: undefined, query: parsed, body: undefined }),
    ).catch((error) => {
      throw error instanceof Refusal ? new Undeliverable('list_not_found') : error
    })
    if (typeof reply !== 'string') throw new Undeliverable('list_not_found')
    const { data, next_offset } = JSON.parse(reply) as { data: unknown[]; next_offset?: string | null }
    rows.push(...data)
    if (rows.length > max_rows) throw new Undeliverable('too_many_rows')
    if (is_numbered ? data.length < page_size : next_offset === null) return rows
    offset = next_offset ?? undefined
  }
}

/** The email with the file of a delivery. */
async function mailOf(runtime: Runtime, key: ExportDeliveryKey, facts: DeliveryFacts) {
  const { export_delivery_id, organization_id } = key
  const { role, email, user_id, user_name } = facts
  const list = facts.list as keyof typeof export_lists
  const endpoint = runtime.reads.get(export_lists[list].operation)!
  if (role === null || !mayRead(endpoint, role)) throw new Undeliverable('no_access')
  if (email === null) throw new Undeliverable('no_email')
  const caller = recipientCaller({ organization_id, user_id, role }, facts.clock_offset_days)
  const rows = await readRows(runtime, caller, facts)
  const { today } = contextOf(runtime, caller, runtime.database.reads([organization_id]))
  const file = await fileOf({ list, format: facts.format, today, rows })
  const cover = coverOf({ ...facts, list, today, row_count: rows.length })
  return {
    row_count: rows.length,
    mail: {
      ...cover,
      message_id: `${export_delivery_id}@${integrationOf(runtime, mailer)!.domain}`,
      sender_name: facts.sender_name ?? facts.organization_name,
      to: { name: user_name, address: email },
      reply_to: facts.reply_to,
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments: [file],
    },
  }
}

/** The mail server may postpone a file for this many days. */
const postponed_days = 3

function deliveryStateAfter({ result, smtp_status }: MailOutcome, created_at: string, now: string): DeliveryState {
  if (result === 'sent') return { status: 'sent', smtp_status }
  const is_given_up = now.slice(0, 10) >= addDays(created_at.slice(0, 10), postponed_days)
  if (result === 'postponed' && !is_given_up) return { status: 'queued', smtp_status }
  const reason = result === 'unknown' ? 'interrupted' : result === 'postponed' ? 'not_accepted' : result
  return { status: 'failed', reason, smtp_status }
}

/** Sends a queued delivery. Throws if the mail server postponed it, so that the job is retried. */
export async function sendExport(runtime: Runtime, key: ExportDeliveryKey): Promise<void> {
  const inService = <T>(work: Parameters<typeof inTransaction<T>>[2]) =>
    inTransaction(runtime, serviceCaller(key.organization_id), work)
  const transport = integrationOf(runtime, mailer)
  const facts = await inService(async (ctx) => {
    const found = await lockDelivery(ctx, key)
    if (found?.status === 'sending') await saveDelivery(ctx, key, { status: 'failed', reason: 'interrupted' })
    return found?.status === 'queued' ? found : undefined
  })
  if (!facts || !transport) return
  const prepared = await mailOf(runtime, key, facts).catch((error) => {
    if (error instanceof Undeliverable) return error
    throw error
  })
  if (prepared instanceof Undeliverable)
    return void (await inService((ctx) => saveDelivery(ctx, key, { status: 'failed', reason: prepared.reason })))
  const is_first = await inService(async (ctx) => {
    if ((await lockDelivery(ctx, key))?.status !== 'queued') return false
    await saveDelivery(ctx, key, { status: 'sending', row_count: prepared.row_count })
    return true
  })
  if (!is_first) return
  const outcome = await transport.send(prepared.mail)
  const now = new Date(runtime.clock()).toISOString()
  const state = deliveryStateAfter(outcome, facts.created_at, now)
  await inService((ctx) => saveDelivery(ctx, key, state))
  if (state.status === 'queued') throw new Error(`The mail server did not accept an export (${outcome.smtp_status}).`)
}

export const tasks = {
  send_export: task(z.object({ organization_id: z.string(), export_delivery_id: z.string() }), sendExport),
}
