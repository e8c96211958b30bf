import { z } from 'zod'
import { DayAnswer, Id, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { coverage_tiers } from '../catalog/schemas.ts'

/** What can happen to an enrollment. */
const actions = [
  'granted',
  'elected',
  'waived',
  'renewed',
  'resumed',
  'resumption_withdrawn',
  'corrected',
  'terminated',
  'reissued',
  'ended',
  'end_changed',
  'reinstated',
  'dependents_changed',
  'amended',
] as const
export type EvidenceAction = Exclude<(typeof actions)[number], 'granted'>

/** Of an enrollment that was answered. */
export const GivenAnswer = z.enum(['enrolled', 'waived']).meta({ id: 'GivenAnswer' })

export const WaiverReason = z
  .enum(['spouse_plan', 'parent_plan', 'public_plan', 'other_plan', 'too_expensive', 'other'])
  .meta({
    id: 'WaiverReason',
    description: 'Whose plan covers them, or why else. public_plan: Medicare, Medicaid and the like.',
  })
export type WaiverReason = z.output<typeof WaiverReason>

const cents = z.int().min(0)

const Price = z.object({
  plan_id: Id('pln'),
  coverage_tier: z.enum(coverage_tiers),
  premium_in_cents: cents
    .nullable()
    .meta({ description: 'null where it depends on the person (ICHRA), of what was offered.' }),
  employer_contribution_in_cents: cents
    .nullable()
    .meta({ description: 'What the employer pays of a month, in cents; null of ICHRA.' }),
  employee_deduction_in_cents: cents
    .nullable()
    .meta({ description: 'What the employee pays of a month, in cents; null of ICHRA.' }),
})

const ActorKind = z.enum(['employee', 'partner', 'operator', 'renewal', 'rule']).meta({ id: 'EnrollmentActorKind' })

const Evidence = z
  .object({
    action: z.enum(actions).meta({
      id: 'EnrollmentAction',
      description:
        'granted: by eligibility and what is offered. elected, waived: an answer. renewed: carried by a renewal. ' +
        'resumed: elected again for who came back in time. resumption_withdrawn: they did not, after all. ' +
        'corrected: set right by the operator. terminated, reissued: ended, and opened anew, on request. ' +
        'ended: eligibility or the plan year is over. end_changed: the last day moved, or was taken back. ' +
        'reinstated: a loss was withdrawn. dependents_changed: coverage of a dependent ended, or did not after all. ' +
        'amended: the plan year changed.',
    }),
    recorded_at: Timestamp,
    actor: z
      .object({
        kind: ActorKind,
        id: z.string().nullable().meta({
          description:
            'The employee whose token it was, or the API key of the partner; null for others, and to bound tokens.',
        }),
      })
      .nullable()
      .meta({ description: 'Who did it; rule: it follows from facts. null: done before evidence was kept.' }),
    reason: z.string().nullable(),
    reason_code: WaiverReason.nullable().meta({
      description: 'Why it was waived. null: no waiver, or without a code.',
    }),
    window: z
      .object({
        kind: z.enum(['grant', 'open_enrollment', 'life_event']).meta({ id: 'EnrollmentWindowKind' }),
        start: DayAnswer,
        end: DayAnswer,
        life_event_id: Id('qle').nullable(),
      })
      .nullable()
      .meta({ description: 'The window in which it was answered, or that a grant opened.' }),
    coverage_start: DayAnswer.meta({ description: 'As it was after this; of a grant, as it is.' }),
    coverage_end: DayAnswer.nullable(),
    answer: GivenAnswer.nullable().meta({ description: 'The answer that stood after this.' }),
    elections: z
      .array(
        Price.extend({
          effective_on: DayAnswer.nullable().meta({ description: 'null: from the start of coverage.' }),
          dependent_ids: z.array(Id('dep')),
        }),
      )
      .nullable()
      .meta({
        description: 'What was elected then, the steps ahead included, per month; null where nothing was said.',
      }),
    offered: z
      .array(Price)
      .nullable()
      .meta({ description: 'Of a waiver: what could have been elected, per month. ICHRA amounts are null.' }),
  })
  .meta({ id: 'EnrollmentEvidence', description: 'One thing that happened to an enrollment; it never changes.' })

export const EvidencePage = z
  .object({ data: z.array(Evidence), pagination: Pagination })
  .meta({ id: 'EnrollmentEvidencePage' })

export const EvidencePaging = z.object(pageQuery)

const cause_actions = [...actions.filter((one) => one !== 'granted'), 'invoice_voided', 'manual_adjustment'] as const

export const AdjustmentCause = z
  .object({
    action: z.enum(cause_actions).meta({
      id: 'AdjustmentCauseAction',
      description:
        'The action on the enrollment, as its history names it. invoice_voided: an invoice that had billed the ' +
        'month was voided. manual_adjustment: the operator booked it by hand.',
    }),
    operation: z.string().nullable().meta({
      description:
        'The request that reported it, as the audit log names it. Null for background work, and where it was not kept.',
      example: 'employees_terminate',
    }),
    reported_at: Timestamp.meta({ description: 'When it was reported.' }),
    reported_by: z
      .object({
        kind: ActorKind,
        id: z.string().nullable().meta({
          description: 'The employee, or the API key of the partner. Null for others, and for bound tokens.',
        }),
      })
      .nullable()
      .meta({
        description: 'The caller that reported it. rule: background work, such as a census. Null if it was not kept.',
      }),
    coverage_start: DayAnswer.nullable().meta({ description: 'Since then. Null if the enrollment did not change.' }),
    coverage_end: DayAnswer.nullable().meta({ description: 'Since then. Null if it has no end or did not change.' }),
    reason: z.string().nullable().meta({ description: 'Null if no reason was given.' }),
  })
  .meta({ id: 'AdjustmentCause', description: 'The fact that an adjustment follows from, and who reported it when.' })
export type AdjustmentCause = z.output<typeof AdjustmentCause>
