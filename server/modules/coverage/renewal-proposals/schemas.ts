import { z } from 'zod'
import { ResponseDay, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { CoverageTier } from '../../directory/catalog/schemas.ts'
import { dry_run } from '../enrollments/schemas.ts'
import { cents, ContributionTier } from '../plan-years/contribution-schemas.ts'
import { distinctList, PlanYearCopy, Renewal } from '../plan-years/schemas.ts'

/** A change of premiums in percent with at most two decimals. */
const PremiumChange = z
  .number()
  .min(-100)
  .max(1000)
  .refine((value) => Number(value.toFixed(2)) === value, 'must have at most two decimals')

const ProposedRate = z
  .object({
    benefit_plan_id: Id('pln'),
    coverage_tier: CoverageTier,
    premium_in_cents: cents.max(100_000_000_000).meta({ description: 'The full premium in cents per month.' }),
  })
  .meta({ id: 'ProposedRate', description: 'The premium of a plan for a coverage level in the next plan year.' })

const planAndTier = ({ benefit_plan_id, coverage_tier }: z.output<typeof ProposedRate>) =>
  `${benefit_plan_id} ${coverage_tier}`

const ProposedBenefit = z
  .object({
    benefit_id: Id('bprd'),
    premium_change_percent: optional(PremiumChange).meta({
      description: 'The change of the premiums of this benefit. By default, the change of the scenario applies.',
    }),
    contribution_tiers: optional(z.array(ContributionTier).max(50)).meta({
      description: 'The contributions by coverage level. By default, they stay as in the plan year. Not for ICHRA.',
    }),
  })
  .meta({ id: 'ProposedBenefit', description: 'The terms of a benefit that differ from those of the scenario.' })

const Scenario = z
  .object({
    name: text(60).meta({ description: 'The name of the scenario.', example: 'Keep 80%' }),
    premium_change_percent: optional(PremiumChange).meta({
      description:
        'The change of all premiums in percent, with at most two decimals. It applies to the rates of the catalog on ' +
        'coverage_start, or for ICHRA to the current premiums. The default is 0. Amounts are rounded half up to cents.',
      example: 6.5,
    }),
    rates: optional(distinctList(ProposedRate, 1000, planAndTier)).meta({
      description: 'Quoted premiums, to which no change in percent applies. Not for ICHRA.',
    }),
    benefits: optional(distinctList(ProposedBenefit, 50, ({ benefit_id }) => benefit_id)),
  })
  .meta({ id: 'RenewalScenario', description: 'Rates and contributions for the next plan year.' })
export type Scenario = z.output<typeof Scenario>

export const NewRenewalProposal = PlanYearCopy.extend({
  scenarios: z.array(Scenario).min(1).max(4).meta({ description: 'One to four scenarios, which are compared.' }),
  dry_run: dry_run.meta({ description: 'If true, returns the proposal without storing it.' }),
}).meta({ id: 'NewRenewalProposal' })
export type NewRenewalProposal = z.output<typeof NewRenewalProposal>

const amounts = {
  premium_in_cents: cents.meta({ description: 'The full premium in cents.' }),
  employer_contribution_in_cents: cents.meta({ description: 'The employer contribution in cents.' }),
  employee_deduction_in_cents: cents.meta({ description: 'The employee deductions in cents.' }),
}

const percent = z.number().nullable()
const changes = {
  premium_change_percent: percent.meta({
    description:
      'The change of the premium from the current plan year, in percent with one decimal. Null for the current ' +
      'plan year, or if the current amount is 0.',
  }),
  employer_change_percent: percent.meta({
    description:
      'The change of the employer contribution in percent. Null for the current plan year, or if the current ' +
      'amount is 0.',
  }),
  employee_change_percent: percent.meta({
    description:
      'The change of the employee deduction in percent. Null for the current plan year, or if the current amount ' +
      'is 0.',
  }),
}

const enrollment_count = z.int().meta({ description: 'The number of enrollments.' })

const ProposedTier = z
  .object({ coverage_tier: CoverageTier, enrollment_count, ...amounts, ...changes })
  .meta({ id: 'ProposedTier', description: 'The cost per year of all enrollments in a coverage level.' })

const ProposedPlan = z
  .object({
    benefit_id: Id('bprd'),
    benefit_name: z.string(),
    benefit_plan_id: Id('pln'),
    benefit_plan_name: z.string().meta({ description: 'The name of the plan.' }),
    coverage_tier: CoverageTier,
    enrollment_count,
    ...amounts,
  })
  .meta({
    id: 'ProposedPlan',
    description:
      'The cost per month of one enrollment in a plan and coverage level. The average if the cost depends on the ' +
      'person.',
  })

const per_year = z.object({ ...amounts, ...changes }).meta({ description: 'The cost of twelve months.' })

const ProposedCosts = z
  .object({
    per_year,
    per_head: z.object(amounts).meta({ description: 'The cost of twelve months divided by the enrolled employees.' }),
    tiers: z.array(ProposedTier),
    plans: z.array(ProposedPlan),
  })
  .meta({ id: 'ProposedCosts', description: 'The cost of the current enrollments.' })
export type ProposedCosts = z.output<typeof ProposedCosts>

const scenario_name = z.string().meta({ description: 'The name of the scenario.' })

export const RenewalProposal = z
  .object({
    renewal_proposal_id: Id('prop').nullable().meta({ description: 'The proposal. Null for a dry run.' }),
    employer_id: Id('empr'),
    benefit_plan_year_id: Id('plyr').meta({ description: 'The plan year that is renewed.' }),
    coverage_start: ResponseDay.meta({ description: 'The first day of the next plan year.' }),
    coverage_end: ResponseDay.meta({ description: 'The last day of the next plan year.' }),
    open_enrollment_start: ResponseDay.nullable().meta({ description: 'Null without open enrollment.' }),
    open_enrollment_end: ResponseDay.nullable().meta({ description: 'Null without open enrollment.' }),
    renewal: Renewal,
    enrolled_employee_count: z.int().meta({
      description: 'The number of employees who are covered on the last day of the plan year.',
    }),
    current: ProposedCosts.meta({ description: 'The cost of the enrollments in the current plan year.' }),
    scenarios: z
      .array(ProposedCosts.extend({ name: scenario_name }))
      .meta({ description: 'The cost of the same enrollments in each scenario, in the order of the request.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'RenewalProposal' })
export type RenewalProposal = z.output<typeof RenewalProposal>

const RenewalProposalSummary = RenewalProposal.pick({
  employer_id: true,
  benefit_plan_year_id: true,
  coverage_start: true,
  coverage_end: true,
  created_at: true,
})
  .extend({
    renewal_proposal_id: Id('prop').meta({ description: 'The proposal.' }),
    scenarios: z.array(z.object({ name: scenario_name, per_year })).meta({ description: 'The compared scenarios.' }),
  })
  .meta({ id: 'RenewalProposalSummary', description: 'A stored proposal.' })

export const RenewalProposalPage = pageOf('RenewalProposalPage', RenewalProposalSummary)
