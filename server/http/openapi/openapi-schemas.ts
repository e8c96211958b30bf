import { z } from 'zod'
import { stableJson } from '../../kernel/formats/print-json.ts'
import type { RefusalKind } from '../../kernel/refusal.ts'

export type Json = Record<string, unknown>

/** An operation that is not an endpoint record, as the document describes it. */
export type OpenOperation = {
  path: string
  method: string
  operation: Json & { operationId: string; tags: string[]; responses: Json }
  refuses: readonly RefusalKind[]
}

/** Converts a schema. The named schemas in it become components. */
export type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

export const nameIn = ({ $ref }: Json): string | undefined => ($ref as string | undefined)?.split('/').at(-1)

/** Adds a component of a kind. Returns a reference to it. Throws if another component has the name. */
export function addComponent(kind: string, components: Record<string, Json>, name: string, component: Json): Json {
  const known = (components[name] ??= component)
  if (stableJson(known) !== stableJson(component)) throw new Error(`${name} in ${kind} has two shapes.`)
  return { $ref: `#/components/${kind}/${name}` }
}

/** Converts schemas with Zod. Those with an id in their `.meta()` are added to `components`. */
export const schemasIn =
  (components: Record<string, Json>): SchemaOf =>
  (schema, io) => {
    const converted = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any', override: adjust }))
    const text = converted.replaceAll('"#/$defs/', '"#/components/schemas/')
    const { $schema: _, $defs = {}, ...own } = JSON.parse(text, separateTypes) as Json
    for (const [name, part] of Object.entries($defs as Record<string, Json>))
      addComponent('schemas', components, name, part)
    return own
  }

/**
 * Removes JSON Schema keywords that do not help integrators: `example` (`examples` replaces it), patterns of known
 * formats and the bounds of JavaScript numbers. Responses may gain fields, so `additionalProperties` is removed too
 * (docs/design/api/contract.md). The description of a type also describes it with null.
 */
function adjust({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.propertyNames === undefined) delete schema.additionalProperties
  if (schema.example !== undefined) schema.examples = [schema.example as z.core.JSONSchema.JSONSchema]
  delete schema.example
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  const [only, ...others] = schema.anyOf ?? []
  if (only?.description !== undefined && others.length === 1 && others[0]!.type === 'null') {
    schema.description ??= only.description
    delete only.description
  }
  // Zod copies these next to a reference that has a description.
  if (schema.$ref !== undefined && schema.pattern !== undefined) {
    delete schema.pattern
    delete schema.examples
  }
}

/** Zod shortens `anyOf` to `type: ['string', 'null']`. Every nullable schema is an `anyOf` instead. */
function separateTypes(_: string, node: unknown): unknown {
  const { type, ...annotations } = Object(node) as Json
  return Array.isArray(type) ? { anyOf: type.map((type_name: string) => ({ type: type_name })), ...annotations } : node
}

export const pascal = (words: string): string =>
  words
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** The name of a response without one, after the schema in its `data`: `EmployerResponse`, `EmployerListResponse`. */
export function responseNameOf(response: Json, operation: string): string {
  const { data = {} } = (response.properties ?? {}) as Record<string, Json>
  const resource = nameIn(data)
  const item = nameIn((data.items ?? {}) as Json)
  if (!resource && !item) throw new Error(`The response of ${operation} needs a name: .meta({ id: '…' }).`)
  return resource ? `${resource}Response` : `${item}ListResponse`
}
