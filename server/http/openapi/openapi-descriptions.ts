import { enum_words, meaningOf, meaningOfNull } from '../../kernel/words.ts'
import { nameIn, type Json } from './openapi-schemas.ts'

/**
 * Has each field say what it is and, where it may be null, what that says: what says nothing of itself is what a field
 * of its name is everywhere, unless what it refers to says that. `requests`: what bodies hold, where null is as good as
 * nothing unless it is said.
 */
export function describeFields(schemas: Record<string, Json>, requests: unknown): void {
  const sent = reachedFrom(requests, schemas)
  for (const [name, schema] of Object.entries(schemas)) schema.description ??= wordFor(name, schema)
  for (const [owner, schema] of Object.entries(schemas)) {
    for (const { name, field } of fieldsOf(schema)) {
      const { on_null, ...shape } = field
      const said = [
        (shape.description as string | undefined) ??
          takenFromWithin(field) ??
          wordOf(name, schemas[nameIn(field) ?? nameIn((field.items as Json) ?? {}) ?? '']),
      ]
      if (isNullable(field) && !/\bnull\b/i.test(said[0] ?? 'null'))
        said.push((on_null as string | undefined) ?? (sent.has(owner) ? 'null: as absent.' : meaningOfNull(name)))
      const description = said.filter(Boolean).join(' ')
      delete field.on_null
      if (description) field.description = description
    }
  }
}

/** What a field that may be null says of what it is otherwise: said of the field, and of nothing else. */
function takenFromWithin(field: Json): string | undefined {
  const [within, ...others] = isNullable(field) ? (field.anyOf as Json[]).filter(({ type }) => type !== 'null') : []
  const said = within?.description as string | undefined
  if (said === undefined || others.length > 0) return undefined
  delete within!.description
  return said
}

/** What the values of an enumeration mean, and what an id names. */
const wordFor = (name: string, { enum: values, pattern }: Json): string | undefined =>
  values ? enum_words[name] : pattern ? meaningOf(snake(name)) : undefined

const snake = (name: string): string => name.replaceAll(/(?<=.)[A-Z]/g, '_$&').toLowerCase()

/** What a field of its name is everywhere; nothing where what it refers to, or is a list of, says as much. */
function wordOf(name: string, referred: Json = {}): string | undefined {
  const word = meaningOf(name)
  const says_as_much =
    referred.description && (referred.type === 'object' || referred.description === word || name === 'id')
  return says_as_much ? undefined : word
}

/** Whether a field may be null. */
export const isNullable = ({ anyOf }: Json): boolean =>
  Array.isArray(anyOf) && anyOf.some((choice: Json) => choice.type === 'null')

export type SchemaField = { path: string; name: string; field: Json }

/** The fields of a schema, and those of what it holds. */
export function fieldsOf(schema: Json, path = ''): SchemaField[] {
  const own = Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, field]) => {
    const here = `${path}.${name}`
    return [{ path: here, name, field }, ...fieldsOf(field, here)]
  })
  const inside = [schema.items, schema.anyOf, schema.oneOf, schema.allOf].flat().filter(Boolean) as Json[]
  return [...own, ...inside.flatMap((part) => fieldsOf(part, path))]
}

/** The names of the schemas that something refers to, and of those that they refer to. */
function reachedFrom(start: unknown, schemas: Record<string, Json>): Set<string> {
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
