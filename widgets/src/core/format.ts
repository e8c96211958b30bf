import type { Day } from 'openbenefits'

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

/** Makes something when it is first asked for: what formats is dear to make, most of all on a phone. */
const once = <Made>(make: () => Made): (() => Made) => {
  let made: { it: Made } | undefined
  return () => (made ??= { it: make() }).it
}

function makeFormat(language: Language): Format {
  const locale = locales[language]
  const days = (options: Intl.DateTimeFormatOptions, timeZone = 'UTC') =>
    once(() => new Intl.DateTimeFormat(locale, { ...options, timeZone }))
  const [medium, short, month] = [
    days({ dateStyle: 'medium' }),
    days({ month: 'short', day: 'numeric' }),
    days({ month: 'short', year: 'numeric' }),
  ]
  const clock = days({ dateStyle: 'medium', timeStyle: 'short' }, 'America/New_York')
  const dollars = once(() => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }))
  const list = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }))
  // A day has no time zone: it is taken and shown in the same one, so that it stays what it is.
  const at = (day: string) => new Date(`${day}T00:00:00Z`)
  // A day is not broken over two lines.
  const day = (one: Day) => medium().format(at(one)).replaceAll(' ', '\u00a0')
  return {
    money: (cents) => dollars().format(cents / 100),
    day,
    short: (one) => short().format(at(one)),
    span: (from, to) => (to === null ? since[language](day(from)) : medium().formatRange(at(from), at(to))),
    months: (from, to) => month().formatRange(at(from), at(to)),
    month: (one) => month().format(at(`${one.slice(0, 7)}-01`)),
    instant: (instant) => clock().format(new Date(instant)),
    list: (words) => list().format(words),
  }
}

const formats = { en: once(() => makeFormat('en')), es: once(() => makeFormat('es')) }

export const formatIn = (language: Language): Format => formats[language]()

const milliseconds_a_day = 86_400_000

/** How many days from one to another. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / milliseconds_a_day)

export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * milliseconds_a_day).toISOString().slice(0, 10) as Day
