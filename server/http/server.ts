import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { declaredLength, usual_limit } from './body/bodies.ts'
import { actAs, isBound, type Caller, type OrganizationRule } from '../runtime/caller.ts'
import type { CheckingApart } from './body/validation-worker.ts'
import type { Endpoint } from './endpoint.ts'
import { sendError } from './errors.ts'
import { openIntake } from './body/body-reader.ts'
import { pathOf, refuseOtherMethods, refuseReadings, refuseUnknownAt } from './wire/other-methods.ts'
import { isForPeople, sendNotFound } from './static/pages.ts'
import { headers } from './openapi/openapi-headers.ts'
import { handleRequest, type Readmit } from './handle.ts'
import { takeToken, type RateLimit } from './limits/rate-limit.ts'
import { RefusalThrottle, usual_refusals, type RefusalLimit } from './limits/refusal-throttle.ts'
import { isId } from '../kernel/ids.ts'
import { generic, invalid, Refusal } from '../kernel/refusal.ts'
import { isLineOdd, watchRequestLines } from './wire/request-lines.ts'
import { openRequestLog } from './observe/request-log.ts'
import {
  answerClientError,
  faultInHeaders,
  holdBody,
  leaveRest,
  unreadable,
  usual_patience,
  type Patience,
} from './wire/sockets.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { traceAnswers } from './observe/trace.ts'
import { answerHeaders, uncached } from './response-headers.ts'
import { tooManyWrong, type Stranger } from './limits/failed-auth.ts'
import { refusals } from './refusals.ts'

/** Finds who holds a credential; undefined when nobody does. One that wasn't good lately is looked up in turn. */
export type FindHolder = (stranger: Stranger) => Promise<Caller | undefined>

export type Authenticator = {
  /** Looks at a credential once, for all times that its holder is found. */
  holderOf: (credential: string) => FindHolder
  /** Has the next request read anew what is known of its credential. */
  forget: () => void
}

export type HttpOptions = {
  runtime: Runtime
  endpoints: Endpoint[]
  authenticator: Authenticator
  organizationExists: (organization_id: string) => Promise<boolean>
  /** From where tokens may be sent of keys that say nothing of it. */
  cors_origins: string[]
  /** From where tokens of any key may be sent, as keys say, known at most a few seconds ago. */
  originsOfKeys: () => Promise<ReadonlySet<string>>
  rate_limit: RateLimit
  refusal_limit?: RefusalLimit
  /** Addresses and ranges of proxies, whose word about the address of a client is taken. */
  trusted_proxies?: string[]
  /** Further names of X-Service-Organization, in lower case. */
  organization_headers?: string[]
  strangerAt: (address: string) => Stranger
  /** Checks bodies of many rows. */
  apart: CheckingApart
  patience?: Patience
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Counts what is answered to a request with a body. */
    leaveThrottle: ((refused: boolean) => void) | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** By the route, not by the URL as it was spelled: `/%6fperator/…` and `http://host/operator/…` lead there too. */
const isOperators = (request: FastifyRequest) =>
  (request.routeOptions.config.endpoint?.path ?? pathOf(request)).startsWith('/operator/')

/**
 * Builds the HTTP server: all that is alike for every operation is decided here, once. A hook that waits for nothing is
 * no promise: each promise costs every request.
 */
export async function buildHttp(with_options: HttpOptions): Promise<FastifyInstance> {
  const options = { ...with_options, throttle: new RefusalThrottle(with_options.refusal_limit ?? usual_refusals) }
  const { runtime, endpoints } = options
  const app = openServer(options)
  const intake = openIntake(options.apart)
  const log = openRequestLog(runtime)
  traceAnswers(app, runtime)
  await allowBrowsers(app, options)

  const refuseUnknown = refuseUnknownAt(app, (request, reply) => authenticateUnknown(options, request, reply))
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint) await authenticate(options, request, reply, endpoint.organization, endpoint.method !== 'GET')
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    leaveRest(request.raw, reply.raw, options.patience ?? usual_patience)
    request.leaveThrottle?.(reply.statusCode >= 400 && reply.statusCode < 500)
    // Before the answer is sent, so that the very next request sees the change.
    const changed = request.routeOptions.config.endpoint?.changes_reach && reply.statusCode < 300
    if (changed) options.authenticator.forget()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    log.tell(request, reply)
    done()
  })
  app.addHook('onClose', async () => {
    log.flush()
    await runtime.trail.close()
  })
  const readmit: Readmit = async (request, { organization, method }) =>
    actAsNamed(options, request, await findCaller(options, request), organization, method !== 'GET')
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: routeOf(endpoint.path),
      config: { endpoint },
      handler: (request, reply) => handleRequest(runtime, intake, endpoint, request, reply, readmit),
    })
  }
  refuseUnlisted(app, options)
  app.setNotFoundHandler(async (request, reply) => {
    // For browsers there is a route of OPTIONS at every path.
    if (request.method === 'OPTIONS') await refuseUnknown(request, reply)
    if (isForPeople(request)) return sendNotFound(reply)
    throw new Refusal(generic.not_found)
  })
  app.setErrorHandler((error, request, reply) =>
    sendError(error as FastifyError, request, reply, runtime.settings.public_url),
  )
  return app
}

/** `/v1/employers/{employer_id}` as the router writes it. */
const routeOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Schemas are checked by `validate.ts`: what Fastify would compile them with is large, and not loaded. */
const noCompiler = () => () => {
  throw new Error('Fastify checks no schema here.')
}

/**
 * A Fastify whose every answer is ours: also to what HTTP, the router or a closing server would answer by themselves.
 */
function openServer(options: Admission): FastifyInstance {
  const { patience = usual_patience } = options
  const app = Fastify({
    loggerInstance: options.runtime.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // One of each request would only know its id, which our lines tell themselves.
    childLoggerFactory: (logger) => logger,
    requestTimeout: patience.request,
    keepAliveTimeout: patience.idle,
    connectionTimeout: patience.silence,
    clientErrorHandler: answerClientError(patience),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 16_384 },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    return503OnClosing: false,
    trustProxy: options.trusted_proxies ?? false,
    http: {
      requireHostHeader: false,
      headersTimeout: patience.headers,
      connectionsCheckingInterval: patience.check,
    },
    frameworkErrors: (error, request, reply) => void refuseUnrouted(options, error, request, reply),
  })
  app.decorateRequest('caller', undefined).decorateRequest('asked_at', 0)
  app.decorateRequest('leaveThrottle', undefined)
  app.setReplySerializer((body) => `${JSON.stringify(body)}\n`)
  watchRequestLines(app.server)
  // Nobody is told to go on sending before we know that we want it.
  for (const expectation of ['checkContinue', 'checkExpectation'])
    app.server.on(expectation, (request, response) => void app.server.emit('request', request, response))
  routeMethods(app)
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    options.runtime.event_waits.close()
    options.throttle.close()
  })
  // Who kept the connection would keep us from ending.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    holdBody(request.raw)
    reply.headers(answerHeaders(request))
    refuseFaulty(request)
    nameOrganization(request, options.organization_headers ?? [])
    if (closing) throw new Refusal(generic.unavailable, [], { connection: 'close' })
    done()
  })
  return app
}

function routeMethods(app: FastifyInstance): void {
  const methods = app.supportedMethods
  // Bodies are read by `handleRequest`, when it is their turn: to Fastify no method has one.
  for (const method of methods) app.addHttpMethod(method, { overrideExisting: true })
  // Any other is one that no path has, and so is TRACE: a route for each of them at each path would be thousands.
  app.server.prependListener('request', (request) => {
    if (!methods.includes(request.method!)) request.method = 'TRACE'
  })
}

/**
 * Takes the organization from another header that clients of like services send: to ignore one that narrows would show
 * them more than they asked for. Two that differ name none, which is refused like one that is malformed.
 */
function nameOrganization({ headers }: FastifyRequest, others: string[]): void {
  for (const name of others) {
    const named = headers[name]
    if (named === undefined) continue
    const before = headers['x-service-organization']
    headers['x-service-organization'] = before === undefined || before === named ? named : ''
  }
}

function refuseFaulty({ raw }: FastifyRequest): void {
  if (isLineOdd(raw)) throw new Refusal(unreadable, [], { connection: 'close' })
  const field = faultInHeaders(raw)
  if (field) throw invalid({ field, message: 'must be sent once' })
}

/**
 * Lets pages call with bound tokens. A browser asks before it says with which: pages are let in from where tokens of
 * any key may be sent, and whether it may be this one is asked when it comes.
 */
async function allowBrowsers(app: FastifyInstance, { cors_origins, originsOfKeys }: HttpOptions): Promise<void> {
  const isLetIn = async (origin: string) => cors_origins.includes(origin) || (await originsOfKeys()).has(origin)
  await app.register(cors, {
    // Who is no browser names none, and waits for no answer.
    origin(origin, tell) {
      if (origin === undefined) return tell(null, false)
      isLetIn(origin).then(
        (let_in) => tell(null, let_in),
        (error: Error) => tell(error, false),
      )
    },
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // Whatever a client sends by itself: it is asked for, and echoed.
    exposedHeaders: [...Object.keys(headers), 'Allow', 'Content-Disposition'],
    maxAge: 600,
    strictPreflight: false,
  })
}

/** A path that exists answers other methods with 405, to whoever may ask at all. */
function refuseUnlisted(app: FastifyInstance, options: Admission): void {
  const methods = new Map<string, string[]>()
  for (const { path, method } of options.endpoints) {
    const names = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...names])
  }
  const admit = (request: FastifyRequest, reply: FastifyReply) => authenticate(options, request, reply, 'none', false)
  for (const [path, allowed] of methods) refuseOtherMethods(app, routeOf(path), allowed, { answered: ['HEAD'], admit })
  for (const path of methods.keys()) refuseReadings(app, routeOf(path))
}

type Admission = HttpOptions & { throttle: RefusalThrottle }

/** Authentication 401, rate limit 429, organization header 400 or 403: in this order, before anything is read. */
async function authenticate(
  options: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  rule: OrganizationRule,
  writes: boolean,
): Promise<void> {
  let caller = (request.caller = await findCaller(options, request))
  // Whoever has waited may have lost the key meanwhile, or what it reaches.
  if (await enterThrottle(options, request)) caller = await findCaller(options, request)
  await limit(options, caller, reply)
  const { origin } = request.headers
  if (origin !== undefined) requireOrigin(options, caller, origin, reply)
  request.caller = await actAsNamed(options, request, caller, rule, writes)
}

const actAsNamed = (
  { organizationExists }: Admission,
  { headers }: FastifyRequest,
  caller: Caller,
  rule: OrganizationRule,
  writes: boolean,
): Promise<Caller> => actAs(caller, headers['x-service-organization'], rule, writes, organizationExists)

/**
 * Waits for what former refusals cost; tells whether it has waited. Of a body whose length is not said, or that is too
 * long, as much may be read as its operation takes.
 */
async function enterThrottle({ throttle }: Admission, request: FastifyRequest): Promise<boolean> {
  const length = declaredLength(request.raw)
  if (length === 0) return false
  const { body_limit = usual_limit } = request.routeOptions.config.endpoint ?? {}
  const bytes = Math.min(Number.isNaN(length) ? body_limit : length, body_limit)
  const { credential_id, key_id } = request.caller!
  // A key has no more patience for having many tokens.
  const { waited, leave } = await throttle.enter(key_id ?? credential_id, bytes)
  request.leaveThrottle = leave
  return waited
}

/** What was shown last over a connection: most show the same credential with each request. */
const shown = new WeakMap<Socket, { authorization: string; findHolder: FindHolder | undefined }>()

function finderFor({ authenticator }: HttpOptions, { headers, socket }: FastifyRequest): FindHolder | undefined {
  const { authorization = '' } = headers
  const before = shown.get(socket)
  if (before?.authorization === authorization) return before.findHolder
  const credential = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  const findHolder = credential === undefined ? undefined : authenticator.holderOf(credential)
  shown.set(socket, { authorization, findHolder })
  return findHolder
}

async function findCaller(options: HttpOptions, request: FastifyRequest): Promise<Caller> {
  const findHolder = finderFor(options, request)
  const stranger = options.strangerAt(request.ip)
  request.asked_at = options.runtime.clock()
  const caller = await findHolder?.(stranger)
  if (findHolder && !caller) refuseFlood(stranger)
  if (!caller || (caller.kind === 'operator') !== isOperators(request)) {
    throw new Refusal(generic.unauthorized, [], { 'www-authenticate': 'Bearer' })
  }
  return caller
}

/**
 * Slows down an address that sends one wrong credential after the other; a right one that is in use is never refused
 * for that.
 */
function refuseFlood(stranger: Stranger): void {
  const retry_after = stranger.countWrong()
  if (retry_after > 0) throw tooManyWrong(retry_after)
}

/** A URL that could not be routed, such as one with half an escape in it. */
async function refuseUnrouted(
  options: Admission,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    reply.headers(uncached)
    refuseFaulty(request)
    await authenticateUnknown(options, request, reply)
    sendError(error, request, reply, options.runtime.settings.public_url)
  } catch (earlier) {
    sendError(earlier as Error, request, reply, options.runtime.settings.public_url)
  }
}

/** Paths of the interface that lead nowhere ask who is calling too. */
async function authenticateUnknown(options: Admission, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (/^\/(operator\/)?v1(\/|$)/.test(pathOf(request))) await authenticate(options, request, reply, 'none', false)
}

/** A browser sends tokens that are bound, from where their key says, or of somebody who is signed in. */
function requireOrigin({ cors_origins }: HttpOptions, caller: Caller, origin: string, reply: FastifyReply): void {
  if (caller.key_id !== null && isId('sess', caller.key_id)) return
  if (!isBound(caller.kind)) throw new Refusal(refusals.api_key_in_browser)
  if ((caller.allowed_origins ?? cors_origins).includes(origin)) return
  reply.removeHeader('access-control-allow-origin')
  throw new Refusal(refusals.origin_not_allowed)
}

async function limit({ runtime, rate_limit }: HttpOptions, caller: Caller, reply: FastifyReply): Promise<void> {
  const now = runtime.clock()
  const allowance = caller.rate_limited
    ? await takeToken(runtime.database, caller.key_id ?? caller.credential_id, rate_limit, now)
    : { allowed: true, remaining: rate_limit.per_minute, reset: Math.floor(now / 1000), retry_after: 0 }
  reply.headers({
    'x-ratelimit-limit': rate_limit.per_minute,
    'x-ratelimit-remaining': allowance.remaining,
    'x-ratelimit-reset': allowance.reset,
  })
  if (!allowance.allowed) {
    throw new Refusal(generic.rate_limited, [], {
      'retry-after': String(allowance.retry_after),
      'ratelimit-reason': 'credential',
    })
  }
}
