import type { Day } from '../../../kernel/days.ts'
import type { LargeEmployerStatus } from './schemas.ts'

/** The workforce of an employer in a calendar month. Seasonal workers are also counted in the totals. */
export type MonthlyWorkforce = {
  /** The first day of the month. */
  month: Day
  /** Employees with at least 130 hours of service. */
  full_time_count: number
  seasonal_full_time_count: number
  /** Hours of service of all others in hundredths, at most 120 hours of each employee. */
  part_time_hundredths: number
  seasonal_part_time_hundredths: number
}

/** An employer with this many employees, on average, is an applicable large employer (54.4980H-2(b)(1)). */
const min_employees = 50

/**
 * The hours of service of a full-time equivalent, and the maximum that counts for one employee, in hundredths
 * (-2(c)(2)).
 */
export const equivalent_hundredths = 12_000

/** The maximum number of calendar months above 50 employees for the seasonal worker exception (-2(b)(2)). */
const max_seasonal_months = 4

type CountedMonth = {
  month: Day
  full_time_count: number
  /** Full-time equivalents in hundredths, rounded to the nearest (54.4980H-2(c)(2)). */
  equivalents_in_hundredths: number
  total_in_hundredths: number
  without_seasonal_in_hundredths: number
}

type LargeEmployerResult = {
  is_large: boolean
  reason: 'fewer_than_50' | 'at_least_50' | 'seasonal_worker_exception'
  /** The average over the year, rounded down to a whole number. */
  average_count: number
  /** The months with more than 50 employees. */
  months_above: Day[]
  months: CountedMonth[]
}

const equivalentsOf = (hundredths: number): number => Math.round((hundredths * 100) / equivalent_hundredths)

/** The full-time employees and full-time equivalents of a month (54.4980H-2(c)). */
function countOf(month: MonthlyWorkforce): CountedMonth {
  const equivalents = equivalentsOf(month.part_time_hundredths)
  const other_equivalents = equivalentsOf(month.part_time_hundredths - month.seasonal_part_time_hundredths)
  return {
    month: month.month,
    full_time_count: month.full_time_count,
    equivalents_in_hundredths: equivalents,
    total_in_hundredths: month.full_time_count * 100 + equivalents,
    without_seasonal_in_hundredths: (month.full_time_count - month.seasonal_full_time_count) * 100 + other_equivalents,
  }
}

/**
 * Determines from the twelve months of the preceding calendar year whether an employer is an applicable large employer
 * (54.4980H-2(b)(1)). All employers of an aggregated group count as one. An employer is not one if it had more than 50
 * employees in at most four months, and only because of seasonal workers (-2(b)(2)).
 */
export function largeEmployerStatus(workforce: MonthlyWorkforce[]): LargeEmployerResult {
  const months = workforce.map(countOf)
  const total = months.reduce((sum, { total_in_hundredths }) => sum + total_in_hundredths, 0)
  const average_count = Math.floor(total / (12 * 100))
  const above = months.filter(({ total_in_hundredths }) => total_in_hundredths > min_employees * 100)
  const is_seasonal =
    above.length <= max_seasonal_months &&
    above.every(({ without_seasonal_in_hundredths }) => without_seasonal_in_hundredths <= min_employees * 100)
  const has_50 = average_count >= min_employees
  return {
    is_large: has_50 && !(above.length > 0 && is_seasonal),
    reason: !has_50 ? 'fewer_than_50' : above.length > 0 && is_seasonal ? 'seasonal_worker_exception' : 'at_least_50',
    average_count,
    months_above: above.map(({ month }) => month),
    months,
  }
}

const sentences: Record<LargeEmployerResult['reason'], string> = {
  fewer_than_50: 'The employer had fewer than 50 full-time employees and equivalents on average.',
  at_least_50: 'The employer had at least 50 full-time employees and equivalents on average.',
  seasonal_worker_exception: 'The employer had more than 50 employees in at most four months, due to seasonal workers.',
}

/** The status of an employer in a year, as returned. */
export function shownStatus(
  { employer_id, months }: { employer_id: string; months: MonthlyWorkforce[] },
  year: number,
): LargeEmployerStatus {
  const { reason, is_large, average_count, months_above, months: counted } = largeEmployerStatus(months)
  return {
    employer_id,
    year,
    is_large,
    reason_code: reason,
    reason: sentences[reason],
    average_count,
    months_above,
    months: counted.map((month) => ({
      month: month.month,
      full_time_count: month.full_time_count,
      full_time_equivalents: month.equivalents_in_hundredths / 100,
      total: month.total_in_hundredths / 100,
      total_without_seasonal_workers: month.without_seasonal_in_hundredths / 100,
    })),
  }
}
