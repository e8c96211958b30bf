import { addDays, day_ms, daysBetween, type Day } from '../../../kernel/days.ts'
import { declareRefusals } from '../../../kernel/refusal.ts'
import type { MessageKind } from '../enrollment-windows/schemas.ts'

export const refusals = declareRefusals({
  email_not_configured: [
    409,
    'This installation has no mail server, so it cannot send email.',
    'Set `enrollment_messages` to `events`. The operator can set `SMTP_URL`, `SMTP_FROM` and `PUBLIC_URL`.',
  ],
  too_many_recipients: [
    422,
    'One request can remind at most 10,000 employees.',
    'Send `employee_ids` in several requests, or use the schedule.',
  ],
  link_not_valid: [
    409,
    'This link was already used, has expired, or its email address is no longer that of the employee.',
    'Show your sign-in page.',
  ],
})

export const message_modes = ['send', 'events'] as const
export type MessageMode = (typeof message_modes)[number]
export const languages = ['en', 'es', 'both'] as const
export type MessageLanguage = (typeof languages)[number]
export const occasions = ['request', 'opening', 'half_way', 'three_days_before', 'one_day_before'] as const
export type Occasion = (typeof occasions)[number]

/** The maximum number of employees that a request can name, and that it can remind. */
export const max_named = 1000
export const max_reminded = 10_000

/** How an organization can deliver email. A sandbox organization never sends any. */
export type MailDelivery = 'smtp' | 'mailbox' | 'none'

export const deliveryOf = (sandbox: boolean, has_mailer: boolean): MailDelivery =>
  sandbox ? 'mailbox' : has_mailer ? 'smtp' : 'none'

/** The mode in force. The default is to send if that is possible. */
export const modeOf = (chosen: MessageMode | null, delivery: MailDelivery): MessageMode =>
  delivery === 'none' ? 'events' : (chosen ?? 'send')

/**
 * How many days the mail server may postpone a message before it fails. Fewer than the days during which a job is
 * retried, so that no message stays queued after its job has failed.
 */
export const postponed_days = 3

/** Whether a message has been postponed for too long. */
export const isGivenUp = (created_at: string, now: string): boolean =>
  Date.parse(now) - Date.parse(created_at) >= postponed_days * day_ms

/** The placeholder of a dashboard URL that is replaced by a one-time token. */
const placeholder = '{token}'

export const dashboardLink = (dashboard_url: string, token: string): string =>
  dashboard_url.replaceAll(placeholder, token)

/** Returns why a string is not a dashboard URL. */
export function whyNotDashboardUrl(text: string): string | undefined {
  const url = URL.parse(dashboardLink(text, 'token'))
  if (!url || /[{}\s"<>]/.test(dashboardLink(text, 'token'))) {
    return 'must be a URL such as https://example.com/benefits?token={token}'
  }
  const is_local = url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname)
  return url.protocol === 'https:' || is_local ? undefined : 'must begin with https://'
}

export const skip_reasons = [
  'not_in_plan_year',
  'answered',
  'window_closed',
  'other_status',
  'messaged_today',
  'no_email',
  'address_bounced',
  'unsubscribed',
] as const
export type SkipReason = (typeof skip_reasons)[number]

/** A person with a benefit in a plan year. */
export type Invitee = {
  employee_id: string
  member_id: string
  plan_year_id: string
  employer_id: string
  status: 'not_started' | 'in_progress' | 'enrolled' | 'waived'
  /** The id of one of the unanswered enrollments. Null if there are none. */
  enrollment_id: string | null
  /**
   * The first day of the window that is open today and ends last. Null if no window is open or nothing is unanswered.
   */
  opens_on: Day | null
  closes_on: Day | null
  email: string | null
  has_bounced: boolean
  has_unsubscribed: boolean
  was_messaged_today: boolean
}

/** Returns why a person gets no email. Invitations are a required notice, so people who unsubscribed still get them. */
const whyNotEmail = (person: Invitee, kind: MessageKind): SkipReason | undefined => {
  if (person.email === null) return 'no_email'
  if (person.has_bounced) return 'address_bounced'
  return kind === 'reminder' && person.has_unsubscribed ? 'unsubscribed' : undefined
}

/** Returns why a person gets no message today. */
export function whyNotMessage(person: Invitee, kind: MessageKind, mode: MessageMode): SkipReason | undefined {
  if (person.enrollment_id === null) return 'answered'
  if (person.closes_on === null) return 'window_closed'
  if (person.was_messaged_today) return 'messaged_today'
  return mode === 'send' ? whyNotEmail(person, kind) : undefined
}

export type Schedule = Record<Exclude<Occasion, 'request'>, boolean>

/**
 * The entry of a schedule that is due today for a window. The opening is also due on the second day, because a new hire
 * may be granted benefits after the daily run of the first.
 */
export function messageOccasion(
  schedule: Schedule,
  { opens_on, closes_on, was_invited }: { opens_on: Day; closes_on: Day; was_invited: boolean },
  today: Day,
): Occasion | undefined {
  if (schedule.opening && !was_invited && today >= opens_on && today <= addDays(opens_on, 1)) return 'opening'
  if (schedule.one_day_before && today === addDays(closes_on, -1)) return 'one_day_before'
  if (schedule.three_days_before && today === addDays(closes_on, -3)) return 'three_days_before'
  const half_way = addDays(opens_on, Math.floor(daysBetween(opens_on, closes_on) / 2))
  return schedule.half_way && today === half_way && today > opens_on ? 'half_way' : undefined
}

export const kindOf = (occasion: Occasion): MessageKind => (occasion === 'opening' ? 'invitation' : 'reminder')
