import { z } from 'zod'
import { DayAnswer, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { coverage_tiers } from '../../directory/catalog/schemas.ts'
import { ContributionTier, distinct, IchraContributionClass, NewPlanYearBenefit } from '../plan-years/schemas.ts'

const Plans = optional(distinct(Id('pln'), 100, (id) => id))

const Contributions = z
  .object({
    benefit_id: Id('bprd'),
    contribution_tiers: optional(z.array(ContributionTier).max(50)).meta({ description: 'For all but ICHRA.' }),
    ichra_contribution_classes: optional(z.array(IchraContributionClass).min(1).max(200)).meta({
      description: 'For ICHRA.',
    }),
  })
  .meta({ id: 'AmendedContribution', description: 'What the employer pays of a benefit from then on, as a whole.' })

const AddedBenefit = NewPlanYearBenefit.omit({ starts_on: true }).meta({
  id: 'AddedBenefit',
  description: 'A benefit that is offered from then on, at the prices of the catalog on that day.',
})

const what = {
  repriced_plan_ids: Plans.meta({
    description: 'Plans whose rates are taken from the catalog anew, as they are on effective_on.',
  }),
  contributions: optional(distinct(Contributions, 50, ({ benefit_id }) => benefit_id)).meta({
    description: 'What the employer pays of benefits from then on; null or absent: as before.',
  }),
  added_plan_ids: Plans.meta({ description: 'Plans of benefits that are offered: at the rates of the catalog.' }),
  closed_plan_ids: Plans.meta({
    description: 'Plans that cover nobody from then on: who has one may choose another of its benefit.',
  }),
  added_benefits: optional(distinct(AddedBenefit, 50, ({ benefit_id }) => benefit_id)).meta({
    description: 'Benefits that are offered from then on; null or absent: none.',
  }),
  withdrawn_benefit_ids: optional(distinct(Id('bprd'), 50, (id) => id)).meta({
    description: 'Benefits that cover nobody from then on.',
  }),
  coverage_end: optional(DayText).meta({
    description: 'The last day of the plan year; not before effective_on, and at most 366 days in all.',
  }),
}

export const NewAmendment = z
  .object({
    effective_on: DayText.meta({
      description: 'The first of a month of the plan year; or its first day, which corrects it from its start.',
    }),
    reason: text().meta({ description: 'Why, for whoever reads the books.' }),
    dry_run: optional(z.boolean()).meta({ description: 'true: tell what would become of everybody, change nothing.' }),
    limit: optional(z.int().min(1).max(100)).meta({ description: 'Of a dry run: items per page, 20 unless said.' }),
    page: optional(z.int().min(1)).meta({ description: 'Of a dry run: page number, from 1.' }),
    ...what,
  })
  .meta({ id: 'NewAmendment' })
type SaidAmendment = z.output<typeof NewAmendment>
export type NewAmendment = Pick<SaidAmendment, 'effective_on' | 'reason'> & Partial<SaidAmendment>

export const AmendmentWithdrawal = z
  .object({ reason: text().meta({ description: 'Why, for whoever reads the books.' }) })
  .meta({ id: 'AmendmentWithdrawal' })

/** So many enrollments are added up in one request. */
export const most_totalled = 5000

const cents = z.int().min(0)
const ids = (prefix: 'pln' | 'bprd', description: string) => z.array(Id(prefix)).meta({ description })

const AsSaid = z.array(z.record(z.string(), z.unknown()))
/** What was said of a benefit is shown as it was: what was left out is left out. */
const said = {
  benefit_id: Id('bprd'),
  contribution_tiers: AsSaid.optional(),
  ichra_contribution_classes: AsSaid.optional(),
}

export const Amendment = z
  .object({
    id: Id('amnd'),
    benefit_plan_year_id: Id('plyr'),
    effective_on: DayAnswer,
    reason: z.string(),
    repriced_plan_ids: ids('pln', 'Plans whose rates were taken from the catalog anew.'),
    contributions: z.array(z.object(said)).meta({
      description: 'What the employer pays of these benefits from then on, as it was said.',
    }),
    added_plan_ids: ids('pln', 'Plans that are offered from then on.'),
    closed_plan_ids: ids('pln', 'Plans that cover nobody from then on.'),
    added_benefits: z.array(z.object({ ...said, plan_ids: ids('pln', 'Its plans that were named.').optional() })).meta({
      description: 'Benefits that are offered from then on, as it was said.',
    }),
    withdrawn_benefit_ids: ids('bprd', 'Benefits that cover nobody from then on.'),
    coverage_end: DayAnswer.nullable(),
    reported_at: Timestamp.meta({ description: 'When the operator told of it.' }),
    withdrawn_at: Timestamp.nullable().meta({ description: 'When it was taken back; null: it holds.' }),
    withdrawal_reason: z.string().nullable().meta({ description: 'Why it was taken back; null: it holds.' }),
  })
  .meta({ id: 'Amendment', description: 'What changed in a plan year from a day on.' })

export const AmendmentPage = z
  .object({ data: z.array(Amendment), pagination: Pagination })
  .meta({ id: 'AmendmentPage' })

export const AmendmentPaging = z.object(pageQuery)

const Cost = z
  .object({
    plan_id: Id('pln'),
    coverage_tier: z.enum(coverage_tiers),
    premium_in_cents: cents,
    employer_contribution_in_cents: cents,
    employee_deduction_in_cents: cents,
  })
  .nullable()
  .meta({ description: 'Of the month; null: not covered.' })

const Sums = z
  .object({ premium_in_cents: cents, employer_contribution_in_cents: cents, employee_deduction_in_cents: cents })
  .meta({ id: 'AmendedSums' })
const before = Sums.meta({ description: 'What the months that change cost together before.' })
const after = Sums.meta({
  description: 'What they cost together after; who loses a plan is as if they chose no other.',
})

const PreviewedMonth = z.object({
  month: z.string().meta({ description: '`YYYY-MM`', example: '2026-07' }),
  before: Cost,
  after: Cost,
  is_corrected: z.boolean().meta({
    description:
      'Whether statements and invoices follow by themselves; false: the month is beyond their reach, and is booked ' +
      'by hand if at all.',
  }),
})

const AmendmentTotals = z
  .object({
    employee_count: z.int().meta({ description: 'Employees with an enrollment that is touched.' }),
    changed_employee_count: z.int().meta({ description: 'Of whom a month changes, or coverage ends.' }),
    losing_employee_count: z.int().meta({ description: 'Who lose coverage, on their `loses_coverage_on`.' }),
    choosing_employee_count: z.int().meta({
      description: 'Of those, who may choose another plan of the benefit within 30 days.',
    }),
    before,
    after,
  })
  .meta({ id: 'AmendmentTotals', description: 'What an amendment would come to.' })

export const AmendmentPreview = z
  .object({
    data: z.array(
      z
        .object({
          enrollment_id: Id('enrl'),
          employee_id: Id('empl'),
          member_first_name: z.string(),
          member_last_name: z.string(),
          benefit_id: Id('bprd'),
          loses_coverage_on: DayAnswer.nullable().meta({
            description:
              'The first day without coverage, of who loses the plan, the benefit, or the plan year; ' +
              'null: of nobody else.',
          }),
          chooses_again: z.boolean().meta({
            description: 'Whether a plan is lost whose benefit goes on: it is granted anew, with 30 days to choose.',
          }),
          before,
          after,
          months: z.array(PreviewedMonth).meta({ description: 'Those that change, in order.' }),
        })
        .meta({ id: 'PreviewedEnrollment' }),
    ),
    totals: AmendmentTotals.nullable().meta({
      description: `Of all pages together; null beyond ${most_totalled} enrollments: then add up the rows.`,
    }),
    pagination: Pagination,
  })
  .meta({
    id: 'AmendmentPreview',
    description:
      'What would become of everybody who is enrolled in a benefit that the amendment touches, a row for each, the ' +
      'newest enrollment first.',
  })
