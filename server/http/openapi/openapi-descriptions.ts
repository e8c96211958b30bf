import { meaningOf, describeNull } from '../../kernel/field-docs.ts'
import { nameIn, type Json } from './openapi-schemas.ts'

const as_omitted = 'Null means the same as omitting the field.'

/**
 * Describes each field, and its null if it is nullable. A field without a description of its own gets the usual one of
 * its name, unless the schema it refers to has one. `requests`: the request bodies, in which null and an omitted field
 * have the same meaning by default.
 */
export function describeFields(schemas: Record<string, Json>, requests: unknown): void {
  const sent = schemasUsedBy(requests, schemas)
  for (const [name, schema] of Object.entries(schemas)) schema.description ??= idDescription(name, schema)
  for (const [owner, schema] of Object.entries(schemas)) {
    for (const { path, field } of fieldsOf(schema)) {
      const own = (field.description ?? usualDescription(owner + path, field, schemas)) as string | undefined
      const when_null =
        isNullable(field) &&
        !/\bnull\b/i.test(own ?? 'null') &&
        (field.on_null ?? (sent.has(owner) ? as_omitted : describeNull(owner + path)))
      const description = [own, when_null].filter(Boolean).join(' ')
      delete field.on_null
      if (description) field.description = description
    }
  }
}

/** The description of a component that is the type of an id. */
function idDescription(name: string, { pattern }: Json): string | undefined {
  if (typeof pattern !== 'string') return undefined
  const meaning = meaningOf(snake(name))
  const prefix = /^\^([a-z]+_)/.exec(pattern)?.[1]
  return meaning && prefix ? `${meaning} Its id begins with \`${prefix}\`.` : meaning
}

const snake = (name: string): string => name.replaceAll(/(?<=.)[A-Z]/g, '_$&').toLowerCase()

/**
 * The usual description of a field. The description of its enumeration is better, because it explains the values.
 * Undefined if the schema that the field refers to, or lists, already has the right description.
 */
function usualDescription(path: string, field: Json, schemas: Record<string, Json>): string | undefined {
  const word = meaningOf(path)
  if (isNullable(field)) {
    const [choice] = (field.anyOf as Json[]).filter(({ type }) => type !== 'null')
    const { enum: values, description } = schemas[nameIn(choice ?? {}) ?? ''] ?? {}
    return word ?? ((values && description) as string | undefined)
  }
  const { enum: values, description, type } = schemas[nameIn(field) ?? nameIn((field.items as Json) ?? {}) ?? ''] ?? {}
  if (!description) return word
  const is_explained =
    (values && !field.items) ||
    type === 'object' ||
    (word !== undefined && String(description).startsWith(word)) ||
    path.endsWith('.id')
  return is_explained ? undefined : word
}

export const isNullable = ({ anyOf }: Json): boolean =>
  Array.isArray(anyOf) && anyOf.some((choice: Json) => choice.type === 'null')

export type SchemaField = { path: string; name: string; field: Json }

/** The fields of a schema, including nested ones. */
export function fieldsOf(schema: Json, path = ''): SchemaField[] {
  const own = Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, field]) => {
    const here = `${path}.${name}`
    return [{ path: here, name, field }, ...fieldsOf(field, here)]
  })
  const inside = [schema.items, schema.anyOf].flat().filter(Boolean) as Json[]
  return [...own, ...inside.flatMap((part) => fieldsOf(part, path))]
}

/** The names of the schemas that are referenced, directly or through other schemas. */
function schemasUsedBy(start: unknown, schemas: Record<string, Json>): Set<string> {
  const reached = new Set<string>()
  const follow = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const name = nameIn(node as Json)
    if (name && schemas[name] && !reached.has(name)) follow(schemas[reached.add(name) && name])
    Object.values(node).forEach(follow)
  }
  follow(start)
  return reached
}
