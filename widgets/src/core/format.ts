import type { Day } from 'openbenefits'

/** Formats amounts and days in a language. Days are the organization's, so no time zone shifts them. */
export type Format = {
  money: (cents: number) => string
  day: (day: Day) => string
  /** A range of days. `to` is null if no end is known. */
  span: (from: Day, to: Day | null) => string
  /** A range of months. */
  months: (from: Day, to: Day) => string
  month: (month: string) => string
  /** A day with its time in New York, the service's time zone. */
  instant: (instant: string) => string
  list: (words: string[]) => string
}

export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** US locales, for US money and dates. */
const locales: Record<Language, string> = { en: 'en-US', es: 'es-US' }

/** One text per plural category of a language. `#` stands for the count. */
type Plurals = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** Formats counts with the plural rules of a language. */
export function pluralIn(language: Language): (many: number, words: Plurals) => string {
  const rules = lazy(() => new Intl.PluralRules(locales[language]))
  const number = lazy(() => new Intl.NumberFormat(locales[language]))
  return (many, words) => (words[rules().select(many)] ?? words.other).replace('#', number().format(many))
}

const since: Record<Language, (day: string) => string> = { en: (day) => `from ${day}`, es: (day) => `desde el ${day}` }

/** Creates a value on first use, because formatters are slow to create, especially on phones. */
const lazy = <Made>(make: () => Made): (() => Made) => {
  let made: { it: Made } | undefined
  return () => (made ??= { it: make() }).it
}

function makeFormat(language: Language): Format {
  const locale = locales[language]
  const days = (options: Intl.DateTimeFormatOptions, timeZone = 'UTC') =>
    lazy(() => new Intl.DateTimeFormat(locale, { ...options, timeZone }))
  // Abbreviated Spanish dates lack their prepositions (`1 mar 2026`), which read wrong in sentences.
  const [style, month_style] = language === 'es' ? (['long', 'long'] as const) : (['medium', 'short'] as const)
  const medium = days({ dateStyle: style })
  const month = days({ month: month_style, year: 'numeric' })
  const clock = days({ dateStyle: style, timeStyle: 'short' }, 'America/New_York')
  const dollars = lazy(() => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }))
  const list = lazy(() => new Intl.ListFormat(locale, { type: 'conjunction' }))
  // A day has no time zone. Parsing and formatting both use UTC, so it never shifts.
  const at = (day: string) => new Date(`${day}T00:00:00Z`)
  // Non-breaking spaces keep a day on one line.
  const day = (one: Day) => medium().format(at(one)).replaceAll(' ', '\u00a0')
  return {
    money: (cents) => dollars().format(cents / 100),
    day,
    span: (from, to) => (to === null ? since[language](day(from)) : medium().formatRange(at(from), at(to))),
    months: (from, to) => month().formatRange(at(from), at(to)),
    month: (one) => month().format(at(`${one.slice(0, 7)}-01`)),
    instant: (instant) => clock().format(new Date(instant)),
    list: (words) => list().format(words),
  }
}

const formats = { en: lazy(() => makeFormat('en')), es: lazy(() => makeFormat('es')) }

export const formatIn = (language: Language): Format => formats[language]()

/** A US phone number of ten digits for people: `(800) 555-0110`. */
export const phoneOf = (digits: string): string => digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

const milliseconds_a_day = 86_400_000

/** The number of days between two days. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / milliseconds_a_day)

export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * milliseconds_a_day).toISOString().slice(0, 10) as Day

/** A cell of a CSV file. */
export type Cell = string | number | null | undefined

/** Writes a cell as the service does: quoted if needed, with an apostrophe before text that could run as a formula. */
function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = (cell ?? '').replace(/^[=+\-@\t\r＝＋－＠]/, `'$&`)
  return /[",\r\n\uFEFF]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The text of a CSV file, header first (RFC 4180 with a byte order mark). */
export const csvOf = (lines: Cell[][]): string =>
  `\uFEFF${lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('')}`
