import { z } from 'zod'
import { DayAnswer, Id, optional } from '../../../kernel/fields.ts'
import { Pagination } from '../../../kernel/pages.ts'
import { CoverageTier, dry_run, EnrollmentDetail, EnrollmentStatus } from '../enrollments/schemas.ts'
import { safe_harbors } from '../../directory/ichra/rules.ts'
import { MissingFigures } from '../../directory/ichra/schemas.ts'
import { GivenAnswer } from '../../directory/evidence/schemas.ts'
import { BenefitPlanYear, NewPlanYear, PlanYearChanges, PlanYearCopy } from '../plan-years/schemas.ts'
import { RenewalRow } from '../renewals/schemas.ts'

const previewing = {
  dry_run,
  limit: optional(z.int().min(1).max(100)).meta({ description: 'Of a dry run: employees per page, 20 unless said.' }),
  page: optional(z.int().min(1)).meta({ description: 'Of a dry run: page number, from 1.' }),
}
const PreviewPaging = z.object(previewing)
export type PreviewPaging = z.output<typeof PreviewPaging>

export const PlanYearOpening = NewPlanYear.extend(previewing).meta({ id: 'NewPlanYear' })

export const PlanYearChange = PlanYearChanges.extend(previewing).meta({
  id: 'PlanYearChanges',
  description:
    'Only the fields that are sent change; null leaves as it is, but for the open enrollment, which it clears.',
})

export const PlanYearRepetition = PlanYearCopy.extend(previewing).meta({ id: 'PlanYearCopy' })

/** So many employees are added up in one request. */
export const most_totalled = 1000

const cents = z.int().min(0)

const Cost = z
  .object({
    plan_id: Id('pln'),
    coverage_tier: CoverageTier,
    premium_in_cents: cents,
    employer_contribution_in_cents: cents,
    employee_deduction_in_cents: cents,
  })
  .meta({ id: 'PreviewedCost', description: 'What is elected, per month.' })
export type OfferedCost = z.output<typeof Cost>

const OfferedAffordability = z
  .object({
    verdict: z.enum(['Affordable', 'Not Affordable']).meta({ description: 'Whether the employee can afford it.' }),
    safe_harbor: z.enum(safe_harbors).nullable().meta({
      description:
        'What it is affordable by: the federal poverty line, or else the pay that was told. W-2 wages are known late.',
      on_null: 'null: it is not.',
    }),
    self_only_cost_in_cents: cents.meta({
      description: 'What the cheapest plan for the employee alone leaves them to pay, per month.',
    }),
  })
  .meta({ id: 'PreviewedAffordability', description: 'Whether what an employer is judged by is affordable.' })
export type OfferedAffordability = z.output<typeof OfferedAffordability>

const PreviewedOffer = z
  .object({
    employee_id: Id('empl'),
    employee_external_reference_id: z.string().nullable().meta({ description: 'Your own reference of the employee.' }),
    member_first_name: z.string(),
    member_last_name: z.string(),
    benefit_id: Id('bprd'),
    status: EnrollmentStatus.nullable().meta({
      description: 'Of their enrollment in the plan year; null: they would be granted none.',
    }),
    coverage_start: DayAnswer.nullable(),
    plans: EnrollmentDetail.shape.plans.meta({
      description: 'What they could elect, per month, at what they would pay; empty where nothing is granted.',
    }),
    affordability: OfferedAffordability.nullable().meta({
      description: 'Of ICHRA and of plans of minimum value (MVP); null of others, and where a figure is missing.',
    }),
    missing_figures: MissingFigures.nullable().meta({
      description: 'Why the affordability of an ICHRA or MVP is null: the figures that the service does not have.',
      on_null: 'Null for other benefits.',
    }),
    former: Cost.nullable().meta({
      description: 'What they had elected in the plan year before; null: nothing.',
    }),
    outcome: RenewalRow.shape.outcome.nullable().meta({
      description: 'What becomes of what they had; null: they had nothing, and have not answered.',
    }),
    reason: RenewalRow.shape.reason,
    answer: GivenAnswer.nullable().meta({ description: 'What is answered, or would be by the renewal.' }),
    elected: Cost.nullable().meta({ description: 'What is elected, or would be by the renewal; null: nothing.' }),
  })
  .meta({ id: 'PreviewedOffer', description: 'What a plan year is to an employee, by a benefit.' })
export type PreviewedOffer = z.output<typeof PreviewedOffer>

const Sums = z
  .object({ premium_in_cents: cents, employer_contribution_in_cents: cents, employee_deduction_in_cents: cents })
  .meta({ id: 'PreviewedSums', description: 'Per month.' })

const PreviewTotals = z
  .object({
    employee_count: z.int().meta({ description: 'Employees of the employer who are not gone by then.' }),
    granted_employee_count: z.int().meta({ description: 'Who would have an enrollment.' }),
    carried_employee_count: z.int().meta({ description: 'Who would be carried over, or have answered.' }),
    lapsing_employee_count: z.int().meta({ description: 'Who would lose a benefit unless they answer.' }),
    affordable_employee_count: z.int().meta({ description: 'To whom something is affordable.' }),
    unaffordable_employee_count: z
      .int()
      .meta({ description: 'Who are offered what is judged, and nothing affordable.' }),
    before: Sums.meta({ description: 'What is elected in the plan year before, per month.' }),
    after: Sums.meta({ description: 'What is elected in this one, or would be by the renewal, per month.' }),
  })
  .meta({ id: 'PlanYearTotals', description: 'What a plan year would come to.' })

export const PlanYearPreview = z
  .object({
    as_of: DayAnswer.meta({
      description: 'The day on which it would be granted, by what is known today: that of its open enrollment.',
    }),
    data: z.array(PreviewedOffer).meta({
      description: 'Of each employee of the page a row for each benefit, the newest employee first.',
    }),
    totals: PreviewTotals.nullable().meta({
      description: `Of all pages together; null beyond ${most_totalled} employees: then add up the rows.`,
    }),
    pagination: Pagination.meta({ description: 'Of employees.' }),
  })
  .meta({ id: 'PlanYearPreview', description: 'Who would be granted what, and who would pay what.' })
export type PlanYearPreview = z.output<typeof PlanYearPreview>

export const OpenedPlanYear = z
  .object({
    data: BenefitPlanYear,
    preview: PlanYearPreview.nullable().meta({ description: 'Of a dry run; else null.' }),
  })
  .meta({ id: 'OpenedPlanYear' })
