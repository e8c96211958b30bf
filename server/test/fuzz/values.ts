import { addDays, monthEnd } from '../../kernel/days.ts'
import type { Actor } from './actors.ts'
import type { Random } from './random.ts'
import { kindOf, missing, type KnownIds, type Thing } from './known-ids.ts'

export type Json = Record<string, unknown>

/** The sources of values: random choices, existing resources, the sender, and the day. */
export type ValueContext = {
  random: Random
  hostiles: unknown[]
  known_ids: KnownIds
  actor: Actor
  today: string
  /** The OpenAPI document that contains the schemas. */
  document: Json
  /** The resources in the path. */
  named: Thing[]
}

const given = ['Ana', 'Bo', 'Cem', 'Dina', 'Émile', 'Fatıma', 'Gus', 'Ha', 'Ivo', 'Jo-Ann', "D'Arcy", 'Nguyễn']
const streets = [
  '12 Elm St',
  '4 Orchard Way',
  '88 Post Rd',
  '1 Pobox Street',
  '200 Box Elder Dr',
  'PO Box 7',
  'Suite 5',
]

const number = (random: Random, digits: number) => String(random.whole(0, 10 ** digits - 1)).padStart(digits, '0')
const dayNear = ({ random, today }: ValueContext, from: number, to: number) => addDays(today, random.whole(from, to))
const name = ({ random, actor }: ValueContext) =>
  `${random.pick(given)} ${actor.mark}${random.pick(['', ' ', 'ó'])}`.trim()
const firstOfMonth = (context: ValueContext) => `${dayNear(context, -200, 400).slice(0, 7)}-01`

/** Values of text fields whose schema has no format, by name. */
const by_name: Record<string, (context: ValueContext) => unknown> = {
  ein: ({ random }) => `${random.whole(10, 99)}-${number(random, 7)}`,
  email: ({ random }) => `p${random.whole(1, 4000)}@fuzz.example.com`,
  phone: ({ random }) => `415555${number(random, 4)}`,
  phone_number: ({ random }) => `415556${number(random, 4)}`,
  zipcode: ({ random }) => number(random, 5),
  zip_code: ({ random }) => number(random, 5),
  address_line_1: ({ random }) => random.weigh([[6, streets[0]!], ...streets.map((street) => [0.5, street] as const)]),
  reference_id: ({ random }) => `R-${random.whole(1, 60)}`,
  external_reference_id: ({ random, actor }) => `X-${actor.mark}-${random.whole(1, 300)}`,
  date_of_birth: ({ random }) => `${random.whole(1950, 2015)}-0${random.whole(1, 9)}-1${random.whole(0, 9)}`,
  start_date: (context) => dayNear(context, -700, 3),
  termination_date: (context) => dayNear(context, -62, 90),
  effective_date: (context) => dayNear(context, -70, 2),
  coverage_start: firstOfMonth,
  occurred_on: (context) => dayNear(context, -70, 5),
  today: (context) => dayNear(context, -2, 20),
  url: ({ random }) => `https://hooks${random.whole(1, 9)}.example.com/in`,
  since: (context) => `${dayNear(context, -70, 2)}T10:00:00Z`,
  spd_file_url: () => 'https://example.com/spd.pdf',
  networks: () => 'First Health; Second Health',
  product_name: name,
  carrier: () => 'Evergreen Health',
  benefit: ({ random }) => random.pick(['Essential Care', 'Major Medical', 'Dental', 'Vision', 'Another Benefit']),
  plan: ({ random, actor }) => `Plan ${actor.mark} ${random.whole(1, 9)}`,
  access_token: () => 'a token of the payroll system',
  api_key: ({ random, known_ids }) => known_ids.aMadeKey(random),
  coverage_end: (context) => monthEnd(dayNear(context, -31, 300)),
  provider: ({ random }) => random.pick(['gusto', 'adp', 'rippling', 'sandbox']),
  gender: ({ random }) => random.pick(['Female', 'Male', 'F', 'X', 'other']),
}

const days = (context: ValueContext) => dayNear(context, -120, 240)

/** A value that is valid for a schema, sometimes an id of another organization. */
export function valueOf(context: ValueContext, schema: Json, field = ''): unknown {
  const { random, document } = context
  const { $ref, anyOf, oneOf, allOf, type } = schema as { [name: string]: unknown; $ref?: string }
  if ($ref) return valueOf(context, componentOf(document, $ref), field)
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((part: Json) => valueOf(context, part, field)))
  const choices = (anyOf ?? oneOf) as Json[] | undefined
  if (choices) return valueOf(context, random.pick(choices), field)
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return random.pick(schema.enum)
  switch (Array.isArray(type) ? random.pick(type) : type) {
    case 'object':
      return objectOf(context, schema)
    case 'array':
      return listOf(context, schema, field)
    case 'integer':
    case 'number':
      return numberOf(random, schema)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return textOf(context, schema, field)
  }
}

const componentOf = (document: Json, ref: string): Json =>
  (document.components as { schemas: Record<string, Json> }).schemas[ref.split('/').at(-1)!]!

function objectOf(context: ValueContext, { properties = {}, required = [] }: Json): Json {
  const { random } = context
  const chosen = Object.entries(properties as Record<string, Json>).filter(
    ([name]) => (required as string[]).includes(name) || random.chance(0.45),
  )
  return Object.fromEntries(chosen.map(([name, schema]) => [name, valueOf(context, schema, name)]))
}

function listOf(context: ValueContext, { items = {}, minItems = 0, maxItems = 30 }: Json, field: string): unknown[] {
  const { random } = context
  const usual = random.weigh([
    [2, 0],
    [5, 1],
    [4, random.whole(2, 4)],
    [0.3, 25],
  ])
  const count = Math.min(Math.max(usual, minItems as number), maxItems as number)
  return Array.from({ length: count }, () => valueOf(context, items as Json, field))
}

function numberOf(random: Random, { minimum, maximum }: Json): number {
  const least = (minimum as number | undefined) ?? 0
  const most = (maximum as number | undefined) ?? 1_000_000
  return random.weigh([
    [6, random.whole(least, Math.min(most, least + 100))],
    [3, random.whole(least, most)],
    [0.5, least],
    [0.5, most],
  ])
}

function textOf(context: ValueContext, schema: Json, field: string): string {
  const [example] = (schema.examples as unknown[] | undefined) ?? []
  const kind = typeof example === 'string' && /^[a-z]+_01k/.test(example) ? kindOf(example) : undefined
  if (kind) return idOf(context, kind)
  if (field === 'id') return idOf(context, context.random.pick(['empr', 'empl']))
  const made = by_name[field]?.(context)
  if (made !== undefined) return String(made)
  if (schema.format === 'date') return days(context)
  if (schema.format === 'date-time') return `${days(context)}T12:00:00.000Z`
  return schema.format === 'email' ? String(by_name.email!(context)) : name(context)
}

/** An id that the sender may know: usually one that belongs to the path, rarely a foreign or unknown one. */
export function idOf({ random, known_ids, actor, named }: ValueContext, kind: string): string {
  const tenant = random.weigh([
    [92, actor.organizations],
    [4, null],
  ])
  if (random.chance(0.03)) return missing(kind)
  const fitting = random.chance(0.8)
    ? known_ids.take(kind, tenant, (thing) => named.every((one) => goTogether(one, thing)))
    : undefined
  return (fitting ?? known_ids.take(kind, tenant))?.id ?? missing(kind)
}

/**
 * Whether two resources belong together: to the same organization, employer, employee, benefit …, where both name one.
 */
const goTogether = (one: Thing, other: Thing): boolean =>
  one.organization_id === other.organization_id &&
  Object.entries(other.names).every(([name, id]) => one.names[name] === undefined || one.names[name] === id)

/** Fields whose values must be unique or exist. */
const always_again = /^(ein|email|phone|phone_number|reference_id|external_reference_id|api_key|today)$/

/** A documented example with new values for ids and unique fields. */
export function renewExample(context: ValueContext, example: unknown, field = ''): unknown {
  const { random } = context
  if (Array.isArray(example)) return example.map((item) => renewExample(context, item, field))
  if (typeof example === 'object' && example !== null)
    return Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, renewExample(context, value, name)]),
    )
  if (typeof example !== 'string') return example
  if (/^[a-z]{3,6}_[0-9a-z]{10,}$/.test(example)) return idOf(context, kindOf(example))
  if (/^(name|legal_name|first_name|last_name)$/.test(field)) return name(context)
  const renewed = always_again.test(field) || random.chance(0.3)
  return (renewed ? by_name[field]?.(context) : undefined) ?? example
}
