/**
 * Rows of a large body are checked by what their schema is made of, in a fifth of the time that Zod takes for them: it
 * only says yes or "ask Zod". So there is one schema, and what is wrong is said by Zod alone.
 */
// oxlint-disable no-underscore-dangle -- so Zod names what it has for libraries
import type { z } from 'zod'

/** Not taken, as far as is known here. */
export const unsure = Symbol('ask Zod')

/** What a schema makes of a value, or `unsure`. */
export type QuickCheck = (value: unknown) => unknown

type AnySchema = z.core.$ZodType
type SchemaDef = {
  type: string
  checks?: z.core.$ZodCheck[]
  coerce?: boolean
  format?: string
  shape?: Record<string, AnySchema>
  catchall?: AnySchema
  innerType?: AnySchema
  in?: AnySchema
  out?: AnySchema
  transform?: unknown
}
type Transform = (value: unknown) => unknown

const defOf = (schema: AnySchema) => schema._zod.def as unknown as SchemaDef

const known = new WeakMap<AnySchema, QuickCheck>()

/** The quick check of a schema, which is put together once. */
export function quickCheckOf(schema: AnySchema): QuickCheck {
  const made = known.get(schema) ?? make(schema)
  known.set(schema, made)
  return made
}

/** What a schema makes of a value; undefined where it does not take it. For many values of which most are right. */
export function takenBy<Schema extends z.ZodType>(schema: Schema): (value: unknown) => z.output<Schema> | undefined {
  const check = quickCheckOf(schema)
  return (value) => {
    const quick = check(value)
    return quick === unsure ? schema.safeParse(value).data : (quick as z.output<Schema>)
  }
}

function make(schema: AnySchema): QuickCheck {
  const def = defOf(schema)
  if (def.type === 'string' && !def.coerce && !def.format) return textCheck(def.checks ?? [])
  // What is checked beside its own kind is left to Zod.
  if (def.checks && def.checks.length > 0) return byZod(schema)
  if (def.type === 'object' && !def.catchall) return objectCheck(def.shape!)
  if (def.type === 'optional' && isPlainOptional(schema, def)) return unlessIt('undefined', def.innerType!)
  if (def.type === 'nullable') return unlessIt('null', def.innerType!)
  if (def.type === 'pipe' && !def.transform) return pipeCheck(def.in!, def.out!)
  if (def.type === 'enum') {
    const values = schema._zod.values!
    return (value) => (values.has(value as string) ? value : unsure)
  }
  if (def.type === 'boolean' && !def.coerce) return (value) => (typeof value === 'boolean' ? value : unsure)
  // One that takes no more than the value has no way to complain.
  if (def.type === 'transform' && (def.transform as Transform).length === 1) return transformCheck(def.transform)
  return byZod(schema)
}

function transformCheck(transform: unknown): QuickCheck {
  return (value) => {
    const made = (transform as Transform)(value)
    return made instanceof Promise ? unsure : made
  }
}

/** Not one that makes something of what is absent, nor one that minds an `undefined` that is there. */
const isPlainOptional = ({ _zod }: AnySchema, { innerType }: SchemaDef): boolean =>
  innerType!._zod.optin !== 'defaulted' && !_zod.traits.has('$ZodExactOptional')

const sync = { async: false } as const

function byZod(schema: AnySchema): QuickCheck {
  return (value) => {
    const found = schema._zod.run({ value, issues: [] }, sync)
    return found instanceof Promise || found.issues.length > 0 ? unsure : found.value
  }
}

function textCheck(checks: z.core.$ZodCheck[]): QuickCheck {
  const all = checks.map((check) => check._zod.check as (payload: z.core.ParsePayload) => unknown)
  return (value) => {
    if (typeof value !== 'string') return unsure
    const payload: z.core.ParsePayload = { value, issues: [] }
    for (const check of all) if (check(payload) instanceof Promise || payload.issues.length > 0) return unsure
    return payload.value
  }
}

function objectCheck(shape: Record<string, AnySchema>): QuickCheck {
  const fields = Object.entries(shape).map(
    ([name, schema]) => [name, quickCheckOf(schema), schema._zod.optout === 'optional'] as const,
  )
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return unsure
    const made: Record<string, unknown> = {}
    for (const [name, check, may_be_absent] of fields) {
      const found = check((value as Record<string, unknown>)[name])
      if (found === unsure) return unsure
      const is_there = name in value
      // Of what is absent and may be, Zod drops what is made of it.
      if (found !== undefined && may_be_absent && !is_there) return unsure
      if (found !== undefined || is_there) made[name] = found
    }
    return made
  }
}

function unlessIt(is: 'undefined' | 'null', inner: AnySchema): QuickCheck {
  const check = quickCheckOf(inner)
  const none = is === 'null' ? null : undefined
  return (value) => (value === none ? none : check(value))
}

function pipeCheck(from: AnySchema, to: AnySchema): QuickCheck {
  const [first, second] = [quickCheckOf(from), quickCheckOf(to)]
  return (value) => {
    const between = first(value)
    return between === unsure ? unsure : second(between)
  }
}
