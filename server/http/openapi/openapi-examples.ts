import { nameIn, type Json } from './openapi-schemas.ts'

/**
 * Adds a real response as the example of each schema. An `Employer` example comes from a list if there is one, and also
 * serves the responses and pages that contain it. A response with more than `data` is shown whole.
 */
export function showExamples(schemas: Record<string, Json>, answers: Record<string, unknown>): void {
  const parts = Object.entries(answers).flatMap(([name, answer]) => partsOf(name, answer as Json, schemas))
  const lists_last = parts.toSorted((one, other) => Number(one.is_listed) - Number(other.is_listed))
  for (const { of, part } of lists_last) if (part !== undefined) schemas[of]!.examples = [part]
}

type ShownPart = { of: string; part: unknown; is_listed: boolean }

/** The resource of a response, or the first of a list. Another interface's response is used only for shared schemas. */
function partsOf(name: string, answer: Json, schemas: Record<string, Json>): ShownPart[] {
  const is_listed = Array.isArray(answer.data)
  const [part] = [answer.data].flat()
  const thing = name.replace(/Response$/, '')
  if (!schemas[name]) return thing !== name && schemas[thing] ? [{ of: thing, part, is_listed }] : []
  const { data, ...others } = (schemas[name].properties ?? {}) as Record<string, Json>
  const is_more = !Object.values(others).every((field) => sampleOf(field, schemas) !== undefined)
  const of = data && !is_more ? (nameIn(data) ?? nameIn((data.items as Json | undefined) ?? {})) : undefined
  return [of ? { of, part, is_listed } : { of: name, part: answer, is_listed: false }]
}

/** A sample value: the example of a schema, or an object built from the samples of its fields. */
export function sampleOf(schema: Json, schemas: Record<string, Json>): unknown {
  const name = nameIn(schema)
  const { examples, items, properties, anyOf } = (name ? schemas[name]! : schema) as {
    examples?: unknown[]
    items?: Json
    properties?: Record<string, Json>
    anyOf?: Json[]
  }
  if (examples) return examples[0]
  if (anyOf) return sampleOf(anyOf[0]!, schemas)
  const item = items && sampleOf(items, schemas)
  if (item !== undefined) return [item]
  if (!properties) return undefined
  const parts = Object.entries(properties).map(([field, part]) => [field, sampleOf(part, schemas)] as const)
  return parts.every(([, part]) => part !== undefined) ? Object.fromEntries(parts) : undefined
}
