import { z } from 'zod'

export type Json = Record<string, unknown>
export type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

/** The schemas of a document: those with a name are its components. */
export type Schemas = {
  named: Record<string, Json>
  schemaOf: SchemaOf
  /** Names a schema, unless it is the name of another already. */
  name: (name: string, schema: Json) => Json
}

export const referTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
export const nameIn = ({ $ref }: Json): string | undefined => ($ref as string | undefined)?.split('/').at(-1)

export function collectSchemas(): Schemas {
  const named: Record<string, Json> = {}
  const name = (name: string, schema: Json): Json => {
    const known = named[name]
    if (known && inOrder(known) !== inOrder(schema)) throw new Error(`The component ${name} has two shapes.`)
    named[name] = known ?? schema
    return referTo(name)
  }
  const schemaOf: SchemaOf = (schema, io) => {
    const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy }) as Json & { $defs?: Json }
    const { $defs = {}, ...own } = whole
    delete own.$schema
    for (const [part, shape] of Object.entries($defs)) name(part, settle(shape) as Json)
    return settle(own) as Json
  }
  return { named, schemaOf, name }
}

/** A text that is the same for equal JSON. */
export const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/**
 * What JSON Schema would say beyond what an integrator needs: names are those of components, examples a list,
 * a format says more than its regular expression, the bounds of a JS number are no bounds of ours, and answers
 * may gain fields (decisions.md, section 10).
 */
function tidy({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete schema.id
  if (schema.propertyNames === undefined) delete schema.additionalProperties
  if (schema.example !== undefined) schema.examples = [schema.example as z.core.JSONSchema.JSONSchema]
  delete schema.example
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/** What says something about a place, and not what may stand there. */
const annotations = ['on_null', 'description', 'default', 'examples', 'readOnly', 'deprecated']

/** `$defs` became components, and what may be null is spelled in one way: as a choice, the last of which is null. */
function settle(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(settle)
  if (typeof node !== 'object' || node === null) return node
  const settled: Json = {}
  for (const [key, value] of Object.entries(node))
    settled[key] =
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/$defs/', '#/components/schemas/')
        : ['examples', 'default', 'enum', 'const'].includes(key)
          ? value
          : settle(value)
  // Of a named one with a description of its own comes a copy of what the component says itself.
  if ('$ref' in settled && 'pattern' in settled) {
    delete settled.pattern
    delete settled.examples
  }
  if (!Array.isArray(settled.type)) return settled
  const types = settled.type as string[]
  const said = Object.entries(settled).filter(([key]) => annotations.includes(key))
  const shape = Object.entries(settled).filter(([key]) => key !== 'type' && !annotations.includes(key))
  return {
    anyOf: types.map((type) => (type === 'null' ? { type } : { type, ...Object.fromEntries(shape) })),
    ...Object.fromEntries(said),
  }
}

/** `benefit_family` as the name of a schema: `BenefitFamily`. */
export const pascal = (words: string): string =>
  words
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/**
 * An answer by its name: one that wraps a named schema is named after it, `EmployerAnswer`, a list of them
 * `EmployerListAnswer`.
 */
export function nameAnswer({ name }: Schemas, answer: Json, operation: string): Json {
  if (answer.$ref) return answer
  const { data } = (answer.properties ?? {}) as Record<string, Json>
  const items = data?.items as Json | undefined
  const inside = nameIn(data ?? {}) ?? nameIn((data?.anyOf as Json[] | undefined)?.[0] ?? {})
  const within = nameIn(items ?? {})
  if (inside) return name(`${inside}Answer`, answer)
  if (within) return name(`${within}ListAnswer`, answer)
  throw new Error(`Give what ${operation} answers a name: .meta({ id: '…' }).`)
}

/** Field names that say what something is only together with what they are a field of. */
const vague = new Set(
  'type status state kind mode reason answer outcome operation action cause code rule method role source'.split(' '),
)

/**
 * Gives each enumeration that has none a name, after the field that it is the value of, with what has the field where
 * that says too little or is taken; and shows each under its name alone: one with the same values as another is that
 * other.
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
      throw new Error(`Give the values of ${owner}.${field} a name: .meta({ id: '…' }).`)
    by_values.set(text, proposed)
    name(proposed, { type: 'string', enum: values })
    return proposed
  }
  const visit = (node: unknown, owner: string, field: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach((item) => visit(item, owner, field))
    const schema = node as Json
    if (Array.isArray(schema.enum) && schema.enum.length > 1 && schema.type === 'string') {
      const { type: _, enum: values, ...said } = schema
      for (const key of Object.keys(schema)) delete schema[key]
      Object.assign(schema, referTo(nameOf(values as string[], owner, field)), said)
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
