import type { Day } from '../../../kernel/days.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { participationIn } from '../enrollment-windows/queries.ts'
import { addressState, messageFields } from './queries.ts'
import { settingFields, type StoredSettings } from './settings-queries.ts'
import type { MessageKey } from './token-rules.ts'
import { type MessageKind } from '../enrollment-windows/schemas.ts'

/** A message to send, with the current facts about its recipient. */
export type MessageFacts = StoredSettings & {
  enrollment_message_id: string
  organization_id: string
  employer_id: string
  employee_id: string
  member_id: string
  kind: MessageKind
  status: string
  email: string | null
  created_at: string
  first_name: string
  last_name: string
  current_email: string | null
  employer_name: string
  has_bounced: boolean
  has_unsubscribed: boolean
  /** Null if nothing is unanswered, or no window is open. */
  closes_on: Day | null
  open_enrollment_end: Day | null
  coverage_start: Day
}

/**
 * SQL: the facts of a message. `organization` is SQL of the organization's id, and `message` is a query of the message.
 */
const factsOf = (organization: string, message: string, more = '') => `
  with message as materialized (${message}), target as materialized (
    select year.* from message join benefit_plan_years as year
        on year.id = message.plan_year_id and year.organization_id = ${organization}
  ), person as materialized (
    ${participationIn('target.organization_id', 'enrollment.employee_id = (select employee_id from message)')}
  )
  select message.id as enrollment_message_id, message.organization_id, message.employer_id, message.employee_id,
         message.member_id, message.kind, message.status, message.email, iso(message.created_at) as created_at,
         member.first_name, member.last_name,
         member.email as current_email, employer.name as employer_name, person.closes_on,
         target.open_enrollment_end, target.coverage_start,
         ${addressState(organization)}, ${settingFields} ${more}
    from message
    join members as member on member.id = message.member_id and member.organization_id = ${organization}
    join employers as employer on employer.id = message.employer_id and employer.organization_id = ${organization}
    join target on target.id = message.plan_year_id
    left join person on true
    join organizations as organization on organization.id = ${organization}
    left join enrollment_message_settings as settings on settings.organization_id = ${organization}`

const own = `
  select * from enrollment_messages where id = :enrollment_message_id and organization_id = :organization_id`

export const findMessageFacts = statement('enrollment-messages.findMessageFacts', factsOf(':organization_id', own))
  .row<MessageFacts>

/** Locks a message and returns its facts. */
export const lockMessageFacts = statement(
  'enrollment-messages.lockMessageFacts',
  factsOf(':organization_id', `${own} for no key update`),
).row<MessageFacts>

/** A message within reach: its facts, and the `EnrollmentMessage` as JSON. */
export const findMessage = read(
  'enrollment-messages.findMessage',
  factsOf(
    'message.organization_id',
    `select message.* from enrollment_messages as message
      where message.id = :enrollment_message_id and ${inReach('message.organization_id', 'message.employer_id')}`,
    `, (select row_to_json(shown)::text from (select ${messageFields}) as shown) as json`,
  ),
).row<MessageFacts & { json: string }>

const saved = statement(
  'enrollment-messages.saveStatus',
  `update enrollment_messages
      set status = :status, reason = :reason, smtp_status = coalesce(:smtp_status, smtp_status),
          link_expires_at = case when :status::text = 'sending' then :link_expires_at else link_expires_at end,
          finished_at = case when :status::text in ('sent', 'failed', 'cancelled') then :now::timestamptz end
    where id = :enrollment_message_id and organization_id = :organization_id`,
)

export type MessageState = {
  status: 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'
  reason?: 'bounced' | 'refused' | 'interrupted' | 'not_accepted' | 'no_longer_due' | null
  smtp_status?: number | null
  link_expires_at?: string | null
}

/** Saves the state of a message. The status of the mail server is kept if none is passed. */
export const saveMessageState = (ctx: Ctx, message: MessageKey, state: MessageState) =>
  saved.rows(ctx, { reason: null, smtp_status: null, link_expires_at: null, ...state, ...message })

/** Records that a mail server refused the address of a person. */
export const saveBounce = statement(
  'enrollment-messages.saveBounce',
  `insert into bounced_addresses as known (organization_id, member_id, email_key, smtp_status, bounced_at)
   values (:organization_id, :member_id, lower(:email), :smtp_status, :now)
   on conflict (member_id, organization_id) do update
     set email_key = excluded.email_key, smtp_status = excluded.smtp_status, bounced_at = excluded.bounced_at`,
).rows

/** Stops reminders to the recipient of a message. */
export const saveUnsubscribe = statement(
  'enrollment-messages.saveUnsubscribe',
  `insert into reminder_unsubscribes (organization_id, member_id)
   select message.organization_id, message.member_id from enrollment_messages as message
    where message.id = :enrollment_message_id and message.organization_id = :organization_id
   on conflict (member_id, organization_id) do nothing`,
).rows

/** Allows reminders to the recipient of a message again. */
export const deleteUnsubscribe = statement(
  'enrollment-messages.deleteUnsubscribe',
  `delete from reminder_unsubscribes
    where organization_id = :organization_id
      and member_id = (select member_id from enrollment_messages
                        where id = :enrollment_message_id and organization_id = :organization_id)`,
).rows

/** Redeems the link of a message, once. Undefined if it is used or expired, or if the person's address has changed. */
export const redeemMessageLink = statement(
  'enrollment-messages.redeemLink',
  `update enrollment_messages as message
      set link_used_at = :real_now
     from members as member
    where message.id = :enrollment_message_id and message.organization_id = :organization_id
      and message.link_used_at is null and message.link_expires_at > :real_now::timestamptz
      and member.id = message.member_id and member.organization_id = :organization_id
      and member.email_key = lower(message.email)
   returning message.employee_id, message.employer_id, message.plan_year_id as benefit_plan_year_id`,
).row<{ employee_id: string; employer_id: string; benefit_plan_year_id: string }>
