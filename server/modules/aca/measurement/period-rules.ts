import { addDays, daysBetween, firstOnOrAfter, monthEnd, monthsAfter, type Day } from '../../../kernel/days.ts'
import { periodOn, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import type { Span } from './hour-rules.ts'

/**
 * How an ALE member determines the full-time status of a category of employees (54.4980H-3(c) to (e)). An
 * administrative period lasts until a number of full calendar months after the measurement have ended.
 */
export type MeasurementPolicy = {
  method: 'monthly' | 'look_back'
  /** Whether the monthly measurement method counts whole weeks instead of calendar months. */
  by_weeks: boolean
  /** The first day of a standard measurement period. The others follow and precede it without a gap. */
  standard_starts_on: Day
  standard_months: number
  administrative_months: number
  stability_months: number
  initial_months: number
  initial_starts: 'start_date' | 'first_of_month'
  initial_administrative_months: number
  /** Measures whole payroll periods of this calendar. Null for exact days. */
  payroll: PayCalendar | null
  educational: boolean
  /** Whether the rule of parity treats employees as new after breaks in service of at least four weeks. */
  parity: boolean
}

/** The longest administrative period in days, before and after an initial measurement together (-3(d)(1)(vi)). */
export const max_administrative_days = 90

/** A measurement period and its stability period. The administrative period lies between them. */
export type MeasurementPeriod = { kind: 'initial' | 'standard'; starts_on: Day; measured: Span; stability: Span }

function periodOf(
  policy: MeasurementPolicy,
  kind: MeasurementPeriod['kind'],
  { starts_on, next, stable_on }: { starts_on: Day; next: Day; stable_on: Day },
): MeasurementPeriod {
  const stability = { starts_on: stable_on, ends_on: addDays(monthsAfter(stable_on, policy.stability_months), -1) }
  const measured = { starts_on: payrollStart(policy, starts_on), ends_on: addDays(payrollStart(policy, next), -1) }
  return { kind, starts_on, measured, stability }
}

/**
 * Payroll periods: a measurement begins with the payroll period that contains its first day, and ends before the one
 * that contains the day after its last (54.4980H-3(d)(1)(ii)).
 */
const payrollStart = ({ payroll }: MeasurementPolicy, day: Day): Day => (payroll ? periodOn(payroll, day).start : day)

/** A standard measurement period, by its distance from the one that the policy names (-3(d)(1)(i)). */
function standardPeriod(policy: MeasurementPolicy, index: number): MeasurementPeriod {
  const starts_on = monthsAfter(policy.standard_starts_on, index * policy.standard_months)
  const next = monthsAfter(policy.standard_starts_on, (index + 1) * policy.standard_months)
  const stable_on = monthsAfter(firstOnOrAfter(next), policy.administrative_months)
  return periodOf(policy, 'standard', { starts_on, next, stable_on })
}

const monthIndex = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** The standard measurement periods that begin on or after a day, in order. */
export function* standardPeriodsFrom(policy: MeasurementPolicy, day: Day): Generator<MeasurementPeriod> {
  const months = monthIndex(day) - monthIndex(policy.standard_starts_on)
  for (let index = Math.floor(months / policy.standard_months) - 1; ; index++) {
    const period = standardPeriod(policy, index)
    if (period.starts_on >= day) yield period
  }
}

/**
 * The initial measurement period of a new variable-hour, seasonal or part-time employee (54.4980H-3(d)(3)). The
 * administrative period ends a month earlier where it would exceed 90 days (-3(d)(3)(vi)(A)), or would last beyond the
 * first calendar month that begins on or after the first anniversary of the start date (-3(d)(3)(vi)(B)).
 */
export function initialPeriod(policy: MeasurementPolicy, start: Day): MeasurementPeriod {
  const starts_on = policy.initial_starts === 'start_date' ? start : firstOnOrAfter(start)
  const next = monthsAfter(starts_on, policy.initial_months)
  const latest = latestStability(start)
  const days = (stable_on: Day) => daysBetween(start, starts_on) + daysBetween(next, stable_on)
  let stable_on = monthsAfter(firstOnOrAfter(next), policy.initial_administrative_months)
  while (stable_on > latest || days(stable_on) > max_administrative_days) stable_on = monthsAfter(stable_on, -1)
  return periodOf(policy, 'initial', { starts_on, next, stable_on })
}

/** The latest first day of a stability period for an employee who started on a day (-3(d)(3)(vi)(B)). */
const latestStability = (start: Day): Day => addDays(monthEnd(firstOnOrAfter(monthsAfter(start, 12))), 1)

/** The longest administrative period that a policy gives ongoing employees, in days. */
export const administrativeDays = (policy: MeasurementPolicy): number =>
  // Four years contain each length of each month.
  Math.max(
    ...Array.from({ length: 48 }, (_, index) => {
      const { measured, stability } = standardPeriod({ ...policy, payroll: null }, index)
      return daysBetween(measured.ends_on, stability.starts_on) - 1
    }),
  )

/** Whether an initial measurement and its administrative period end in time for employees who start on any day. */
export const isWithinInitialLimit = ({
  initial_months,
  initial_starts,
  initial_administrative_months,
}: MeasurementPolicy) =>
  ['2026-01-01', '2026-01-15'].every((start) => {
    const next = monthsAfter(initial_starts === 'start_date' ? start : firstOnOrAfter(start), initial_months)
    return monthsAfter(firstOnOrAfter(next), initial_administrative_months) <= latestStability(start)
  })
