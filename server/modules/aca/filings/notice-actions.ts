import { z } from 'zod'
import { mailer, type MailOutcome, type OutgoingMail } from '../../../integrations/mail/mailer.ts'
import { background_priority } from '../../../jobs/enqueue.ts'
import { withSendTimes } from '../../../jobs/send-times.ts'
import { task } from '../../../jobs/worker.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { inEmployer, inOrganization, inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import { deliveryOf, isGivenUp, modeOf } from '../../coverage/enrollment-messages/rules.ts'
import { saveBounce } from '../../coverage/enrollment-messages/sending-queries.ts'
import { findSettings, type StoredSettings } from '../../coverage/enrollment-messages/settings-queries.ts'
import type { FormYearKey } from '../forms/derived-queries.ts'
import { lockNotice, saveNotice, type NoticeFacts } from './notice-queries.ts'
import { noticeOf } from './notice-rules.ts'
import type { PostedForm, ReleasedKey } from './queries.ts'

/*
 * The notice of a posted form: an event, and an email unless the organization sends its messages itself. A sandbox
 * organization sends no email, and takes no part in the mail rate. A notice without a recipient fails. As with
 * enrollment messages, an email is sent at most once: the state `sending` is committed before the mail server is
 * contacted, and an attempt that finds it fails.
 */

/** Enqueues the notices of forms. They must not delay the other jobs of the organization. */
export async function enqueueNotices(ctx: Ctx, key: FormYearKey, posted: PostedForm[]): Promise<void> {
  if (posted.length === 0) return
  const { employer_id, tax_year } = key
  const jobs = posted.map(({ member_id, version, work_employer_id }) => ({
    payload: { ...key, member_id, version, work_employer_id },
    key: `notice_tax_form:${employer_id}:${member_id}:${tax_year}:${version}`,
  }))
  const is_sent = sends(ctx, (await findSettings(ctx, { organization_id: key.organization_id }))!)
  const timed = is_sent ? await withSendTimes(ctx, key.organization_id, jobs) : jobs
  await ctx.enqueueEach('notice_tax_form', timed, background_priority)
}

/** Whether the service sends the notices of an organization. */
function sends(ctx: Ctx, { sandbox, enrollment_messages }: StoredSettings): boolean {
  const delivery = deliveryOf(sandbox, integrationOf(ctx, mailer) !== undefined)
  return delivery === 'smtp' && modeOf(enrollment_messages, delivery) === 'send'
}

/** The email of a notice to a person who can be reached. */
function mailOf(ctx: Ctx, key: ReleasedKey, facts: NoticeFacts, settings: StoredSettings): OutgoingMail {
  const transport = integrationOf(ctx, mailer)!
  const { language, dashboard_url, sender_name, organization_name, reply_to } = settings
  const { first_name, last_name, form_type, legal_name, filer_email } = facts
  const { employer_id, member_id, tax_year, version } = key
  const page = dashboard_url === null ? null : new URL(dashboard_url).origin
  return {
    ...noticeOf({
      language,
      form_type,
      tax_year,
      is_corrected: version > 1,
      first_name,
      legal_name,
      email: filer_email,
      page,
    }),
    message_id: `${employer_id}.${member_id}.${tax_year}.${version}@${transport.domain}`,
    sender_name: sender_name ?? organization_name,
    to: { name: `${first_name} ${last_name}`, address: facts.email! },
    reply_to,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

type Begun = { mail: OutgoingMail; facts: NoticeFacts; now: string }

/** Publishes the event at the first attempt, and returns the email. Undefined if none is due. */
async function beginNotice(ctx: Ctx, key: ReleasedKey): Promise<Begun | undefined> {
  const facts = await lockNotice(ctx, key)
  if (facts?.notice === 'sending') await saveNotice(ctx, { ...key, notice: 'failed' })
  if (!facts || (facts.notice !== null && facts.notice !== 'queued')) return undefined
  const { organization_id } = key
  const posted = { event_name: 'employee.tax_form_posted', organization_id, resource_id: facts.employee_id } as const
  if (facts.notice === null) await recordEvents(ctx, [posted])
  const settings = (await findSettings(ctx, { organization_id }))!
  const is_due = facts.consents && sends(ctx, settings)
  await saveNotice(ctx, { ...key, notice: !is_due ? 'published' : facts.is_reachable ? 'sending' : 'failed' })
  return is_due && facts.is_reachable ? { mail: mailOf(ctx, key, facts, settings), facts, now: ctx.now } : undefined
}

/** Saves the permanent refusal of a recipient's address by the mail server, and its event. */
async function recordBounce(
  ctx: Ctx,
  { organization_id, member_id }: ReleasedKey,
  { employee_id, email }: NoticeFacts,
  { smtp_status }: MailOutcome,
): Promise<void> {
  await saveBounce(ctx, { organization_id, member_id, email: email!, smtp_status: smtp_status! })
  await recordEvents(ctx, [{ event_name: 'employee.email_bounced', organization_id, resource_id: employee_id }])
}

/** Sends the notice of a form. Throws if the mail server postponed it, so that the job is retried. */
export async function sendNotice(
  runtime: Runtime,
  { work_employer_id, ...key }: ReleasedKey & { work_employer_id: string },
): Promise<void> {
  const { organization_id } = key
  const begun = await inEmployer(runtime, { organization_id, employer_id: work_employer_id }, (ctx) =>
    beginNotice(ctx, key),
  )
  if (!begun) return
  const outcome = await integrationOf(runtime, mailer)!.send(begun.mail)
  const { result, smtp_status } = outcome
  const is_postponed = result === 'postponed' && !isGivenUp(begun.facts.released_at, begun.now)
  const save = (ctx: Ctx) =>
    saveNotice(ctx, { ...key, notice: result === 'sent' ? 'sent' : is_postponed ? 'queued' : 'failed' })
  // Only a bounce publishes an event, for which the organization must be locked.
  if (result === 'bounced')
    await inOrganization(runtime, organization_id, async (ctx) => {
      await save(ctx)
      await recordBounce(ctx, key, begun.facts, outcome)
    })
  else await inTransaction(runtime, serviceCaller(organization_id), save)
  if (is_postponed) throw new Error(`The mail server did not accept a notice (${smtp_status}).`)
}

const posted = z.object({
  organization_id: z.string(),
  employer_id: z.string(),
  member_id: z.string(),
  tax_year: z.number(),
  version: z.number(),
  work_employer_id: z.string(),
})

export const notice_tasks = { notice_tax_form: task(posted, sendNotice) }
