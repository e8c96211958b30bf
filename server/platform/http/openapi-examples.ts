import { nameIn, type Json } from './openapi-schemas.ts'

/**
 * Shows what was answered where it is described: an employer with `Employer`, of which answers and pages are made, as
 * it stood in a list where there is one. An answer that says more than its `data` is shown whole.
 */
export function showExamples(schemas: Record<string, Json>, answers: Record<string, unknown>): void {
  const parts = Object.entries(answers).flatMap(([name, answer]) =>
    schemas[name] ? [partOf(name, answer as Json, schemas)] : [],
  )
  const lists_last = parts.toSorted((one, other) => Number(one.is_listed) - Number(other.is_listed))
  for (const { of, part } of lists_last) if (part !== undefined) schemas[of]!.examples = [part]
}

type ShownPart = { of: string; part: unknown; is_listed: boolean }

/** What an answer is about: of a list the first. */
function partOf(name: string, answer: Json, schemas: Record<string, Json>): ShownPart {
  const { data, ...others } = (schemas[name]!.properties ?? {}) as Record<string, Json>
  const whole = { of: name, part: answer, is_listed: false }
  if (!data || !Object.values(others).every((field) => sampleOf(field, schemas) !== undefined)) return whole
  const of = nameIn(data) ?? nameIn((data.items as Json | undefined) ?? {})
  return of ? { of, part: [answer.data].flat()[0], is_listed: Array.isArray(answer.data) } : whole
}

/** What something may look like: as it is shown, or made of what its parts look like. */
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
