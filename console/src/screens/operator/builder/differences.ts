import type { BenefitPlanYear } from 'openbenefits/operator'
import { dayOf, inDollars, sentence } from '../../../parts/words.ts'

type Said = { of: string; field: string; value: string }

/** What differs between two plan years: of what, which field, and what was and would be there; null: it is not said. */
export type Difference = { of: string; field: string; before: string | null; after: string | null }

const told = (of: string, field: string, value: string | null): Said[] => (value === null ? [] : [{ of, field, value }])
const daysOf = (from: string, to: string | null) => (to === null ? null : `${dayOf(from)} – ${dayOf(to)}`)

/** What a plan year says, field by field, as people read it. */
function saidBy(year: BenefitPlanYear): Said[] {
  const { contribution_rules, contribution_tiers } = year.contribution_strategy
  const nameOf = (id: string) => year.benefits.find((benefit) => benefit.id === id)?.name ?? id
  const its = 'Plan year'
  return [
    ...told(its, 'Coverage', daysOf(year.coverage_start, year.coverage_end)),
    ...told(its, 'Open enrollment', daysOf(year.open_enrollment_start, year.open_enrollment_end)),
    ...told(its, 'Without an answer', year.renewal === 'passive' ? 'coverage carries over' : 'coverage ends'),
    ...told(its, 'Offered in', year.offered_states.join(', ') || 'every state'),
    ...told(its, 'Notice due', year.notice_due_on && dayOf(year.notice_due_on)),
    ...year.choice_groups.flatMap(({ name, benefit_ids }) =>
      told(its, `One of ${sentence(name).toLowerCase()}`, benefit_ids.map(nameOf).join(', ') || 'all others'),
    ),
    ...year.benefits.flatMap(({ name }) => told(name, 'Benefit', 'offered')),
    ...contribution_rules.flatMap((rule) =>
      told(
        nameOf(rule.benefit_id),
        `Employer pays, ${rule.coverage_tier ?? 'other tiers'}`,
        rule.method === 'percentage' ? `${rule.percentage}%` : inDollars(rule.amount_in_cents),
      ),
    ),
    ...contribution_tiers.flatMap((tier) => {
      const of = `${tier.benefit_plan_name}, ${tier.coverage_tier}`
      return [
        ...told(of, 'Premium', inDollars(tier.premium_in_cents)),
        ...told(of, 'Employer', inDollars(tier.employer_contribution_in_cents)),
        ...told(of, 'Employee', inDollars(tier.cost)),
      ]
    }),
  ]
}

/** Field by field, what a plan year says otherwise than another one, in the order in which it is said. */
export function differencesOf(before: BenefitPlanYear, after: BenefitPlanYear): Difference[] {
  const [was, is] = [saidBy(before), saidBy(after)]
  const valueIn = (said: Said[], { of, field }: Said) =>
    said.find((one) => one.of === of && one.field === field)?.value ?? null
  return [
    ...is.map((one) => ({ of: one.of, field: one.field, before: valueIn(was, one), after: one.value })),
    ...was.flatMap((one) =>
      valueIn(is, one) === null ? [{ of: one.of, field: one.field, before: one.value, after: null }] : [],
    ),
  ].filter((one) => one.before !== one.after)
}
