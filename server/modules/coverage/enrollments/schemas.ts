import { z } from 'zod'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { DayAnswer, DayText, Id, optional, Timestamp } from '../../../kernel/fields.ts'
import { PlanFacts } from '../../directory/catalog/facts-schemas.ts'
import { BenefitCategory, coverage_tiers, product_codes } from '../../directory/catalog/schemas.ts'
import { MissingFigures } from '../../directory/ichra/schemas.ts'

export const CoverageTier = z.enum(coverage_tiers).meta({
  id: 'CoverageTier',
  description: 'EE: the employee. ES: with the spouse. EC: with children. EF: the family.',
})

export const EnrollmentStatus = z.enum(['pending', 'enrolled', 'waived', 'inactive']).meta({ id: 'EnrollmentStatus' })

export const ElectedBy = z.enum(['employee', 'partner', 'operator', 'renewal', 'return']).meta({
  id: 'ElectedBy',
  description:
    'Who gave an answer. employee: by their token; partner: by an API key; operator: by a correction;' +
    ' renewal: nobody, and that of the former plan year holds again; return: they came back in time, ' +
    'and what they had elected holds again.',
})
export type ElectedBy = z.output<typeof ElectedBy>

const cents = z.int().min(0)

const ElectedPlan = z
  .object({ id: Id('pln'), name: z.string(), carrier: z.string() })
  .meta({ id: 'ElectedPlan', description: 'A plan, as it is elected.' })

export const EnrolledBenefit = z
  .object({ id: Id('bprd'), category: BenefitCategory, name: z.string(), product_code: z.enum(product_codes) })
  .meta({ id: 'EnrolledBenefit', description: 'The benefit that it is of.' })

export const Enrollment = z
  .object({
    id: Id('enrl'),
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    benefit: EnrolledBenefit,
    status: EnrollmentStatus,
    coverage_start: DayAnswer,
    coverage_end: DayAnswer.nullable().meta({
      description: 'The last day of coverage; null while no end is known; before coverage_start when it never began.',
    }),
    employee_deduction_in_cents: cents.meta({ description: 'Per month; 0 unless enrolled.' }),
    employer_contribution_in_cents: cents.meta({ description: 'Per month; 0 unless enrolled.' }),
    domestic_partner_share_in_cents: cents.meta({
      description: 'What of the deduction is for a domestic partner, and post-tax: 0 where none is covered.',
    }),
    answered_at: Timestamp.nullable().meta({
      description: 'When the employee last enrolled or waived, also when that repeats the answer before.',
    }),
    elected_by: ElectedBy.nullable().meta({
      description: 'Who gave the answer; null while there is none, and where it was not noted.',
    }),
    terminated_at: Timestamp.nullable().meta({
      description:
        'When eligibility or the plan year ended, and with it the enrollment; coverage lasts until coverage_end.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    benefit_plan_year_id: Id('plyr'),
    plan_year_start: DayAnswer.meta({ description: 'The first day of coverage of the plan year.' }),
    plan_year_end: DayAnswer.meta({ description: 'The last day of coverage of the plan year.' }),
    plan: ElectedPlan.nullable(),
    elected_from: DayAnswer.nullable().meta({
      description: 'Since which day it is as elected here, where it was changed; null: since coverage_start.',
    }),
    coverage_tier: CoverageTier.nullable(),
    premium_in_cents: cents.nullable(),
    individual_plan_name: z.string().nullable().meta({
      description: 'The plan that the employee bought, of ICHRA_REIMBURSEMENT_ONLY; the premium is what they told.',
    }),
    bought_on_exchange: z.boolean().nullable().meta({
      description: 'Of ICHRA: whether the elected plan was bought on an exchange; then nothing is pre-tax.',
    }),
    dependent_ids: z.array(Id('dep')).meta({ description: 'Who is covered with the employee.' }),
    upcoming_election: z
      .object({
        effective_on: DayAnswer,
        plan: ElectedPlan,
        coverage_tier: CoverageTier,
        premium_in_cents: cents,
        employer_contribution_in_cents: cents,
        employee_deduction_in_cents: cents,
        dependent_ids: z.array(Id('dep')),
      })
      .nullable()
      .meta({ description: 'What was elected for a day ahead, when coverage that has begun was changed.' }),
    window: z
      .object({ start: DayAnswer, end: DayAnswer })
      .nullable()
      .meta({ description: 'First and last day of the window in which to choose that is open; null when none is.' }),
    allowed_changes: z
      .object({
        add: z.boolean().meta({ description: 'Whether the employee and dependents may join.' }),
        drop: z
          .array(z.enum(['spouse', 'domestic_partner', 'child']).meta({ id: 'DroppableRelationship' }))
          .meta({ description: 'The relationships of dependents who may be dropped; after a death, one of them.' }),
        change_plan: z.boolean().meta({ description: 'Whether another plan may be elected.' }),
        waive: z.boolean().meta({ description: 'Whether the coverage may be waived, or ended once it has begun.' }),
      })
      .nullable()
      .meta({
        description:
          'The changes that the open windows allow: all in the window of the grant and in open enrollment, otherwise ' +
          'those that are consistent with the life events. Null if no window is open.',
      }),
  })
  .meta({ id: 'Enrollment' })

const price = (is: string) =>
  cents.nullable().meta({ description: `${is} null of ICHRA, while it depends on the plan that is bought.` })

export const EnrollmentDetail = Enrollment.extend({
  plans: z
    .array(
      z.object({
        id: Id('pln'),
        name: z.string(),
        carrier: z.string(),
        network_names: z.array(z.string()),
        spd_file_url: z.string().nullable(),
        facts: PlanFacts,
        tiers: z.array(
          z.object({
            coverage_tier: CoverageTier,
            premium_in_cents: price('The whole monthly premium, in cents.'),
            employer_contribution_in_cents: price('What the employer would pay of a month, in cents.'),
            employee_deduction_in_cents: price('What the employee would pay of a month, in cents.'),
          }),
        ),
      }),
    )
    .meta({
      description:
        'What can be elected, per month, at what this employee would pay. Of ICHRA a premium is null while it ' +
        'depends on dependents that nobody has told of, or on the plan that the employee buys; the contribution is ' +
        'the most then.',
    }),
  affordability: z.enum(['Affordable', 'Not Affordable']).nullable().meta({
    description: 'Of ICHRA, for the employee alone; null for other benefits, and where a figure is not known.',
  }),
  missing_figures: MissingFigures.nullable().meta({
    description: 'Why the affordability of an ICHRA is null: the figures that the service does not have.',
    on_null: 'Null for other benefits.',
  }),
  notice_due_on: DayAnswer.nullable().meta({
    description: 'Of ICHRA: by when the employee is to have the notice; for newcomers the first day of coverage.',
  }),
}).meta({ id: 'EnrollmentDetail' })

export const EnrollmentPage = z
  .object({ data: z.array(Enrollment), pagination: Pagination })
  .meta({ id: 'EnrollmentPage' })

export const EnrollmentFilter = z.object({
  as_of: DayText.optional().meta({
    description: 'Each as it was, or will be, on this day, by what is known now. Today unless said.',
  }),
  ...pageQuery,
})
export type EnrollmentFilter = z.output<typeof EnrollmentFilter>

export const EnrollmentChange = z
  .object({
    before: Enrollment.nullable().meta({ description: 'As it was; null: it was granted, in a dry run would be.' }),
    after: Enrollment.meta({
      description: 'As it is; of a dry run as it would be, one that is new without a lasting id.',
    }),
  })
  .meta({ id: 'EnrollmentChange', description: 'An enrollment that changed.' })
export type ElectablePlan = z.output<typeof EnrollmentDetail>['plans'][number]
type EnrollmentChange = z.output<typeof EnrollmentChange>
export type AnyEnrollment = EnrollmentChange['after']

/** Of an action: whether it is only told of. */
export const dry_run = optional(z.boolean()).meta({
  description: 'true: tell what would become of it, and change nothing.',
})

/** Of the answer to an action: what became of the employee's enrollments. */
export const enrollment_changes = z.array(EnrollmentChange).meta({
  description: 'The enrollments of the employee that this changed, or in a dry run would change.',
})

export const CorrectedEnrollment = z
  .object({ data: EnrollmentDetail, enrollments: enrollment_changes })
  .meta({ id: 'CorrectedEnrollment', description: 'An enrollment that was set right, and what changed with it.' })
