import { addDays, daysBetween, monthEnd, type Day } from '../../../kernel/days.ts'
import type { PartialMonthRule } from '../../directory/catalog/schemas.ts'
import { periodOn, type PayCalendar, type PayPeriod } from '../../../kernel/pay-calendar.ts'

/** What was elected from when on, at what a month costs, and how its plan bills part of one. */
type InForce = {
  effective_on: Day
  partial_month_rule?: PartialMonthRule | null | undefined
  premium_in_cents?: number | null | undefined
  employer_contribution_in_cents?: number | null | undefined
  employee_deduction_in_cents?: number | null | undefined
  domestic_partner_share_in_cents?: number | null | undefined
}

/**
 * What holds from a day on; the first election of an enrollment holds from '-infinity'. Monthly. What is for a domestic
 * partner is a part of the deduction.
 */
export type Terms = InForce & {
  employee_deduction_in_cents: number
  domestic_partner_share_in_cents?: number
}

/**
 * A subscription's end, and the day on which the employer began another one; null while it has not. From '-infinity'
 * until the day from which the employer is administered here, its coverage is history.
 */
export type Lapse = [ended_on: Day, resumed_on: Day | null]

/**
 * What an enrollment is charged by. `coverage_end` is its last day, which is before `coverage_start` when it never
 * began. An enrollment bears none while its plan year runs, so it is the plan year's at the latest. `lapses` are the
 * times in which the employer was not administered yet, or had no subscription any more. `elections` in any order; none
 * of somebody who is not enrolled.
 */
export type Coverage<Election extends InForce = Terms> = {
  coverage_start: Day
  coverage_end: Day | null
  lapses: Lapse[]
  elections: Election[]
}

/** A month, by its 1st day, and the election that was in force on its first day that is covered, at what it costs. */
export type Charge<Election = Terms> = { month: Day; election: Election }

/**
 * The election that a month (its 1st day) is charged by, at what the month costs; undefined if it is not charged. By
 * the rule of the plan a month is charged in full when its 1st is covered, or its 15th and 16th are, or by the days
 * that are covered (decisions.md, section 11). Nothing is charged for a month whose 1st lies in a lapse.
 */
export function chargeOn<Election extends InForce>(coverage: Coverage<Election>, month: Day): Election | undefined {
  const { coverage_start, coverage_end, lapses, elections } = coverage
  if (lapses.some(([ended_on, resumed_on]) => ended_on <= month && (resumed_on === null || month < resumed_on)))
    return undefined
  const month_end = monthEnd(month)
  const from = coverage_start > month ? coverage_start : month
  const to = coverage_end !== null && coverage_end < month_end ? coverage_end : month_end
  const election = from <= to ? termsOn(elections, from) : undefined
  if (!election || (from === month && to === month_end)) return election
  if (election.partial_month_rule === 'daily')
    return partOfMonth(election, daysBetween(from, to) + 1, daysBetween(month, month_end) + 1)
  const is_charged =
    election.partial_month_rule === '15th_rule' ? from <= addDays(month, 14) && to > addDays(month, 14) : from === month
  return is_charged ? election : undefined
}

const apportioned = ['premium_in_cents', 'employee_deduction_in_cents', 'domestic_partner_share_in_cents'] as const

/** What so many days of a month cost: each amount rounded half up once, the employer's part what is left. */
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

/** The election that holds on a day, covered or not. */
function termsOn<Election extends InForce>(elections: Election[], day: Day): Election | undefined {
  let inForce: Election | undefined
  for (const one of elections) {
    // As text, too, '-infinity' is before every day.
    if (one.effective_on <= day && (!inForce || inForce.effective_on < one.effective_on)) inForce = one
  }
  return inForce
}

const numbers = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']

/** The months of a year, each by its 1st. */
export const monthsOf = (year: number): Day[] => numbers.map((number) => `${year}-${number}-01`)

/** The months of a calendar year that are charged, in order. Invoices bill the same ones. */
export function chargedMonths<Election extends InForce>(
  coverage: Coverage<Election>,
  year: number,
): Charge<Election>[] {
  return monthsOf(year).flatMap((month) => {
    const election = chargeOn(coverage, month)
    return election ? [{ month, election }] : []
  })
}

/** What months add up to. */
export const dueFor = (months: Charge[]): number =>
  months.reduce((sum, { election }) => sum + election.employee_deduction_in_cents, 0)

const partnersShareOf = ({ domestic_partner_share_in_cents }: Terms): number => domestic_partner_share_in_cents ?? 0

/** What of it is for domestic partners. */
export const partnersDueFor = (months: Charge[]): number =>
  months.reduce((sum, { election }) => sum + partnersShareOf(election), 0)

/** As much of an amount as a share is of a whole, in whole cents towards 0. The product may be beyond what is safe. */
export const partOf = (amount: number, share: number, whole: number): number =>
  whole === 0 ? 0 : Number((BigInt(amount) * BigInt(share)) / BigInt(whole))

export const sumOf = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

export type DeductionMethod = 'annualized' | 'per_month'

/**
 * The charged months of a year over its pay periods: cents per period, in the order of the periods, that add up to the
 * months exactly. `annualized` spreads months in a row with the same amount over all periods that end in them; a whole
 * year is then the formula of decisions.md, section 6. `per_month` spreads each month by itself. Paydays that are
 * skipped take nothing.
 */
export const scheduleOf = (months: Charge[], periods: PayPeriod[], method: DeductionMethod): number[] =>
  spread(months, periods, method, (taken) => taken)

/**
 * What of that schedule is for domestic partners: to the cent what their share of the months is, and in no period more
 * than is taken.
 */
export const partnersScheduleOf = (months: Charge[], periods: PayPeriod[], method: DeductionMethod): number[] =>
  spread(months, periods, method, (taken, segment) => partOf(taken, partnersDueFor(segment), dueFor(segment)))

/** Spreads months over pay periods. `counted` says what counts of all that is taken of some months in a row so far. */
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
    const from = taking.findIndex(({ end }) => end.slice(0, 7) >= first)
    const count = taking.filter(({ end }) => first <= end.slice(0, 7) && end.slice(0, 7) <= last).length
    const total = dueFor(segment)
    const through = (k: number) => counted(Math.floor((total * k) / count), segment)
    for (let k = 1; k <= count; k++) schedule[taking[from + k - 1]!.number - 1] = through(k) - through(k - 1)
  }
  return schedule
}

function segmentsOf(months: Charge[], method: DeductionMethod): Charge[][] {
  const segments: Charge[][] = []
  for (const charge of months) {
    const before = segments.at(-1)
    if (method === 'annualized' && before && goesOn(before.at(-1)!, charge)) before.push(charge)
    else segments.push([charge])
  }
  return segments
}

const goesOn = (before: Charge, next: Charge): boolean =>
  Number(next.month.slice(5, 7)) - Number(before.month.slice(5, 7)) === 1 &&
  before.election.employee_deduction_in_cents === next.election.employee_deduction_in_cents &&
  partnersShareOf(before.election) === partnersShareOf(next.election)

export type Due = {
  calendar: PayCalendar
  /** the one that the employer's last statement was made by */
  last_calendar: PayCalendar | null
  /** the last day of the employer's last statement */
  last_end: Day | null
  /** when anybody there could be covered here for the first time; null before the first plan year */
  first_coverage_start: Day | null
  day: Day
}

/** A pay period, and the calendar that it is one of. */
export type DuePeriod = PayPeriod & { calendar: PayCalendar }

/**
 * The periods that statements are missing for on a day, in order; a statement is due from the first day of its period.
 * The first is for the period of the day, unless it ends before any coverage. Later ones begin the day after the last
 * one ended.
 */
export function dueThrough({ calendar, last_calendar, last_end, first_coverage_start, day }: Due): DuePeriod[] {
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
 * The period of a calendar that begins on a day. Another calendar goes on until a whole one of it begins; the days
 * between the two belong to that one, so that no day is left out and none is a period of its own.
 */
function periodFrom(start: Day, calendar: PayCalendar, former: PayCalendar): DuePeriod {
  const current = periodOn(calendar, start)
  if (current.start === start) return { ...current, calendar }
  const next = periodOn(calendar, addDays(current.end, 1))
  const old = periodOn(former, start)
  return old.end < next.start ? { ...old, start, calendar: former } : { ...next, start, calendar }
}
