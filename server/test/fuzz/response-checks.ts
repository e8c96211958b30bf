import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Endpoint } from '../../http/endpoint.ts'
import {
  ErrorBody,
  refusalsOf,
  headers_of_every_response,
  headers_of_authenticated_responses,
} from '../../http/openapi/openapi-errors.ts'
import { responsePointer, operationIn } from '../openapi-document.ts'
import type { Reply } from './send.ts'
import { idsIn, type KnownIds } from './known-ids.ts'
import type { FuzzRequest } from './requests.ts'
import type { Json } from './values.ts'

/** Headers of HTTP and browsers, which operations do not declare individually. */
const of_http = new Set([
  ...'date connection keep-alive content-type content-length transfer-encoding vary allow cache-control'.split(' '),
  ...'x-content-type-options access-control-allow-origin access-control-expose-headers'.split(' '),
])

/** Refusals before the resources in a path are located. */
const before_existence = new Set([
  'organization_required',
  'invalid_organization_header',
  'organization_access_denied',
  'api_key_in_browser',
  'origin_not_allowed',
])

/** Possible statuses of requests that are not operations: unknown paths and methods, and malformed requests. */
const undeclared = new Set([400, 401, 403, 404, 405, 413, 415, 417, 429, 431])

type Document = Json & { components: { headers: Record<string, unknown> } }

/** `actors` are the ids of actors in the response. */
type Shown = { fuzz_request: FuzzRequest; ids: string[]; actors: string[] }

/** Checks responses against the OpenAPI documents and the owners of their data. */
export class ResponseChecker {
  readonly #ajv = new Ajv2020({ strict: false })
  readonly #documents: Record<'partner' | 'operator', Document>
  readonly #known_ids: KnownIds
  /** Ids in responses to senders who may see only one organization, until their owner is looked up. */
  #shown: Shown[] = []
  /** Ids in paths, with the organizations whose audit log may show them. */
  readonly #named = new Map<string, Set<string>>()

  constructor(documents: Record<'partner' | 'operator', Json>, known_ids: KnownIds) {
    formats.default(this.#ajv)
    this.#documents = documents as Record<'partner' | 'operator', Document>
    for (const [name, document] of Object.entries(documents)) this.#ajv.addSchema(document, name)
    this.#known_ids = known_ids
  }

  documentOf(endpoint: Endpoint): Json {
    return this.#documents[nameOf(endpoint)]
  }

  /** The fault of a response, or undefined. `marks` are the marks of other organizations. */
  fault(fuzz_request: FuzzRequest, reply: Reply, marks: string[]): string | undefined {
    const { endpoint } = fuzz_request
    if (reply.status === 0) return `had no response: ${reply.text}`
    const isDeclared = endpoint?.refuses?.some(({ status }) => status === reply.status)
    if (reply.status >= 500 && !isDeclared) return `returned ${reply.status}: ${messageOf(parse(reply.text))}`
    if (isPreflight(fuzz_request) && reply.status === 204) return faultOfPreflight(reply)
    const leak = marks.find((mark) => reply.text.includes(mark))
    if (leak) return `shows a name of another organization, ${leak}`
    // An operation about the caller, such as one that lists the owner's organizations, may contain other organizations.
    const is_of_one = fuzz_request.actor.sees && endpoint?.organization !== 'none'
    if (is_of_one && reply.status < 300) this.#noteShown(fuzz_request, reply)
    if (fuzz_request.method === 'HEAD') return reply.text === '' ? undefined : 'returns a body for HEAD'
    return this.#headersOf(fuzz_request, reply) ?? this.#bodyOf(fuzz_request, reply) ?? whyNotFor(fuzz_request, reply)
  }

  /** Records a sent request: the ids in it may appear in the audit log from then on. */
  noteSent({ actor: { organizations }, path }: FuzzRequest): void {
    for (const id of idsIn(path.replaceAll(/%5f/gi, '_'))) {
      const tenant = this.#named.getOrInsertComputed(id, () => new Set<string>())
      for (const organization_id of organizations ?? [any_person]) tenant.add(organization_id)
    }
  }

  /** Ids in refused requests of an organization appear in its audit log, whether they exist or not. */
  #noteShown(fuzz_request: FuzzRequest, reply: Reply): void {
    const sees = fuzz_request.actor.sees!
    const { actors, refused, rest } = separateActors(parse(reply.text))
    const isOwn = (id: string) => {
      const tenant = this.#named.get(id)
      return tenant !== undefined && (tenant.has(sees) || tenant.has(any_person))
    }
    const foreign_ids = refused.filter((id) => !isOwn(id))
    this.#shown.push({
      fuzz_request,
      ids: foreignTo(fuzz_request, [rest, ...foreign_ids].join(' ')),
      actors: idsIn(actors.join(' ')),
    })
  }

  #bodyOf(fuzz_request: FuzzRequest, { status, text, headers }: Reply): string | undefined {
    if (!headers['content-type']?.startsWith('application/json'))
      return `returns ${status} with ${headers['content-type']}`
    const body = parse(text)
    if (status >= 400) {
      const wrong = wrongError(fuzz_request, status, body, headers)
      if (wrong) return wrong
    }
    if (!fuzz_request.endpoint) return undeclared.has(status) ? undefined : `returns ${status} for an unknown operation`
    const { path, method } = fuzz_request.endpoint
    const document = this.documentOf(fuzz_request.endpoint)
    const { responses } = operationIn(document, path, method)
    if (!responses[status]) return `returns ${status}, which it does not declare: ${codeOf(body)}`
    const fits = this.#ajv.getSchema(nameOf(fuzz_request.endpoint) + responsePointer(document, path, method, status))!
    if (fits(body)) return undefined
    const [error] = fits.errors!
    return `returns ${status} outside its schema: ${error!.instancePath.replaceAll(/\d+/g, '#')} ${error!.message}`
  }

  /** Headers of a response that its declaration lacks, and missing headers that every response has. */
  #headersOf({ endpoint }: FuzzRequest, { status, headers }: Reply): string | undefined {
    for (const name of ['x-request-id', 'x-api-version']) if (!headers[name]) return `returns ${status} without ${name}`
    if (!endpoint) return undefined
    const { responses } = operationIn(this.documentOf(endpoint), endpoint.path, endpoint.method)
    const declared = [
      ...headers_of_every_response,
      ...headers_of_authenticated_responses,
      ...Object.keys(responses[status]?.headers ?? {}),
    ].map((name) => name.toLowerCase())
    const undeclared_name = Object.keys(headers).find((name) => !of_http.has(name) && !declared.includes(name))
    return (
      undeclared_name &&
      responses[status] &&
      `returns ${status} with a header that it does not declare: ${undeclared_name}`
    )
  }

  /** Looks up the owners of the ids in responses, and returns leaks. */
  async leaks(): Promise<{ fuzz_request: FuzzRequest; fault: string }[]> {
    const shown = this.#shown
    this.#shown = []
    const things = await this.#known_ids.things([...new Set(shown.flatMap(({ ids, actors }) => [...ids, ...actors]))])
    const ownerOf = (id: string) => things.get(id)?.organization_id ?? null
    return shown.flatMap(({ fuzz_request, ids, actors }) => {
      const { sees } = fuzz_request.actor
      const isForeign = (owner: string | null) => owner !== null && owner !== sees
      const foreign =
        ids.find((id) => isForeign(ownerOf(id))) ??
        // A key that has access everywhere appears wherever it acted.
        actors.find((id) => isForeign(ownerOf(id)) && !this.#known_ids.actsEverywhere(ownerOf(id)!))
      return foreign ? [{ fuzz_request, fault: `shows an id of another organization, ${foreign.split('_')[0]}_` }] : []
    })
  }
}

/** Stands for every organization. */
const any_person = '*'

/** Whether a request is a browser's preflight, which has no credential. */
const isPreflight = ({ method, headers }: FuzzRequest): boolean =>
  method === 'OPTIONS' && headers.some(([name]) => name === 'origin')

function faultOfPreflight({ text, headers }: Reply): string | undefined {
  if (text !== '') return 'returns a body for a preflight'
  return headers['access-control-allow-methods'] ? undefined : 'allows a preflight but no method'
}

const nameOf = (endpoint: Endpoint) => (endpoint.path.startsWith('/operator/') ? 'operator' : 'partner')

/** The ids in a response that were not in the request. */
const foreignTo = (fuzz_request: FuzzRequest, text: string): string[] => {
  const sent = new Set(idsIn(fuzz_request.path.replaceAll(/%5f/gi, '_') + (fuzz_request.body ?? '').toString()))
  return idsIn(text).filter((id) => !sent.has(id))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Wrong = { error?: { code?: string } } | undefined

const codeOf = (body: unknown): string => (body as Wrong)?.error?.code ?? 'no code'
const messageOf = (body: unknown): string => (body as { message?: string } | undefined)?.message ?? 'no message'

/** Checks the standard error body: its code is declared, and it reveals no internals. */
function wrongError(
  { endpoint }: FuzzRequest,
  status: number,
  body: unknown,
  headers: Reply['headers'],
): string | undefined {
  const { success, data } = ErrorBody.safeParse(body)
  if (!success) return `returns ${status} with another error body`
  const { code, message } = data.error
  if (data.app_error_code !== code || data.message !== message || data.trace_id !== headers['x-request-id'])
    return `returns ${status} with an inconsistent error body`
  if (/\bselect |\binsert |node_modules|\.ts:|violates|syntax error/i.test(JSON.stringify(data)))
    return `reveals internals: ${code}`
  const codes = endpoint && refusalsOf(endpoint).flatMap((kind) => (kind.status === status ? kind.code : []))
  return codes && !codes.includes(code)
    ? `returns ${status} with the code ${code}, which it does not declare`
    : undefined
}

/** Why a response must not go to its caller: without a valid credential, or with data of others. */
function whyNotFor({ endpoint, actor, named, headers }: FuzzRequest, { status, text }: Reply): string | undefined {
  if (!actor.is_known) return status < 300 ? 'accepts an unknown credential' : undefined
  if (!endpoint || [401, 429].includes(status)) return undefined
  // A duplicate header is refused before authentication.
  const is_twice = new Set(headers.map(([name]) => name)).size < headers.length
  const is_early = before_existence.has(codeOf(parse(text))) || (is_twice && status === 400)
  const isForeign = named.some(({ organization_id }) => organization_id !== null && organization_id !== actor.sees)
  if (actor.sees && isForeign && status !== 404 && !is_early)
    return `returns ${status} about a resource of another organization`
  const { bound } = actor
  const isBeyond = bound && named.some((thing) => thing.id !== bound.id && thing.names[bound.kind] !== bound.id)
  return isBeyond && status < 300 ? 'shows a bound token data outside its binding' : undefined
}

/** The content of a response: the ids of actors, the ids in refused requests, and everything else as text. */
type AuditParts = { actors: string[]; refused: string[]; rest: string }

type Entry = { outcome?: unknown }
type Actor = { id: string }

const isActor = (key: string, value: unknown): value is Actor =>
  key === 'actor' && typeof (value as Partial<Actor> | null)?.id === 'string'

/**
 * Separates the parts of an audit log or an enrollment's evidence. Actors may belong to other organizations, and ids in
 * refused requests may be any. The key of a bound token comes before a slash.
 */
function separateActors(value: unknown): AuditParts {
  const actors: string[] = []
  const refused: string[] = []
  const rest = JSON.stringify(value, function (this: Entry, key, value: unknown) {
    if (isActor(key, value)) {
      const [credential, ...bound] = value.id.split('/')
      actors.push(credential!)
      return { ...value, id: bound.join('/') }
    }
    if (key !== 'resource_id' || this.outcome !== 'refused') return value
    refused.push(String(value))
    return undefined
  })
  return { actors, refused, rest: rest ?? '' }
}
