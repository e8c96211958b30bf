import { addDays, type Day } from '../../../kernel/days.ts'
import type { BenefitCategory } from '../../directory/catalog/schemas.ts'

export type TaxClassification = 'Pre-tax' | 'Post-tax'

/** How amounts are taxed, in the order in which lines tell them. */
export const tax_classifications = ['Pre-tax', 'Post-tax'] as const

/** The window that an approved birth, adoption or placement opened. */
export type ArrivalWindow = { occurred_on: Day; start: Day; end: Day }

/** What decides how a month of coverage is taxed. */
export type TaxFacts = {
  category: BenefitCategory
  coverage_start: Day
  hired_on: Day | null
  arrivals: ArrivalWindow[]
}

/**
 * What decides of an election: when it was made, and where coverage was bought. `is_carried`: a renewal or a return
 * wrote it, which carries what the employee had chosen before.
 */
export type TaxedElection = { elected_on: Day; is_carried?: boolean | null; bought_on_exchange?: boolean | null }

/** So many days after being hired an election may reach back to the day of hire. */
const days_to_reach_back = 30

/**
 * How a month (its 1st) is taxed, by when its election was made. Before tax: elected before the month or carried by a
 * renewal or a return, within the window of a birth or adoption for the months from then on, or within 30 days by a new
 * hire who is covered from the first day. Else from taxed income, and so hospital, and what was bought on an exchange
 * (26 USC 125(f)(3)). When a statement was written has no part in it.
 */
export function taxOf(
  { category, coverage_start, hired_on, arrivals }: TaxFacts,
  month: Day,
  { elected_on, is_carried, bought_on_exchange }: TaxedElection,
): TaxClassification {
  if (category === 'Hospital' || bought_on_exchange) return 'Post-tax'
  const in_time = is_carried || elected_on < month
  const by_new_hire =
    hired_on !== null && coverage_start <= hired_on && elected_on <= addDays(hired_on, days_to_reach_back)
  const after_arrival = arrivals.some(
    ({ occurred_on, start, end }) =>
      start <= elected_on && elected_on <= end && occurred_on.slice(0, 7) <= month.slice(0, 7),
  )
  return in_time || by_new_hire || after_arrival ? 'Pre-tax' : 'Post-tax'
}
