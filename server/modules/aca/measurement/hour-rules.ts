import { addDays, daysBetween, monthEnd, type Day } from '../../../kernel/days.ts'

/** Days from `starts_on` to `ends_on`, both inclusive. */
export type Span = { starts_on: Day; ends_on: Day }

/** Hours of service of a period, in hundredths of an hour. Unpaid leave and employment breaks have no hours. */
export type ServiceHours = Span & {
  kind: 'worked' | 'paid_leave' | 'special_unpaid_leave' | 'employment_break'
  hundredths: number
}

/** The monthly equivalent of 30 hours of service per week, in hundredths (54.4980H-1(a)(21)(ii)). */
export const full_time_month = 13_000

/** 30 hours of service per week, in hundredths (54.4980H-1(a)(21)(i)). */
const full_time_week = 3000

/** The hours of an employment break that are excluded or credited per calendar year, in hundredths. */
const max_break_hours = 50_100

/** An employment break period has at least four consecutive weeks (54.4980H-1(a)(17)). */
const min_break_days = 28

/** The last day of a span without an end. */
export const forever = '9999-12-31'
export const openEnd = (ends_on: Day): Day | null => (ends_on === forever ? null : ends_on)

/** Whether a day is in a span, whose end may be null. */
export const isOn = ({ starts_on, ends_on }: { starts_on: Day; ends_on: Day | null }, day: Day): boolean =>
  starts_on <= day && day <= (ends_on ?? forever)

export const lengthOf = ({ starts_on, ends_on }: Span): number => daysBetween(starts_on, ends_on) + 1

/** The common days of two spans. Undefined if there are none. */
export function overlap(one: Span, other: Span): Span | undefined {
  const starts_on = one.starts_on > other.starts_on ? one.starts_on : other.starts_on
  const ends_on = one.ends_on < other.ends_on ? one.ends_on : other.ends_on
  return starts_on <= ends_on ? { starts_on, ends_on } : undefined
}

/** The same days in order, with overlapping and adjacent spans joined. */
export function joinSpans(spans: Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => (a.starts_on < b.starts_on ? -1 : 1))) {
    const last = result.at(-1)
    if (!last || daysBetween(last.ends_on, span.starts_on) > 1) result.push({ ...span })
    else if (span.ends_on > last.ends_on) last.ends_on = span.ends_on
  }
  return result
}

const daysIn = (spans: Span[], within: Span): number =>
  joinSpans(spans).reduce((sum, span) => {
    const common = overlap(span, within)
    return sum + (common ? lengthOf(common) : 0)
  }, 0)

export const isCredited = ({ kind, hundredths }: ServiceHours): boolean =>
  hundredths > 0 && (kind === 'worked' || kind === 'paid_leave')

/**
 * The hours of service in a span. The hours of a period that it only partly contains are spread evenly over the days of
 * the period. A fraction of a hundredth counts as a whole, so that 30 hours in each week are 30 hours in any span.
 */
export const hoursIn = (hours: ServiceHours[], within: Span): number => {
  const sum = hours.reduce((sum, row) => {
    const common = isCredited(row) ? overlap(row, within) : undefined
    if (!common) return sum
    const is_whole = common.starts_on === row.starts_on && common.ends_on === row.ends_on
    return sum + (is_whole ? row.hundredths : (row.hundredths * lengthOf(common)) / lengthOf(row))
  }, 0)
  // The order of the rows changes the sum of fractions by less than this.
  return Math.ceil(sum - 1e-6)
}

/** Whether any period of hours or leave touches a span. Without one, the hours of the span are unknown. */
export const isReported = (hours: ServiceHours[], within: Span): boolean => hours.some((row) => overlap(row, within))

/** Hours of service of a measurement period, the weekly average, and whether it is at least 30 hours. */
export type Average = { hundredths: number; weekly_hundredths: number; is_full_time: boolean }

/**
 * The average of a measurement period for a continuing employee. Days of special unpaid leave are excluded
 * (54.4980H-3(d)(6)(i)(B)). At an educational organization, an employment break is credited at the average rate, up to
 * 501 hours per calendar year (-3(d)(6)(ii)(B)). Fractions are compared without rounding.
 */
export function averageOf(hours: ServiceHours[], within: Span, educational: boolean): Average {
  const ofKind = (kind: ServiceHours['kind']) => hours.filter((row) => row.kind === kind)
  const leaves = ofKind('special_unpaid_leave')
  const breaks = educational ? breakPeriods(ofKind('employment_break')) : []
  const breakDays = (year: Span) => daysIn([...breaks, ...leaves], year) - daysIn(leaves, year)
  const hundredths = hoursIn(hours, within)
  const days = lengthOf(within) - daysIn(leaves, within)
  const rate_days = days - breakDays(within)
  if (hundredths === 0 || rate_days === 0) return { hundredths, weekly_hundredths: 0, is_full_time: false }
  // Both sides are multiplied by `rate_days`.
  const credited = yearsOf(within).reduce(
    (sum, year) => sum + Math.min(max_break_hours * rate_days, hundredths * breakDays(year)),
    hundredths * rate_days,
  )
  return {
    hundredths,
    weekly_hundredths: Math.floor((7 * credited) / (rate_days * days)),
    is_full_time: 7 * credited >= full_time_week * days * rate_days,
  }
}

const breakPeriods = (rows: ServiceHours[]): Span[] =>
  joinSpans(rows).filter((span) => lengthOf(span) >= min_break_days)

/** The parts of a span by calendar year. */
function yearsOf({ starts_on, ends_on }: Span): Span[] {
  const years: Span[] = []
  for (let day = starts_on; day <= ends_on;) {
    const year_end = `${day.slice(0, 4)}-12-31`
    const last = year_end < ends_on ? year_end : ends_on
    years.push({ starts_on: day, ends_on: last })
    day = addDays(last, 1)
  }
  return years
}

/**
 * Whether an employee is full-time in a calendar month by the monthly measurement method: 130 hours (54.4980H-3(c)(1)).
 * By weekly periods it is 120 hours in four weeks or 150 in five, in the weeks from Sunday that begin with the one that
 * contains the first day of the month and exclude the one that contains its last day (-3(c)(3)).
 */
export function isFullTimeMonth(hours: ServiceHours[], month: Day, by_weeks: boolean): boolean {
  const calendar_month = { starts_on: month, ends_on: monthEnd(month) }
  if (!by_weeks) return hoursIn(hours, calendar_month) >= full_time_month
  const next = addDays(calendar_month.ends_on, 1)
  const weeks = { starts_on: sundayOf(month), ends_on: addDays(sundayOf(next), -1) }
  return hoursIn(hours, weeks) >= (full_time_week * lengthOf(weeks)) / 7
}

/** The Sunday on or before a day. January 4, 1970 was a Sunday. */
const sundayOf = (day: Day): Day => addDays(day, -(((daysBetween('1970-01-04', day) % 7) + 7) % 7))
