import { z } from 'zod'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { DayAnswer, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { LifeEventAttachment } from './attachment-schemas.ts'

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
  .meta({ id: 'LifeEventType', description: 'placement: of a child with the employee, for adoption or foster care.' })

/** Those that follow from facts and are not reported: coverage of a dependent ended. */
export const AnyLifeEventType = z
  .enum([...LifeEventType.options, 'dependent_coverage_ended'])
  .meta({ id: 'AnyLifeEventType' })

const LifeEventStatus = z.enum(['pending', 'approved', 'declined']).meta({ id: 'LifeEventStatus' })

export const NewLifeEvent = z
  .object({
    type: LifeEventType,
    occurred_on: DayText.meta({ description: 'The day on which it happened: up to 60 days past, never after today.' }),
    description: optional(text(1000)).meta({ description: 'What happened; required for `other`.' }),
  })
  .refine(({ type, description }) => type !== 'other' || description !== undefined, {
    path: ['description'],
    message: 'is required for other',
  })
  .meta({ id: 'NewLifeEvent' })
export type NewLifeEvent = z.output<typeof NewLifeEvent>

export const LifeEvent = z
  .object({
    id: Id('qle'),
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    type: AnyLifeEventType.meta({
      description: 'dependent_coverage_ended is not reported: it opens by itself, on the day after.',
    }),
    occurred_on: DayAnswer,
    description: z.string().nullable(),
    status: LifeEventStatus,
    decided_at: Timestamp.nullable(),
    decision_reason: z.string().nullable().meta({
      description: 'Why it was declined, or why the operator allowed any change by an exception.',
    }),
    window_start: DayAnswer.nullable().meta({ description: 'The first day of the window that the approval opened.' }),
    window_end: DayAnswer.nullable().meta({ description: 'The last day of it.' }),
    attachments: z.array(LifeEventAttachment).meta({ description: 'What proves it.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'LifeEvent', description: 'Something that happened to an employee and lets them choose again.' })

export const LifeEventPage = z
  .object({ data: z.array(LifeEvent), pagination: Pagination })
  .meta({ id: 'LifeEventPage' })

export const LifeEventPaging = z.object(pageQuery)

export const ReportedLifeEvent = LifeEvent.extend({ organization_id: Id('org') }).meta({
  id: 'ReportedLifeEvent',
  description: 'A life event as the operator sees it, with the organization that it was reported in.',
})

export const ReportedLifeEventPage = z
  .object({ data: z.array(ReportedLifeEvent), pagination: Pagination })
  .meta({ id: 'ReportedLifeEventPage' })

export const LifeEventFilter = z.object({
  ...pageQuery,
  status: LifeEventStatus.optional().meta({ description: 'Only those that are.' }),
  organization_id: Id('org').optional().meta({ description: 'Only those of this organization.' }),
})
export type LifeEventFilter = z.output<typeof LifeEventFilter>

export const Approval = z
  .object({
    exception: optional(text(1000)).meta({
      description:
        'Why any change is allowed in the window, also one that is not consistent with the event. Shown to the ' +
        'partner and the employee.',
    }),
  })
  .meta({ id: 'LifeEventApproval' })

export const Declining = z
  .object({ reason: text(1000).meta({ description: 'Shown to the partner and the employee.' }) })
  .meta({ id: 'Declining' })
