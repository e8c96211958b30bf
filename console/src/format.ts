import type { Address, Day } from 'openbenefits'

/** Formats money, days, instants and the API's status words. */

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const number = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const eastern_day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' })
const instant = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

export const formatDollars = (cents: number): string => money.format(cents / 100)
/** An amount such as `$1,234.50` in cents. Undefined for other text. */
export const parseDollars = (text: string): number | undefined =>
  /^\$?\d[\d,]*(?:\.\d{1,2})?$/.test(text.trim()) ? Math.round(Number(text.replaceAll(/[$,]/g, '')) * 100) : undefined
export const formatNumber = (count: number): string => number.format(count)

/** Joins words with non-breaking spaces. */
const withoutBreaks = (words: string): string => words.replaceAll(' ', '\u00a0')

/** `2026-03-10` as `Mar 10, 2026`. */
export const formatDay = (text: string): string => withoutBreaks(day.format(Date.parse(text)))
/** A range of days: `Mar 1, 2026 – Mar 31, 2026`. */
export const formatDayRange = (from: string, to: string): string => `${formatDay(from)} – ${formatDay(to)}`
/** The days of a pay period. */
export const formatPeriod = (of: { period_start_date: string; period_end_date: string }): string =>
  formatDayRange(of.period_start_date, of.period_end_date)
/** `2026-03` as `March 2026`. */
export const formatMonth = (text: string): string => month.format(Date.parse(`${text}-01`))
/** Whether a string is a month in the API's format. */
export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text)
/** An instant as a local date and time, in two parts. */
export const formatDayAndTime = (text: string): [day: string, time: string] => {
  const words = instant.format(Date.parse(text))
  const at = words.lastIndexOf(', ')
  return [withoutBreaks(words.slice(0, at)), `, ${withoutBreaks(words.slice(at + 2))}`]
}
/** An instant as a local date and time. */
export const formatInstant = (text: string): string => formatDayAndTime(text).join('')

/** Adds days to a day. A negative number subtracts. */
export const addDays = (day: string, days = 1): Day =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10) as Day

/** The number of days from one day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

/** The distance of a day from today: `today`, `in 3 days`, `3 days ago`. */
export function formatDistance(day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days === 0) return 'today'
  return days > 0 ? `in ${formatCount(days, 'day')}` : `${formatCount(-days, 'day')} ago`
}

/** Today in US Eastern time, as the service defines it. Used until the organization's day is known. */
export const easternToday = (): string => eastern_day.format(new Date())

export const fullName = (person: { first_name: string; last_name: string; suffix?: string | null }): string =>
  [person.first_name, person.last_name, person.suffix].filter(Boolean).join(' ')

export const formatAddress = (
  of: Pick<Address, 'address_line_1' | 'address_line_2' | 'city' | 'state' | 'zipcode'>,
): string => [of.address_line_1, of.address_line_2, of.city, `${of.state} ${of.zipcode}`].filter(Boolean).join(', ')

/** `open_enrollment` as `Open enrollment`. Text that already contains words stays unchanged. */
export const toSentence = (word: string): string => {
  const words = word.replaceAll('_', ' ').replace(/\b(api|tpa)\b/gi, (short) => short.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `1 employee`, `3 employees`, `2 people`. */
export const formatCount = (of: number, one: string, many = `${one}s`): string =>
  `${formatNumber(of)} ${of === 1 ? one : many}`

export type Tone = 'good' | 'wait' | 'bad' | 'over'

const tones: Record<Tone, string[]> = {
  good: [
    'active',
    'enrolled',
    'eligible',
    'paid',
    'approved',
    'delivered',
    'coverage effective',
    'completed',
    'enabled',
    'succeeded',
    'carried',
    'answered',
    'new',
    'covered',
    'verified',
  ],
  wait: [
    'pending',
    'onboarding',
    'open_enrollment',
    'renewal',
    'upcoming',
    'draft',
    'open',
    'waiting',
    'coverage upcoming',
    'queued',
    'processing',
    'held',
    'in progress',
    'changed',
    'lapses',
    'not yet covered',
    'waiting period',
  ],
  bad: [
    'failed',
    'declined',
    'rejected',
    'expired',
    'disabled',
    'failing',
    'revoked',
    'refused',
    'overdue',
    'late',
    'not covered',
    'not_eligible',
  ],
  over: [],
}

/** The tone of a status word. Unknown words get the tone of an ended state. */
export const toneOf = (status: string): Tone =>
  (Object.keys(tones) as Tone[]).find((tone) => tones[tone].includes(status.toLowerCase())) ?? 'over'
