import { z } from 'zod'
import { isDay } from './days.ts'
import { idPattern, isId, kinds, type Prefix } from './ids.ts'
import { stateCode, states } from './states.ts'

const controlCharacter = /\p{Cc}/u

/** A visible character: not a space, and not one that only formats the text around it. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** How much longer a text may be before normalization and trimming. */
const slack_factor = 16

/**
 * Trims text. Text with control characters, such as line breaks, is not trimmed, so that it is refused as it is.
 */
export const trimValue = (value: string): string => (controlCharacter.test(value) ? value : value.trim())

/**
 * Search text: trimmed, NFC, 1 to `most` characters, without control characters. Invisible text finds nothing. The
 * length is checked before any other step, here and in all schemas based on it.
 */
export const searchText = (most = 255) =>
  z
    .string()
    .max(most * slack_factor, { error: `must be at most ${most} characters`, abort: true })
    .overwrite((value) => trimValue(value.normalize('NFC')))
    .min(1, 'must not be empty')
    .max(most, { error: `must be at most ${most} characters`, abort: true })
    .refine((value) => !controlCharacter.test(value) && value.isWellFormed(), {
      error: 'must not contain control characters',
      abort: true,
    })

/**
 * Embeddings, overrides and isolates, with which `gnp.exe` is shown as `exe.png`. Joiners and single marks are allowed:
 * names in Persian, Sinhala or Hebrew need them, and they do not reorder the text around them.
 */
const reordering = /[\u202a-\u202e\u2066-\u2069]/

/** Text to store: like `searchText`, but with at least one visible character and without reordering characters. */
export const text = (most = 255) =>
  searchText(most)
    .refine((value) => value === '' || visible.test(value), 'must contain visible characters')
    .refine(
      (value) => !reordering.test(value),
      'must not contain characters that change the direction of the text around them',
    )

/** Text of several lines. Line breaks are stored as `\n`. */
export const paragraphs = (most: number) =>
  z
    .string()
    .max(most * slack_factor, { error: `must be at most ${most} characters`, abort: true })
    .overwrite((value) => value.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim())
    .max(most, { error: `must be at most ${most} characters`, abort: true })
    .refine((value) => visible.test(value), { error: 'must contain visible characters', abort: true })
    .refine((value) => !controlCharacter.test(value.replaceAll('\n', '')) && value.isWellFormed(), {
      error: 'must not contain control characters',
      abort: true,
    })
    .refine(
      (value) => !reordering.test(value),
      'must not contain characters that change the direction of the text around them',
    )

const emailShape =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/

/** An email address as written. Comparisons ignore case. */
export const Email = text(254)
  .refine((value) => emailShape.test(value), 'must be an email address')
  .meta({ id: 'Email', format: 'email', example: 'ada@example.com' })

/**
 * Whether a string is an origin as browsers send it. URLs allow a wildcard in the host, but it would match no origin,
 * because origins are compared as a whole.
 */
export const isOrigin = (value: string): boolean => !value.includes('*') && URL.parse(value)?.origin === value

/** A US phone number: punctuation and a leading +1 or 1 are dropped, ten digits remain. */
export const Phone = text(40)
  .overwrite((value) => value.replace(/[\s().\-/]/g, '').replace(/^\+?1(?=\d{10}$)/, ''))
  .refine((value) => /^\d{10}$/.test(value), 'must be a 10-digit US phone number')
  .meta({
    id: 'Phone',
    description: 'A US phone number of 10 digits. Punctuation and a leading +1 or 1 are removed.',
    example: '4155550123',
  })

/** Text of a short format. Longer text is refused with `why` before any other step. */
export const shortText = (why: string) => z.string().refine((value) => value.length <= 100, { error: why, abort: true })

const no_day = 'must be a valid date in the format YYYY-MM-DD, from 1900 to 2199'

/** A calendar day, `YYYY-MM-DD`. */
export const DayText = shortText(no_day)
  .overwrite(trimValue)
  .refine(isDay, no_day)
  .meta({ id: 'Day', format: 'date', description: 'A calendar day, `YYYY-MM-DD`.', example: '2026-03-10' })

/** A calendar month, `YYYY-MM`. */
export const MonthText = z
  .string()
  .overwrite(trimValue)
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month in the format YYYY-MM')

const knownStates = new Set<string>(states)

const no_state = 'must be a US state or territory, such as TX or Texas'

/** A state or territory by its code or its full name, in any case; kept as the code. */
export const State = shortText(no_state)
  .overwrite((value) => stateCode(trimValue(value)))
  .refine((value) => knownStates.has(value), no_state)
  .meta({
    id: 'State',
    enum: [...states],
    description: 'A US state or territory. Requests may also use the full name (`California`), in any case.',
    example: 'CA',
  })

const no_zipcode = 'must be a ZIP code of 5 or 9 digits'

/** Five or nine digits, kept as `12345` or `12345-6789`. */
export const Zipcode = shortText(no_zipcode)
  .overwrite((value) => trimValue(value).replace(/^(\d{5})(\d{4})$/, '$1-$2'))
  .refine((value) => /^\d{5}(-\d{4})?$/.test(value), no_zipcode)
  .meta({
    id: 'Zipcode',
    description: 'Five or nine digits: `94105`, `94105-1234` or `941051234`.',
    example: '94105',
  })

/**
 * An optional field. Null means the same as omitting it. `optional` comes last, so that an absent field skips the
 * transformation: rows with many optional fields are validated in three fifths of the time.
 */
export const optional = <Shape extends z.ZodType>(shape: Shape) =>
  shape
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()

/** A field of PATCH and PUT. Omitting it keeps the value, and null clears it. */
export const clearable = <Shape extends z.ZodType>(shape: Shape) =>
  shape.nullable().optional().meta({ on_null: 'Null clears it.' })

export const NewAddress = z
  .object({
    address_line_1: text(),
    address_line_2: text()
      .nullish()
      .transform((value) => value ?? null),
    city: text(),
    state: State,
    zipcode: Zipcode,
  })
  .meta({ id: 'NewAddress', description: 'A US address.' })

export type NewAddress = z.output<typeof NewAddress>

/**
 * A county name without the word "County". Sources of rates and addresses differ in it. An independent city keeps its
 * "city", which distinguishes it from the county of the same name.
 */
export const County = text(100)
  .overwrite((name) => name.replace(/\s+/g, ' ').replace(/(?<=.) (?:county|parish)$/i, ''))
  .meta({ description: 'The county, with or without the word County or Parish.', example: 'Cook' })

/** A home address. Without a county, the county known for the same ZIP code is kept. */
export const NewResidence = NewAddress.extend({ county: County.nullish() }).meta({
  id: 'NewResidence',
  description: 'A US address. The county determines the ICHRA rating area.',
})
export type NewResidence = NewAddress & { county?: string | null | undefined }

export const Address = z
  .object({
    address_line_1: z.string(),
    address_line_2: z.string().nullable(),
    city: z.string(),
    state: z.string(),
    zipcode: z.string(),
  })
  .meta({ id: 'Address' })

export const Residence = Address.extend({ county: z.string().nullable() }).meta({ id: 'Residence' })

/** SQL: the Address of a row with columns named like its fields. Null if it has no address. */
export const addressJson = (row: string): string => `
  case when ${row}.address_line_1 is not null then json_build_object(
    'address_line_1', ${row}.address_line_1, 'address_line_2', ${row}.address_line_2,
    'city', ${row}.city, 'state', ${row}.state, 'zipcode', ${row}.zipcode) end`

/** SQL: the Residence of a person's row. Null if it has no address. */
export const residenceJson = (row: string): string => `
  case when ${row}.address_line_1 is not null then json_build_object(
    'address_line_1', ${row}.address_line_1, 'address_line_2', ${row}.address_line_2,
    'city', ${row}.city, 'state', ${row}.state, 'zipcode', ${row}.zipcode, 'county', ${row}.county) end`

const idOf = (prefix: Prefix) =>
  shortText(`must be an id that starts with ${prefix}_`)
    .refine((value) => isId(prefix, value), `must be an id that starts with ${prefix}_`)
    .meta({
      id: `${kinds[prefix]}Id`,
      pattern: idPattern(prefix).source,
      example: `${prefix}_01kdq7b4w8e9rs2mh3n5t6v7xz`,
    })

const ids = new Map<Prefix, ReturnType<typeof idOf>>()

/** The schema of an id in a response or body. There is one named schema per kind. */
export function Id(prefix: Prefix): ReturnType<typeof idOf> {
  const known = ids.get(prefix) ?? idOf(prefix)
  ids.set(prefix, known)
  return known
}

const instant = {
  id: 'Timestamp',
  format: 'date-time',
  description: 'An instant, ISO 8601 in UTC.',
  example: '2026-03-10T14:05:09.123Z',
}

/** An instant in a response, `2026-03-10T14:05:09.123Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta(instant)

/** A day in a response. */
export const ResponseDay = z.iso
  .date()
  .meta({ id: 'Day', format: 'date', description: 'A calendar day, `YYYY-MM-DD`.', example: '2026-03-10' })

/**
 * Normalizes other spellings: a space for the T or before the offset, a plus that a query decoded to a space, an offset
 * without a colon.
 */
const normalizeInstant = (text: string): string =>
  text
    .slice(0, 100)
    .trim()
    .replace(/^(\S{10}) (?=\d)/, '$1T')
    .replace(/(?<=T\S+) ?([-+ ])(?=\d\d:?\d\d$)/, (_, sign: string) => (sign === '-' ? '-' : '+'))
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')

/**
 * An instant in a request: ISO 8601 with its offset from UTC, from 1900 to 2199. As some clients write it,
 * a blank may replace the T or precede the offset, and the offset may have no colon: `2026-11-28 22:25:04 +0000`.
 */
export const Instant = z
  .string()
  .overwrite(normalizeInstant)
  .check(z.iso.datetime({ offset: true, error: 'must be an instant such as 2026-03-10T14:05:09.123Z' }))
  .refine((text) => /^(19|20|21)\d\d/.test(text), 'must be from 1900 to 2199')
  .meta(instant)

export const Gender = z
  .enum(['Male', 'Female', 'Transgender', 'Non-binary', 'Prefer not to respond'])
  .meta({ id: 'Gender' })

/** A language of documents and names that employees read. */
export const Language = z.enum(['en', 'es']).meta({ id: 'Language' })
