import { export_lists } from 'openbenefits/list-columns'
import { z } from 'zod'
import { mailer, type MailOutcome } from '../../../integrations/mail/mailer.ts'
import { task } from '../../../jobs/worker.ts'
import { addDays } from '../../../kernel/days.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { serviceCaller, type Caller } from '../../../runtime/caller.ts'
import { contextOf, inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import { coverOf, fileOf } from './file-rules.ts'
import { mayRead, most_rows, recipientCaller, splitParameters, type FailureReason } from './rules.ts'
import {
  lockDelivery,
  saveDelivery,
  type DeliveryFacts,
  type ExportDeliveryKey,
  type DeliveryState,
} from './sending-queries.ts'

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
    if (rows.length > most_rows) throw new Undeliverable('too_many_rows')
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

function stateAfter({ result, smtp_status }: MailOutcome, created_at: string, now: string): DeliveryState {
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
  const state = stateAfter(outcome, facts.created_at, now)
  await inService((ctx) => saveDelivery(ctx, key, state))
  if (state.status === 'queued') throw new Error(`The mail server did not accept an export (${outcome.smtp_status}).`)
}

export const tasks = {
  send_export: task(z.object({ organization_id: z.string(), export_delivery_id: z.string() }), sendExport),
}
