import { z } from 'zod'
import { isDay } from './days.ts'
import { idPattern, isId, kinds, type Prefix } from './ids.ts'
import { stateCode, states } from './states.ts'

const controlCharacter = /\p{Cc}/u

/** Something that can be seen: no blank, nor what only shapes or directs the text around it. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** What composing and trimming may take away of a text that fits, and more. */
const room = 16

/**
 * A text without the blanks around it. One with a line break or the like stays whole, so that it is refused, not
 * mended.
 */
export const trimmed = (value: string): string => (controlCharacter.test(value) ? value : value.trim())

/**
 * Text to look for: trimmed, NFC, without control characters, 1 to `most` characters; where none of them is seen it
 * finds nothing. Its length is looked at before anything else is done with it, here and in all that is built on it.
 */
export const sought = (most = 255) =>
  z
    .string()
    .max(most * room, { error: `must be at most ${most} characters`, abort: true })
    .overwrite((value) => trimmed(value.normalize('NFC')))
    .min(1, 'must not be empty')
    .max(most, { error: `must be at most ${most} characters`, abort: true })
    .refine((value) => !controlCharacter.test(value) && value.isWellFormed(), {
      error: 'must not contain control characters',
      abort: true,
    })

/**
 * Embeddings, overrides and isolates, by which `gnp.exe` shows as `exe.png`. Joiners and single marks stay: names in
 * Persian, Sinhala or Hebrew need them, and they reorder nothing around them.
 */
const reordering = /[\u202a-\u202e\u2066-\u2069]/

/** Text as people type it, to be kept: the same, with a visible character, and shown in the order of its characters. */
export const text = (most = 255) =>
  sought(most)
    .refine((value) => value === '' || visible.test(value), 'must hold characters that can be seen')
    .refine(
      (value) => !reordering.test(value),
      'must not contain characters that change the direction of the text around them',
    )

const emailShape =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/

/** An e-mail address as written; compared case-insensitively everywhere. */
export const Email = text(254)
  .refine((value) => emailShape.test(value), 'must be an e-mail address')
  .meta({ id: 'Email', format: 'email', example: 'ada@example.com' })

/**
 * Whether a text is an origin as browsers send it. A wildcard, which URLs allow in a host, would match no origin, since
 * origins are compared whole.
 */
export const isOrigin = (value: string): boolean => !value.includes('*') && URL.parse(value)?.origin === value

/** A US phone number: punctuation and a leading +1 or 1 are dropped, ten digits remain. */
export const Phone = text(40)
  .overwrite((value) => value.replace(/[\s().\-/]/g, '').replace(/^\+?1(?=\d{10}$)/, ''))
  .refine((value) => /^\d{10}$/.test(value), 'must be a 10-digit US phone number')
  .meta({ id: 'Phone', description: 'A US phone number.', example: '4155550123' })

/**
 * Text of a form that is short: nothing is done with what is longer than a line, which can't be of it. `why` says so.
 */
export const brief = (why: string) => z.string().refine((value) => value.length <= 100, { error: why, abort: true })

const no_day = 'must be a day that exists, as YYYY-MM-DD, from 1900 to 2199'

/** A calendar day, `YYYY-MM-DD`. */
export const DayText = brief(no_day)
  .overwrite(trimmed)
  .refine(isDay, no_day)
  .meta({ id: 'Day', format: 'date', description: 'A calendar day, `YYYY-MM-DD`.', example: '2026-03-10' })

/** A calendar month, `YYYY-MM`. */
export const MonthText = z
  .string()
  .overwrite(trimmed)
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, as YYYY-MM')

const knownStates = new Set<string>(states)

const no_state = 'must be a US state or territory, such as TX or Texas'

/** A state or territory by its code or its full name, in any case; kept as the code. */
export const State = brief(no_state)
  .overwrite((value) => stateCode(trimmed(value)))
  .refine((value) => knownStates.has(value), no_state)
  .meta({
    id: 'State',
    enum: [...states],
    description: 'A US state or territory. Requests may also name it in full (`California`), in any case.',
    example: 'CA',
  })

const no_zipcode = 'must be a ZIP code of 5 or 9 digits'

/** Five or nine digits, kept as `12345` or `12345-6789`. */
export const Zipcode = brief(no_zipcode)
  .overwrite((value) => trimmed(value).replace(/^(\d{5})(\d{4})$/, '$1-$2'))
  .refine((value) => /^\d{5}(-\d{4})?$/.test(value), no_zipcode)
  .meta({
    id: 'Zipcode',
    description: 'Five or nine digits: `94105`, `94105-1234` or `941051234`.',
    example: '94105',
  })

/** Absent and null mean the same: nothing was given. */
export const optional = <Shape extends z.ZodType>(shape: Shape) =>
  shape.nullish().transform((value) => value ?? undefined)

/** On PATCH and PUT: absent leaves as it is, null clears. */
export const clearable = <Shape extends z.ZodType>(shape: Shape) =>
  shape.nullable().optional().meta({ on_null: 'null clears it.' })

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
 * The name of a county, without the word: rates and addresses say it or don't. An independent city keeps its "city", by
 * which it is told from the county of its name.
 */
export const County = text(100)
  .overwrite((name) => name.replace(/\s+/g, ' ').replace(/(?<=.) (?:county|parish)$/i, ''))
  .meta({ description: 'The county, with or without the word County or Parish.', example: 'Cook' })

/** Where a person lives. Whoever sends no county keeps the one that is known of the same ZIP code. */
export const NewResidence = NewAddress.extend({ county: County.nullish() }).meta({
  id: 'NewResidence',
  description: 'A US address; the county tells rating areas of ICHRA apart.',
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

/** SQL: the Address of a row whose columns are named like its fields; null when it has none. */
export const addressJson = (row: string): string => `
  case when ${row}.address_line_1 is not null then json_build_object(
    'address_line_1', ${row}.address_line_1, 'address_line_2', ${row}.address_line_2,
    'city', ${row}.city, 'state', ${row}.state, 'zipcode', ${row}.zipcode) end`

/** SQL: the Residence of a row of a person; null when it has none. */
export const residenceJson = (row: string): string => `
  case when ${row}.address_line_1 is not null then json_build_object(
    'address_line_1', ${row}.address_line_1, 'address_line_2', ${row}.address_line_2,
    'city', ${row}.city, 'state', ${row}.state, 'zipcode', ${row}.zipcode, 'county', ${row}.county) end`

const idOf = (prefix: Prefix) =>
  brief(`must be an id that starts with ${prefix}_`)
    .refine((value) => isId(prefix, value), `must be an id that starts with ${prefix}_`)
    .meta({
      id: `${kinds[prefix]}Id`,
      pattern: idPattern(prefix).source,
      example: `${prefix}_01kdq7b4w8e9rs2mh3n5t6v7xz`,
    })

const ids = new Map<Prefix, ReturnType<typeof idOf>>()

/** An id in an answer or a body: of each kind there is one schema, which has a name. */
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

/** An instant in an answer, `2026-03-10T14:05:09.123Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta(instant)

/** A day in an answer. */
export const DayAnswer = z.iso
  .date()
  .meta({ id: 'Day', format: 'date', description: 'A calendar day, `YYYY-MM-DD`.', example: '2026-03-10' })

/** A blank in place of the T or before the offset, a plus that a query has turned into a blank, an offset without colon. */
const spelledOut = (text: string): string =>
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
  .overwrite(spelledOut)
  .check(z.iso.datetime({ offset: true, error: 'must be an instant such as 2026-03-10T14:05:09.123Z' }))
  .refine((text) => /^(19|20|21)\d\d/.test(text), 'must be from 1900 to 2199')
  .meta(instant)
