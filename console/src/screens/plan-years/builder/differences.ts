import type { BenefitPlanYear } from 'openbenefits/operator'
import { dayOf, inDollars, sentence } from '../../../format.ts'

type Fact = { of: string; field: string; value: string }

/** A difference between two plan years: the item, the field, the old and the new value. Null if the value is absent. */
export type Difference = { of: string; field: string; before: string | null; after: string | null }

const fact = (of: string, field: string, value: string | null): Fact[] => (value === null ? [] : [{ of, field, value }])
const daysOf = (from: string, to: string | null) => (to === null ? null : `${dayOf(from)} – ${dayOf(to)}`)

/** The formatted fields of a plan year. */
function factsOf(year: BenefitPlanYear): Fact[] {
  const { contribution_rules, contribution_tiers } = year.contribution_strategy
  const nameOf = (id: string) => year.benefits.find((benefit) => benefit.id === id)?.name ?? id
  const its = 'Plan year'
  return [
    ...fact(its, 'Coverage', daysOf(year.coverage_start, year.coverage_end)),
    ...fact(its, 'Open enrollment', daysOf(year.open_enrollment_start, year.open_enrollment_end)),
    ...fact(its, 'Without a response', year.renewal === 'passive' ? 'coverage carries over' : 'coverage ends'),
    ...fact(its, 'Offered in', year.offered_states.join(', ') || 'every state'),
    ...fact(its, 'Notice due', year.notice_due_on && dayOf(year.notice_due_on)),
    ...year.choice_groups.flatMap(({ name, benefit_ids }) =>
      fact(its, `One of ${sentence(name).toLowerCase()}`, benefit_ids.map(nameOf).join(', ') || 'all other benefits'),
    ),
    ...year.benefits.flatMap(({ name }) => fact(name, 'Benefit', 'offered')),
    ...contribution_rules.flatMap((rule) =>
      fact(
        nameOf(rule.benefit_id),
        `Employer pays, ${rule.coverage_tier ?? 'other tiers'}`,
        rule.method === 'percentage' ? `${rule.percentage}%` : inDollars(rule.amount_in_cents),
      ),
    ),
    ...contribution_tiers.flatMap((tier) => {
      const of = `${tier.benefit_plan_name}, ${tier.coverage_tier}`
      return [
        ...fact(of, 'Premium', inDollars(tier.premium_in_cents)),
        ...fact(of, 'Employer', inDollars(tier.employer_contribution_in_cents)),
        ...fact(of, 'Employee', inDollars(tier.cost)),
      ]
    }),
  ]
}

/** The fields that differ between two plan years, in order. */
export function differencesOf(before: BenefitPlanYear, after: BenefitPlanYear): Difference[] {
  const [was, is] = [factsOf(before), factsOf(after)]
  const valueIn = (facts: Fact[], { of, field }: Fact) =>
    facts.find((one) => one.of === of && one.field === field)?.value ?? null
  return [
    ...is.map((one) => ({ of: one.of, field: one.field, before: valueIn(was, one), after: one.value })),
    ...was.flatMap((one) =>
      valueIn(is, one) === null ? [{ of: one.of, field: one.field, before: one.value, after: null }] : [],
    ),
  ].filter((one) => one.before !== one.after)
}
