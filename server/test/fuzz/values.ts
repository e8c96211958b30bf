import { addDays, monthEnd } from '../../kernel/days.ts'
import type { Actor } from './actors.ts'
import type { Dice } from './dice.ts'
import { kindOf, missing, type KnownIds, type Thing } from './known-ids.ts'

export type Json = Record<string, unknown>

/** What values are made from: chance, what there is, who sends them, and the day. */
export type Making = {
  dice: Dice
  hostiles: unknown[]
  known_ids: KnownIds
  actor: Actor
  today: string
  /** the OpenAPI document, to which schemas refer */
  document: Json
  /** what the path names */
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

const number = (dice: Dice, digits: number) => String(dice.whole(0, 10 ** digits - 1)).padStart(digits, '0')
const dayNear = ({ dice, today }: Making, from: number, to: number) => addDays(today, dice.whole(from, to))
const name = ({ dice, actor }: Making) => `${dice.pick(given)} ${actor.mark}${dice.pick(['', ' ', 'ó'])}`.trim()
const firstOfMonth = (making: Making) => `${dayNear(making, -200, 400).slice(0, 7)}-01`

/** What fields hold of which the schema says only that they are text, by their names. */
const by_name: Record<string, (making: Making) => unknown> = {
  ein: ({ dice }) => `${dice.whole(10, 99)}-${number(dice, 7)}`,
  email: ({ dice }) => `p${dice.whole(1, 4000)}@fuzz.example.com`,
  phone: ({ dice }) => `415555${number(dice, 4)}`,
  phone_number: ({ dice }) => `415556${number(dice, 4)}`,
  zipcode: ({ dice }) => number(dice, 5),
  zip_code: ({ dice }) => number(dice, 5),
  address_line_1: ({ dice }) => dice.weigh([[6, streets[0]!], ...streets.map((street) => [0.5, street] as const)]),
  reference_id: ({ dice }) => `R-${dice.whole(1, 60)}`,
  external_reference_id: ({ dice, actor }) => `X-${actor.mark}-${dice.whole(1, 300)}`,
  date_of_birth: ({ dice }) => `${dice.whole(1950, 2015)}-0${dice.whole(1, 9)}-1${dice.whole(0, 9)}`,
  start_date: (making) => dayNear(making, -700, 3),
  termination_date: (making) => dayNear(making, -62, 90),
  effective_date: (making) => dayNear(making, -70, 2),
  coverage_start: firstOfMonth,
  occurred_on: (making) => dayNear(making, -70, 5),
  today: (making) => dayNear(making, -2, 20),
  url: ({ dice }) => `https://hooks${dice.whole(1, 9)}.example.com/in`,
  since: (making) => `${dayNear(making, -70, 2)}T10:00:00Z`,
  spd_file_url: () => 'https://example.com/spd.pdf',
  networks: () => 'First Health; Second Health',
  product_name: name,
  carrier: () => 'Evergreen Health',
  benefit: ({ dice }) => dice.pick(['Essential Care', 'Major Medical', 'Dental', 'Vision', 'Another Benefit']),
  plan: ({ dice, actor }) => `Plan ${actor.mark} ${dice.whole(1, 9)}`,
  access_token: () => 'a token of the payroll system',
  api_key: ({ dice, known_ids }) => known_ids.aMadeKey(dice),
  coverage_end: (making) => monthEnd(dayNear(making, -31, 300)),
  provider: ({ dice }) => dice.pick(['gusto', 'adp', 'rippling', 'sandbox']),
  gender: ({ dice }) => dice.pick(['Female', 'Male', 'F', 'X', 'other']),
}

const days = (making: Making) => dayNear(making, -120, 240)

/** A value that a schema of the document takes, as far as the document tells; sometimes of what is somebody else's. */
export function valueOf(making: Making, schema: Json, field = ''): unknown {
  const { dice, document } = making
  const { $ref, anyOf, oneOf, allOf, type } = schema as { [name: string]: unknown; $ref?: string }
  if ($ref) return valueOf(making, componentOf(document, $ref), field)
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((part: Json) => valueOf(making, part, field)))
  const choices = (anyOf ?? oneOf) as Json[] | undefined
  if (choices) return valueOf(making, dice.pick(choices), field)
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return dice.pick(schema.enum)
  switch (Array.isArray(type) ? dice.pick(type) : type) {
    case 'object':
      return objectOf(making, schema)
    case 'array':
      return listOf(making, schema, field)
    case 'integer':
    case 'number':
      return numberOf(dice, schema)
    case 'boolean':
      return dice.chance(0.5)
    case 'null':
      return null
    default:
      return textOf(making, schema, field)
  }
}

const componentOf = (document: Json, ref: string): Json =>
  (document.components as { schemas: Record<string, Json> }).schemas[ref.split('/').at(-1)!]!

function objectOf(making: Making, { properties = {}, required = [] }: Json): Json {
  const { dice } = making
  const chosen = Object.entries(properties as Record<string, Json>).filter(
    ([name]) => (required as string[]).includes(name) || dice.chance(0.45),
  )
  return Object.fromEntries(chosen.map(([name, schema]) => [name, valueOf(making, schema, name)]))
}

function listOf(making: Making, { items = {}, minItems = 0, maxItems = 30 }: Json, field: string): unknown[] {
  const { dice } = making
  const usual = dice.weigh([
    [2, 0],
    [5, 1],
    [4, dice.whole(2, 4)],
    [0.3, 25],
  ])
  const count = Math.min(Math.max(usual, minItems as number), maxItems as number)
  return Array.from({ length: count }, () => valueOf(making, items as Json, field))
}

function numberOf(dice: Dice, { minimum, maximum }: Json): number {
  const least = (minimum as number | undefined) ?? 0
  const most = (maximum as number | undefined) ?? 1_000_000
  return dice.weigh([
    [6, dice.whole(least, Math.min(most, least + 100))],
    [3, dice.whole(least, most)],
    [0.5, least],
    [0.5, most],
  ])
}

function textOf(making: Making, schema: Json, field: string): string {
  const [example] = (schema.examples as unknown[] | undefined) ?? []
  const kind = typeof example === 'string' && /^[a-z]+_01k/.test(example) ? kindOf(example) : undefined
  if (kind) return idOf(making, kind)
  if (field === 'id') return idOf(making, making.dice.pick(['empr', 'empl']))
  const made = by_name[field]?.(making)
  if (made !== undefined) return String(made)
  if (schema.format === 'date') return days(making)
  if (schema.format === 'date-time') return `${days(making)}T12:00:00.000Z`
  return schema.format === 'email' ? String(by_name.email!(making)) : name(making)
}

/**
 * An id as the sender may know it: mostly one that goes with what the path names, rarely of somebody else or of
 * nothing.
 */
export function idOf({ dice, known_ids, actor, named }: Making, kind: string): string {
  const whose = dice.weigh([
    [92, actor.organizations],
    [4, null],
  ])
  if (dice.chance(0.03)) return missing(kind)
  const fitting = dice.chance(0.8)
    ? known_ids.take(kind, whose, (thing) => named.every((one) => goTogether(one, thing)))
    : undefined
  return (fitting ?? known_ids.take(kind, whose))?.id ?? missing(kind)
}

/** Whether two things are of the same organization, employer, employee, benefit …, as far as both say. */
const goTogether = (one: Thing, other: Thing): boolean =>
  one.organization_id === other.organization_id &&
  Object.entries(other.names).every(([name, id]) => one.names[name] === undefined || one.names[name] === id)

/** What must be like no other, or be there. */
const always_anew = /^(ein|email|phone|phone_number|reference_id|external_reference_id|api_key|today)$/

/** An example of the documentation, with what must be somebody's own, or like no other, made anew. */
export function revive(making: Making, example: unknown, field = ''): unknown {
  const { dice } = making
  if (Array.isArray(example)) return example.map((item) => revive(making, item, field))
  if (typeof example === 'object' && example !== null)
    return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, revive(making, value, name)]))
  if (typeof example !== 'string') return example
  if (/^[a-z]{3,6}_[0-9a-z]{10,}$/.test(example)) return idOf(making, kindOf(example))
  if (/^(name|legal_name|first_name|last_name)$/.test(field)) return name(making)
  const anew = always_anew.test(field) || dice.chance(0.3)
  return (anew ? by_name[field]?.(making) : undefined) ?? example
}
