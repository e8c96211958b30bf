import type { Day } from './v1/types.gen.ts'

/**
 * Converts a string to a day, for example from a file or form. Throws a `RangeError` for any other string. A literal
 * such as
 * `'2026-03-10'` is a day without conversion.
 */
export function day(text: string): Day {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  const instant = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  if (Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== text)
    throw new RangeError(`${JSON.stringify(text)} is not a day, YYYY-MM-DD.`)
  return text as Day
}

/** Formats a day independently of time zones: `Mar 10, 2026`, or by options of `Intl.DateTimeFormat`. */
export const formatDay = (
  value: Day,
  locale = 'en-US',
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
): string =>
  // A day has no time zone. Parsing and formatting both use UTC, so it never shifts.
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${value}T00:00:00Z`))

/** Formats cents as dollars: `$1,234.50`. Throws a `RangeError` for fractions of cents. */
export function formatCents(cents: number, locale = 'en-US'): string {
  if (!Number.isInteger(cents)) throw new RangeError(`${cents} is not a whole number of cents.`)
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(cents / 100)
}
