import { z } from 'zod'
import { clearable, ResponseDay, Email, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { many } from '../../../http/endpoint.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { MessageKind, MessageStatus } from '../enrollment-windows/schemas.ts'
import {
  languages,
  max_named,
  message_modes,
  occasions,
  postponed_days,
  skip_reasons,
  whyNotDashboardUrl,
} from './rules.ts'

const Mode = z.enum(message_modes).meta({
  id: 'EnrollmentMessageMode',
  description:
    'The sender of messages about enrollment. `send`: this service emails employees. `events`: it publishes ' +
    '`enrollment.invitation_due` and `enrollment.reminder_due`, and you send them.',
})

const Language = z.enum(languages).meta({
  id: 'EnrollmentMessageLanguage',
  description: 'The language of emails: English, Spanish, or both in one email.',
})

const DashboardUrl = text(2000).superRefine((value, check) => {
  const why = whyNotDashboardUrl(value)
  if (why !== undefined) check.addIssue({ code: 'custom', message: why })
})

const setting_words = {
  sender_name: 'The name that employees see as the sender.',
  reply_to: 'The address that receives replies.',
  dashboard_url:
    'Your page with the benefits of an employee. `{token}` in it is replaced by a one-time token, which you redeem ' +
    'with `POST /v1/enrollment-links`.',
}

export const EnrollmentMessageSettings = z
  .object({
    enrollment_messages: Mode,
    delivery: z.enum(['smtp', 'mailbox', 'none']).meta({
      id: 'EmailDelivery',
      description:
        'How this service can deliver email: by the SMTP server of the installation, to the mailbox of a sandbox, ' +
        'which shows messages and sends nothing, or not at all.',
    }),
    sender_name: z.string().nullable().meta({
      description: setting_words.sender_name,
      on_null: 'Null for the name of the organization.',
    }),
    reply_to: z.string().nullable().meta({ description: setting_words.reply_to, on_null: 'Null if it is not set.' }),
    dashboard_url: z.string().nullable().meta({
      description: setting_words.dashboard_url,
      on_null: 'Null for the page of this service, which shows the employee dashboard.',
    }),
    language: Language,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'EnrollmentMessageSettings' })

export const EnrollmentMessageSettingsChange = z
  .object({
    enrollment_messages: optional(Mode).meta({ description: 'The sender of messages. Null keeps it.' }),
    sender_name: clearable(text(100)).meta({ description: setting_words.sender_name }),
    reply_to: clearable(Email).meta({ description: setting_words.reply_to }),
    dashboard_url: clearable(DashboardUrl).meta({ description: setting_words.dashboard_url }),
    language: optional(Language).meta({ description: 'The language of emails. Null keeps it.' }),
  })
  .meta({ id: 'EnrollmentMessageSettingsChange' })
export type EnrollmentMessageSettingsChange = z.output<typeof EnrollmentMessageSettingsChange>

const schedule_words = {
  opening: 'Whether employees get an invitation when their window opens.',
  half_way: 'Whether they get a reminder halfway through their window.',
  three_days_before: 'Whether they get a reminder 3 days before the last day.',
  one_day_before: 'Whether they get a reminder the day before the last day.',
}
const scheduleOf = <Shape extends z.ZodType>(shape: Shape) => ({
  opening: shape.meta({ description: schedule_words.opening }) as Shape,
  half_way: shape.meta({ description: schedule_words.half_way }) as Shape,
  three_days_before: shape.meta({ description: schedule_words.three_days_before }) as Shape,
  one_day_before: shape.meta({ description: schedule_words.one_day_before }) as Shape,
})

export const EnrollmentSchedule = z
  .object({ ...scheduleOf(z.boolean()), updated_at: Timestamp.nullable() })
  .meta({ id: 'EnrollmentSchedule', description: 'The messages that employees of an employer get automatically.' })

export const EnrollmentScheduleChange = z
  .object(scheduleOf(optional(z.boolean())))
  .meta({ id: 'EnrollmentScheduleChange' })
export type EnrollmentScheduleChange = z.output<typeof EnrollmentScheduleChange>

const Unfinished = z.enum(['not_started', 'in_progress']).meta({
  id: 'UnfinishedStatus',
  description: '`not_started`: no benefit is elected or waived. `in_progress`: some are.',
})

export const NewEnrollmentReminders = z
  .object({
    benefit_plan_year_id: Id('plyr'),
    employee_ids: optional(z.array(Id('empl')).min(1).max(max_named)).meta({
      description: `The employees to remind, at most ${max_named}. Default: every employee with pending benefits.`,
    }),
    status: optional(z.array(Unfinished).min(1)).meta({
      description: 'Reminds only employees with one of these statuses.',
    }),
    dry_run: optional(z.boolean()).meta({
      description: 'Returns the recipients and a preview, and sends nothing.',
    }),
  })
  .meta({ id: 'NewEnrollmentReminders' })
export type NewEnrollmentReminders = z.output<typeof NewEnrollmentReminders>

const MessageContent = z
  .object({
    subject: z.string().meta({ description: 'The subject.' }),
    text: z.string().meta({ description: 'The email as text.' }),
    html: z.string().meta({ description: 'The email as HTML.' }),
  })
  .meta({ id: 'EnrollmentMessageContent', description: 'An email as text and as HTML.' })

export const EnrollmentReminders = z
  .object({
    enrollment_messages: Mode,
    recipients: z.array(z.object({ employee_id: Id('empl') })).meta({ description: 'The employees who are reminded.' }),
    skipped: z
      .array(
        z.object({
          employee_id: Id('empl'),
          reason: z.enum(skip_reasons).meta({
            id: 'ReminderSkipReason',
            description:
              'Why an employee is not reminded. `not_in_plan_year`: no benefit of the plan year. `answered`: no ' +
              'benefit is pending. `window_closed`: the employee cannot elect or waive today. `other_status`: ' +
              'excluded by `status`. `messaged_today`: a message about this plan year was created today. For emails ' +
              'also `no_email`, `address_bounced` and `unsubscribed`.',
          }),
        }),
      )
      .meta({
        description: 'The employees who are not reminded. Without `employee_ids`, only those with pending benefits.',
      }),
    preview: MessageContent.nullable().meta({
      description:
        'The email to the first recipient of a dry run, with a link that does not work. Null without a dry run, ' +
        'an email or a recipient.',
    }),
  })
  .meta({ id: 'EnrollmentReminders' })

const message_fields = {
  id: Id('emsg').meta({ description: 'The message.' }),
  employer_id: Id('empr'),
  employee_id: Id('empl'),
  member_first_name: z.string(),
  member_last_name: z.string(),
  benefit_plan_year_id: Id('plyr'),
  kind: MessageKind,
  occasion: z.enum(occasions).meta({
    id: 'EnrollmentMessageOccasion',
    description: 'Why the message was created: a `request`, or an entry of the schedule.',
  }),
  due_on: ResponseDay.meta({ description: 'The day of the message, by the clock of the organization.' }),
  status: MessageStatus,
  email: z.string().nullable().meta({ description: 'The address that it was sent to. Null if you send it.' }),
  reason: z
    .enum(['bounced', 'refused', 'interrupted', 'not_accepted', 'no_longer_due'])
    .nullable()
    .meta({
      description:
        'Why it failed or was canceled. `bounced`: the mail server refused the address. `refused`: it refused the ' +
        'message. `interrupted`: the connection broke, and the message may have been delivered. `not_accepted`: the ' +
        `mail server did not accept it within ${postponed_days} days.`,
      on_null: 'Null otherwise.',
    }),
  smtp_status: z.int().nullable().meta({ description: 'The last status code of the mail server. Null without one.' }),
  created_at: Timestamp,
  finished_at: Timestamp.nullable().meta({
    description: 'When it was sent, failed, or was canceled. Null until then.',
  }),
  link_used_at: Timestamp.nullable().meta({ description: 'When its one-time token was redeemed. Null until then.' }),
}

export const EnrollmentMessage = z.object(message_fields).meta({ id: 'EnrollmentMessage' })
export const EnrollmentMessagePage = pageOf('EnrollmentMessagePage', EnrollmentMessage)

export const MessageOfOrganization = EnrollmentMessage.extend({ employer_name: z.string() }).meta({
  id: 'OrganizationEnrollmentMessage',
})
export const MessageOfOrganizationPage = pageOf('OrganizationEnrollmentMessagePage', MessageOfOrganization)

export const ShownEnrollmentMessage = EnrollmentMessage.extend({
  content: MessageContent.extend(DownloadLink.shape)
    .nullable()
    .meta({
      description:
        'The email, in a sandbox organization. `download_url` is a page with the email as HTML. Null in other ' +
        'organizations, and if you send it.',
    }),
}).meta({ id: 'ShownEnrollmentMessage' })

export const MessageOfOrganizationFilter = z.object({
  ...pageQuery,
  status: many(MessageStatus).meta({ description: 'Only messages with one of these states. Case-insensitive.' }),
})

export const EnrollmentMessageFilter = z.object({
  ...pageQuery,
  benefit_plan_year_id: Id('plyr').optional().meta({ description: 'Only messages about this plan year.' }),
  employee_id: Id('empl').optional().meta({ description: 'Only messages to this employee.' }),
  status: many(MessageStatus).meta({ description: 'Only messages with one of these states. Case-insensitive.' }),
})
export type EnrollmentMessageFilter = z.output<typeof EnrollmentMessageFilter>

export const EnrollmentLinkToken = z
  .object({
    token: text(200).meta({ description: 'The token from the link.', example: 'org_01kdq7b4w8e9rs2mh3n5t6v7xz.x.y' }),
  })
  .meta({ id: 'EnrollmentLinkToken' })

export const EnrollmentLink = z
  .object({
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    benefit_plan_year_id: Id('plyr'),
  })
  .meta({ id: 'EnrollmentLink', description: 'The employee for whom a link was created.' })
