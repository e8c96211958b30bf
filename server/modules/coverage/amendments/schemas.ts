import { max_plan_year_days } from '../plan-years/schemas.ts'
import { z } from 'zod'
import { ResponseDay, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, Pagination } from '../../../kernel/pages.ts'
import { CoverageTier } from '../../directory/catalog/schemas.ts'
import { ContributionTier, IchraContributionClass, monthly_cost } from '../plan-years/contribution-schemas.ts'
import { distinctList, NewPlanYearBenefit } from '../plan-years/schemas.ts'

const Plans = optional(distinctList(Id('pln'), 100, (id) => id))

const Contributions = z
  .object({
    benefit_id: Id('bprd'),
    contribution_tiers: optional(z.array(ContributionTier).max(50)).meta({
      description: 'The contributions by coverage level, for all benefits except ICHRA.',
    }),
    ichra_contribution_classes: optional(z.array(IchraContributionClass).min(1).max(200)).meta({
      description: 'The allowances, for ICHRA.',
    }),
  })
  .meta({
    id: 'AmendedContribution',
    description: 'The complete contribution of the employer to a benefit starting that day.',
  })

const AddedBenefit = NewPlanYearBenefit.omit({ starts_on: true }).meta({
  id: 'AddedBenefit',
  description: 'A benefit that is offered starting that day, at the catalog prices of that day.',
})

const terms = {
  repriced_plan_ids: Plans.meta({
    description: 'Plans that get the catalog rates of effective_on.',
  }),
  contributions: optional(distinctList(Contributions, 50, ({ benefit_id }) => benefit_id)).meta({
    description: 'The contributions of the employer starting that day. Null or omitted keeps the current ones.',
  }),
  added_plan_ids: Plans.meta({ description: 'Added plans of offered benefits, at the rates of the catalog.' }),
  closed_plan_ids: Plans.meta({
    description:
      'Plans that end coverage before that day. Employees with one of them can elect another plan of the benefit.',
  }),
  added_benefits: optional(distinctList(AddedBenefit, 50, ({ benefit_id }) => benefit_id)).meta({
    description: 'Benefits that are offered starting that day. Null or omitted adds none.',
  }),
  withdrawn_benefit_ids: optional(distinctList(Id('bprd'), 50, (id) => id)).meta({
    description: 'Benefits that end coverage before that day.',
  }),
  coverage_end: optional(DayText).meta({
    description:
      'The new last day of the plan year. Must not be before effective_on. Null or omitted leaves it unchanged. ' +
      `A plan year has at most ${max_plan_year_days} days.`,
  }),
}

export const NewAmendment = z
  .object({
    effective_on: DayText.meta({
      description: 'The first of a month of the plan year, or its first day for a retroactive correction.',
    }),
    reason: text().meta({ description: 'The reason, for audits.' }),
    dry_run: optional(z.boolean()).meta({
      description: 'If true, the response shows the effects and nothing changes.',
    }),
    limit: optional(z.int().min(1).max(100)).meta({
      description: 'For a dry run, the number of items per page. The default is 20.',
    }),
    page: optional(z.int().min(1)).meta({ description: 'For a dry run, the page number, starting with 1.' }),
    ...terms,
  })
  .meta({ id: 'NewAmendment' })
type AmendmentInput = z.output<typeof NewAmendment>
export type NewAmendment = Pick<AmendmentInput, 'effective_on' | 'reason'> & Partial<AmendmentInput>

export const AmendmentWithdrawal = z
  .object({ reason: text().meta({ description: 'The reason, for audits.' }) })
  .meta({ id: 'AmendmentWithdrawal' })

/** The maximum number of enrollments for which one request calculates totals. */
export const max_totalled = 5000

const ids = (prefix: 'pln' | 'bprd', description: string) => z.array(Id(prefix)).meta({ description })

const InputEntries = z.array(z.record(z.string(), z.unknown()))
/** Contributions are shown as sent, so that omitted fields stay omitted. */
const input = {
  benefit_id: Id('bprd'),
  contribution_tiers: InputEntries.optional(),
  ichra_contribution_classes: InputEntries.optional(),
}

export const Amendment = z
  .object({
    id: Id('amnd'),
    benefit_plan_year_id: Id('plyr'),
    effective_on: ResponseDay,
    reason: z.string(),
    repriced_plan_ids: ids('pln', 'Plans that got new catalog rates.'),
    contributions: z.array(z.object(input)).meta({
      description: 'The contributions of the employer to these benefits starting that day, as sent.',
    }),
    added_plan_ids: ids('pln', 'Plans that are offered starting that day.'),
    closed_plan_ids: ids('pln', 'Plans that end coverage before that day.'),
    added_benefits: z
      .array(z.object({ ...input, plan_ids: ids('pln', 'The plans that were sent for the benefit.').optional() }))
      .meta({
        description: 'Benefits that are offered starting that day, as sent.',
      }),
    withdrawn_benefit_ids: ids('bprd', 'Benefits that end coverage before that day.'),
    coverage_end: ResponseDay.nullable().meta({
      description: 'The new last day of the plan year. Null if the amendment does not change it.',
    }),
    reported_at: Timestamp.meta({ description: 'When the operator made the amendment.' }),
    withdrawn_at: Timestamp.nullable().meta({
      description: 'When the amendment was withdrawn. Null while it is in force.',
    }),
    withdrawal_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the amendment was withdrawn. Null while it is in force.' }),
  })
  .meta({ id: 'Amendment', description: 'A change to a plan year starting on a day.' })

export const AmendmentPage = pageOf('AmendmentPage', Amendment)

const Cost = z
  .object({
    plan_id: Id('pln'),
    coverage_tier: CoverageTier,
    ...monthly_cost,
  })
  .nullable()
  .meta({ description: 'The amounts of the month. Null without coverage.' })

const Sums = z.object(monthly_cost).meta({ id: 'AmendedSums' })
const before = Sums.meta({ description: 'The total cost of the changed months before the amendment.' })
const after = Sums.meta({
  description:
    'The total cost of the changed months after the amendment. An employee who loses a plan is shown without ' +
    'another one.',
})

const PreviewedMonth = z.object({
  month: z.string().meta({ description: '`YYYY-MM`', example: '2026-07' }),
  before: Cost,
  after: Cost,
  is_corrected: z.boolean().meta({
    description:
      'Whether statements and invoices correct the month automatically. False if the month is before the ' +
      'correction window, in which case it can only be corrected manually.',
  }),
})

const AmendmentTotals = z
  .object({
    employee_count: z.int().meta({ description: 'The number of employees with an affected enrollment.' }),
    changed_employee_count: z
      .int()
      .meta({ description: 'The number of employees with a changed month or an end of coverage.' }),
    losing_employee_count: z
      .int()
      .meta({ description: 'The number of employees who lose coverage on their `loses_coverage_on`.' }),
    electing_employee_count: z.int().meta({
      description: 'The number of employees who lose a plan but have 30 days to elect another plan of the benefit.',
    }),
    before,
    after,
  })
  .meta({ id: 'AmendmentTotals', description: 'The effects of an amendment, added up over all employees.' })

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
          loses_coverage_on: ResponseDay.nullable().meta({
            description:
              'The first day without coverage, if the employee loses the plan, the benefit or the plan year. ' +
              'Null for all others.',
          }),
          can_elect_again: z.boolean().meta({
            description:
              'Whether the employee loses a plan of a benefit that continues. The benefit is then granted again, ' +
              'with 30 days to elect.',
          }),
          before,
          after,
          months: z.array(PreviewedMonth).meta({ description: 'The changed months in order.' }),
        })
        .meta({ id: 'PreviewedEnrollment' }),
    ),
    totals: AmendmentTotals.nullable().meta({
      description:
        `The totals of all pages. Null for more than ${max_totalled} enrollments, in which case you can add up ` +
        'the rows.',
    }),
    pagination: Pagination,
  })
  .meta({
    id: 'AmendmentPreview',
    description:
      'The effects for every employee enrolled in an affected benefit: one row for each enrollment, newest first.',
  })
