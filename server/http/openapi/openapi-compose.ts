import { inOrder, referTo, type Json } from './openapi-schemas.ts'

/** From so many fields in common on a schema is told as another one and more. */
const fewest_in_common = 5

/** A schema that says nothing but which fields an object has. */
type Plain = { name: string; properties: Record<string, Json>; required: string[]; texts: Map<string, string> }

const plain_keys = new Set(['type', 'properties', 'required', 'description'])

function plainOf(name: string, schema: Json): Plain[] {
  const { type, properties, required = [] } = schema as { type?: string } & Partial<Plain>
  if (type !== 'object' || !properties || !Object.keys(schema).every((key) => plain_keys.has(key))) return []
  const texts = new Map(Object.entries(properties).map(([field, own]) => [field, inOrder(own)]))
  return [{ name, properties, required, texts }]
}

/** Whether one has all fields of the other, meant and required alike, and more. */
const extendsIt = (one: Plain, other: Plain): boolean =>
  one.texts.size > other.texts.size &&
  [...other.texts].every(
    ([field, text]) => one.texts.get(field) === text && one.required.includes(field) === other.required.includes(field),
  )

/** Tells schemas that have all fields of another, and more, as that one and what they have besides. */
export function composeSchemas(schemas: Record<string, Json>): void {
  const plain = Object.entries(schemas).flatMap(([name, schema]) => plainOf(name, schema))
  for (const whole of plain) {
    const [part] = plain
      .filter((other) => other.texts.size >= fewest_in_common && extendsIt(whole, other))
      .toSorted((a, b) => b.texts.size - a.texts.size || (a.name < b.name ? -1 : 1))
    if (!part) continue
    const isMore = (field: string) => !part.texts.has(field)
    const { description } = schemas[whole.name]!
    schemas[whole.name] = {
      ...(description !== undefined && { description }),
      allOf: [
        referTo(part.name),
        {
          type: 'object',
          properties: Object.fromEntries(Object.entries(whole.properties).filter(([field]) => isMore(field))),
          required: whole.required.filter(isMore),
        },
      ],
    }
  }
}
