import { endpoints } from '../../modules.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { operationIn } from '../openapi-document.ts'
import type { Actor } from './actors.ts'
import { asText } from './random.ts'
import { mutateBody, mutateQuery, corruptBytes, mutatePath } from './mutations.ts'
import { missing, type Thing } from './known-ids.ts'
import { idOf, renewExample, valueOf, type Json, type ValueContext } from './values.ts'

/** A request as it is sent. */
export type FuzzRequest = {
  /** Undefined if the method and path are not an operation. */
  endpoint: Endpoint | undefined
  actor: Actor
  method: string
  /** With the query, encoded. */
  path: string
  headers: [name: string, value: string][]
  body: string | Buffer | undefined
  /** The known resources in the path. */
  named: Thing[]
}

/** The ids in the path of an operation. They refer to related resources, which the sender can usually access. */
export type Named = { ids: Record<string, string>; things: Thing[] }

/** Chooses the ids of a path. The last id comes first, and its row determines the others. */
export function nameThings(context: ValueContext, endpoint: Endpoint): Named {
  const { random, known_ids, actor, hostiles } = context
  const named: Named = { ids: {}, things: [] }
  const tenant = random.weigh([
    [90, actor.organizations],
    [6, null],
  ])
  const { bound } = actor
  const fits = (thing: Thing) => bound === undefined || thing.id === bound.id || thing.names[bound.kind] === bound.id
  for (const [name, declared] of Object.entries(endpoint.params ?? {}).toReversed()) {
    const kind = declared === 'text' ? name : declared
    if (declared !== 'text' && random.chance(0.04)) {
      named.ids[name] = random.chance(0.5) ? missing(kind) : asText(random.pick(hostiles)).slice(0, 300) || 'x'
      continue
    }
    const referenced_ids = named.things.map(
      (thing) => thing.names[name] ?? (name === 'organization_id' ? thing.organization_id : null),
    )
    const known = referenced_ids.find((id) => id !== null && id !== undefined)
    const thing =
      known === undefined ? known_ids.take(kind, tenant, random.chance(0.8) ? fits : undefined) : known_ids.thing(known)
    if (thing) named.things.push(thing)
    named.ids[name] = thing?.id ?? missing(kind)
  }
  return named
}

/** The probability of a fault in each part of a request. */
const shares = { path: 0.03, query: 0.12, headers: 0.12, method: 0.02, body: 0.3, bytes: 0.05 }

/** A request for an operation: valid, invalid in one place, or in many. */
export function requestFor(sender: ValueContext, endpoint: Endpoint, named: Named): FuzzRequest {
  const context = { ...sender, named: named.things }
  const { random, actor, hostiles } = context
  const fuzz_request: FuzzRequest = {
    endpoint,
    actor,
    method: endpoint.method,
    path: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(named.ids[name]!)),
    headers: actor.credential === null ? [] : [['authorization', `Bearer ${latin(actor.credential)}`]],
    body: undefined,
    named: named.things,
  }
  if (random.chance(shares.path)) mutatePath(random, hostiles, fuzz_request)
  addQuery(context, endpoint, fuzz_request)
  if (endpoint.body) addBody(context, endpoint, fuzz_request)
  addHeaders(context, fuzz_request)
  if (random.chance(shares.method)) {
    fuzz_request.method = random.pick([
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'HEAD',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'LOCK',
    ])
    if (fuzz_request.method !== endpoint.method)
      fuzz_request.endpoint = fuzz_request.endpoint && endpointAt(fuzz_request.endpoint.path, fuzz_request.method)
    // The headers of a browser's preflight request.
    if (fuzz_request.method === 'OPTIONS' && random.chance(0.5))
      fuzz_request.headers = [
        ['origin', 'https://app.example.com'],
        ['access-control-request-method', endpoint.method],
      ]
  }
  return fuzz_request
}

const endpointAt = (path: string, method: string) =>
  endpoints.find((endpoint) => endpoint.path === path && endpoint.method === method)

/** Encodes a path, including lone surrogates. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
/** Replaces characters that a header cannot contain. */
const latin = (text: string) => text.replaceAll(/[^\x21-\x7e\xa1-\xff]/g, '?')

function addQuery(context: ValueContext, endpoint: Endpoint, fuzz_request: FuzzRequest): void {
  const { random, document } = context
  const { parameters } = operationIn(document, endpoint.path, endpoint.method)
  const declared = (parameters as { name: string; in: string; schema: Json }[]).filter(
    (parameter) => parameter.in === 'query',
  )
  const pairs = declared
    .filter(() => random.chance(0.35))
    .flatMap(({ name, schema }): [string, string][] => {
      const value = valueInQuery(context, schema, name)
      if (!Array.isArray(value)) return [[name, asText(value)]]
      if (random.chance(0.3)) return [[name, value.map(asText).join(',')]]
      return value.map((item) => [random.chance(0.3) ? `${name}[]` : name, asText(item)])
    })
  const bent = random.chance(shares.query)
    ? mutateQuery(
        random,
        context.hostiles,
        pairs,
        declared.map(({ name }) => name),
      )
    : pairs
  if (bent.length > 0)
    fuzz_request.path += `?${bent.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`
}

/** Small pages, near days, and short waits. */
function valueInQuery(context: ValueContext, schema: Json, name: string): unknown {
  if (name === 'page') return context.random.whole(1, 3)
  if (name === 'wait') return context.random.pick([0, 0, 1])
  return name === 'as_of' ? context.today : valueOf(context, schema, name)
}

/** The body of an operation: its example with existing ids, or everything that its schema allows. */
function bodyOf(context: ValueContext, endpoint: Endpoint): unknown {
  const { random, document } = context
  if (endpoint.example !== undefined && random.chance(0.6)) return renewExample(context, endpoint.example)
  const { requestBody } = operationIn(document, endpoint.path, endpoint.method) as unknown as {
    requestBody: { content: Record<string, { schema: Json }> }
  }
  return valueOf(context, requestBody.content['application/json']!.schema)
}

function addBody(context: ValueContext, endpoint: Endpoint, fuzz_request: FuzzRequest): void {
  const { random, hostiles } = context
  const { csv } = endpoint
  let body = bodyOf(context, endpoint)
  if (random.chance(shares.body))
    body = mutateBody(random, hostiles, body, () => idOf(context, random.pick(['empr', 'empl', 'pln'])))
  const rows = csv && (body as Json)?.[csv]
  if (Array.isArray(rows) && rows.length > 0 && random.chance(0.3)) {
    fuzz_request.body = csvOf(rows)
    fuzz_request.headers.push(['content-type', 'text/csv'])
  } else {
    fuzz_request.body = JSON.stringify(body) ?? ''
    if (fuzz_request.body !== '' || random.chance(0.5)) fuzz_request.headers.push(['content-type', 'application/json'])
  }
  if (random.chance(shares.bytes)) fuzz_request.body = corruptBytes(random, fuzz_request.body)
}

function csvOf(rows: unknown[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(Object(row))))]
  const cell = (value: unknown) => `"${asText(value).replaceAll('"', '""')}"`
  return [names.join(','), ...rows.map((row) => names.map((name) => cell(Object(row)[name] ?? '')).join(','))].join(
    '\r\n',
  )
}

/** The number of keys, so that they are reused by the same sender for the same and for other requests. */
const idempotency_keys = 40

function addHeaders(context: ValueContext, fuzz_request: FuzzRequest): void {
  const { random, actor, known_ids, hostiles } = context
  const add = (name: string, value: string) => void fuzz_request.headers.push([name, value])
  const needs_one = ['a key of several', 'a super key'].includes(actor.name)
  if (random.chance(needs_one ? 0.7 : 0.05)) {
    const own = known_ids.take('org', actor.organizations)?.id ?? ''
    add(
      'x-service-organization',
      random.weigh([
        [9, own],
        [0.5, idOf(context, 'org')],
        [0.5, 'org_x'],
        [0.3, ''],
      ]),
    )
  }
  if (fuzz_request.method === 'POST' && random.chance(0.15))
    add('idempotency-key', `k${random.whole(1, idempotency_keys)}`)
  if (!random.chance(shares.headers)) return
  const hostile = latin(asText(random.pick(hostiles))).slice(0, 400)
  add(
    ...random.pick<[string, string]>([
      ['origin', 'https://app.example.com'],
      ['content-type', 'application/json; charset=iso-8859-1'],
      ['content-type', random.pick(['text/plain', 'application/xml', 'multipart/form-data', hostile])],
      ['content-encoding', random.pick(['gzip', 'identity', 'br', 'x'])],
      ['accept', 'text/html'],
      ['accept-encoding', 'gzip, br'],
      ['idempotency-key', random.pick([hostile, '', 'x'.repeat(255), 'x'.repeat(256)])],
      ['x-service-organization', hostile],
      ['authorization', random.pick(['Bearer x', 'Basic eDp5', '', hostile])],
      ['expect', random.pick(['100-continue', 'nothing'])],
      ['x-http-method-override', 'DELETE'],
      ['x-forwarded-for', hostile],
      ['if-none-match', '*'],
      ['range', 'bytes=0-10'],
      ['x-long', 'y'.repeat(random.pick([100, 7000]))],
    ]),
  )
}
