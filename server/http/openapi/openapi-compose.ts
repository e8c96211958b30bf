import { stableJson } from '../../kernel/formats/print-json.ts'
import { referTo, type Json } from './openapi-schemas.ts'

/** A schema extends another only if it shares at least this many fields. */
const min_shared_fields = 5

/** A schema that only lists the fields of an object. */
type PlainObject = { name: string; properties: Record<string, Json>; required: string[]; texts: Map<string, string> }

const plain_keys = new Set(['type', 'properties', 'required', 'description'])

function plainObjectOf(name: string, schema: Json): PlainObject[] {
  const { type, properties, required = [] } = schema as { type?: string } & Partial<PlainObject>
  if (type !== 'object' || !properties || !Object.keys(schema).every((key) => plain_keys.has(key))) return []
  const texts = new Map(Object.entries(properties).map(([field, own]) => [field, stableJson(own)]))
  return [{ name, properties, required, texts }]
}

/** Whether one schema has all fields of the other with the same meaning and requiredness, and more. */
const isExtensionOf = (one: PlainObject, other: PlainObject): boolean =>
  one.texts.size > other.texts.size &&
  [...other.texts].every(
    ([field, text]) => one.texts.get(field) === text && one.required.includes(field) === other.required.includes(field),
  )

/** Expresses a schema with all fields of another as `allOf` that schema plus its additional fields. */
export function composeSchemas(schemas: Record<string, Json>): void {
  const plain = Object.entries(schemas).flatMap(([name, schema]) => plainObjectOf(name, schema))
  for (const whole of plain) {
    const [part] = plain
      .filter((other) => other.texts.size >= min_shared_fields && isExtensionOf(whole, other))
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
