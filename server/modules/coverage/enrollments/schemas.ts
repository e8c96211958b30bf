import { z } from 'zod'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { ResponseDay, DayText, Id, optional, Timestamp } from '../../../kernel/fields.ts'
import { PlanFacts } from '../../directory/catalog/facts-schemas.ts'
import { BenefitCategory, RequiredDependentFields, ProductCode, CoverageTier } from '../../directory/catalog/schemas.ts'
import { MissingFigures } from '../../directory/ichra/schemas.ts'

export const EnrollmentStatus = z.enum(['pending', 'enrolled', 'waived', 'inactive']).meta({
  id: 'EnrollmentStatus',
  description:
    'pending: no decision yet. enrolled, waived: the latest decision of the employee. inactive: ended, or no longer ' +
    'offered.',
})

export const ElectionStatus = z.enum(['Enrolled', 'Waived', 'Pending', 'Expired']).meta({
  id: 'ElectionStatus',
  description:
    'Enrolled, Waived: the latest decision of the employee. Pending: no decision yet. Expired: no decision, and no ' +
    'window is open or planned.',
})

export const Affordability = z.enum(['Affordable', 'Not Affordable']).meta({ id: 'Affordability' })

export const ElectedBy = z.enum(['employee', 'partner', 'operator', 'renewal', 'return']).meta({
  id: 'ElectedBy',
  description:
    'How an election or waiver was made. `employee`: with an employee token. `partner`: an API key. `operator`: a ' +
    'correction. ' +
    '`renewal`: the election of the previous plan year was carried over. `return`: the employee returned in ' +
    'time, and the earlier election was resumed.',
})
export type ElectedBy = z.output<typeof ElectedBy>

const cents = z.int().min(0)

const ElectedPlan = z
  .object({ id: Id('pln'), name: z.string(), carrier: z.string() })
  .meta({ id: 'ElectedPlan', description: 'The elected plan.' })

export const EnrolledBenefit = z
  .object({ id: Id('bprd'), category: BenefitCategory, name: z.string(), product_code: ProductCode })
  .meta({ id: 'EnrolledBenefit', description: 'The benefit of the enrollment.' })

export const Enrollment = z
  .object({
    id: Id('enrl'),
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    benefit: EnrolledBenefit,
    required_dependent_fields: RequiredDependentFields,
    status: EnrollmentStatus,
    election_status: ElectionStatus,
    coverage_start: ResponseDay,
    coverage_end: ResponseDay.nullable().meta({
      description:
        'The last day of coverage. Null if no end is known. Before `coverage_start` if coverage never began.',
    }),
    employee_deduction_in_cents: cents.meta({ description: 'The monthly amount in cents. 0 unless enrolled.' }),
    employer_contribution_in_cents: cents.meta({ description: 'The monthly amount in cents. 0 unless enrolled.' }),
    domestic_partner_share_in_cents: cents.meta({
      description:
        'The part of the deduction that covers a domestic partner, which is post-tax. 0 if no domestic partner is ' +
        'covered.',
    }),
    answered_at: Timestamp.nullable().meta({
      description: 'When the employee last elected or waived, even if that repeated the earlier decision.',
    }),
    elected_by: ElectedBy.nullable().meta({
      description: 'How the election or waiver was made. Null without one, or if this was not recorded.',
    }),
    terminated_at: Timestamp.nullable().meta({
      description:
        'When the enrollment ended, because eligibility or the plan year did. Coverage lasts until `coverage_end`.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    benefit_plan_year_id: Id('plyr'),
    choice_group: z
      .string()
      .nullable()
      .meta({
        description:
          'The choice group of the benefit in the plan year, such as `medical`. An employee can elect one of ' +
          'its benefits. Null if the benefit is in no group.',
      }),
    plan_year_start: ResponseDay.meta({ description: 'The first day of coverage of the plan year.' }),
    plan_year_end: ResponseDay.meta({ description: 'The last day of coverage of the plan year.' }),
    plan: ElectedPlan.nullable(),
    elected_from: ResponseDay.nullable().meta({
      description:
        'The first day of this election, if it replaced an earlier one. Null if it applies since `coverage_start`.',
    }),
    coverage_tier: CoverageTier.nullable(),
    premium_in_cents: cents.nullable(),
    individual_plan_name: z.string().nullable().meta({
      description:
        'The plan that the employee bought, for ICHRA_REIMBURSEMENT_ONLY. The employee also reports its premium.',
    }),
    bought_on_exchange: z.boolean().nullable().meta({
      description:
        'For ICHRA, whether the elected plan was bought on an exchange. If so, deductions are never pre-tax.',
    }),
    dependent_ids: z.array(Id('dep')).meta({ description: 'The covered dependents.' }),
    upcoming_election: z
      .object({
        effective_on: ResponseDay,
        plan: ElectedPlan,
        coverage_tier: CoverageTier,
        premium_in_cents: cents,
        employer_contribution_in_cents: cents,
        employee_deduction_in_cents: cents,
        dependent_ids: z.array(Id('dep')),
      })
      .nullable()
      .meta({
        description:
          'The election that takes effect on a later day, after a change of coverage that had already begun. Null ' +
          'if there is no such election.',
      }),
    window: z
      .object({ start: ResponseDay, end: ResponseDay })
      .nullable()
      .meta({ description: 'The first and last day of the open election window. Null if no window is open.' }),
    allowed_changes: z
      .object({
        add: z.boolean().meta({ description: 'Whether the employee and dependents can be added.' }),
        drop: z.array(z.enum(['spouse', 'domestic_partner', 'child']).meta({ id: 'DroppableRelationship' })).meta({
          description: 'The relationships of dependents who can be dropped. After a death, only one dependent.',
        }),
        change_plan: z.boolean().meta({ description: 'Whether another plan can be elected.' }),
        waive: z.boolean().meta({ description: 'Whether coverage can be waived, or ended if it has begun.' }),
      })
      .nullable()
      .meta({
        description:
          'The changes that the open windows allow. The window of the grant and open enrollment allow all ' +
          'changes. Other windows allow the changes that are consistent with their life events. Null if no ' +
          'window is open.',
      }),
  })
  .meta({ id: 'Enrollment' })

const price = (is: string) =>
  cents.nullable().meta({ description: `${is} Null for ICHRA while it depends on the plan that the employee buys.` })

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
            premium_in_cents: price('The full monthly premium in cents.'),
            employer_contribution_in_cents: price('The employer contribution per month in cents.'),
            employee_deduction_in_cents: price('The employee deduction per month in cents.'),
          }),
        ),
      }),
    )
    .meta({
      description:
        'The plans that can be elected, with the monthly cost for this employee. For ICHRA, a premium is null ' +
        'while it depends on dependents who were not added, or on the plan that the employee buys. The ' +
        'contribution is then the maximum.',
    }),
  affordability: Affordability.nullable().meta({
    description:
      'The affordability of an ICHRA for the employee alone. Null for other benefits, and if a figure is missing.',
  }),
  missing_figures: MissingFigures.nullable().meta({
    description: 'Why the affordability of an ICHRA is null: the missing figures. Null for other benefits.',
  }),
  notice_due_on: ResponseDay.nullable().meta({
    description:
      'For ICHRA, the day by which the employee must receive the notice. For new employees, the first day of ' +
      'coverage.',
  }),
}).meta({ id: 'EnrollmentDetail' })

export const EnrollmentPage = pageOf('EnrollmentPage', Enrollment)

export const EnrollmentFilter = z.object({
  as_of: DayText.optional().meta({
    description: 'Shows each enrollment on this day, past or future, according to current data. The default is today.',
  }),
  ...pageQuery,
})
export type EnrollmentFilter = z.output<typeof EnrollmentFilter>

const EnrollmentChange = z
  .object({
    before: Enrollment.nullable().meta({
      description: 'The enrollment before the change. Null if the change itself grants it.',
    }),
    after: Enrollment.meta({
      description: 'The enrollment after the change. In a dry run, a new enrollment has only a temporary id.',
    }),
  })
  .meta({ id: 'EnrollmentChange', description: 'An enrollment that changed.' })
export type ElectablePlan = z.output<typeof EnrollmentDetail>['plans'][number]
type EnrollmentChange = z.output<typeof EnrollmentChange>
export type AnyEnrollment = EnrollmentChange['after']

/** A parameter of actions that can be previewed. */
export const dry_run = optional(z.boolean()).meta({
  description: 'If true, the response shows the effects and nothing changes.',
})

/** The effects of an action on the employee's enrollments, for its response. */
export const enrollment_changes = z.array(EnrollmentChange).meta({
  description: 'The enrollments of the employee that changed, or would change in a dry run.',
})

export const CorrectedEnrollment = z
  .object({ data: EnrollmentDetail, enrollments: enrollment_changes })
  .meta({ id: 'CorrectedEnrollment', description: 'A corrected enrollment, with all enrollments that changed.' })
