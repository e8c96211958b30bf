import { z } from 'zod'
import { ResponseDay, Id, optional } from '../../../kernel/fields.ts'
import { Pagination } from '../../../kernel/pages.ts'
import { dry_run, EnrollmentDetail, EnrollmentStatus, Affordability } from '../enrollments/schemas.ts'
import { safe_harbors } from '../../directory/ichra/rules.ts'
import { MissingFigures } from '../../directory/ichra/schemas.ts'
import { EnrollmentAnswer } from '../../directory/evidence/schemas.ts'
import { cents, monthly_cost } from '../plan-years/contribution-schemas.ts'
import { BenefitPlanYear, NewPlanYear, PlanYearChanges, PlanYearCopy } from '../plan-years/schemas.ts'
import { RenewalRow } from '../renewals/schemas.ts'
import { CoverageTier } from '../../directory/catalog/schemas.ts'

const previewing = {
  dry_run,
  limit: optional(z.int().min(1).max(100)).meta({
    description: 'For a dry run, the number of employees per page. The default is 20.',
  }),
  page: optional(z.int().min(1)).meta({ description: 'For a dry run, the page number, starting with 1.' }),
}
const PreviewPaging = z.object(previewing)
export type PreviewPaging = z.output<typeof PreviewPaging>

export const PlanYearOpening = NewPlanYear.extend(previewing).meta({ id: 'NewPlanYear' })

export const PlanYearChange = PlanYearChanges.extend(previewing).meta({
  id: 'PlanYearChanges',
  description:
    'Only the fields that you send change. Null keeps the current value, except for the open enrollment, which ' +
    'it removes.',
})

export const PlanYearRepetition = PlanYearCopy.extend(previewing).meta({ id: 'PlanYearCopy' })

/** The maximum number of employees for which one request calculates totals. */
export const max_totalled = 1000

const Cost = z
  .object({
    plan_id: Id('pln'),
    coverage_tier: CoverageTier,
    ...monthly_cost,
  })
  .meta({ id: 'PreviewedCost', description: 'The monthly cost of the election.' })
export type OfferedCost = z.output<typeof Cost>

const OfferedAffordability = z
  .object({
    verdict: Affordability.meta({ description: 'Whether the employee can afford the plan.' }),
    safe_harbor: z
      .enum(safe_harbors)
      .nullable()
      .meta({
        description:
          'The safe harbor that makes the plan affordable: the federal poverty line, or else the compensation. ' +
          'W-2 wages are only known later. Null if it is not affordable.',
      }),
    self_only_cost_in_cents: cents.meta({
      description: 'The monthly cost of the cheapest plan for the employee alone.',
    }),
  })
  .meta({
    id: 'PreviewedAffordability',
    description: 'The affordability of the coverage that the employer must offer.',
  })
export type OfferedAffordability = z.output<typeof OfferedAffordability>

const PreviewedOffer = z
  .object({
    employee_id: Id('empl'),
    employee_external_reference_id: z.string().nullable().meta({ description: 'Your own reference for the employee.' }),
    member_first_name: z.string(),
    member_last_name: z.string(),
    benefit_id: Id('bprd'),
    status: EnrollmentStatus.nullable().meta({
      description: 'The status of the enrollment at that time. Null if the employee would not be granted one.',
    }),
    coverage_start: ResponseDay.nullable().meta({
      description: 'The first day of coverage in the plan year. Null without an enrollment.',
    }),
    plans: EnrollmentDetail.shape.plans.meta({
      description: 'The electable plans with their monthly cost for this employee. Empty without an enrollment.',
    }),
    affordability: OfferedAffordability.nullable().meta({
      description:
        'The affordability of an ICHRA or of plans of minimum value (MVP). Null for other benefits, and if a ' +
        'figure is missing.',
    }),
    missing_figures: MissingFigures.nullable().meta({
      description: 'Why the affordability of an ICHRA or MVP is null: the missing figures. Null for other benefits.',
    }),
    former: Cost.nullable().meta({
      description: 'The election in the previous plan year. Null if there was none.',
    }),
    outcome: RenewalRow.shape.outcome.nullable().meta({
      description:
        'The outcome for the earlier coverage. Null if there is neither earlier coverage nor an election or waiver.',
    }),
    reason: RenewalRow.shape.reason,
    answer: EnrollmentAnswer.nullable().meta({
      description: 'Whether the employee is enrolled or has waived, stored or by the renewal.',
    }),
    elected: Cost.nullable().meta({
      description: 'The stored election, or the one that the renewal would make. Null without an election.',
    }),
  })
  .meta({ id: 'PreviewedOffer', description: 'The effect of a plan year on an employee and a benefit.' })
export type PreviewedOffer = z.output<typeof PreviewedOffer>

const Sums = z.object(monthly_cost).meta({ id: 'PreviewedSums', description: 'Cents per month.' })

const PreviewTotals = z
  .object({
    employee_count: z
      .int()
      .meta({ description: 'The number of employees whose employment does not end before coverage_start.' }),
    granted_employee_count: z.int().meta({ description: 'The number of employees who would have an enrollment.' }),
    carried_employee_count: z.int().meta({
      description: 'The number of employees who would be carried over, or who have already elected or waived.',
    }),
    lapsing_employee_count: z
      .int()
      .meta({ description: 'The number of employees who would lose a benefit unless they elect.' }),
    affordable_employee_count: z
      .int()
      .meta({ description: 'The number of employees who are offered affordable coverage.' }),
    unaffordable_employee_count: z
      .int()
      .meta({ description: 'The number of employees who are offered an ICHRA or MVP, but no affordable one.' }),
    before: Sums.meta({ description: 'The monthly total of elections in the previous plan year.' }),
    after: Sums.meta({ description: 'The monthly total of elections in this plan year, stored or by the renewal.' }),
  })
  .meta({ id: 'PlanYearTotals', description: 'The effects of a plan year, added up over all employees.' })

export const PlanYearPreview = z
  .object({
    as_of: ResponseDay.meta({
      description: 'The day for which the preview is calculated with current data: the start of open enrollment.',
    }),
    data: z.array(PreviewedOffer).meta({
      description: 'One row for each benefit of each employee on the page, newest employees first.',
    }),
    totals: PreviewTotals.nullable().meta({
      description:
        `The totals of all pages. Null for more than ${max_totalled} employees, in which case you can add up the ` +
        'rows.',
    }),
    pagination: Pagination.meta({ description: 'The position of this page in the list of employees.' }),
  })
  .meta({ id: 'PlanYearPreview', description: 'The grants of a plan year with their costs.' })
export type PlanYearPreview = z.output<typeof PlanYearPreview>

export const OpenedPlanYear = z
  .object({
    data: BenefitPlanYear,
    preview: PlanYearPreview.nullable().meta({ description: 'The preview of a dry run. Otherwise null.' }),
  })
  .meta({ id: 'OpenedPlanYear' })
