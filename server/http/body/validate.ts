import { z } from 'zod'
import { textOf, type RawBody } from './bodies.ts'
import { parseCsv, withNumbers } from '../../kernel/csv.ts'
import type { Endpoint, SentBody } from '../endpoint.ts'
import { fingerprintOf } from '../idempotency.ts'
import { isParam } from '../../kernel/ids.ts'
import { quickCheckOf, unsure, type QuickCheck } from './quick-validation.ts'
import { stageRows, type StagedRows } from '../../kernel/staged-rows.ts'
import { readJson, unwanted } from '../../kernel/strict-json.ts'
import { fieldOf, invalid, most_details, type Detail } from '../../kernel/refusal.ts'

function sentence(issue: z.core.$ZodIssue): string {
  const is_missing = issue.path.length > 0 && (issue.input ?? null) === null
  if (is_missing && ['invalid_type', 'invalid_value'].includes(issue.code)) return 'is required'
  if (issue.code === 'invalid_type') return `must be ${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map((value) => String(value)).join(', ')}`
  if (issue.code === 'too_small' && issue.message.startsWith('Too small'))
    return bound(issue.origin, 'at least', issue.minimum)
  if (issue.code === 'too_big' && issue.message.startsWith('Too big'))
    return bound(issue.origin, 'at most', issue.maximum)
  return issue.message
}

/** For a bound that says nothing better about itself. */
const bound = (origin: string, side: string, limit: number | bigint) =>
  origin === 'array' ? `must hold ${side} ${limit}` : `must be ${side} ${limit}`

const detailsOf = (issues: z.core.$ZodIssue[]): Detail[] =>
  issues.slice(0, most_details).map((issue) => ({ field: fieldOf(issue.path), message: sentence(issue) }))

/** Values of a query by name: repeated keys, `key[]=` and `key[0]=` together. */
function queryValues(query: Record<string, unknown>, known: object): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [key, value] of Object.entries(query)) {
    const [, name = '', rest = ''] = /^([^[]*)(.*)$/s.exec(key)!
    if (!Object.hasOwn(known, name)) continue
    if (!/^(\[\d*\])?$/.test(rest)) throw invalid({ field: name, message: 'must be sent as a value or as a list' })
    const sent = values.get(name) ?? []
    for (const item of Array.isArray(value) ? value : [value]) sent.push(item)
    values.set(name, sent)
  }
  return values
}

const isMultiple = (schema: unknown): boolean =>
  schema instanceof z.ZodDefault ? isMultiple(schema.def.innerType) : schema instanceof z.ZodArray

/** One that is empty is refused where something is written: `?dry_run=` must not be a real run. */
const isFlag = (schema: unknown): boolean =>
  schema instanceof z.ZodDefault
    ? isFlag(schema.def.innerType)
    : schema instanceof z.ZodPipe && schema.def.out instanceof z.ZodBoolean

/**
 * Checks the query of a request; throws a 400 that names the parameters. What the operation does not know is left out,
 * or refused where its schema is strict: where a misspelled name would do what was not meant.
 */
export function parseQuery(
  { query: schema, method }: Endpoint,
  query: Record<string, unknown>,
): Record<string, unknown> {
  if (!schema) return {}
  const names = Object.keys(query).map((key) => key.replace(/\[.*$/s, ''))
  const unknown = schema.def.catchall ? names.filter((name) => !Object.hasOwn(schema.shape, name)) : []
  if (unknown.length > 0)
    throw invalid(...unknown.slice(0, most_details).map((field) => ({ field, message: 'is not a parameter here' })))
  const values = queryValues(query, schema.shape)
  const given: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const all = values.get(name) ?? []
    const keepsEmpty = method !== 'GET' && isFlag(field)
    const sent = keepsEmpty ? all : all.filter((item) => item !== '')
    if (isMultiple(field))
      given[name] = sent
        .flatMap((item) => item.split(','))
        .map((item) => item.trim())
        .filter(Boolean)
    else if (sent.length > 1) throw invalid({ field: name, message: 'must be sent once' })
    else if (sent[0]?.trim() || (sent.length > 0 && keepsEmpty)) given[name] = sent[0]
  }
  const parsed = schema.safeParse(given, { reportInput: true })
  if (!parsed.success) throw invalid(...detailsOf(parsed.error.issues))
  return parsed.data
}

/**
 * The query of a request and the organization named in it, which make two requests differ whose bodies are the same.
 */
export type Asked = { query: string; organization: unknown }

/**
 * A body that was checked: its value, which of its fields count, its rows where they wait for a job, and what tells it
 * from other requests when that was asked.
 */
export type Shape = { body: unknown; fields: string[]; staged?: StagedRows; fingerprint?: Uint8Array }

/** Checks the body of a request against the operation's schema; throws a 400 that names the first 100 faults. */
export function parseBody(taken: SentBody, raw: RawBody | undefined, asked?: Asked): Shape {
  const sent = taken.body && raw && readValue(taken, raw)
  const body = taken.body && check(taken.body, sent === undefined ? {} : sent, taken.rows)
  return {
    ...stage(body, taken.rows),
    fields: Object.keys(sent ?? {}).filter((name) => Object.hasOwn(body as object, name)),
    ...(asked && { fingerprint: fingerprintOf(asked.query, asked.organization, sent) }),
  }
}

/** Takes rows that are to wait out of a body; throws a 400 that names what is wrong among them. */
function stage(body: unknown, rows: SentBody['rows']): Pick<Shape, 'body' | 'staged'> {
  if (!rows?.staged) return { body }
  const { [rows.field]: list, ...others } = body as Record<string, unknown[]>
  const findFault = rows.staged.faultFinder()
  const faults = list!.flatMap((row, at) => findFault(row, at) ?? [])
  if (faults.length > 0) throw invalid(...faults)
  return { body: others, staged: stageRows(list!, rows.staged.size) }
}

function readValue(taken: SentBody, raw: RawBody): unknown {
  const text = textOf(raw, taken)
  const { field, most } = taken.rows ?? {}
  if (raw.media_type === 'text/csv' && field && most) {
    const rows = withNumbers(parseCsv(text, most + 1), taken.csv_numbers)
    if (rows[0] && Object.hasOwn(rows[0], 'ssn')) throw invalid({ field: `${field}[0].ssn`, message: unwanted })
    return { [field]: rows }
  }
  return text.trim() === '' ? undefined : readJson(text)
}

const rows_at_once = 100

function check(schema: z.ZodType, sent: unknown, rows: SentBody['rows']): unknown {
  const list = rows && (sent as Record<string, unknown> | null)?.[rows.field]
  if (!rows || !Array.isArray(list) || list.length <= rows_at_once || list.length > rows.most) {
    const parsed = schema.safeParse(sent, { reportInput: true })
    if (!parsed.success) throw invalid(...detailsOf(parsed.error.issues))
    return parsed.data
  }
  const checking = new RowsCheck(schema, rows.field, sent as object)
  const checked = checking.take(list)
  return { ...checking.end(), [rows.field]: checked }
}

/**
 * Checks the rows of a body, so many at a time, and no more once there are faults enough: nothing wrong costs more than
 * it says.
 */
export class RowsCheck {
  readonly #schema: z.ZodType
  readonly #field: string
  readonly #beside: object
  readonly #quickCheck: QuickCheck | undefined
  readonly #issues: z.core.$ZodIssue[] = []
  #body = {}
  /** how many rows were taken */
  count = 0

  /** `beside`: the body, for what is beside its rows. */
  constructor(schema: z.ZodType, field: string, beside: object) {
    this.#schema = schema
    this.#field = field
    this.#beside = beside
    this.#quickCheck = quickCheckOfRows(schema, field)
  }

  get has_faults(): boolean {
    return this.#issues.length > 0
  }

  /** What the schema makes of the next rows; of some of them, once there are faults. */
  take(list: unknown[]): unknown[] {
    const checked: unknown[] = []
    for (let at = 0; at < list.length && this.#issues.length < most_details; at += rows_at_once) {
      const these = list.slice(at, at + rows_at_once)
      const first = this.count + at
      // The first have Zod look at what is beside the rows too.
      const quick = first > 0 && this.#quickCheck && these.map(this.#quickCheck)
      checked.push(...(quick && !quick.includes(unsure) ? quick : this.#askZod(these, first)))
    }
    this.count += list.length
    return checked
  }

  #askZod(these: unknown[], first: number): unknown[] {
    const parsed = this.#schema.safeParse({ ...this.#beside, [this.#field]: these }, { reportInput: true })
    if (parsed.success) this.#body = parsed.data as object
    else this.#issues.push(...inWhole(parsed.error.issues, this.#field, first))
    return parsed.success ? (this.#body as Record<string, unknown[]>)[this.#field]! : []
  }

  /** What the schema makes of the body, with some of its rows; throws a 400 that names the first 100 faults. */
  end(): object {
    if (this.has_faults) throw invalid(...detailsOf(this.#issues))
    return this.#body
  }
}

/** The quick check of each row, where the rows are a plain list. */
function quickCheckOfRows(schema: z.ZodType, field: string): QuickCheck | undefined {
  const list = schema instanceof z.ZodObject ? schema.shape[field] : undefined
  return list instanceof z.ZodArray ? quickCheckOf(list.element as z.core.$ZodType) : undefined
}

/**
 * What was found in the rows from `first` on, as found in all of them; what has nothing to do with rows is told once.
 */
const inWhole = (issues: z.core.$ZodIssue[], field: string, first: number): z.core.$ZodIssue[] =>
  issues
    .filter(({ path }) => first === 0 || path[0] === field)
    .map((issue) => ({ ...issue, path: issue.path.map((step, at) => (at === 1 ? (step as number) + first : step)) }))

/** Whether everything that the path names is well formed; what is not names nothing. */
export const namesSomething = (endpoint: Endpoint, params: Record<string, string>): boolean =>
  Object.entries(endpoint.params ?? {}).every(([name, kind]) => isParam(kind, params[name] ?? ''))
