/** Parses the cells of a spreadsheet. Pure: today is an argument. */

/** The values of fields with a fixed list, and the spellings of spreadsheets. */
const choices: Record<string, Record<string, readonly string[]>> = {
  employee_class: {
    'Full Time': ['fulltime', 'full', 'ft', 'f', 'fte', 'regular full time', 'full time regular'],
    'Part Time': ['parttime', 'part', 'pt', 'p', 'pte', 'regular part time', 'part time regular'],
    Temporary: ['temp', 'tmp'],
    Intern: ['internship'],
    Seasonal: ['season'],
    'Individual Contractor': ['contractor', 'independent contractor', '1099', 'ic'],
  },
  compensation_type: {
    Salary: ['salaried', 'sal', 's', 'annual'],
    Hourly: ['hour', 'hr', 'h', 'per hour'],
  },
  gender: {
    Male: ['m', 'man'],
    Female: ['f', 'woman'],
    Transgender: [],
    'Non-binary': ['nonbinary', 'nb', 'x'],
    'Prefer not to respond': ['prefer not to say', 'decline to answer', 'undisclosed'],
  },
}

/** Text without case and punctuation, so that `Full-time` equals `full time`. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

/** The key of a text in `Meanings`. */
export const meaningKey = (text: string): string => folded(text) || text.trim()

/** The allowed values of a field. Undefined for free text. */
export const choicesOf = (field: string): string[] | undefined => choices[field] && Object.keys(choices[field])

/** The value of each spelling, by field. Prepared once, because a file has thousands of cells. */
const spellings = new Map(
  Object.entries(choices).map(([field, values]) => [
    field,
    new Map(
      Object.entries(values).flatMap(([value, also]) => [folded(value), ...also].map((spelling) => [spelling, value])),
    ),
  ]),
)

/** The meanings of values, by field and by `meaningKey`. An empty value leaves the field out. */
export type Meanings = Record<string, Record<string, string>>

/** The meanings in the `census_values` of an employer's settings. Safe for any field name, even `__proto__`. */
export function meaningsOf(values: { field: string; text: string; value: string | null }[]): Meanings {
  const fields = [...new Set(values.map(({ field }) => field))]
  const meaningsIn = (field: string) =>
    values
      .filter((meaning) => meaning.field === field)
      .map(({ text, value }) => [meaningKey(text), value ?? ''] as const)
  return Object.fromEntries(fields.map((field) => [field, Object.fromEntries(meaningsIn(field))]))
}

/** Options for parsing cells. */
export type Reading = {
  /** Today, such as `2026-03-10`. It decides the century of two-digit years. */
  today: string
  /** Your meanings of values, which override the built-in ones. */
  meanings?: Meanings
}

const day_fields = ['date_of_birth', 'start_date', 'termination_date']

/** The value of a cell in the API's format. Unknown text stays unchanged, and the service refuses it. */
export function valueOf(field: string, text: string, { today, meanings }: Reading): string {
  if (day_fields.includes(field)) return dayOf(text, latestDay(field, today))
  if (field === 'address.zipcode') return zipCodeOf(text)
  return meaningOf(field, text, meanings) ?? text
}

/** Restores the leading zeros that spreadsheets drop from numbers: `2139` is the ZIP code 02139. */
const zipCodeOf = (text: string): string =>
  text
    .replace(/^\d{3,4}(?=$|-\d{4}$)/, (digits) => digits.padStart(5, '0'))
    .replace(/^\d{7,8}$/, (digits) => digits.padStart(9, '0'))

/** The given meaning of a value, or else its built-in value. Undefined without either. */
export function meaningOf(field: string, text: string, meanings: Meanings = {}): string | undefined {
  const known = spellings.get(field)
  const given = Object.hasOwn(meanings, field) ? meanings[field] : undefined
  if (!known && !given) return undefined
  const key = meaningKey(text)
  return given && Object.hasOwn(given, key) ? given[key] : known?.get(folded(text))
}

/** Years that a hire or termination date may be in the future. A date of birth never is. */
const years_ahead = 20

/** The latest day that a two-digit year can mean. */
const latestDay = (field: string, today: string): string =>
  field === 'date_of_birth' ? today : `${Number(today.slice(0, 4)) + years_ahead}${today.slice(4)}`

const time = /(?:T|\s+)\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:[ap]m)?(?:Z|[+-]\d\d:?\d\d)?$/i

/** US date formats, formats with the year first, and Excel's numbers. The named groups are the parts of the date. */
const forms = [
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})$/,
  /^(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)$/,
  /^(?<month>\d{1,2})([-/])(?<day>\d{1,2})\2(?<year>\d{4}|\d\d)$/,
  /^(?<day>\d{1,2})[- ](?<month>[a-z]{3,9})[- ](?<year>\d{4}|\d\d)$/i,
  /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4}|\d\d)$/i,
]

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/**
 * Excel counts days from 1900 and wrongly treats 1900 as a leap year. With this origin, days since March 1900 are
 * correct. Only five digits are parsed (1927 to 2173), because four may be a year.
 */
const serial = /^\d{5}(?:\.\d+)?$/
const serial_zero = Date.UTC(1899, 11, 30)
const day_ms = 86_400_000

/** Converts a date to the API's format. `latest` decides the century of two-digit years. Other text stays unchanged. */
function dayOf(text: string, latest: string): string {
  const given = text.replace(time, '')
  if (serial.test(given)) return isoOf(serial_zero + Math.floor(Number(given)) * day_ms)
  const parts = forms.map((form) => form.exec(given)?.groups).find((found) => found !== undefined)
  if (!parts) return text
  const { year = '', month = '', day = '' } = parts
  const number = /^\d+$/.test(month) ? Number(month) : monthNumber(month)
  const rest = `-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
  const found = `${year.length === 2 ? centuryOf(year, rest, latest) : ''}${year}${rest}`
  return isDay(found) ? found : text
}

/** The number of `jan`, `Sept` or `January`. 0 for other words. */
const monthNumber = (word: string): number => months.findIndex((name) => name.startsWith(word.toLowerCase())) + 1

/** The latest century for which the day is not after `latest`. */
function centuryOf(year: string, rest: string, latest: string): number {
  const century = Number(latest.slice(0, 2))
  return `${century}${year}${rest}` <= latest ? century : century - 1
}

const isoOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && isoOf(ms) === text
}
