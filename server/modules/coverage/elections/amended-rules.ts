import { addDays, type Day } from '../../../kernel/days.ts'
import { costOn, price, priceOf, type Price, type ToldPlan } from './price-rules.ts'
import type { ElectionRecord } from './queries.ts'
import {
  isNews,
  isSame,
  type ElectedPrice,
  type ElectionFacts,
  type EffectiveOn,
  type EnrollmentFacts,
} from './rules.ts'

/** An election as it is to be. `is_new`: it is not stored yet; `covered`: then, whom it covers. */
export type PricedElection = ElectionFacts & {
  is_new?: boolean
  is_repriced?: boolean
  covered?: ElectionRecord['covered']
}

/**
 * Elections without those that say again what holds before them, and follow from a change of prices alone: what was
 * elected, and what follows from dependents who left.
 */
export const withoutPriceSteps = <Elected extends ElectionFacts>(elections: Elected[]): Elected[] =>
  elections.filter((one, at) => !(one.follows && at > 0 && isSame(one, elections[at - 1]!)))

/** Whether the prices of a benefit change while its plan year runs, or were changed. */
export const isAmended = (prices: Price[]): boolean =>
  prices.some(
    ({ effective_on, until, amendment_id }) =>
      amendment_id !== null || effective_on !== '-infinity' || until !== 'infinity',
  )

/**
 * The elections of an enrollment as they are to be at these prices. What was elected stays; where an amendment changed
 * its price it is priced anew, where that was withdrawn it costs again what it did. Within the time of an election each
 * later price is a step that follows. What is priced by these already stays as it is: run again it changes nothing.
 */
export function pricedElections(enrollment: EnrollmentFacts, prices: Price[]): PricedElection[] {
  const { coverage_start, plan_year_end } = enrollment
  const made = withoutPriceSteps(enrollment.elections)
  return made.flatMap((one, at) => {
    const from = one.effective_on === '-infinity' ? coverage_start : one.effective_on
    const to = made[at + 1]?.effective_on ?? addDays(plan_year_end, 1)
    const steps: PricedElection[] = [repriced(enrollment, prices, one, from)]
    for (const listed of laterPrices(prices, one, from, to)) {
      const step = priceStep(enrollment, prices, one, listed)
      if (step && isNews(step, steps.at(-1))) steps.push(step)
    }
    return steps
  })
}

/**
 * The prices of an election's plan and tier that begin within its time, in order. A plan that was closed and is offered
 * again later is elected anew, if at all.
 */
function laterPrices(prices: Price[], { plan_id, coverage_tier }: ElectionFacts, from: Day, to: Day): Price[] {
  const theirs = prices
    .filter((one) => one.plan_id === plan_id && one.coverage_tier === coverage_tier)
    .sort((a, b) => (a.effective_on < b.effective_on ? -1 : 1))
  const later: Price[] = []
  let until = theirs.findLast(({ effective_on }) => effective_on <= from)?.until
  for (const one of theirs) {
    if (one.effective_on !== until || one.effective_on >= to) continue
    later.push(one)
    until = one.until
  }
  return later
}

/** What was told of a plan that somebody bought goes on. */
const toldOf = ({ individual_plan_name: name, premium_in_cents = 0, bought_on_exchange }: ElectionFacts): ToldPlan => ({
  individual_plan: name ? { name, premium_in_cents } : undefined,
  bought_on_exchange: bought_on_exchange ?? undefined,
})

/** An election at the price of a day; undefined where there is none, or none for all who are covered. */
function pricedOn(
  enrollment: EnrollmentFacts,
  prices: Price[],
  one: ElectionFacts,
  day: Day,
): ElectionRecord | undefined {
  const step = { plan_id: one.plan_id, coverage_tier: one.coverage_tier, dependent_ids: one.dependent_ids, day }
  const start = enrollment.coverage_start
  if (!costOn(enrollment, prices, toldOf(one), step, start)) return undefined
  return price(enrollment, prices, toldOf(one), step, start)
}

/** An election that somebody made, at the price of its day; where that is listed no more, as it is. */
function repriced(enrollment: EnrollmentFacts, prices: Price[], one: ElectionFacts, day: Day): PricedElection {
  const listed = priceOf(prices, one, day)
  const by = one.amendment_id ?? null
  if (!listed || listed.amendment_id === by) return one
  if (one.as_elected?.amendment_id === listed.amendment_id)
    return { ...one, ...one.as_elected, as_elected: null, is_repriced: true }
  const priced = pricedOn(enrollment, prices, one, day)
  if (!priced) return one
  return {
    ...one,
    ...priceOfElection(priced),
    amendment_id: listed.amendment_id,
    as_elected: one.as_elected ?? { ...priceOfElection(one), amendment_id: by },
    is_repriced: true,
  }
}

/** The step by which an election goes on at a price that begins later: that which is stored, or a new one. */
function priceStep(
  enrollment: EnrollmentFacts,
  prices: Price[],
  one: ElectionFacts,
  { effective_on, amendment_id }: Price,
): PricedElection | undefined {
  const stored = enrollment.elections.find((step) => step.follows && step.effective_on === effective_on)
  if (stored && isSame(stored, one) && (stored.amendment_id ?? null) === amendment_id) return stored
  const priced = pricedOn(enrollment, prices, one, effective_on)
  return priced && { ...priced, effective_on, follows: true, is_new: true }
}

const priceOfElection = (one: ElectionFacts): Omit<ElectedPrice, 'amendment_id'> => ({
  tier_id: one.tier_id ?? null,
  premium_in_cents: one.premium_in_cents!,
  employer_contribution_in_cents: one.employer_contribution_in_cents,
  employee_deduction_in_cents: one.employee_deduction_in_cents,
  domestic_partner_share_in_cents: one.domestic_partner_share_in_cents ?? 0,
})

/** What is to be written so that the elections of an enrollment are as they are to be. */
export type ElectionChanges = { deleted: EffectiveOn[]; repriced: PricedElection[]; inserted: PricedElection[] }

/** What differs between the elections of an enrollment and what they are to be; undefined when nothing does. */
export function changesOf(stored: ElectionFacts[], wanted: PricedElection[]): ElectionChanges | undefined {
  const inserted = wanted.filter(({ is_new }) => is_new)
  const repriced = wanted.filter(({ is_repriced }) => is_repriced)
  const kept = wanted.filter(({ is_new }) => !is_new).map(({ effective_on }) => effective_on)
  const deleted = stored.map(({ effective_on }) => effective_on).filter((on) => !kept.includes(on))
  return deleted.length + repriced.length + inserted.length > 0 ? { deleted, repriced, inserted } : undefined
}
