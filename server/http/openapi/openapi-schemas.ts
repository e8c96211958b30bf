import { z } from 'zod'
import { stableJson } from '../../kernel/formats/print-json.ts'

export type Json = Record<string, unknown>
export type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

/** The schemas of a document. Named ones are its components. */
export type Schemas = {
  named: Record<string, Json>
  schemaOf: SchemaOf
  /** Adds a schema under a name. Throws if another schema has the name. */
  name: (name: string, schema: Json) => Json
}

export const referTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
export const nameIn = ({ $ref }: Json): string | undefined => ($ref as string | undefined)?.split('/').at(-1)

export function collectSchemas(): Schemas {
  const named: Record<string, Json> = {}
  const name = (name: string, schema: Json): Json => {
    const known = named[name]
    if (known && stableJson(known) !== stableJson(schema)) throw new Error(`The component ${name} has two shapes.`)
    named[name] = known ?? schema
    return referTo(name)
  }
  const schemaOf: SchemaOf = (schema, io) => {
    const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: normalize }) as Json & { $defs?: Json }
    const { $defs = {}, ...own } = whole
    delete own.$schema
    for (const [part, shape] of Object.entries($defs)) name(part, normalizeTree(shape) as Json)
    return normalizeTree(own) as Json
  }
  return { named, schemaOf, name }
}

/**
 * Removes JSON Schema keywords that do not help integrators: ids (component names replace them), `example` (`examples`
 * replaces it), patterns of known formats and the bounds of JavaScript numbers. Responses may gain fields, so
 * `additionalProperties` is removed too (docs/design/api/contract.md).
 */
function normalize({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete schema.id
  if (schema.propertyNames === undefined) delete schema.additionalProperties
  if (schema.example !== undefined) schema.examples = [schema.example as z.core.JSONSchema.JSONSchema]
  delete schema.example
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/** Keywords that describe a field and do not restrict its values. */
const annotations = ['on_null', 'description', 'default', 'examples', 'readOnly', 'deprecated']

/** Points `$defs` references at components, and writes every nullable schema as `anyOf` with null last. */
function normalizeTree(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(normalizeTree)
  if (typeof node !== 'object' || node === null) return node
  const normalized: Json = {}
  for (const [key, value] of Object.entries(node))
    normalized[key] =
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/$defs/', '#/components/schemas/')
        : ['examples', 'default', 'enum', 'const'].includes(key)
          ? value
          : normalizeTree(value)
  // Zod copies the component's pattern and examples beside a reference that has a description.
  if ('$ref' in normalized && 'pattern' in normalized) {
    delete normalized.pattern
    delete normalized.examples
  }
  if (!Array.isArray(normalized.type)) return normalized
  const types = normalized.type as string[]
  const annotations_kept = Object.entries(normalized).filter(([key]) => annotations.includes(key))
  const shape = Object.entries(normalized).filter(([key]) => key !== 'type' && !annotations.includes(key))
  return {
    anyOf: types.map((type) => (type === 'null' ? { type } : { type, ...Object.fromEntries(shape) })),
    ...Object.fromEntries(annotations_kept),
  }
}

export const pascal = (words: string): string =>
  words
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Names a response after the schema in its `data`: `EmployerResponse`, or `EmployerListResponse` for a list. */
export function nameResponse({ name }: Schemas, response: Json, operation: string): Json {
  if (response.$ref) return response
  const { data } = (response.properties ?? {}) as Record<string, Json>
  const items = data?.items as Json | undefined
  const inside = nameIn(data ?? {}) ?? nameIn((data?.anyOf as Json[] | undefined)?.[0] ?? {})
  const within = nameIn(items ?? {})
  if (inside) return name(`${inside}Response`, response)
  if (within) return name(`${within}ListResponse`, response)
  throw new Error(`The response of ${operation} needs a name: .meta({ id: '…' }).`)
}

/** Field names that are ambiguous without the name of their schema. */
const vague = new Set(
  'type status state kind mode reason answer outcome operation action cause code rule method role source'.split(' '),
)

/**
 * Makes each unnamed enumeration a component, named after its field. If that name is vague or taken, the name of the
 * schema is prepended. Enumerations with the same values share one component.
 */
export function nameEnums({ named, name }: Schemas, used_by: unknown): void {
  const by_values = new Map<string, string>()
  for (const [known, schema] of Object.entries(named))
    if (schema.enum) by_values.set(JSON.stringify(schema.enum), known)
  const nameOf = (values: string[], owner: string, field: string): string => {
    const text = JSON.stringify(values)
    const known = by_values.get(text)
    if (known) return known
    const [plain, whole] = owner === '' ? [`${pascal(field)}Filter`, ''] : [pascal(field), owner + pascal(field)]
    const proposed = (owner !== '' && vague.has(field)) || named[plain] ? whole : plain
    if (proposed === '' || named[proposed])
      throw new Error(`The values of ${owner}.${field} need a name: .meta({ id: '…' }).`)
    by_values.set(text, proposed)
    name(proposed, { type: 'string', enum: values })
    return proposed
  }
  const visit = (node: unknown, owner: string, field: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach((item) => visit(item, owner, field))
    const schema = node as Json
    if (Array.isArray(schema.enum) && schema.enum.length > 1 && schema.type === 'string') {
      const { type: _, enum: values, ...annotations_kept } = schema
      for (const key of Object.keys(schema)) delete schema[key]
      Object.assign(schema, referTo(nameOf(values as string[], owner, field)), annotations_kept)
      return
    }
    for (const [key, value] of Object.entries(schema)) {
      if (['example', 'examples', 'default', 'required'].includes(key)) continue
      if (key === 'properties') for (const [property, own] of Object.entries(value as Json)) visit(own, owner, property)
      else visit(value, owner, typeof schema.name === 'string' && key === 'schema' ? schema.name : field)
    }
  }
  for (const [owner, schema] of Object.entries(named)) if (!schema.enum) visit(schema, owner, owner)
  visit(used_by, '', '')
}
