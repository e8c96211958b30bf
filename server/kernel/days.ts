/**
 * A calendar day, `YYYY-MM-DD`. Days are text from request to column and compare as text; a JS `Date`
 * never stands for one.
 */
export type Day = string

const pattern = /^\d{4}-\d{2}-\d{2}$/

/**
 * Whether the text is a day that exists in the calendar, from 1900 to 2199. What lies beyond is no day that anybody
 * means, but a typo, or 9999-12-31 for "never".
 */
export const isDay = (text: string): boolean =>
  pattern.test(text) && text >= '1900-01-01' && text <= '2199-12-31' && exists(text)

/** By hand: a census asks it of two days of each row, and of the library that took an eighth of checking them. */
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

/** The day `count` calendar days later (earlier when negative). */
export const addDays = (day: Day, count: number): Day => Temporal.PlainDate.from(day).add({ days: count }).toString()

/** How many calendar days after the first day the second is; negative when it is before. */
export const daysBetween = (first: Day, second: Day): number =>
  Temporal.PlainDate.from(first).until(Temporal.PlainDate.from(second)).days

/** The instant (epoch milliseconds) at which clocks in New York show the same time, `count` calendar days later. */
export const addDaysTo = (instant: number, count: number): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('America/New_York').add({ days: count })
    .epochMilliseconds

/** The earliest of some days; null counts for nothing, and is returned if there is no day. */
export const earliest = (...days: (Day | null)[]): Day | null =>
  days.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null)

/** The last day of the month of a day. */
export function monthEnd(day: Day): Day {
  const month = day.slice(5, 7)
  // By hand: what is asked of each month of each enrollment took a seventh of what planting a sandbox's stage computes.
  const last = month === '02' ? (isLeap(Number(day.slice(0, 4))) ? '29' : '28') : short_months.has(month) ? '30' : '31'
  return day.slice(0, 8) + last
}

const short_months = new Set(['04', '06', '09', '11'])
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** The same day some years later; after 29 February it is 1 March in common years, as for birthdays. */
export function yearsAfter(day: Day, years: number): Day {
  const same = `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`
  return exists(same) ? same : `${same.slice(0, 4)}-03-01`
}

/**
 * Full years lived on a day. Who is born on 29 February has the birthday on 1 March in common years
 * (decisions.md, section 4), which is what comparing the texts of month and day says.
 */
export function ageOn(born: Day, day: Day): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4))
  return day.slice(5) < born.slice(5) ? years - 1 : years
}
