import { z } from 'zod'
import { isParam } from '../../kernel/ids.ts'
import { invalid, max_details } from '../../kernel/refusal.ts'
import type { Endpoint } from '../endpoint.ts'
import { detailsOf } from './body-validation.ts'

/** Values of a query by name. Joins repeated keys, `key[]=` and `key[0]=`. */
function queryValues(query: Record<string, unknown>, known: object): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [key, value] of Object.entries(query)) {
    const [, name = '', rest = ''] = /^([^[]*)(.*)$/s.exec(key)!
    if (!Object.hasOwn(known, name)) continue
    if (!/^(\[\d*\])?$/.test(rest)) throw invalid({ field: name, message: 'must be a single value or a list' })
    const sent = values.get(name) ?? []
    for (const item of Array.isArray(value) ? value : [value]) sent.push(item)
    values.set(name, sent)
  }
  return values
}

const isMultiple = (schema: unknown): boolean =>
  schema instanceof z.ZodDefault ? isMultiple(schema.def.innerType) : schema instanceof z.ZodArray

/** An empty flag of a write is refused, because `?dry_run=` must not change anything. */
const isFlag = (schema: unknown): boolean =>
  schema instanceof z.ZodDefault
    ? isFlag(schema.def.innerType)
    : schema instanceof z.ZodPipe && schema.def.out instanceof z.ZodBoolean

/**
 * Validates the query of a request. Throws a 400 that names the parameters. Unknown parameters are ignored, or refused
 * if the schema is strict, where a misspelled name would change the meaning of the request.
 */
export function parseQuery(
  { query: schema, method }: Endpoint,
  query: Record<string, unknown>,
): Record<string, unknown> {
  if (!schema) return {}
  const names = Object.keys(query).map((key) => key.replace(/\[.*$/s, ''))
  const unknown = schema.def.catchall ? names.filter((name) => !Object.hasOwn(schema.shape, name)) : []
  if (unknown.length > 0)
    throw invalid(
      ...unknown.slice(0, max_details).map((field) => ({ field, message: 'is not a parameter of this operation' })),
    )
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
    else if (sent.length > 1) throw invalid({ field: name, message: 'must be sent only once' })
    else if (sent[0]?.trim() || (sent.length > 0 && keepsEmpty)) given[name] = sent[0]
  }
  const parsed = schema.safeParse(given, { reportInput: true })
  if (!parsed.success) throw invalid(...detailsOf(parsed.error.issues))
  return parsed.data
}

/** Whether all parameters of the path are well formed. A malformed id names no resource. */
export const hasWellFormedPath = (endpoint: Endpoint, params: Record<string, string>): boolean =>
  Object.entries(endpoint.params ?? {}).every(([name, kind]) => isParam(kind, params[name] ?? ''))
