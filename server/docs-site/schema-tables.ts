/** What of a JSON schema is shown. */
export type Schema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  maxItems?: number
}

export type NamedSchemas = Record<string, Schema>

/** A field, as a row of a table: its name as a path, what it holds, and whether it has to be there. */
export type ShownField = { name: string; type: string; required: boolean; description: string }

/** A schema without references and alternatives to null: what it is, and what it is called for people. */
type Resolved = { schema: Schema; type: string; nullable: boolean }

/** How deep fields of fields are told of: more is in the document. */
const deepest = 3

const merged = (parts: Schema[], schemas: NamedSchemas): Schema => {
  const all = parts.map((part) => resolved(part, schemas).schema)
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  }
}

const wordOf = ({ type, format, enum: values, const: only }: Schema): string => {
  if (values) return values.map((value) => `\`${String(value)}\``).join(' ')
  if (only !== undefined) return `\`${String(only)}\``
  if (format === 'date') return 'day'
  if (format === 'date-time') return 'instant'
  return type ?? 'anything'
}

/** What a schema is, behind its references. */
export function resolved(schema: Schema, schemas: NamedSchemas): Resolved {
  if (schema.$ref !== undefined) return resolved(schemas[schema.$ref.split('/').at(-1)!] ?? {}, schemas)
  if (schema.allOf) return resolved({ type: 'object', ...merged(schema.allOf, schemas) }, schemas)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const others = choices.filter(({ type }) => type !== 'null').map((choice) => resolved(choice, schemas))
    const type = [...new Set(others.map((each) => each.type))].join(' or ')
    return { schema: others[0]?.schema ?? {}, type, nullable: others.length < choices.length }
  }
  if (schema.type === 'array') {
    const { type } = resolved(schema.items ?? {}, schemas)
    return { schema, type: `list of ${type === 'object' ? 'objects' : type}`, nullable: false }
  }
  return { schema, type: wordOf(schema), nullable: false }
}

/** The fields of an object, and those of the objects in it: `address.city`, `tiers[].premium_in_cents`. */
export function fieldsOf(schema: Schema, schemas: NamedSchemas, before = '', depth = 1): ShownField[] {
  const { properties = {}, required = [] } = resolved(schema, schemas).schema
  return Object.entries(properties).flatMap(([key, property]) => {
    const { schema: held, type, nullable } = resolved(property, schemas)
    const name = `${before}${key}`
    const description = property.description ?? held.description ?? ''
    const own = { name, type: nullable ? `${type} or null` : type, required: required.includes(key), description }
    if (depth === deepest) return [own]
    if (held.type === 'array') return [own, ...fieldsOf(held.items ?? {}, schemas, `${name}[].`, depth + 1)]
    return [own, ...fieldsOf(held, schemas, `${name}.`, depth + 1)]
  })
}
