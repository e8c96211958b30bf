import { z } from 'zod'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { ResponseDay, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { Attachment } from '../../directory/files/schemas.ts'
import { days_to_report } from './rules.ts'

const LifeEventType = z
  .enum([
    'marriage',
    'divorce',
    'birth',
    'adoption',
    'placement',
    'death_of_dependent',
    'loss_of_coverage',
    'gain_of_coverage',
    'change_of_residence',
    'change_of_employment',
    'other',
  ])
  .meta({
    id: 'LifeEventType',
    description:
      'The type of the event. `placement` is the placement of a child with the employee for adoption or foster care.',
  })

/** All types, including those that follow from other data and are never reported: coverage of a dependent ended. */
export const AnyLifeEventType = z
  .enum([...LifeEventType.options, 'dependent_coverage_ended'])
  .meta({ id: 'AnyLifeEventType' })

const LifeEventStatus = z.enum(['pending', 'approved', 'declined']).meta({
  id: 'LifeEventStatus',
  description: 'pending: waiting for the operator. approved: opened an election window. declined: opened no window.',
})

export type LifeEventKey = { life_event_id: string; organization_id: string; employee_id: string }

export const NewLifeEvent = z
  .object({
    type: LifeEventType,
    occurred_on: DayText.meta({
      description: `The day of the event: at most ${days_to_report} days ago, not in the future.`,
    }),
    description: optional(text(1000)).meta({ description: 'A description of the event. Required for `other`.' }),
  })
  .refine(({ type, description }) => type !== 'other' || description !== undefined, {
    path: ['description'],
    message: 'is required if type is other',
  })
  .meta({ id: 'NewLifeEvent' })
export type NewLifeEvent = z.output<typeof NewLifeEvent>

export const LifeEvent = z
  .object({
    id: Id('qle'),
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    type: AnyLifeEventType.meta({
      description:
        'The type of the event. The type `dependent_coverage_ended` is never reported: it is added, already ' +
        'approved, on the day after coverage of a dependent ends.',
    }),
    occurred_on: ResponseDay,
    description: z.string().nullable(),
    status: LifeEventStatus,
    decided_at: Timestamp.nullable(),
    decision_reason: z.string().nullable().meta({
      description: 'The reason for a decline, or the reason for an exception that allows any change.',
    }),
    window_start: ResponseDay.nullable().meta({ description: 'The first day of the window that the approval opened.' }),
    window_end: ResponseDay.nullable().meta({ description: 'The last day of the window.' }),
    attachments: z.array(Attachment).meta({ description: 'The documents that support the event.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'LifeEvent', description: 'An event in the life of an employee that opens a special enrollment period.' })

export const LifeEventPage = pageOf('LifeEventPage', LifeEvent)

export const ReportedLifeEvent = LifeEvent.extend({ organization_id: Id('org') }).meta({
  id: 'ReportedLifeEvent',
  description: 'A life event as operators see it, with its organization.',
})

export const ReportedLifeEventPage = pageOf('ReportedLifeEventPage', ReportedLifeEvent)

export const LifeEventFilter = z.object({
  ...pageQuery,
  status: LifeEventStatus.optional().meta({ description: 'Returns only life events with this status.' }),
  organization_id: Id('org').optional().meta({ description: 'Returns only life events of this organization.' }),
})
export type LifeEventFilter = z.output<typeof LifeEventFilter>

export const Approval = z
  .object({
    exception: optional(text(1000)).meta({
      description:
        'The reason for an exception. It allows any change in the window, including changes that are not ' +
        'consistent with the event. The partner and the employee can read it.',
    }),
  })
  .meta({ id: 'LifeEventApproval' })

export const LifeEventDecline = z
  .object({ reason: text(1000).meta({ description: 'The partner and the employee can read it.' }) })
  .meta({ id: 'LifeEventDecline' })
