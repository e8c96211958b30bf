import { addDays, type Day } from '../../../kernel/days.ts'
import { boughtPlan, costOn, price, priceOf, type Price, type ElectionRecord } from './price-rules.ts'
import {
  isNews,
  isSame,
  type ElectedPrice,
  type ElectionFacts,
  type EffectiveOn,
  type EnrollmentFacts,
} from './rules.ts'

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
  elections.filter((one, at) => !(one.follows && at > 0 && isSame(one, elections[at - 1]!)))

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
 * The prices of an election's plan and coverage level that begin during the election, in order. If a plan was closed
 * and is offered again later, the election does not resume by itself.
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

/** An election at the price of a day. Undefined if there is no such price, or none for all covered people. */
function pricedOn(
  enrollment: EnrollmentFacts,
  prices: Price[],
  one: ElectionFacts,
  day: Day,
): ElectionRecord | undefined {
  const step = { plan_id: one.plan_id, coverage_tier: one.coverage_tier, dependent_ids: one.dependent_ids, day }
  const start = enrollment.coverage_start
  if (!costOn(enrollment, prices, boughtPlan(one), step, start)) return undefined
  return price(enrollment, prices, boughtPlan(one), step, start)
}

/**
 * An election made by an actor, at the price of its day. If that price is no longer listed, the election is returned
 * unchanged.
 */
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

/** The step that continues an election at a price that begins later: the stored step, or a new one. */
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

/** The changes that bring the stored elections of an enrollment to the calculated ones. */
export type ElectionChanges = { deleted: EffectiveOn[]; repriced: PricedElection[]; inserted: ElectionRecord[] }

/** Compares the stored elections of an enrollment with the calculated ones. Undefined if nothing differs. */
export function changesOf(stored: ElectionFacts[], wanted: PricedElection[]): ElectionChanges | undefined {
  const inserted = wanted.filter((one): one is PricedElection & ElectionRecord => one.is_new === true)
  const repriced = wanted.filter(({ is_repriced }) => is_repriced)
  const kept = wanted.filter(({ is_new }) => !is_new).map(({ effective_on }) => effective_on)
  const deleted = stored.map(({ effective_on }) => effective_on).filter((on) => !kept.includes(on))
  return deleted.length + repriced.length + inserted.length > 0 ? { deleted, repriced, inserted } : undefined
}
