import { mailer } from '../../../integrations/mail/mailer.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { easternDay } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk, ReadCtx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { insertMessages, listInvitees, listScheduled, saveSchedule, type NewMessage } from './queries.ts'
import {
  deliveryOf,
  kindOf,
  modeOf,
  max_reminded,
  messageOccasion,
  refusals,
  whyNotMessage,
  type Invitee,
  type MessageMode,
  type Occasion,
  type SkipReason,
} from './rules.ts'
import { previewOf } from './sending-actions.ts'
import { findSettings, saveSettings, type StoredSettings } from './settings-queries.ts'
import { endOfLink } from './token-rules.ts'
import type { EnrollmentMessageSettingsChange, EnrollmentScheduleChange, NewEnrollmentReminders } from './schemas.ts'

const deliveryAt = (ctx: ReadCtx, { sandbox }: StoredSettings) =>
  deliveryOf(sandbox, integrationOf(ctx, mailer) !== undefined)

const messageMode = (ctx: ReadCtx, settings: StoredSettings): MessageMode =>
  modeOf(settings.enrollment_messages, deliveryAt(ctx, settings))

/** The settings in force, as JSON. */
export async function showSettings(ctx: ReadCtx, organization_id: string): Promise<string | undefined> {
  const settings = await findSettings(ctx, { organization_id })
  if (!settings) return undefined
  const { sender_name, reply_to, dashboard_url, language, updated_at } = settings
  return JSON.stringify({
    enrollment_messages: messageMode(ctx, settings),
    delivery: deliveryAt(ctx, settings),
    sender_name,
    reply_to,
    dashboard_url,
    language,
    updated_at,
  })
}

/** Changes the settings of an organization. Refuses with 409 to send email if the installation cannot. */
export async function changeSettings(
  ctx: Ctx,
  organization_id: string,
  changes: EnrollmentMessageSettingsChange,
): Promise<void> {
  const settings = (await findSettings(ctx, { organization_id }))!
  const is_impossible = changes.enrollment_messages === 'send' && deliveryAt(ctx, settings) === 'none'
  refuse(is_impossible ? refusals.email_not_configured : undefined)
  const changedOrStored = <Value>(change: Value | undefined, stored: Value): Value =>
    change === undefined ? stored : change
  await saveSettings(ctx, {
    organization_id,
    enrollment_messages: changes.enrollment_messages ?? settings.enrollment_messages,
    sender_name: changedOrStored(changes.sender_name, settings.sender_name),
    reply_to: changedOrStored(changes.reply_to, settings.reply_to),
    dashboard_url: changedOrStored(changes.dashboard_url, settings.dashboard_url),
    language: changes.language ?? settings.language,
  })
}

export const changeSchedule = (ctx: Ctx, employer: EmployerKey, changes: EnrollmentScheduleChange) =>
  saveSchedule(ctx, employer, {
    opening: changes.opening ?? null,
    half_way: changes.half_way ?? null,
    three_days_before: changes.three_days_before ?? null,
    one_day_before: changes.one_day_before ?? null,
  })

type Recipient = Invitee & { occasion: Occasion }

/**
 * Creates messages with their events or jobs in the current transaction. In a sandbox organization, messages
 * immediately have the status `sent`, because the mailbox of the sandbox shows them. Returns the ids of the messages.
 */
async function createMessages(
  ctx: Ctx,
  organization_id: string,
  settings: StoredSettings,
  recipients: Recipient[],
): Promise<string[]> {
  if (recipients.length === 0) return []
  const mode = messageMode(ctx, settings)
  const messages = recipients.map(
    ({ employer_id, employee_id, member_id, plan_year_id, enrollment_id, occasion, email }): NewMessage => ({
      id: newId('emsg'),
      employer_id,
      employee_id,
      member_id,
      plan_year_id,
      enrollment_id: enrollment_id!,
      kind: kindOf(occasion),
      occasion,
      email: mode === 'send' ? email : null,
    }),
  )
  const status = mode === 'events' ? 'published' : settings.sandbox ? 'sent' : 'queued'
  const link_expires_at = status === 'sent' ? endOfLink(ctx.real_now) : null
  const created = await insertMessages(ctx, organization_id, messages, { status, link_expires_at })
  if (status === 'published') {
    const facts = created.map(({ enrollment_id, kind }) => ({
      event_name: `enrollment.${kind}_due` as const,
      organization_id,
      resource_id: enrollment_id,
    }))
    await recordEvents(ctx, facts)
  }
  const ids = created.map(({ id }) => id)
  // A job plans the emails, because organizations plan one after the other and a request must not wait for that.
  if (status === 'queued') await ctx.enqueue('plan_enrollment_messages', { organization_id, ids })
  return ids
}

type Skipped = { employee_id: string; reason: SkipReason }

/** Reminds employees of a plan year. Returns the recipients, and the skipped employees with the reason. */
export async function remind(
  ctx: Ctx,
  employer: EmployerKey,
  request: NewEnrollmentReminders & { plan_year_id: string },
) {
  const { organization_id } = employer
  const settings = (await findSettings(ctx, { organization_id }))!
  const mode = messageMode(ctx, settings)
  const named = request.employee_ids ? [...new Set(request.employee_ids)] : null
  const plan_year = { organization_id, benefit_plan_year_id: request.plan_year_id }
  const people = await listInvitees(ctx, plan_year, named, max_reminded + 1)
  refuse(people.length > max_reminded ? refusals.too_many_recipients : undefined)
  const recipients: Recipient[] = []
  const skipped: Skipped[] = []
  for (const person of people) {
    const { employee_id } = person
    const is_other = request.status !== undefined && !(request.status as string[]).includes(person.status)
    if (is_other && named === null) continue
    const reason = whyNotMessage(person, 'reminder', mode) ?? (is_other ? 'other_status' : undefined)
    if (reason) skipped.push({ employee_id, reason })
    else recipients.push({ ...person, occasion: 'request' })
  }
  const found = new Set(people.map(({ employee_id }) => employee_id))
  for (const employee_id of named ?? [])
    if (!found.has(employee_id)) skipped.push({ employee_id, reason: 'not_in_plan_year' })
  const created = await createMessages(ctx, organization_id, settings, recipients)
  const first = created.at(0)
  const has_preview = request.dry_run === true && mode === 'send' && first !== undefined
  return {
    enrollment_messages: mode,
    recipients: recipients.map(({ employee_id }) => ({ employee_id })),
    skipped,
    preview: has_preview ? await previewOf(ctx, { organization_id, enrollment_message_id: first }) : null,
  }
}

/**
 * The daily run: creates the messages that schedules require today. A run for a past day creates none, because its
 * messages would arrive too late.
 */
export async function dailyMessages(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  if (ctx.today !== easternDay(Date.parse(ctx.now))) return null
  const people = await listScheduled(ctx, { organization_id, ...chunk })
  const settings = (await findSettings(ctx, { organization_id }))!
  const mode = messageMode(ctx, settings)
  const recipients = people.flatMap((person) => {
    const occasion = messageOccasion(person, person, ctx.today)
    return occasion && !whyNotMessage(person, kindOf(occasion), mode) ? [{ ...person, occasion }] : []
  })
  await createMessages(ctx, organization_id, settings, recipients)
  return lastOf(
    people.map(({ employee_id, plan_year_id }) => employee_id + plan_year_id),
    chunk,
  )
}
