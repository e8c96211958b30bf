import { ageOn, type Day } from '../../../kernel/days.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import { agesOn, premiumOf, type AreaRate } from '../../directory/ichra/rules.ts'
import { costOf, type Pricing } from '../plan-years/contribution-rules.ts'
import type { ContributionStrategy } from '../plan-years/contribution-schemas.ts'
import type { ElectedBy } from '../enrollments/schemas.ts'
import {
  partnersShare,
  refusals,
  withoutPartner,
  type Choice,
  type Contribution,
  type EffectiveOn,
  type EnrollmentFacts,
  type Step,
  type ElectionFacts,
} from './rules.ts'
import type { Election } from './schemas.ts'

/**
 * A price that the plan year of an enrollment lists from one day until another. For a plan priced by age, `rates` are
 * those of the area where the employee lives.
 */
export type Price = {
  plan_id: string
  coverage_tier: CoverageTier
  tier_id: string | null
  premium_in_cents: number
  pricing: Pricing
  rates?: AreaRate[] | null
  effective_on: EffectiveOn
  until: Day | 'infinity'
  /** The last amendment of the plan year that changed the price. Null if the price was never amended. */
  amendment_id: string | null
}

/** The time and source of a stored election. */
export type Made = { elected_at: string; elected_by: ElectedBy | null }

/** A stored election with its price. */
export type ElectionRecord = ElectionFacts &
  Pick<Price, 'tier_id' | 'premium_in_cents' | 'amendment_id'> & { domestic_partner_share_in_cents: number } & {
    covered: { dependent_id: string; covered_until: Day | null }[]
    /** Set if an election is stored again after a change. */
    made?: Made
  }

/** The price of a plan and coverage level on a day. Undefined if it is not offered on that day. */
export const priceOf = (
  prices: Price[],
  choice: Pick<Price, 'plan_id' | 'coverage_tier'>,
  day: Day,
): Price | undefined =>
  prices.find(
    (one) =>
      one.plan_id === choice.plan_id &&
      one.coverage_tier === choice.coverage_tier &&
      one.effective_on <= day &&
      day < one.until,
  )

/** The contribution strategy of the employer on a day. */
export const contributionOn = (contributions: Contribution[], day: Day): ContributionStrategy =>
  contributions.findLast(({ effective_on }) => effective_on <= day)!.contribution_strategy

/** The fields of an election for a plan that the employee bought. */
export type BoughtPlan = Pick<Election, 'individual_plan' | 'bought_on_exchange'>

/** The plan that the employee bought, in the form that is stored. */
export const boughtPlan = ({
  individual_plan_name: name,
  premium_in_cents = 0,
  bought_on_exchange,
}: Pick<ElectionFacts, 'individual_plan_name' | 'premium_in_cents' | 'bought_on_exchange'>): BoughtPlan => ({
  individual_plan: name ? { name, premium_in_cents } : undefined,
  bought_on_exchange: bought_on_exchange ?? undefined,
})

/** Returns why the fields for a bought plan are refused: the benefit is of another kind, or a field is missing. */
export function whyNotBoughtPlan({ pricing }: Price, product_code: string, bought: BoughtPlan): Refusal | undefined {
  const no = (field: string, message: string) =>
    new Refusal(refusals.individual_plan_does_not_fit, [{ field, message }])
  if (pricing === 'reported' && !bought.individual_plan) return no('individual_plan', 'is required')
  if (pricing === 'reported' && bought.bought_on_exchange === undefined) return no('bought_on_exchange', 'is required')
  if (pricing !== 'reported' && bought.individual_plan)
    return no('individual_plan', 'is only for ICHRA_REIMBURSEMENT_ONLY')
  return bought.bought_on_exchange && !product_code.startsWith('ICHRA')
    ? no('bought_on_exchange', 'is only for ICHRA')
    : undefined
}

/**
 * The total monthly premium of a choice by the ages on the first day of coverage. Undefined if the plan has no premium
 * for one of the covered people.
 */
export function premiumFor(
  { pricing, rates, tier_id, premium_in_cents }: Pick<Price, 'pricing' | 'rates' | 'tier_id' | 'premium_in_cents'>,
  { date_of_birth, dependents }: Pick<EnrollmentFacts, 'date_of_birth' | 'dependents'>,
  { coverage_tier, dependent_ids }: Omit<Choice, 'plan_id'>,
  start: Day,
  bought: BoughtPlan,
): number | undefined {
  if (pricing === 'reported') return bought.individual_plan?.premium_in_cents
  const by_tier = tier_id === null ? undefined : premium_in_cents
  if (!rates) return by_tier
  const covered = dependents.filter(({ id }) => dependent_ids.includes(id))
  return premiumOf(rates, coverage_tier, agesOn(start, date_of_birth, covered)) ?? by_tier
}

/** The age, class and state of the person on a day of coverage, which contributions depend on. */
export const personOn = ({ classes, date_of_birth, state }: EnrollmentFacts, day: Day) => ({
  employee_class: classes.findLast(({ effective_on }) => effective_on <= day)?.employee_class ?? 'Full Time',
  age: ageOn(date_of_birth, day),
  state,
})

/**
 * The monthly cost of a choice from a day on, at the price for the ages on the first day of coverage. Undefined if the
 * choice, or a price for one of the people, is not listed.
 */
export function costOn(enrollment: EnrollmentFacts, prices: Price[], bought: BoughtPlan, step: Step, start: Day) {
  const { day, coverage_tier } = step
  const found = priceOf(prices, step, day)
  const premium_in_cents = found && premiumFor(found, enrollment, step, start, bought)
  if (premium_in_cents === undefined) return undefined
  const strategy = contributionOn(enrollment.contributions, day)
  return costOf({ coverage_tier, premium_in_cents, pricing: found!.pricing }, strategy, personOn(enrollment, day))
}

/**
 * Converts a step to an election with its price. Refused with 422 if the coverage level of the covered people, or the
 * price for one of them, is not listed.
 */
export function price(
  enrollment: EnrollmentFacts,
  prices: Price[],
  bought: BoughtPlan,
  step: Step,
  start: Day,
): ElectionRecord {
  const { day, plan_id, coverage_tier, dependent_ids } = step
  const no = (field: string, message: string) => new Refusal(refusals.plan_not_offered, [{ field, message }])
  const found = priceOf(prices, step, day)
  if (!found)
    throw no(
      'coverage_tier',
      `${coverage_tier} is required for everyone who is covered from ${day}, but is not offered`,
    )
  const cost = costOn(enrollment, prices, bought, step, start)
  if (!cost) throw no('plan_id', "has no premium for everyone who would be covered in the employee's area")
  const covered = enrollment.dependents
    .filter(({ id }) => dependent_ids.includes(id))
    .map(({ id, covered_until }) => ({ dependent_id: id, covered_until }))
  const alone = withoutPartner(enrollment.dependents, step)
  const without = alone && costOn(enrollment, prices, bought, alone, start)
  return {
    plan_id,
    coverage_tier,
    tier_id: found.rates ? null : found.tier_id,
    ...cost,
    domestic_partner_share_in_cents: alone ? partnersShare(cost, without) : 0,
    individual_plan_name: bought.individual_plan?.name ?? null,
    bought_on_exchange: enrollment.product_code.startsWith('ICHRA') ? (bought.bought_on_exchange ?? false) : null,
    follows: false,
    amendment_id: found.amendment_id,
    effective_on: day <= start ? '-infinity' : day,
    dependent_ids,
    covered,
  }
}
