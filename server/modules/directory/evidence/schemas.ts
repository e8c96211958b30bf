import { z } from 'zod'
import { ResponseDay, Id, Timestamp, Language } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { CoverageTier } from '../catalog/schemas.ts'

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

/** The answer of an enrollment that was elected or waived. */
export const EnrollmentAnswer = z.enum(['enrolled', 'waived']).meta({ id: 'EnrollmentAnswer' })

export const WaiverReason = z
  .enum(['spouse_plan', 'parent_plan', 'public_plan', 'other_plan', 'too_expensive', 'other'])
  .meta({
    id: 'WaiverReason',
    description: 'The other coverage or reason. `public_plan`: Medicare, Medicaid and similar programs.',
  })
export type WaiverReason = z.output<typeof WaiverReason>

const cents = z.int().min(0)

const Price = z.object({
  plan_id: Id('pln'),
  coverage_tier: CoverageTier,
  premium_in_cents: cents.nullable().meta({
    description:
      'The full monthly premium in cents. Null for an ICHRA plan that was only offered, because its premium depends ' +
      'on the person.',
  }),
  employer_contribution_in_cents: cents
    .nullable()
    .meta({ description: 'The monthly employer contribution in cents. Null for an ICHRA.' }),
  employee_deduction_in_cents: cents
    .nullable()
    .meta({ description: 'The monthly employee deduction in cents. Null for an ICHRA.' }),
})

const ActorKind = z.enum(['employee', 'partner', 'operator', 'renewal', 'rule']).meta({
  id: 'EnrollmentActorKind',
  description:
    'employee: an employee token. partner: a key or session of your organization. operator: a correction. renewal, ' +
    'rule: the service itself.',
})

const Evidence = z
  .object({
    action: z.enum(actions).meta({
      id: 'EnrollmentAction',
      description:
        'granted: by eligibility and the offered benefits. elected, waived: by a submission. renewed: carried over ' +
        'by a renewal. resumed: restored for an employee who returned in time. resumption_withdrawn: a resumption ' +
        'was undone. corrected: by the operator. terminated, reissued: ended, or reopened, on request. ended: ' +
        'eligibility or the plan year ended. end_changed: the last day moved or was withdrawn. reinstated: a loss ' +
        'of coverage was withdrawn. dependents_changed: the coverage of a dependent ended or was restored. ' +
        'amended: the plan year changed.',
    }),
    recorded_at: Timestamp,
    actor: z
      .object({
        kind: ActorKind,
        id: z.string().nullable().meta({
          description:
            'The employee of the token, or the API key of the partner. Null for others and for bound tokens.',
        }),
      })
      .meta({ description: 'The actor. `rule`: the change follows from facts.' }),
    reason: z.string().nullable(),
    reason_code: WaiverReason.nullable().meta({
      description: 'The reason for the waiver. Null without a waiver or a code.',
    }),
    window: z
      .object({
        kind: z.enum(['grant', 'open_enrollment', 'life_event']).meta({
          id: 'EnrollmentWindowKind',
          description: 'The reason for the window: a new grant, open enrollment or a life event.',
        }),
        start: ResponseDay,
        end: ResponseDay,
        life_event_id: Id('qle').nullable(),
      })
      .nullable()
      .meta({ description: 'The election window in which it was submitted, or that a grant opened.' }),
    coverage_start: ResponseDay.meta({
      description: 'The start of coverage after this action. For a grant, the current start.',
    }),
    coverage_end: ResponseDay.nullable(),
    answer: EnrollmentAnswer.nullable().meta({
      description: 'Whether the employee is enrolled or has waived after this action.',
    }),
    elections: z
      .array(
        Price.extend({
          effective_on: ResponseDay.nullable().meta({
            description: 'The first day of the election. Null if it applies since the start of coverage.',
          }),
          dependent_ids: z.array(Id('dep')),
        }),
      )
      .nullable()
      .meta({
        description:
          'The elections at that time, including parts that take effect later, with monthly amounts. Null if there ' +
          'were none.',
      }),
    offered: z.array(Price).nullable().meta({
      description:
        'For a waiver: the plans that the employee could have elected, with monthly amounts. ICHRA amounts are null.',
    }),
    signature: z
      .object({
        name: z.string().meta({ description: 'The name that the employee typed.' }),
        signed_at: Timestamp.meta({ description: 'When the employee signed.' }),
        pre_tax_consent: z.boolean().meta({ description: 'Whether the employee agreed to pre-tax deductions.' }),
        language: Language.meta({ description: 'The language in which the employee read the agreements.' }),
        agreements: z
          .array(
            z.object({
              id: Id('eagr').nullable().meta({ description: 'The version. Null for the default text.' }),
              version: z.int().meta({ description: 'The number of the version.' }),
              text: z.string().meta({ description: 'The text as the employee read it.' }),
            }),
          )
          .meta({ description: 'The agreements that the employee signed.' }),
        address: z.string().nullable().meta({
          description: 'The IP address from which the employee signed. Null for bound tokens.',
        }),
      })
      .nullable()
      .meta({ description: 'The signature on an election or waiver. Null without a signature.' }),
    confirmation: z
      .object({
        id: Id('conf').meta({ description: 'The confirmation in `enrollment-confirmations` of the employee.' }),
        sha256: z.string().nullable().meta({
          description: 'The SHA-256 of its PDF in hexadecimal. Null until the PDF is rendered.',
        }),
      })
      .nullable()
      .meta({
        description:
          'The stored confirmation of the submission. Null for elections and waivers that were not submitted ' +
          'with `enrollment-answers`.',
      }),
  })
  .meta({ id: 'EnrollmentEvidence', description: 'An entry in the history of an enrollment. Entries never change.' })

export const EvidencePage = pageOf('EnrollmentEvidencePage', Evidence)

const cause_actions = [
  ...actions.filter((action) => action !== 'granted'),
  'invoice_voided',
  'manual_adjustment',
] as const

export const AdjustmentCause = z
  .object({
    action: z.enum(cause_actions).meta({
      id: 'AdjustmentCauseAction',
      description:
        'The action on the enrollment, as in its history. invoice_voided: an invoice for the month was voided. ' +
        'manual_adjustment: the operator booked it manually.',
    }),
    operation: z
      .string()
      .nullable()
      .meta({
        description:
          'The operation id of the request that reported it, as in the audit log. Null for background work, and for ' +
          'entries without a recorded request.',
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
        description:
          'The caller that reported it. `rule`: background work, such as a census. Null if it was not recorded.',
      }),
    coverage_start: ResponseDay.nullable().meta({
      description: 'The start of coverage after the change. Null if the enrollment did not change.',
    }),
    coverage_end: ResponseDay.nullable().meta({
      description: 'The last day of coverage after the change. Null if it has no end or did not change.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The reason for the change, as text. Null if no reason was given.' }),
  })
  .meta({ id: 'AdjustmentCause', description: 'The cause of an adjustment, and who reported it and when.' })
export type AdjustmentCause = z.output<typeof AdjustmentCause>
