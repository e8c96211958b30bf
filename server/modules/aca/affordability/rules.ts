import { isWithinWages, isWithinPovertyLine } from '../../directory/ichra/rules.ts'

/**
 * The monthly wage of an employee around a calendar month, in cents. `first_day`: on the first day of the coverage
 * period, in general the first day of the plan year. `lowest`: the lowest during the calendar month.
 */
export type RateOfPay = { paid_by: 'hour' | 'month'; first_day: number; lowest: number }

/**
 * The monthly wage of the rate of pay safe harbor (54.4980H-5(e)(2)(iii)). An hourly employee: the lower of both
 * wages. Other employees: the salary on the first day. Null if their salary was reduced, because the safe harbor then
 * does not apply.
 */
export function rateOfPayOf({ paid_by, first_day, lowest }: RateOfPay): number | null {
  if (paid_by === 'hour') return Math.min(first_day, lowest)
  return lowest < first_day ? null : first_day
}

/**
 * The wages of an employee in box 1 of Form W-2 for a calendar year, and the months of employment. A month counts if it
 * has at least one day of employment.
 */
export type YearlyWages = { wages_in_cents: number; months_employed: number; months_offered: number }

/**
 * Whether the contributions of a calendar year are within the wages of Form W-2. If coverage was not offered for the
 * whole year, the wages are reduced to the share of months with an offer among the months of employment
 * (54.4980H-5(e)(2)(ii)). Known only after the year.
 */
export const isWithinYearlyWages = (
  contributions_in_cents: number,
  { wages_in_cents, months_employed, months_offered }: YearlyWages,
  part: number,
): boolean => isWithinWages(contributions_in_cents * months_employed, wages_in_cents * months_offered, part)

/** The facts of a calendar month that the safe harbors compare. Null if unknown. */
export type SafeHarborFacts = {
  /** The required contribution percentage in hundredths of a percent. */
  part: number
  /** The monthly cost of the lowest-cost coverage for the employee alone that provides minimum value. */
  cost_in_cents: number
  /** The federal poverty line of the plan year, in dollars per year. */
  poverty_line: number
  rate_of_pay: RateOfPay | null
  /** The wages of the year, and the sum of the monthly costs of the months with an offer. */
  yearly_wages: (YearlyWages & { contributions_in_cents: number }) | null
}

/** The highest affordable monthly costs in cents by the safe harbors that are known before the year ends. */
export type CostLimits = { poverty_line: number; rate_of_pay: number | null }

export function costLimits({ part, poverty_line, rate_of_pay }: Omit<SafeHarborFacts, 'cost_in_cents'>): CostLimits {
  const wage = rate_of_pay && rateOfPayOf(rate_of_pay)
  return {
    poverty_line: Math.floor((poverty_line * 100 * part) / (12 * 10_000)),
    rate_of_pay: wage === null ? null : Math.floor((wage * part) / 10_000),
  }
}

/** The affordability safe harbors, with their codes on line 16 of Form 1095-C. */
export const safe_harbor_codes = { federal_poverty_line: '2G', rate_of_pay: '2H', form_w2_wages: '2F' } as const
export type SafeHarbor = keyof typeof safe_harbor_codes

/**
 * The first safe harbor by which coverage is affordable in a month. Undefined if it is not affordable by any of them.
 * The order prefers the one that needs the fewest facts (54.4980H-5(e)(2)).
 */
export function safeHarborOf({
  part,
  cost_in_cents,
  poverty_line,
  rate_of_pay,
  yearly_wages,
}: SafeHarborFacts): SafeHarbor | undefined {
  if (isWithinPovertyLine(cost_in_cents, poverty_line, part)) return 'federal_poverty_line'
  const wage = rate_of_pay && rateOfPayOf(rate_of_pay)
  if (wage !== null && isWithinWages(cost_in_cents, wage, part)) return 'rate_of_pay'
  if (yearly_wages && isWithinYearlyWages(yearly_wages.contributions_in_cents, yearly_wages, part))
    return 'form_w2_wages'
  return undefined
}
