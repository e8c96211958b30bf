/**
 * A calendar day, `YYYY-MM-DD`. Days are text from request to column and are compared as text. No JavaScript `Date`
 * with a time zone represents a day.
 */
export type Day = string

const pattern = /^\d{4}-\d{2}-\d{2}$/

/**
 * Whether the string is a day of the calendar from 1900 to 2199. Days beyond that are typos, or 9999-12-31 for "never".
 */
export const isDay = (text: string): boolean =>
  pattern.test(text) && text >= '1900-01-01' && text <= '2199-12-31' && exists(text)

/**
 * Does not use the Temporal library: a census checks two days per row, and the library took an eighth of the validation
 * time.
 */
const exists = (text: string): boolean =>
  text.slice(5, 7) >= '01' && text.slice(5, 7) <= '12' && text.slice(8) >= '01' && text <= monthEnd(text)

let latest = { minute: Number.NaN, day: '' }

/** The calendar day in America/New_York at an instant (epoch milliseconds): the service's "today". */
export function easternDay(instant: number): Day {
  const minute = Math.floor(instant / 60_000)
  if (minute !== latest.minute) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('America/New_York')
    latest = { minute, day: zoned.toPlainDate().toString() }
  }
  return latest.day
}

/** A day in UTC, in milliseconds. */
export const day_ms = 86_400_000

const two_digits = Array.from({ length: 32 }, (_, number) => String(number).padStart(2, '0'))

/**
 * The day `count` calendar days later (earlier when negative). Calculates with midnights in UTC, because the Temporal
 * library took seven times as long, and ten times for the difference of two days. `toISOString` took three times as
 * long. Throws a RangeError if `day` is not a day.
 */
export function addDays(day: Day, count: number): Day {
  const date = new Date(Date.parse(day) + count * day_ms)
  const month = two_digits[date.getUTCMonth() + 1]
  if (month === undefined) throw new RangeError(`Not a day: ${day}`)
  const year = String(date.getUTCFullYear()).padStart(4, '0')
  return `${year}-${month}-${two_digits[date.getUTCDate()]}`
}

/** The number of calendar days from the first day to the second. Negative if the second is earlier. */
export const daysBetween = (first: Day, second: Day): number => (Date.parse(second) - Date.parse(first)) / day_ms

/** The same day of the month some months later or earlier, or the last day of a shorter month. */
export function monthsAfter(day: Day, months: number): Day {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  const first = `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}-01`
  const same = first.slice(0, 8) + day.slice(8)
  return earliest(same, monthEnd(first))!
}

/** The first of a month: the day itself, or the next one. */
export const firstOnOrAfter = (day: Day): Day => (day.endsWith('-01') ? day : addDays(monthEnd(day), 1))

/** The instant (epoch milliseconds) at which clocks in New York show the same time, `count` calendar days later. */
export const addDaysTo = (instant: number, count: number): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('America/New_York').add({ days: count })
    .epochMilliseconds

/** The earliest day. Nulls are ignored. Null if there is no day. */
export const earliest = (...days: (Day | null)[]): Day | null =>
  days.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null)

/** The last day of the month of a day. */
export function monthEnd(day: Day): Day {
  const month = day.slice(5, 7)
  // Does not use the Temporal library, which took a seventh of the time to seed a sandbox.
  const last = month === '02' ? (isLeap(Number(day.slice(0, 4))) ? '29' : '28') : short_months.has(month) ? '30' : '31'
  return day.slice(0, 8) + last
}

const short_months = new Set(['04', '06', '09', '11'])
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** The same day some years later; after February 29 it is March 1 in common years, as for birthdays. */
export function yearsAfter(day: Day, years: number): Day {
  const same = `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`
  return exists(same) ? same : `${same.slice(0, 4)}-03-01`
}

/**
 * Age in full years on a day. A birthday on February 29 is on March 1 in common years, which comparing month and day
 * as text gives.
 */
export function ageOn(born: Day, day: Day): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4))
  return day.slice(5) < born.slice(5) ? years - 1 : years
}
