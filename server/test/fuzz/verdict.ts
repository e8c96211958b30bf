import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Endpoint } from '../../http/endpoint.ts'
import { ErrorBody, refusalsOf } from '../../http/openapi/openapi-errors.ts'
import { errorHeaders, of_every_answer, of_known_callers } from '../../http/openapi/openapi-headers.ts'
import { answerPointer, operationIn } from '../document.ts'
import type { Reply } from './aim.ts'
import { idsIn, type KnownIds } from './known-ids.ts'
import { takeApart } from './rightly-shown.ts'
import type { Shot } from './shots.ts'
import type { Json } from './values.ts'

/** What HTTP and browsers ask for, which no operation declares one by one. */
const of_http = new Set([
  ...'date connection keep-alive content-type content-length transfer-encoding vary allow cache-control'.split(' '),
  ...'x-content-type-options access-control-allow-origin access-control-expose-headers'.split(' '),
])

/** What is answered before anybody asks what the path names. */
const before_existence = new Set([
  'organization_required',
  'invalid_organization_header',
  'organization_access_denied',
  'api_key_in_browser',
  'origin_not_allowed',
])

/** What answers that are no operation's may be: paths and methods that lead nowhere, requests that are none. */
const undeclared = new Set([400, 401, 403, 404, 405, 413, 415, 417, 429, 431])

type Document = Json & { components: { headers: Record<string, unknown> } }

/** `actors`: of those who are said to have acted. */
type Shown = { shot: Shot; ids: string[]; actors: string[] }

/** Holds answers against what the two documents declare, and against whose they are. */
export class Judge {
  readonly #ajv = new Ajv2020({ strict: false })
  readonly #documents: Record<'partner' | 'operator', Document>
  readonly #known_ids: KnownIds
  /** ids that were shown to somebody who may see one organization, until it is known whose they are */
  #shown: Shown[] = []
  /** what somebody named in a path, and whom the trail may show it to */
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

  /**
   * What is wrong with an answer, in a sentence; undefined when nothing is. `marks`: the words of other organizations.
   */
  fault(shot: Shot, reply: Reply, marks: string[]): string | undefined {
    const { endpoint } = shot
    if (reply.status === 0) return `was not answered: ${reply.text}`
    const isDeclared = endpoint?.refuses?.some(({ status }) => status === reply.status)
    if (reply.status >= 500 && !isDeclared) return `answered ${reply.status}: ${messageOf(parse(reply.text))}`
    if (isPreflight(shot) && reply.status === 204) return faultOfPreflight(reply)
    const leak = marks.find((mark) => reply.text.includes(mark))
    if (leak) return `shows a name of another organization, ${leak}`
    // What an operation says of the caller, such as its owner's organizations, is no leak.
    const is_of_one = shot.actor.sees && endpoint?.organization !== 'none'
    if (is_of_one && reply.status < 300) this.#noteShown(shot, reply)
    if (shot.method === 'HEAD') return reply.text === '' ? undefined : 'answers HEAD with a body'
    return this.#headersOf(shot, reply) ?? this.#bodyOf(shot, reply) ?? whyNotFor(shot, reply)
  }

  /** Is told of what is sent: what it names may stand in the trail from then on. */
  noteSent({ actor: { organizations }, path }: Shot): void {
    for (const id of idsIn(path.replaceAll(/%5f/gi, '_'))) {
      const whose = this.#named.getOrInsertComputed(id, () => new Set<string>())
      for (const organization_id of organizations ?? [anybody]) whose.add(organization_id)
    }
  }

  /** What a request of the organization's own named in vain stands in its trail, whether it exists or not. */
  #noteShown(shot: Shot, reply: Reply): void {
    const sees = shot.actor.sees!
    const { actors, refused, rest } = takeApart(parse(reply.text))
    const isOwn = (id: string) => {
      const whose = this.#named.get(id)
      return whose !== undefined && (whose.has(sees) || whose.has(anybody))
    }
    const strange = refused.filter((id) => !isOwn(id))
    this.#shown.push({ shot, ids: foreignTo(shot, [rest, ...strange].join(' ')), actors: idsIn(actors.join(' ')) })
  }

  #bodyOf(shot: Shot, { status, text, headers }: Reply): string | undefined {
    if (!headers['content-type']?.startsWith('application/json'))
      return `answers ${status} with ${headers['content-type']}`
    const body = parse(text)
    if (status >= 400) {
      const wrong = wrongError(shot, status, body, headers)
      if (wrong) return wrong
    }
    if (!shot.endpoint) return undeclared.has(status) ? undefined : `answers ${status} where there is no operation`
    const { path, method } = shot.endpoint
    const document = this.documentOf(shot.endpoint)
    const { responses } = operationIn(document, path, method)
    if (!responses[status]) return `answers ${status}, which it does not declare: ${codeOf(body)}`
    const fits = this.#ajv.getSchema(nameOf(shot.endpoint) + answerPointer(document, path, method, status))!
    if (fits(body)) return undefined
    const [error] = fits.errors!
    return `answers ${status} outside its schema: ${error!.instancePath.replaceAll(/\d+/g, '#')} ${error!.message}`
  }

  /** Headers that the answer has and the document doesn't; and those that every answer has. */
  #headersOf({ endpoint }: Shot, { status, headers }: Reply): string | undefined {
    for (const name of ['x-request-id', 'x-api-version']) if (!headers[name]) return `answers ${status} without ${name}`
    if (!endpoint) return undefined
    const { responses } = operationIn(this.documentOf(endpoint), endpoint.path, endpoint.method)
    const declared = [
      ...of_every_answer,
      ...of_known_callers,
      ...Object.keys(responses[status]?.headers ?? errorHeaders(status) ?? {}),
    ].map((name) => name.toLowerCase())
    const strange = Object.keys(headers).find((name) => !of_http.has(name) && !declared.includes(name))
    return strange && responses[status] && `answers ${status} with a header that it does not declare: ${strange}`
  }

  /** Looks up whose the ids were that were shown; names those that belong to somebody else. */
  async leaks(): Promise<{ shot: Shot; fault: string }[]> {
    const shown = this.#shown
    this.#shown = []
    const things = await this.#known_ids.things([...new Set(shown.flatMap(({ ids, actors }) => [...ids, ...actors]))])
    const ownerOf = (id: string) => things.get(id)?.organization_id ?? null
    return shown.flatMap(({ shot, ids, actors }) => {
      const { sees } = shot.actor
      const isForeign = (owner: string | null) => owner !== null && owner !== sees
      const foreign =
        ids.find((id) => isForeign(ownerOf(id))) ??
        // A key that acts everywhere is named where it acted.
        actors.find((id) => isForeign(ownerOf(id)) && !this.#known_ids.actsEverywhere(ownerOf(id)!))
      return foreign ? [{ shot, fault: `shows an id of another organization, ${foreign.split('_')[0]}_` }] : []
    })
  }
}

/** Stands for every organization. */
const anybody = '*'

/** What a browser asks before a page may send a request; it shows no credential. */
const isPreflight = ({ method, headers }: Shot): boolean =>
  method === 'OPTIONS' && headers.some(([name]) => name === 'origin')

function faultOfPreflight({ text, headers }: Reply): string | undefined {
  if (text !== '') return 'answers a preflight with a body'
  return headers['access-control-allow-methods'] ? undefined : 'lets a preflight pass, and no method'
}

const nameOf = (endpoint: Endpoint) => (endpoint.path.startsWith('/operator/') ? 'operator' : 'partner')

/** Ids in what was answered that the sender did not send itself. */
const foreignTo = (shot: Shot, text: string): string[] => {
  const sent = new Set(idsIn(shot.path.replaceAll(/%5f/gi, '_') + (shot.body ?? '').toString()))
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

/** The one error body, with a code that the operation declares, and with nothing of our insides. */
function wrongError({ endpoint }: Shot, status: number, body: unknown, headers: Reply['headers']): string | undefined {
  const { success, data } = ErrorBody.safeParse(body)
  if (!success) return `answers ${status} with another error body`
  const { code, message } = data.error
  if (data.app_error_code !== code || data.message !== message || data.trace_id !== headers['x-request-id'])
    return `answers ${status} with an error body that contradicts itself`
  if (/\bselect |\binsert |node_modules|\.ts:|violates|syntax error/i.test(JSON.stringify(data)))
    return `tells of its insides: ${code}`
  const codes = endpoint && refusalsOf(endpoint).flatMap((kind) => (kind.status === status ? kind.code : []))
  return codes && !codes.includes(code)
    ? `answers ${status} with the code ${code}, which it does not declare`
    : undefined
}

/** Whose the answer is: nobody is let in without a credential, or to what is somebody else's. */
function whyNotFor({ endpoint, actor, named, headers }: Shot, { status, text }: Reply): string | undefined {
  if (!actor.is_known) return status < 300 ? 'lets somebody in who is nobody' : undefined
  if (!endpoint || [401, 429].includes(status)) return undefined
  // A header that comes twice is refused before anybody asks who is calling.
  const is_twice = new Set(headers.map(([name]) => name)).size < headers.length
  const is_early = before_existence.has(codeOf(parse(text))) || (is_twice && status === 400)
  const isForeign = named.some(({ organization_id }) => organization_id !== null && organization_id !== actor.sees)
  if (actor.sees && isForeign && status !== 404 && !is_early)
    return `answers ${status} about what another organization has`
  const { bound } = actor
  const isBeyond = bound && named.some((thing) => thing.id !== bound.id && thing.names[bound.kind] !== bound.id)
  return isBeyond && status < 300 ? 'shows a bound token what it is not bound to' : undefined
}
