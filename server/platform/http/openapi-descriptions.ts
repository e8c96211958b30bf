import { words } from '../../kernel/words.ts'
import type { Json } from './openapi-schemas.ts'

/** Says of each field that says nothing of itself what a field of its name is everywhere. */
export function describeFields(schemas: Record<string, Json>): void {
  for (const schema of Object.values(schemas))
    for (const { name, field } of fieldsOf(schema)) {
      field.description ??= words[name]
      if (field.description === undefined) delete field.description
    }
}

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
