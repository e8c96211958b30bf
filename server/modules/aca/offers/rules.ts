/** The status of a person in a calendar month under section 4980H. */
export const month_statuses = ['full_time', 'part_time', 'limited_non_assessment', 'not_employed'] as const
export type MonthStatus = (typeof month_statuses)[number]

/** A person in a calendar month. */
export type OfferedMonth = {
  status: MonthStatus
  /** Minimum essential coverage was offered to the employee and, if any, to the children (54.4980H-4(a)). */
  is_offered: boolean
  /** The employee was covered, or was offered affordable coverage of minimum value. */
  is_protected: boolean
}

/** The counts of full-time employees in a month. */
export type OfferCounts = {
  /** Full-time employees without those in a limited non-assessment period. */
  full_time_count: number
  offered_count: number
  /** Full-time employees who are neither covered nor offered affordable coverage of minimum value. */
  unprotected_count: number
}

/** Counts people in a month. */
export function countOffers(people: readonly OfferedMonth[]): OfferCounts {
  const full_time = people.filter(({ status }) => status === 'full_time')
  return {
    full_time_count: full_time.length,
    offered_count: full_time.filter(({ is_offered }) => is_offered).length,
    unprotected_count: full_time.filter((one) => !one.is_protected).length,
  }
}

/** The part of full-time employees without an offer that the employer may have, and their number (54.4980H-4(a)). */
const tolerated = { percent: 5, count: 5 }

/**
 * Whether an ALE member offers coverage to all but five percent of its full-time employees or, if greater, five, in a
 * calendar month (54.4980H-4(a)). Employees in a limited non-assessment period do not count.
 */
export function passesOfferTest({ full_time_count, offered_count }: OfferCounts): boolean {
  const missing = full_time_count - offered_count
  return missing <= tolerated.count || missing * 100 <= full_time_count * tolerated.percent
}

/** The full-time employees of an aggregated ALE group that do not count (section 4980H(c)(2)(D)). */
const reduction_of_group = 30

/**
 * The share of an ALE member in the 30 employees that do not count, by its share of the full-time employees of the
 * aggregated ALE group, rounded up to a whole number (54.4980H-4(e)).
 */
export const reductionOf = (full_time_count: number, group_full_time_count: number): number =>
  group_full_time_count === 0 ? 0 : Math.ceil((reduction_of_group * full_time_count) / group_full_time_count)

/** The assessable payments of a year, in dollars per full-time employee. */
export type AssessablePayments = readonly [no_offer: number, unaffordable_offer: number]

/** The highest possible assessable payment of a month. `twelfths` is the amount times twelve, in cents. */
export type Exposure = {
  kind: 'no_offer' | 'unaffordable_offer' | 'none'
  employee_count: number
  twelfths: number
}

/**
 * The maximum that the IRS can assess for a month, if a full-time employee receives a premium tax credit. Without
 * enough offers: all full-time employees above the reduction count (54.4980H-4(a)). Otherwise each employee without
 * affordable coverage counts, but the sum is at most that of an employer without offers (54.4980H-5(a)).
 */
export function exposureOf(
  counts: OfferCounts,
  [no_offer, unaffordable_offer]: AssessablePayments,
  group_full_time_count = counts.full_time_count,
): Exposure {
  const { full_time_count, unprotected_count } = counts
  if (unprotected_count === 0) return { kind: 'none', employee_count: 0, twelfths: 0 }
  const counted = Math.max(0, full_time_count - reductionOf(full_time_count, group_full_time_count))
  const most = counted * no_offer * 100
  if (!passesOfferTest(counts)) return { kind: 'no_offer', employee_count: counted, twelfths: most }
  return {
    kind: 'unaffordable_offer',
    employee_count: unprotected_count,
    twelfths: Math.min(unprotected_count * unaffordable_offer * 100, most),
  }
}

/** The sum of the exposure of months in cents, rounded once, so that twelve equal months give the annual amount. */
export const exposureInCents = (months: readonly Exposure[]): number =>
  Math.round(months.reduce((sum, { twelfths }) => sum + twelfths, 0) / 12)
