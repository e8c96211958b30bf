import { z } from 'zod'
import { ResponseDay, Id, searchText, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { flag, many } from '../../../http/endpoint.ts'
import { EmployeeClass } from '../../directory/catalog/schemas.ts'

/** The progress of an employee in a plan year. `participation` in `queries.ts` calculates it. */
export const participation_statuses = ['not_started', 'in_progress', 'enrolled', 'waived'] as const

/** Whether an employee can be reached by email. */
export const email_statuses = ['reachable', 'missing', 'bounced', 'unsubscribed'] as const

/** The kinds and states of messages about enrollment. */
export const MessageKind = z.enum(['invitation', 'reminder']).meta({
  id: 'EnrollmentMessageKind',
  description: '`invitation`: a window opened. `reminder`: benefits are pending.',
})
export type MessageKind = z.output<typeof MessageKind>
export const message_statuses = ['published', 'queued', 'sending', 'sent', 'failed', 'cancelled'] as const
export const MessageStatus = z.enum(message_statuses).meta({
  id: 'EnrollmentMessageStatus',
  description:
    'The state of a message. `published`: the event was published. `queued`: waits to be sent. `sending`: the mail ' +
    'server is being contacted. `sent`: the mail server accepted it, or it is in the mailbox of the sandbox. ' +
    '`failed`: it was not sent, or may not have been. `cancelled`: it was no longer due.',
})

const ParticipationStatus = z.enum(participation_statuses).meta({
  id: 'ParticipationStatus',
  description:
    'The progress of an employee. `not_started`: no benefit is elected or waived. `in_progress`: some are, or the ' +
    'employee has saved an unfinished election. ' +
    '`enrolled`: all are, and at least one is elected. `waived`: all are waived.',
})

const count = (description: string) => z.int().meta({ description })

const people_counts = {
  eligible: count('The number of employees who can still elect or waive, or have done so.'),
  enrolled: count('The number of employees who have decided about every benefit and elected at least one.'),
  waived: count('The number of employees who have waived every benefit.'),
  in_progress: count(
    'The number of employees who have elected or waived some benefits but not all, or have saved a draft.',
  ),
  not_started: count('The number of employees who have neither elected or waived any benefit nor saved a draft.'),
}

const PeopleCounts = z
  .object(people_counts)
  .meta({ id: 'ParticipationCounts', description: 'The number of employees by their progress.' })

const EnrollmentWindow = z
  .object({
    benefit_plan_year_id: Id('plyr'),
    year: z.int().meta({ description: 'The plan year.' }),
    coverage_start: ResponseDay,
    coverage_end: ResponseDay,
    open_enrollment_start: ResponseDay.nullable().meta({
      description: 'The first day of open enrollment. Null without an open enrollment.',
    }),
    open_enrollment_end: ResponseDay.nullable().meta({
      description: 'The last day of open enrollment. Null without an open enrollment.',
    }),
    is_open: z.boolean().meta({ description: 'Whether today is a day of open enrollment.' }),
    days_left: z.int().nullable().meta({
      description: 'Days until the last day of open enrollment, 0 on that day. Null unless open enrollment is open.',
    }),
    people: PeopleCounts,
    can_answer: count(
      'The number of employees with a pending benefit and an open window, of open enrollment or as new hires.',
    ),
    benefits: z
      .array(
        z.object({
          benefit_id: Id('bprd'),
          benefit_name: z.string(),
          eligible: count('The number of employees to whom the benefit is granted.'),
          enrolled: count('Employees who elected it.'),
          waived: count('Employees who waived it.'),
          unanswered: count('The number of employees who have neither elected nor waived it.'),
        }),
      )
      .meta({ description: 'The number of elections and waivers by benefit.' }),
    classes: z
      .array(z.object({ employee_class: EmployeeClass, ...people_counts }))
      .meta({ description: 'The progress by the current class of the employees.' }),
  })
  .meta({ id: 'EnrollmentWindow', description: 'The progress of enrollment in a plan year.' })

export const EnrollmentWindowList = z.object({ data: z.array(EnrollmentWindow) }).meta({ id: 'EnrollmentWindowList' })

const EnrollmentWindowPerson = z
  .object({
    employee_id: Id('empl'),
    member_id: Id('mbr'),
    employee_external_reference_id: z.string().nullable().meta({ description: 'Your own reference for the employee.' }),
    member_first_name: z.string(),
    member_last_name: z.string(),
    email: z.string().nullable(),
    employee_class: EmployeeClass,
    status: ParticipationStatus,
    benefit_count: count('The number of benefits granted in the plan year.'),
    answered_count: count('The number of those that are elected or waived.'),
    window_ends_on: ResponseDay.nullable().meta({
      description:
        'The last day on which the employee can elect or waive. Null if no benefit is pending or no window is ' +
        'open.',
    }),
    last_activity_at: Timestamp.nullable().meta({
      description:
        'The time of the latest election, waiver or saved draft. Renewals do not count. Null before the first ' +
        'one.',
    }),
    email_status: z.enum(email_statuses).meta({
      id: 'EnrollmentEmailStatus',
      description:
        'Whether reminders by email reach the employee. `missing`: no address. `bounced`: the mail server refused ' +
        'it. `unsubscribed`: only invitations are sent.',
    }),
    last_message: z
      .object({
        due_on: ResponseDay.meta({ description: 'The day of the message.' }),
        kind: MessageKind,
        status: MessageStatus,
      })
      .nullable()
      .meta({ description: 'The last invitation or reminder about this plan year. Null before the first one.' }),
  })
  .meta({ id: 'EnrollmentWindowPerson' })

export const EnrollmentWindowPersonPage = pageOf('EnrollmentWindowPersonPage', EnrollmentWindowPerson)

export const EnrollmentWindowFilter = z.object({
  status: many(ParticipationStatus).meta({
    description: 'Returns only employees with one of these statuses. Case-insensitive.',
  }),
  can_answer: flag.meta({
    description: 'Returns only employees with a pending benefit and an open window, whom you can remind.',
  }),
  ...pageQuery,
  search: searchText().optional().meta({
    description:
      'Part of the name or email address, or several words of the name in any order, ignoring case and accents.',
  }),
})
export type EnrollmentWindowFilter = z.output<typeof EnrollmentWindowFilter>
