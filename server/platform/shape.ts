import { z } from 'zod'
import { parseCsv } from './csv.ts'
import type { Endpoint } from './endpoint.ts'
import { isParam } from './ids.ts'
import { generic, Refusal, type Detail } from './refusal.ts'

const most_details = 100
const deepest = 32
const most_values = 500_000
const unwanted = 'must not be sent: we do not want social security numbers'

const invalid = (...details: Detail[]) => new Refusal(generic.invalid_request, details.slice(0, most_details))

/** `employees[3].address.zipcode` */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (field, step) =>
      typeof step === 'number' ? `${field}[${step}]` : field ? `${field}.${String(step)}` : String(step),
    '',
  )

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined || issue.input === null) return 'is required'
    return `must be ${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
  }
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

const detailsOf = (error: z.ZodError): Detail[] =>
  error.issues.map((issue) => ({ field: fieldOf(issue.path), message: sentence(issue) }))

/** Values of a query by name: repeated keys, `key[]=` and `key[0]=` together, empty ones dropped. */
function queryValues(query: Record<string, unknown>): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [key, value] of Object.entries(query)) {
    const name = key.replace(/\[\d*\]$/, '')
    const sent = (Array.isArray(value) ? value : [value]).filter((item) => item !== '')
    values.set(name, [...(values.get(name) ?? []), ...(sent as string[])])
  }
  return values
}

const isMultiple = (schema: unknown): boolean =>
  schema instanceof z.ZodDefault ? isMultiple(schema.def.innerType) : schema instanceof z.ZodArray

function parseQuery(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
  const values = queryValues(query)
  const given: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const sent = values.get(name) ?? []
    if (isMultiple(field))
      given[name] = sent
        .flatMap((item) => item.split(','))
        .map((item) => item.trim())
        .filter(Boolean)
    else if (sent.length > 1) throw invalid({ field: name, message: 'must be sent once' })
    else if (sent[0]?.trim()) given[name] = sent[0]
  }
  const parsed = schema.safeParse(given, { reportInput: true })
  if (!parsed.success) throw invalid(...detailsOf(parsed.error))
  return parsed.data
}

/** Refuses a body that nests too deeply or holds too much, or a social security number, which we do not want. */
function inspect(body: unknown): void {
  const waiting: { value: object; field: string; depth: number }[] = []
  let seen = 0
  const look = (value: unknown, field: string, depth: number) => {
    if (++seen > most_values) throw invalid({ field: '', message: `must not hold more than ${most_values} values` })
    if (typeof value === 'object' && value !== null) waiting.push({ value, field, depth })
  }
  look(body, '', 1)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, field, depth } = next
    if (depth > deepest) throw invalid({ field: '', message: `must not nest deeper than ${deepest} levels` })
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) look(value[at], `${field}[${at}]`, depth + 1)
      continue
    }
    for (const [key, inner] of Object.entries(value)) {
      const path = field ? `${field}.${key}` : key
      if (key.toLowerCase() === 'ssn') throw invalid({ field: path, message: unwanted })
      look(inner, path, depth + 1)
    }
  }
}

export type MediaType = 'application/json' | 'text/csv'

/** A request body as it came: its text, or why it could not be read. */
export type RawBody = { text: string; media_type: MediaType } | { refusal: Refusal } | undefined

function parseText({ csv }: Endpoint, raw: RawBody): unknown {
  if (!raw) return undefined
  if ('refusal' in raw) throw raw.refusal
  if (csv && raw.media_type === 'text/csv') return { [csv]: parseCsv(raw.text) }
  if (raw.text.trim() === '') return undefined
  try {
    return JSON.parse(raw.text)
  } catch {
    throw invalid({ field: '', message: 'the body is not well-formed JSON' })
  }
}

function parseBody(schema: z.ZodType, body: unknown): unknown {
  inspect(body)
  const parsed = schema.safeParse(body ?? {}, { reportInput: true })
  if (!parsed.success) throw invalid(...detailsOf(parsed.error))
  return parsed.data
}

/** Query and body of a request, checked against the operation's schemas. */
export type Shape = { query: Record<string, unknown>; body: unknown; sent: unknown }

/** Checks the shape of a request; throws a 400 that names the fields, or the 413 or 415 of its body. */
export function parseShape(endpoint: Endpoint, query: Record<string, unknown>, raw: RawBody): Shape {
  const sent = endpoint.body ? parseText(endpoint, raw) : undefined
  return {
    query: endpoint.query ? parseQuery(endpoint.query, query) : {},
    body: endpoint.body ? parseBody(endpoint.body, sent) : undefined,
    sent,
  }
}

/** Whether everything that the path names is well formed; what is not names nothing. */
export const namesSomething = (endpoint: Endpoint, params: Record<string, string>): boolean =>
  Object.entries(endpoint.params ?? {}).every(([name, kind]) => isParam(kind, params[name] ?? ''))
