import { addDays, daysBetween, monthEnd, type Day } from '../../../kernel/days.ts'
import type { PartialMonthRule, BenefitCategory } from '../../directory/catalog/schemas.ts'
import { periodOn, type PayCalendar, type PayPeriod } from '../../../kernel/pay-calendar.ts'

/** The amounts of an election starting on a day, and how its plan bills partial months. */
type InForce = {
  effective_on: Day
  partial_month_rule?: PartialMonthRule | null | undefined
  premium_in_cents?: number | null | undefined
  employer_contribution_in_cents?: number | null | undefined
  employee_deduction_in_cents?: number | null | undefined
  domestic_partner_share_in_cents?: number | null | undefined
}

/**
 * The terms in force starting on a day, per month. The first election of an enrollment is in force from '-infinity'.
 * The domestic partner's share is part of the deduction.
 */
export type Terms = InForce & {
  employee_deduction_in_cents: number
  domestic_partner_share_in_cents?: number
}

/**
 * The last day of a subscription, and the first day of the next one. Null if there is no next one. The period before
 * the go-live day is a lapse that starts at '-infinity'. Its coverage is stored but not charged.
 */
export type Lapse = [ended_on: Day, resumed_on: Day | null]

/**
 * The facts by which an enrollment is charged. `coverage_end` is the last day, and is before `coverage_start` if
 * coverage never started. While the plan year runs, it is null or at most the end of the plan year. `lapses`: the
 * periods before the go-live day or without a subscription. `elections` are in any order, and empty if the employee is
 * not enrolled.
 */
export type Coverage<Election extends InForce = Terms> = {
  coverage_start: Day
  coverage_end: Day | null
  lapses: Lapse[]
  elections: Election[]
}

/** The first day of a month, and the election in force on the first covered day, with the amounts of that month. */
export type Charge<Election = Terms> = { month: Day; election: Election }

/**
 * The election by which a month (its 1st) is charged, with the amounts of the month. Undefined if the month is not
 * charged. Depending on the plan, a month is charged in full if its 1st is covered, in full if its 15th and 16th are
 * covered, or by covered days (docs/design/money/deductions.md). A month whose 1st is in a lapse is not charged.
 */
export function chargeOn<Election extends InForce>(coverage: Coverage<Election>, month: Day): Election | undefined {
  const { coverage_start, coverage_end, lapses, elections } = coverage
  if (lapses.some(([ended_on, resumed_on]) => ended_on <= month && (resumed_on === null || month < resumed_on)))
    return undefined
  const month_end = monthEnd(month)
  const from = coverage_start > month ? coverage_start : month
  const to = coverage_end !== null && coverage_end < month_end ? coverage_end : month_end
  const election = from <= to ? electionOn(elections, from) : undefined
  if (!election || (from === month && to === month_end)) return election
  if (election.partial_month_rule === 'daily')
    return partOfMonth(election, daysBetween(from, to) + 1, daysBetween(month, month_end) + 1)
  const is_charged =
    election.partial_month_rule === '15th_rule' ? from <= addDays(month, 14) && to > addDays(month, 14) : from === month
  return is_charged ? election : undefined
}

const apportioned = ['premium_in_cents', 'employee_deduction_in_cents', 'domestic_partner_share_in_cents'] as const

/** The amounts for some days of a month. Each amount is rounded half up; the employer's share is the remainder. */
function partOfMonth<Election extends InForce>(election: Election, days: number, days_of_month: number): Election {
  const part: InForce = { ...election }
  for (const name of apportioned) {
    const whole = election[name]
    if (whole) part[name] = Math.floor((2 * whole * days + days_of_month) / (2 * days_of_month))
  }
  if (election.employer_contribution_in_cents)
    part.employer_contribution_in_cents = (part.premium_in_cents ?? 0) - (part.employee_deduction_in_cents ?? 0)
  return part as Election
}

/** The election in force on a day, covered or not. */
function electionOn<Election extends InForce>(elections: Election[], day: Day): Election | undefined {
  let inForce: Election | undefined
  for (const election of elections) {
    // As a string, '-infinity' also sorts before every day.
    if (election.effective_on <= day && (!inForce || inForce.effective_on < election.effective_on)) inForce = election
  }
  return inForce
}

const numbers = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']

export const firstDaysOfMonths = (year: number): Day[] => numbers.map((number) => `${year}-${number}-01`)

/** The charged months of a calendar year, in order. Invoices bill the same months. */
export function chargedMonths<Election extends InForce>(
  coverage: Coverage<Election>,
  year: number,
): Charge<Election>[] {
  return firstDaysOfMonths(year).flatMap((month) => {
    const election = chargeOn(coverage, month)
    return election ? [{ month, election }] : []
  })
}

export const sumOfDeductions = (months: Charge[]): number =>
  months.reduce((sum, { election }) => sum + election.employee_deduction_in_cents, 0)

const partnersShareOf = ({ domestic_partner_share_in_cents }: Terms): number => domestic_partner_share_in_cents ?? 0

/** The domestic partner's share of the sum of months. */
export const partnersDueFor = (months: Charge[]): number =>
  months.reduce((sum, { election }) => sum + partnersShareOf(election), 0)

/**
 * The part of an amount in proportion to a share of a whole, in whole cents rounded toward 0. Uses BigInt because the
 * product may exceed the safe integers.
 */
export const proportionOf = (amount: number, share: number, whole: number): number =>
  whole === 0 ? 0 : Number((BigInt(amount) * BigInt(share)) / BigInt(whole))

export const sumOfAmounts = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

export type DeductionMethod = 'annualized' | 'per_month'

/**
 * Distributes the charged months of a year over its pay periods. Returns cents per period, in order, which add up
 * exactly to the months. `annualized` distributes consecutive months with the same amount over all periods that end in
 * them, so that a full year is the annual amount divided by its pay periods. `per_month` distributes each month
 * separately. Skipped paydays have no deduction.
 */
export const scheduleOf = (months: Charge[], periods: PayPeriod[], method: DeductionMethod): number[] =>
  spread(months, periods, method, (taken) => taken)

/**
 * The domestic partner's share of the schedule. It adds up exactly to the share of the months, and never exceeds the
 * deduction of a period.
 */
export const partnersScheduleOf = (months: Charge[], periods: PayPeriod[], method: DeductionMethod): number[] =>
  spread(months, periods, method, (taken, segment) =>
    proportionOf(taken, partnersDueFor(segment), sumOfDeductions(segment)),
  )

/**
 * Distributes months over pay periods. `counted` returns the relevant part of the running total of consecutive months.
 */
function spread(
  months: Charge[],
  periods: PayPeriod[],
  method: DeductionMethod,
  counted: (taken: number, segment: Charge[]) => number,
): number[] {
  const schedule = periods.map(() => 0)
  if (months.length === 0) return schedule
  const taking = periods.filter(({ skipped }) => !skipped)
  for (const segment of segmentsOf(months, method)) {
    const first = segment[0]!.month.slice(0, 7)
    const last = segment.at(-1)!.month.slice(0, 7)
    const first_index = taking.findIndex(({ end }) => end.slice(0, 7) >= first)
    const count = taking.filter(({ end }) => first <= end.slice(0, 7) && end.slice(0, 7) <= last).length
    const total = sumOfDeductions(segment)
    const through = (period_count: number) => counted(Math.floor((total * period_count) / count), segment)
    for (let position = 1; position <= count; position++)
      schedule[taking[first_index + position - 1]!.number - 1] = through(position) - through(position - 1)
  }
  return schedule
}

function segmentsOf(months: Charge[], method: DeductionMethod): Charge[][] {
  const segments: Charge[][] = []
  for (const charge of months) {
    const before = segments.at(-1)
    if (method === 'annualized' && before && continuesCharge(before.at(-1)!, charge)) before.push(charge)
    else segments.push([charge])
  }
  return segments
}

const continuesCharge = (before: Charge, next: Charge): boolean =>
  Number(next.month.slice(5, 7)) - Number(before.month.slice(5, 7)) === 1 &&
  before.election.employee_deduction_in_cents === next.election.employee_deduction_in_cents &&
  partnersShareOf(before.election) === partnersShareOf(next.election)

export type Due = {
  calendar: PayCalendar
  /** The pay calendar of the employer's latest statement. */
  last_calendar: PayCalendar | null
  /** The last day of the employer's latest statement. */
  last_end: Day | null
  /** The first possible day of coverage of any employee. Null before the first plan year. */
  first_coverage_start: Day | null
  day: Day
}

export type DuePeriod = PayPeriod & { calendar: PayCalendar }

/**
 * The periods without a statement on a day, in order. A statement is due starting on the first day of its period. The
 * first statement is for the period of the day, unless the period ends before any coverage. Later ones start the day
 * after the previous one ended.
 */
export function duePeriodsThrough({ calendar, last_calendar, last_end, first_coverage_start, day }: Due): DuePeriod[] {
  if (last_end === null) {
    const current = periodOn(calendar, day)
    return first_coverage_start !== null && first_coverage_start <= current.end ? [{ ...current, calendar }] : []
  }
  const due: DuePeriod[] = []
  let former = last_calendar ?? calendar
  for (let start = addDays(last_end, 1); start <= day; start = addDays(due.at(-1)!.end, 1)) {
    due.push(periodFrom(start, calendar, former))
    former = due.at(-1)!.calendar
  }
  return due
}

/**
 * The period of a calendar that starts on a day. After a change of calendar, the old one continues until a full period
 * of the new one starts. The days in between belong to that period, so that no day is left out and none forms a period
 * of its own.
 */
function periodFrom(start: Day, calendar: PayCalendar, former: PayCalendar): DuePeriod {
  const current = periodOn(calendar, start)
  if (current.start === start) return { ...current, calendar }
  const next = periodOn(calendar, addDays(current.end, 1))
  const old = periodOn(former, start)
  return old.end < next.start ? { ...old, start, calendar: former } : { ...next, start, calendar }
}

export type TaxClassification = 'Pre-tax' | 'Post-tax'

/** The tax classifications, in the order of lines. */
export const tax_classifications = ['Pre-tax', 'Post-tax'] as const

/** The election window of an approved birth, adoption or placement. */
export type ArrivalWindow = { occurred_on: Day; start: Day; end: Day }

/** The facts that determine the tax of a month of coverage. */
export type TaxFacts = {
  category: BenefitCategory
  coverage_start: Day
  hired_on: Day | null
  arrivals: ArrivalWindow[]
}

/**
 * The facts about an election that determine its tax: when it was made, and whether coverage was bought on an exchange.
 * `is_carried`: it was written by a renewal or a return and continues an earlier choice.
 */
export type TaxedElection = { elected_on: Day; is_carried?: boolean | null; bought_on_exchange?: boolean | null }

/** How many days after the hire an election can still take effect on the day of hire. */
const days_to_reach_back = 30

/**
 * The tax of a month (its 1st), by the time of its election. It is pre-tax if the election was made before the month or
 * rolled over by a renewal or a return; within the window of a birth or adoption, for the months from then on; or
 * within 30 days by a new hire who is covered from the first day. Otherwise it is post-tax, as are hospital plans and
 * coverage bought on an exchange (26 USC 125(f)(3)). The time of the statement is irrelevant.
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
