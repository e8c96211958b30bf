import { endpoints } from '../../modules.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { operationIn } from '../document.ts'
import type { Actor } from './actors.ts'
import { asText } from './dice.ts'
import { bend, bendQuery, breakBody, garble } from './faults.ts'
import { missing, type Thing } from './known-ids.ts'
import { idOf, revive, valueOf, type Json, type Making } from './values.ts'

/** A request as it goes over the wire. */
export type Shot = {
  /** undefined when its method and path are no operation */
  endpoint: Endpoint | undefined
  actor: Actor
  method: string
  /** with the query, encoded */
  path: string
  headers: [name: string, value: string][]
  body: string | Buffer | undefined
  /** what the path names, as far as we know it */
  named: Thing[]
}

/** What the path of an operation names: ids that belong together, mostly of the sender's own. */
export type Named = { ids: Record<string, string>; things: Thing[] }

/** Chooses what a path names. The last id first: what its row names goes with it. */
export function nameThings(making: Making, endpoint: Endpoint): Named {
  const { dice, known_ids, actor, hostiles } = making
  const named: Named = { ids: {}, things: [] }
  const whose = dice.weigh([
    [90, actor.organizations],
    [6, null],
  ])
  const { bound } = actor
  const fits = (thing: Thing) => bound === undefined || thing.id === bound.id || thing.names[bound.kind] === bound.id
  for (const [name, declared] of Object.entries(endpoint.params ?? {}).toReversed()) {
    const kind = declared === 'text' ? name : declared
    if (declared !== 'text' && dice.chance(0.04)) {
      named.ids[name] = dice.chance(0.5) ? missing(kind) : asText(dice.pick(hostiles)).slice(0, 300) || 'x'
      continue
    }
    const told = named.things.map(
      (thing) => thing.names[name] ?? (name === 'organization_id' ? thing.organization_id : null),
    )
    const known = told.find((id) => id !== null && id !== undefined)
    const thing =
      known === undefined ? known_ids.take(kind, whose, dice.chance(0.8) ? fits : undefined) : known_ids.thing(known)
    if (thing) named.things.push(thing)
    named.ids[name] = thing?.id ?? missing(kind)
  }
  return named
}

/** How much of what is sent is wrong: what share of the requests, and of their parts. */
const shares = { path: 0.03, query: 0.12, headers: 0.12, method: 0.02, body: 0.3, bytes: 0.05 }

/** A request for an operation: right, wrong in one place, or wrong in many. */
export function shotAt(sender: Making, endpoint: Endpoint, named: Named): Shot {
  const making = { ...sender, named: named.things }
  const { dice, actor, hostiles } = making
  const shot: Shot = {
    endpoint,
    actor,
    method: endpoint.method,
    path: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(named.ids[name]!)),
    headers: actor.credential === null ? [] : [['authorization', `Bearer ${latin(actor.credential)}`]],
    body: undefined,
    named: named.things,
  }
  if (dice.chance(shares.path)) garble(dice, hostiles, shot)
  addQuery(making, endpoint, shot)
  if (endpoint.body) addBody(making, endpoint, shot)
  addHeaders(making, shot)
  if (dice.chance(shares.method)) {
    shot.method = dice.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK'])
    if (shot.method !== endpoint.method) shot.endpoint = shot.endpoint && endpointAt(shot.endpoint.path, shot.method)
    // As a browser asks before a page may send it.
    if (shot.method === 'OPTIONS' && dice.chance(0.5))
      shot.headers = [
        ['origin', 'https://app.example.com'],
        ['access-control-request-method', endpoint.method],
      ]
  }
  return shot
}

const endpointAt = (path: string, method: string) =>
  endpoints.find((endpoint) => endpoint.path === path && endpoint.method === method)

/** Escapes what a path can't hold, lone surrogates too. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
/** What a header can hold. */
const latin = (text: string) => text.replaceAll(/[^\x21-\x7e\xa1-\xff]/g, '?')

function addQuery(making: Making, endpoint: Endpoint, shot: Shot): void {
  const { dice, document } = making
  const { parameters } = operationIn(document, endpoint.path, endpoint.method)
  const declared = (parameters as { name: string; in: string; schema: Json }[]).filter(
    (parameter) => parameter.in === 'query',
  )
  const pairs = declared
    .filter(() => dice.chance(0.35))
    .flatMap(({ name, schema }): [string, string][] => {
      const value = valueInQuery(making, schema, name)
      if (!Array.isArray(value)) return [[name, asText(value)]]
      if (dice.chance(0.3)) return [[name, value.map(asText).join(',')]]
      return value.map((item) => [dice.chance(0.3) ? `${name}[]` : name, asText(item)])
    })
  const bent = dice.chance(shares.query)
    ? bendQuery(
        dice,
        making.hostiles,
        pairs,
        declared.map(({ name }) => name),
      )
    : pairs
  if (bent.length > 0) shot.path += `?${bent.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`
}

/** Small pages, days that are near, and nobody who waits for long. */
function valueInQuery(making: Making, schema: Json, name: string): unknown {
  if (name === 'page') return making.dice.whole(1, 3)
  if (name === 'wait') return making.dice.pick([0, 0, 1])
  return name === 'as_of' ? making.today : valueOf(making, schema, name)
}

/** The body of an operation: its example with what is there, or all that its schema allows. */
function bodyOf(making: Making, endpoint: Endpoint): unknown {
  const { dice, document } = making
  if (endpoint.example !== undefined && dice.chance(0.6)) return revive(making, endpoint.example)
  const { requestBody } = operationIn(document, endpoint.path, endpoint.method) as unknown as {
    requestBody: { content: Record<string, { schema: Json }> }
  }
  return valueOf(making, requestBody.content['application/json']!.schema)
}

function addBody(making: Making, endpoint: Endpoint, shot: Shot): void {
  const { dice, hostiles } = making
  const { csv } = endpoint
  let body = bodyOf(making, endpoint)
  if (dice.chance(shares.body))
    body = bend(dice, hostiles, body, () => idOf(making, dice.pick(['empr', 'empl', 'pln'])))
  const rows = csv && (body as Json)?.[csv]
  if (Array.isArray(rows) && rows.length > 0 && dice.chance(0.3)) {
    shot.body = csvOf(rows)
    shot.headers.push(['content-type', 'text/csv'])
  } else {
    shot.body = JSON.stringify(body) ?? ''
    if (shot.body !== '' || dice.chance(0.5)) shot.headers.push(['content-type', 'application/json'])
  }
  if (dice.chance(shares.bytes)) shot.body = breakBody(dice, shot.body)
}

function csvOf(rows: unknown[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(Object(row))))]
  const cell = (value: unknown) => `"${asText(value).replaceAll('"', '""')}"`
  return [names.join(','), ...rows.map((row) => names.map((name) => cell(Object(row)[name] ?? '')).join(','))].join(
    '\r\n',
  )
}

/** Keys that are used again and again, by the same sender for the same and for something else. */
const idempotency_keys = 40

function addHeaders(making: Making, shot: Shot): void {
  const { dice, actor, known_ids, hostiles } = making
  const add = (name: string, value: string) => void shot.headers.push([name, value])
  const needs_one = ['a key of several', 'a super key'].includes(actor.name)
  if (dice.chance(needs_one ? 0.7 : 0.05)) {
    const own = known_ids.take('org', actor.organizations)?.id ?? ''
    add(
      'x-service-organization',
      dice.weigh([
        [9, own],
        [0.5, idOf(making, 'org')],
        [0.5, 'org_x'],
        [0.3, ''],
      ]),
    )
  }
  if (shot.method === 'POST' && dice.chance(0.15)) add('idempotency-key', `k${dice.whole(1, idempotency_keys)}`)
  if (!dice.chance(shares.headers)) return
  const strange = latin(asText(dice.pick(hostiles))).slice(0, 400)
  add(
    ...dice.pick<[string, string]>([
      ['origin', 'https://app.example.com'],
      ['content-type', 'application/json; charset=iso-8859-1'],
      ['content-type', dice.pick(['text/plain', 'application/xml', 'multipart/form-data', strange])],
      ['content-encoding', dice.pick(['gzip', 'identity', 'br', 'x'])],
      ['accept', 'text/html'],
      ['accept-encoding', 'gzip, br'],
      ['idempotency-key', dice.pick([strange, '', 'x'.repeat(255), 'x'.repeat(256)])],
      ['x-service-organization', strange],
      ['authorization', dice.pick(['Bearer x', 'Basic eDp5', '', strange])],
      ['expect', dice.pick(['100-continue', 'nothing'])],
      ['x-http-method-override', 'DELETE'],
      ['x-forwarded-for', strange],
      ['if-none-match', '*'],
      ['range', 'bytes=0-10'],
      ['x-long', 'y'.repeat(dice.pick([100, 7000]))],
    ]),
  )
}
