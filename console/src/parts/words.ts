import type { Day } from 'openbenefits'

/** How values are said: money, days, instants, and the status words of the interface. */

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const number = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const instant = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

export const inDollars = (cents: number): string => money.format(cents / 100)
export const inWords = (count: number): string => number.format(count)

/** Words that stay on one line. */
const held = (words: string): string => words.replaceAll(' ', '\u00a0')

/** `2026-03-10` as `Mar 10, 2026`. */
export const dayOf = (text: string): string => held(day.format(Date.parse(text)))
/** The days of a pay period. */
export const periodOf = (of: { period_start_date: string; period_end_date: string }): string =>
  `${dayOf(of.period_start_date)} – ${dayOf(of.period_end_date)}`
/** `2026-03` as `March 2026`. */
export const monthOf = (text: string): string => month.format(Date.parse(`${text}-01`))
/** Whether a text is a month as the interface takes it. */
export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text)
/** The day of an instant here, and its time. */
export const partsOf = (text: string): [day: string, time: string] => {
  const said = instantOf(text)
  const at = said.lastIndexOf(', ')
  return [said.slice(0, at), said.slice(at)]
}
export const instantOf = (text: string): string => {
  const said = instant.format(Date.parse(text))
  const at = said.lastIndexOf(', ')
  return `${held(said.slice(0, at))}, ${held(said.slice(at + 2))}`
}

/** A sentence of the service with its days as people read them. */
export const withDays = (text: string): string => text.replace(/\b\d{4}-\d\d-\d\d\b/g, dayOf)

/** A day of the reader as the instants at which it begins, and ends. */
export const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
export const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

const eastern = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' })
/** The day of the service at an instant, by which its clocks go. */
export const easternDayOf = (instant: string): string => eastern.format(Date.parse(instant))

/** So many days after a day, or before it. */
export const dayAfter = (day: string, days = 1): Day =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10) as Day

/** A day, moved by as much as another one was: by whole years where that is what it was, else by days. */
export function movedBy(day: string, from: string, to: string): string {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4))
  const later = (one: string) => dayAfter(`${Number(one.slice(0, 4)) + years}${one.slice(4)}`, 0)
  return later(from) === to ? later(day) : dayAfter(day, (Date.parse(to) - Date.parse(from)) / 86_400_000)
}

/** The last day of the month of a day. */
export const endOfMonth = (day: string): Day => dayAfter(`${dayAfter(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1)

/** The day here, for as long as that of the organization is not known. */
export const presentDay = (): string => new Date().toISOString().slice(0, 10)

export const nameOf = (person: { first_name: string; last_name: string; suffix?: string | null }): string =>
  [person.first_name, person.last_name, person.suffix].filter(Boolean).join(' ')

/** `open_enrollment` as `Open enrollment`; what is written in words already stays as it is. */
export const sentence = (word: string): string => {
  const said = word.replaceAll('_', ' ').replace(/\b(api|tpa)\b/gi, (short) => short.toUpperCase())
  return said.charAt(0).toUpperCase() + said.slice(1)
}

/** `start_date_invalid: must be a day` is a code and a sentence: people read the sentence, or the code as words. */
export const reasonOf = (reason: string): string => {
  const said = reason.replace(/^[a-z_]+: /, '')
  return /^[a-z_0-9]+$/.test(said) ? sentence(said) : said
}

/** `employee.deduction_created` as `Employee deduction created`. */
export const happenedOf = (event_name: string): string => sentence(event_name.replace('.', ' '))

/** `1 employee`, `3 employees`, `2 people`. */
export const count = (of: number, one: string, many = `${one}s`): string => `${inWords(of)} ${of === 1 ? one : many}`

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

/** What a status word amounts to; one that is not known is over. */
export const toneOf = (status: string): Tone =>
  (Object.keys(tones) as Tone[]).find((tone) => tones[tone].includes(status.toLowerCase())) ?? 'over'
