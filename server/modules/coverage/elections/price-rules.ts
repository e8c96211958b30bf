import { ageOn, type Day, addDays } from '../../../kernel/days.ts'
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
  isElectionChanged,
  isSameChoice,
  type ElectedPrice,
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
export type ElectionOrigin = { elected_at: string; elected_by: ElectedBy | null }

/** A stored election with its price. */
export type ElectionRecord = ElectionFacts &
  Pick<Price, 'tier_id' | 'premium_in_cents' | 'amendment_id'> & { domestic_partner_share_in_cents: number } & {
    covered: { dependent_id: string; covered_until: Day | null }[]
    /** Set if a stored election is written again after a change. */
    made?: ElectionOrigin
  }

/** The price of a plan and coverage level on a day. Undefined if it is not offered on that day. */
export const priceOf = (
  prices: Price[],
  choice: Pick<Price, 'plan_id' | 'coverage_tier'>,
  day: Day,
): Price | undefined =>
  prices.find(
    (price) =>
      price.plan_id === choice.plan_id &&
      price.coverage_tier === choice.coverage_tier &&
      price.effective_on <= day &&
      day < price.until,
  )

const contributionOn = (contributions: Contribution[], day: Day): ContributionStrategy =>
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

export const isIchra = (product_code: string): boolean => product_code.startsWith('ICHRA')

/** Returns why the fields for a bought plan are refused: the benefit is of another kind, or a field is missing. */
export function whyNotBoughtPlan({ pricing }: Price, product_code: string, election: BoughtPlan): Refusal | undefined {
  const no = (field: string, message: string) =>
    new Refusal(refusals.individual_plan_does_not_fit, [{ field, message }])
  if (pricing === 'reported' && !election.individual_plan) return no('individual_plan', 'is required')
  if (pricing === 'reported' && election.bought_on_exchange === undefined)
    return no('bought_on_exchange', 'is required')
  if (pricing !== 'reported' && election.individual_plan)
    return no('individual_plan', 'is only for ICHRA_REIMBURSEMENT_ONLY')
  return election.bought_on_exchange && !isIchra(product_code)
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
  election: BoughtPlan,
): number | undefined {
  if (pricing === 'reported') return election.individual_plan?.premium_in_cents
  const by_tier = tier_id === null ? undefined : premium_in_cents
  if (!rates) return by_tier
  const covered = dependents.filter(({ id }) => dependent_ids.includes(id))
  return premiumOf(rates, coverage_tier, agesOn(start, date_of_birth, covered)) ?? by_tier
}

/** The age, class and state of the person on a day of coverage, which contributions depend on. */
const personOn = ({ classes, date_of_birth, state }: EnrollmentFacts, day: Day) => ({
  employee_class: classes.findLast(({ effective_on }) => effective_on <= day)?.employee_class ?? 'Full Time',
  age: ageOn(date_of_birth, day),
  state,
})

/**
 * The monthly cost of a choice starting on a day, at the price for the ages on the first day of coverage. Undefined if
 * the choice, or a price for one of the people, is not listed.
 */
export function costOn(enrollment: EnrollmentFacts, prices: Price[], election: BoughtPlan, step: Step, start: Day) {
  const { day, coverage_tier } = step
  const found = priceOf(prices, step, day)
  const premium_in_cents = found && premiumFor(found, enrollment, step, start, election)
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
  election: BoughtPlan,
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
  const cost = costOn(enrollment, prices, election, step, start)
  if (!cost) throw no('plan_id', "has no premium for everyone who would be covered in the employee's area")
  const covered = enrollment.dependents
    .filter(({ id }) => dependent_ids.includes(id))
    .map(({ id, covered_until }) => ({ dependent_id: id, covered_until }))
  const alone = withoutPartner(enrollment.dependents, step)
  const without = alone && costOn(enrollment, prices, election, alone, start)
  return {
    plan_id,
    coverage_tier,
    tier_id: found.rates ? null : found.tier_id,
    ...cost,
    domestic_partner_share_in_cents: alone ? partnersShare(cost, without) : 0,
    individual_plan_name: election.individual_plan?.name ?? null,
    bought_on_exchange: isIchra(enrollment.product_code) ? (election.bought_on_exchange ?? false) : null,
    follows: false,
    amendment_id: found.amendment_id,
    effective_on: day <= start ? '-infinity' : day,
    dependent_ids,
    covered,
  }
}

/** An election at current prices. `is_new`: it is not stored yet, and `covered` lists its people. */
export type PricedElection = ElectionFacts & {
  is_new?: boolean
  is_repriced?: boolean
  covered?: ElectionRecord['covered']
}

/**
 * Removes elections that only exist because a price changed and otherwise repeat the previous one. Actual elections and
 * those that follow from the end of a dependent stay.
 */
export const withoutPriceSteps = <Elected extends ElectionFacts>(elections: Elected[]): Elected[] =>
  elections.filter(
    (election, index) => !(election.follows && index > 0 && isSameChoice(election, elections[index - 1]!)),
  )

/** Whether the prices of a benefit change or changed during its plan year. */
export const isAmended = (prices: Price[]): boolean =>
  prices.some(
    ({ effective_on, until, amendment_id }) =>
      amendment_id !== null || effective_on !== '-infinity' || until !== 'infinity',
  )

/**
 * The elections of an enrollment at these prices. The choices themselves never change. If an amendment changed the
 * price of an election, it is repriced; if that amendment was withdrawn, it gets its original cost back. Each later
 * price within the time of an election adds a step. Elections that already have these prices do not change, so that a
 * second run changes nothing.
 */
export function pricedElections(enrollment: EnrollmentFacts, prices: Price[]): PricedElection[] {
  const { coverage_start, plan_year_end } = enrollment
  const made = withoutPriceSteps(enrollment.elections)
  return made.flatMap((election, index) => {
    const from = election.effective_on === '-infinity' ? coverage_start : election.effective_on
    const to = made[index + 1]?.effective_on ?? addDays(plan_year_end, 1)
    const steps: PricedElection[] = [repriced(enrollment, prices, election, from)]
    for (const listed of laterPrices(prices, election, from, to)) {
      const step = priceStep(enrollment, prices, election, listed)
      if (step && isElectionChanged(step, steps.at(-1))) steps.push(step)
    }
    return steps
  })
}

/**
 * The prices of an election's plan and coverage level that begin during the election, in order. If a plan was closed
 * and is offered again later, the election does not resume by itself.
 */
function laterPrices(prices: Price[], { plan_id, coverage_tier }: ElectionFacts, from: Day, to: Day): Price[] {
  const listed = prices
    .filter((price) => price.plan_id === plan_id && price.coverage_tier === coverage_tier)
    .sort((a, b) => (a.effective_on < b.effective_on ? -1 : 1))
  const later: Price[] = []
  let until = listed.findLast(({ effective_on }) => effective_on <= from)?.until
  for (const price of listed) {
    if (price.effective_on !== until || price.effective_on >= to) continue
    later.push(price)
    until = price.until
  }
  return later
}

/** An election at the price of a day. Undefined if there is no such price, or none for all covered people. */
function pricedOn(
  enrollment: EnrollmentFacts,
  prices: Price[],
  election: ElectionFacts,
  day: Day,
): ElectionRecord | undefined {
  const step = {
    plan_id: election.plan_id,
    coverage_tier: election.coverage_tier,
    dependent_ids: election.dependent_ids,
    day,
  }
  const start = enrollment.coverage_start
  if (!costOn(enrollment, prices, boughtPlan(election), step, start)) return undefined
  return price(enrollment, prices, boughtPlan(election), step, start)
}

/**
 * An election made by an actor, at the price of its day. If that price is no longer listed, the election is returned
 * unchanged.
 */
function repriced(enrollment: EnrollmentFacts, prices: Price[], election: ElectionFacts, day: Day): PricedElection {
  const listed = priceOf(prices, election, day)
  const priced_by = election.amendment_id ?? null
  if (!listed || listed.amendment_id === priced_by) return election
  if (election.as_elected?.amendment_id === listed.amendment_id)
    return { ...election, ...election.as_elected, as_elected: null, is_repriced: true }
  const priced = pricedOn(enrollment, prices, election, day)
  if (!priced) return election
  return {
    ...election,
    ...priceOfElection(priced),
    amendment_id: listed.amendment_id,
    as_elected: election.as_elected ?? { ...priceOfElection(election), amendment_id: priced_by },
    is_repriced: true,
  }
}

/** The step that continues an election at a price that begins later: the stored step, or a new one. */
function priceStep(
  enrollment: EnrollmentFacts,
  prices: Price[],
  election: ElectionFacts,
  { effective_on, amendment_id }: Price,
): PricedElection | undefined {
  const stored = enrollment.elections.find((step) => step.follows && step.effective_on === effective_on)
  if (stored && isSameChoice(stored, election) && (stored.amendment_id ?? null) === amendment_id) return stored
  const priced = pricedOn(enrollment, prices, election, effective_on)
  return priced && { ...priced, effective_on, follows: true, is_new: true }
}

const priceOfElection = (election: ElectionFacts): Omit<ElectedPrice, 'amendment_id'> => ({
  tier_id: election.tier_id ?? null,
  premium_in_cents: election.premium_in_cents!,
  employer_contribution_in_cents: election.employer_contribution_in_cents,
  employee_deduction_in_cents: election.employee_deduction_in_cents,
  domestic_partner_share_in_cents: election.domestic_partner_share_in_cents ?? 0,
})

/** The changes that bring the stored elections of an enrollment to the calculated ones. */
export type ElectionChanges = { deleted: EffectiveOn[]; repriced: PricedElection[]; inserted: ElectionRecord[] }

/** Compares the stored elections of an enrollment with the calculated ones. Undefined if nothing differs. */
export function electionChangesOf(stored: ElectionFacts[], wanted: PricedElection[]): ElectionChanges | undefined {
  const inserted = wanted.filter((election): election is PricedElection & ElectionRecord => election.is_new === true)
  const repriced = wanted.filter(({ is_repriced }) => is_repriced)
  const kept_days = wanted.filter(({ is_new }) => !is_new).map(({ effective_on }) => effective_on)
  const deleted = stored.map(({ effective_on }) => effective_on).filter((on) => !kept_days.includes(on))
  return deleted.length + repriced.length + inserted.length > 0 ? { deleted, repriced, inserted } : undefined
}
