import { formatCents, formatDay, type Day } from 'openbenefits'

/** How amounts and days are written in a language. Days are the organization's: no time zone moves them. */
export type Format = {
  money: (cents: number) => string
  day: (day: Day) => string
  /** without the year */
  short: (day: Day) => string
  /** from one day to another; null: no end is known */
  span: (from: Day, to: Day | null) => string
  /** the months from one day to another */
  months: (from: Day, to: Day) => string
  month: (month: string) => string
  /** a day with its time, in New York, whose days the service goes by */
  instant: (instant: string) => string
  list: (words: string[]) => string
}

export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** Both of the United States, whose money and days these are. */
const locales: Record<Language, string> = { en: 'en-US', es: 'es-US' }

/** A word by how many there are of it, for each of a language's plurals; `#` stands for how many. */
type Plurals = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** Says how many there are of something, by the plurals of a language. */
export function pluralIn(language: Language): (many: number, words: Plurals) => string {
  const [rules, number] = [new Intl.PluralRules(locales[language]), new Intl.NumberFormat(locales[language])]
  return (many, words) => (words[rules.select(many)] ?? words.other).replace('#', number.format(many))
}

const since: Record<Language, (day: string) => string> = { en: (day) => `from ${day}`, es: (day) => `desde el ${day}` }

export function formatIn(language: Language): Format {
  const locale = locales[language]
  // A day is not broken over two lines.
  const day = (one: Day) => formatDay(one, locale, { dateStyle: 'medium' }).replaceAll(' ', '\u00a0')
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const months = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const range = (format: Intl.DateTimeFormat, from: Day, to: Day) =>
    format.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`))
  const clock = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/New_York',
  })
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  return {
    money: (cents) => formatCents(cents, locale),
    day,
    short: (one) => formatDay(one, locale, { month: 'short', day: 'numeric' }),
    span: (from, to) => (to === null ? since[language](day(from)) : range(days, from, to)),
    months: (from, to) => range(months, from, to),
    month: (month) => formatDay(`${month.slice(0, 7)}-01` as Day, locale, { month: 'short', year: 'numeric' }),
    instant: (instant) => clock.format(new Date(instant)),
    list: (words) => list.format(words),
  }
}

const milliseconds_a_day = 86_400_000

/** How many days from one to another. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / milliseconds_a_day)

export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * milliseconds_a_day).toISOString().slice(0, 10) as Day
