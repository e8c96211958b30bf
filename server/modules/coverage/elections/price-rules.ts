import { ageOn, type Day } from '../../../kernel/days.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import { agesOn, premiumOf, type AreaRate } from '../../directory/ichra/rules.ts'
import { costOf, costOfOwn, type Pricing } from '../plan-years/rules.ts'
import type { ContributionStrategy } from '../plan-years/schemas.ts'
import type { ElectionRecord } from './queries.ts'
import {
  partnersShare,
  refusals,
  withoutPartner,
  type Choice,
  type Contribution,
  type EffectiveOn,
  type EnrollmentFacts,
  type Step,
} from './rules.ts'
import type { Election } from './schemas.ts'

/**
 * A price that an enrollment's plan year lists from a day on, and before another; `rates` of a plan by ages: the list
 * of where the employee lives.
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
  /** the amendment of the plan year that last changed it; null: it is as it was opened */
  amendment_id: string | null
}

/** The price of a plan and tier on a day; undefined where it is not offered then. */
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

/** What an employer contributes on a day. */
export const contributionOn = (contributions: Contribution[], day: Day): ContributionStrategy =>
  contributions.findLast(({ effective_on }) => effective_on <= day)!.contribution_strategy

/** What an election says of a plan that the employee bought. */
export type ToldPlan = Pick<Election, 'individual_plan' | 'bought_on_exchange'>

/** Why an election can't say this of a plan that was bought: it is another kind of benefit, or something is missing. */
export function whyNotTold({ pricing }: Price, product_code: string, told: ToldPlan): Refusal | undefined {
  const no = (field: string, message: string) =>
    new Refusal(refusals.individual_plan_does_not_fit, [{ field, message }])
  if (pricing === 'told' && !told.individual_plan) return no('individual_plan', 'is required')
  if (pricing === 'told' && told.bought_on_exchange === undefined) return no('bought_on_exchange', 'is required')
  if (pricing !== 'told' && told.individual_plan) return no('individual_plan', 'is for ICHRA_REIMBURSEMENT_ONLY')
  return told.bought_on_exchange && !product_code.startsWith('ICHRA')
    ? no('bought_on_exchange', 'is for ICHRA')
    : undefined
}

/**
 * What a choice costs a month in all, by ages as of the first day of coverage; undefined where the plan has no premium
 * for somebody who would be covered.
 */
export function premiumFor(
  { pricing, rates, tier_id, premium_in_cents }: Pick<Price, 'pricing' | 'rates' | 'tier_id' | 'premium_in_cents'>,
  { date_of_birth, dependents }: Pick<EnrollmentFacts, 'date_of_birth' | 'dependents'>,
  { coverage_tier, dependent_ids }: Omit<Choice, 'plan_id'>,
  start: Day,
  told: ToldPlan,
): number | undefined {
  if (pricing === 'told') return told.individual_plan?.premium_in_cents
  const by_tier = tier_id === null ? undefined : premium_in_cents
  if (!rates) return by_tier
  const covered = dependents.filter(({ id }) => dependent_ids.includes(id))
  return premiumOf(rates, coverage_tier, agesOn(start, date_of_birth, covered)) ?? by_tier
}

/** The person as contributions look at them on a day of coverage. */
export const personOn = ({ classes, date_of_birth, state }: EnrollmentFacts, day: Day) => ({
  employee_class: classes.findLast(({ effective_on }) => effective_on <= day)?.employee_class ?? 'Full Time',
  age: ageOn(date_of_birth, day),
  state,
})

/**
 * What a choice costs a month from a day on, its price being that of the ages on the first day of coverage; undefined
 * where nothing of the kind, or no price for somebody, is listed.
 */
export function costOn(enrollment: EnrollmentFacts, prices: Price[], told: ToldPlan, choice: Step, start: Day) {
  const { day, coverage_tier } = choice
  const found = priceOf(prices, choice, day)
  const premium_in_cents = found && premiumFor(found, enrollment, choice, start, told)
  if (premium_in_cents === undefined) return undefined
  const costs = found!.pricing === 'told' ? costOfOwn : costOf
  const strategy = contributionOn(enrollment.contributions, day)
  return costs({ coverage_tier, premium_in_cents }, strategy, personOn(enrollment, day))
}

/** A step as an election at its price; 422 where the tier of all who are covered then, or somebody's price, is not. */
export function price(
  enrollment: EnrollmentFacts,
  prices: Price[],
  told: ToldPlan,
  step: Step,
  start: Day,
): ElectionRecord {
  const { day, plan_id, coverage_tier, dependent_ids } = step
  const no = (field: string, message: string) => new Refusal(refusals.plan_not_offered, [{ field, message }])
  const found = priceOf(prices, step, day)
  if (!found) throw no('coverage_tier', `${coverage_tier}, which fits all who are covered from ${day}, is not offered`)
  const cost = costOn(enrollment, prices, told, step, start)
  if (!cost) throw no('plan_id', 'has no premium for all who would be covered, where the employee lives')
  const covered = enrollment.dependents
    .filter(({ id }) => dependent_ids.includes(id))
    .map(({ id, covered_until }) => ({ dependent_id: id, covered_until }))
  const alone = withoutPartner(enrollment.dependents, step)
  const without = alone && costOn(enrollment, prices, told, alone, start)
  return {
    plan_id,
    coverage_tier,
    tier_id: found.rates ? null : found.tier_id,
    ...cost,
    domestic_partner_share_in_cents: alone ? partnersShare(cost, without) : 0,
    individual_plan_name: told.individual_plan?.name ?? null,
    bought_on_exchange: enrollment.product_code.startsWith('ICHRA') ? (told.bought_on_exchange ?? false) : null,
    follows: false,
    amendment_id: found.amendment_id,
    effective_on: day <= start ? '-infinity' : day,
    dependent_ids,
    covered,
  }
}
