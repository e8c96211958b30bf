import { z } from 'zod'
import { mailer, type MailOutcome, type OutgoingMail } from '../../../integrations/mail/mailer.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { background_priority } from '../../../jobs/enqueue.ts'
import { withSendTimes } from '../../../jobs/send-times.ts'
import { task } from '../../../jobs/worker.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { inOrganization, inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { recordAudit } from '../../../http/audit/audit.ts'
import { contentOf, type Content } from './content-rules.ts'
import { dashboardLink, isGivenUp, refusals } from './rules.ts'
import {
  deleteUnsubscribe,
  findMessageFacts,
  lockMessageFacts,
  redeemMessageLink,
  saveBounce,
  saveMessageState,
  saveUnsubscribe,
  type MessageFacts,
} from './sending-queries.ts'
import { findSettings } from './settings-queries.ts'
import {
  endOfLink,
  endOfVisit,
  type EmployeeVisit,
  messageToken,
  readMessageToken,
  type MessageKey,
  type TokenPurpose,
} from './token-rules.ts'

/*
 * Sending a message. A message is sent at most once, even if the process is killed:
 *
 *   queued ──lock──▶ sending ──SMTP──▶ sent, failed, or queued again for a later attempt
 *
 * The state `sending` is committed before the mail server is contacted. An attempt that finds it was killed, and the
 * server may have accepted the message. It fails as `interrupted` and is not repeated. The Message-ID follows from the
 * id of the message, so that a mail program would recognize a repetition.
 */

const tokensOf = ({ secrets }: ReadCtx, message: MessageKey): Record<TokenPurpose, string> => ({
  dashboard: messageToken(secrets.tokenKeys(), 'dashboard', message),
  unsubscribe: messageToken(secrets.tokenKeys(), 'unsubscribe', message),
})

/** The unsubscribe address of a message. Null for invitations, which are a required notice. */
const unsubscribeUrl = ({ settings }: ReadCtx, { kind }: MessageFacts, token: string): string | null =>
  kind === 'invitation' ? null : `${settings.public_url ?? ''}/unsubscribe/${token}`

export function contentFor(ctx: ReadCtx, message: MessageFacts, tokens = tokensOf(ctx, message)): Content {
  const { dashboard_url, closes_on, open_enrollment_end, coverage_start } = message
  return contentOf({
    ...message,
    closes_on: closes_on ?? open_enrollment_end ?? coverage_start,
    link: dashboardLink(dashboard_url ?? `${ctx.settings.public_url ?? ''}/benefits/{token}`, tokens.dashboard),
    unsubscribe_url: unsubscribeUrl(ctx, message, tokens.unsubscribe),
  })
}

/** The kind of download that shows the email of a message. */
export const email_kind = 'enrollment_email'

/** Shows the email of a message without scripts. Its links open a new page. */
const openEmail: Download = async (ctx, { organization_id, id }) => {
  const facts = await findMessageFacts(ctx, { organization_id, enrollment_message_id: id })
  return (
    facts && {
      file_name: `${id}.html`,
      content_type: 'text/html; charset=utf-8',
      page_policy:
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      body: Buffer.from(contentFor(ctx, facts).html.replace('<head>', '<head><base target="_blank">')),
    }
  )
}

export const email_downloads = { [email_kind]: openEmail }

/** The email of a message that a dry run created. Its links do not work. */
export const previewOf = async (ctx: Ctx, message: MessageKey): Promise<Content> =>
  contentFor(ctx, (await findMessageFacts(ctx, message))!, { dashboard: 'preview', unsubscribe: 'preview' })

const isStillDue = ({ kind, closes_on, email, current_email, has_bounced, has_unsubscribed }: MessageFacts): boolean =>
  closes_on !== null &&
  email !== null &&
  email.toLowerCase() === current_email?.toLowerCase() &&
  !has_bounced &&
  !(kind === 'reminder' && has_unsubscribed)

/** Locks a queued message, and returns the email to send. Undefined if there is nothing to send. */
async function beginSending(
  ctx: Ctx,
  message: MessageKey,
): Promise<{ mail: OutgoingMail; facts: MessageFacts; now: string } | undefined> {
  const transport = integrationOf(ctx, mailer)
  const facts = await lockMessageFacts(ctx, message)
  if (!facts || !transport) return undefined
  if (facts.status === 'sending') await saveMessageState(ctx, message, { status: 'failed', reason: 'interrupted' })
  if (facts.status !== 'queued') return undefined
  if (!isStillDue(facts)) {
    await saveMessageState(ctx, message, { status: 'cancelled', reason: 'no_longer_due' })
    return undefined
  }
  await saveMessageState(ctx, message, { status: 'sending', link_expires_at: endOfLink(ctx.real_now) })
  const tokens = tokensOf(ctx, message)
  const unsubscribe = unsubscribeUrl(ctx, facts, tokens.unsubscribe)
  const mail = {
    ...contentFor(ctx, facts, tokens),
    message_id: `${message.enrollment_message_id}@${transport.domain}`,
    sender_name: facts.sender_name ?? facts.organization_name,
    to: { name: `${facts.first_name} ${facts.last_name}`, address: facts.email! },
    reply_to: facts.reply_to,
    headers: {
      'Auto-Submitted': 'auto-generated',
      // One-click unsubscribe, RFC 8058.
      ...(unsubscribe !== null && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
  return { mail, facts, now: ctx.now }
}

/** The result of an attempt. `not_accepted`: the mail server has postponed the message for days. */
type MessageOutcome = { result: MailOutcome['result'] | 'not_accepted'; smtp_status: MailOutcome['smtp_status'] }

/** Saves the result of an attempt. */
async function endSending(
  ctx: Ctx,
  message: MessageKey,
  { employee_id, member_id, email }: MessageFacts,
  { result, smtp_status }: MessageOutcome,
): Promise<void> {
  if (result === 'sent') return void (await saveMessageState(ctx, message, { status: 'sent', smtp_status }))
  if (result === 'postponed') return void (await saveMessageState(ctx, message, { status: 'queued', smtp_status }))
  const reason = result === 'unknown' ? 'interrupted' : result
  await saveMessageState(ctx, message, { status: 'failed', reason, smtp_status })
  if (result !== 'bounced') return
  const { organization_id } = message
  await saveBounce(ctx, { organization_id, member_id, email: email!, smtp_status: smtp_status! })
  await recordEvents(ctx, [{ event_name: 'employee.email_bounced', organization_id, resource_id: employee_id }])
}

/** Sends a queued message. Throws if the mail server postponed it, so that the job is retried. */
export async function sendMessage(runtime: Runtime, message: MessageKey): Promise<void> {
  const caller = serviceCaller(message.organization_id)
  const begun = await inTransaction(runtime, caller, (ctx) => beginSending(ctx, message))
  if (!begun) return
  const attempt = await integrationOf(runtime, mailer)!.send(begun.mail)
  const is_given_up = attempt.result === 'postponed' && isGivenUp(begun.facts.created_at, begun.now)
  const outcome: MessageOutcome = is_given_up ? { ...attempt, result: 'not_accepted' } : attempt
  const save = (ctx: Ctx) => endSending(ctx, message, begun.facts, outcome)
  // Only a bounce publishes an event, for which the organization must be locked.
  if (outcome.result === 'bounced') await inOrganization(runtime, message.organization_id, save)
  else await inTransaction(runtime, caller, save)
  if (outcome.result === 'postponed')
    throw new Error(`The mail server did not accept a message (${outcome.smtp_status}).`)
}

/** Redeems a one-time token of a link. Refuses with 409 unless it can still be used in this organization. */
export async function redeemLink(ctx: Ctx, organization_id: string, token: string) {
  const message = readMessageToken(ctx.secrets.tokenKeys(), 'dashboard', token)
  const link = message?.organization_id === organization_id ? await redeemMessageLink(ctx, message) : undefined
  if (!link) throw new Refusal(refusals.link_not_valid)
  return link
}

/**
 * Redeems a one-time token of a link to the page of this service. Refuses with 409 unless it can still be used, and if
 * the organization has a page of its own, whose checks must not be avoided.
 */
export async function openLink(
  ctx: Ctx,
  message: MessageKey,
  { address, trace_id }: { address: string; trace_id: string },
): Promise<EmployeeVisit> {
  const settings = await findSettings(ctx, { organization_id: message.organization_id })
  const link = settings?.dashboard_url === null ? await redeemMessageLink(ctx, message) : undefined
  if (!link) throw new Refusal(refusals.link_not_valid)
  const { employee_id } = link
  await recordAudit(ctx, {
    operation: 'open_enrollment_link',
    organization_id: message.organization_id,
    resource_id: employee_id,
    fields: [],
    status: 200,
    actor: { kind: 'employee_token', id: `${message.enrollment_message_id}/${employee_id}`, user_id: null },
    address,
    trace_id,
    holds_lock: false,
  })
  return { ...message, employee_id, ends_at: endOfVisit(ctx.real_now) }
}

/** Stops or allows reminders to the recipient of the message of a token. Returns whether the token is valid. */
export async function setUnsubscribed(runtime: Runtime, token: string, is_unsubscribed: boolean): Promise<boolean> {
  const message = readMessageToken(runtime.secrets.tokenKeys(), 'unsubscribe', token)
  if (!message) return false
  const save = is_unsubscribed ? saveUnsubscribe : deleteUnsubscribe
  await inTransaction(runtime, serviceCaller(message.organization_id), (ctx) => save(ctx, message))
  return true
}

/** Enqueues a job for each of the queued messages. Each job runs when its email is to be sent. */
async function planMessages(ctx: Ctx, organization_id: string, ids: string[]): Promise<void> {
  const jobs = ids.map((enrollment_message_id) => ({
    payload: { organization_id, enrollment_message_id },
    key: `send_enrollment_message:${enrollment_message_id}`,
  }))
  const timed = await withSendTimes(ctx, organization_id, jobs)
  // Thousands of messages must not delay the other jobs of the organization.
  await ctx.enqueueEach('send_enrollment_message', timed, background_priority)
}

export const tasks = {
  plan_enrollment_messages: task(
    z.object({ organization_id: z.string(), ids: z.array(z.string()) }),
    (runtime, { organization_id, ids }) =>
      inTransaction(runtime, serviceCaller(organization_id), (ctx) => planMessages(ctx, organization_id, ids)),
  ),
  send_enrollment_message: task(
    z.object({ organization_id: z.string(), enrollment_message_id: z.string() }),
    sendMessage,
  ),
}
