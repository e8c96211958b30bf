import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { declaredLength, default_limit } from './body/body-bytes.ts'
import { actAs, isBound, type Caller, type OrganizationRule } from '../runtime/caller.ts'
import type { ValidationPool } from './body/validation-pool.ts'
import type { Endpoint } from './endpoint.ts'
import { sendError, responseHeaders, uncached } from './errors.ts'
import { openBodyReader } from './body/body-reader.ts'
import { pathOf, refuseOtherMethods, refuseOverlappingPaths, refuseUnknownAt } from './wire/method-not-allowed.ts'
import { refuseUnknownPath } from './wire/unknown-paths.ts'
import { acceptsPage, sendNotFound } from './static/pages.ts'
import { headers } from './openapi/openapi-errors.ts'
import { handleRequest } from './handle.ts'
import type { Reauthenticate } from './request-context.ts'
import { takeToken, type RateLimit } from './limits/rate-limit.ts'
import { RefusalThrottle, default_refusals, type RefusalLimit } from './limits/refusal-throttle.ts'
import { isId } from '../kernel/ids.ts'
import { generic, invalid, Refusal } from '../kernel/refusal.ts'
import { openRequestLog } from './observe/request-log.ts'
import {
  respondToClientError,
  faultInHeaders,
  pauseBody,
  discardBody,
  default_timeouts,
  type Timeouts,
} from './wire/sockets.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { auditResponses } from './audit/audit-responses.ts'
import { tooManyInvalidCredentials, type UnauthenticatedClient } from './limits/failed-auth.ts'
import { refusals } from './refusals.ts'

/**
 * Finds the caller of a credential. Undefined if it is invalid. A client that sent invalid ones gets one lookup at a
 * time.
 */
export type FindCaller = (client: UnauthenticatedClient) => Promise<Caller | undefined>

export type Authenticator = {
  /** Parses a credential once. The result reads its caller anew on each call. */
  callerFinderOf: (credential: string) => FindCaller
  /** Drops the cache, so that the next request reads its credential again. */
  forget: () => void
}

export type HttpOptions = {
  runtime: Runtime
  endpoints: Endpoint[]
  authenticator: Authenticator
  organizationExists: (organization_id: string) => Promise<boolean>
  /** Origins allowed for tokens of keys without their own list of origins. */
  cors_origins: string[]
  /** All origins listed by any key. May be a few seconds old. */
  originsOfKeys: () => Promise<ReadonlySet<string>>
  rate_limit: RateLimit
  refusal_limit?: RefusalLimit
  /** Addresses and ranges of proxies whose X-Forwarded-For is trusted. */
  trusted_proxies?: string[]
  clientAt: (address: string) => UnauthenticatedClient
  /** Validates bodies with many rows. */
  validation_pool: ValidationPool
  timeouts?: Timeouts
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Reports whether a request with a body was refused. */
    leaveThrottle: ((refused: boolean) => void) | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** Checks the route and not the URL, because `/%6fperator/…` and `http://host/operator/…` match the route too. */
const isOperators = (request: FastifyRequest) =>
  (request.routeOptions.config.endpoint?.path ?? pathOf(request)).startsWith('/operator/')

/**
 * Builds the HTTP server with everything that all operations have in common. Hooks without waiting use callbacks,
 * because each promise costs every request.
 */
export async function buildHttp(with_options: HttpOptions): Promise<FastifyInstance> {
  const options = { ...with_options, throttle: new RefusalThrottle(with_options.refusal_limit ?? default_refusals) }
  const { runtime, endpoints } = options
  const app = openServer(options)
  const reader = openBodyReader(options.validation_pool)
  const log = openRequestLog(runtime)
  auditResponses(app, runtime)
  await allowBrowsers(app, options)

  const paths = endpoints.map(({ path }) => path)
  const refuseUnknown = refuseUnknownAt(app, (request, reply) => authenticateUnknown(options, request, reply))
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint) await authenticate(options, request, reply, endpoint.organization, endpoint.method !== 'GET')
    // The router matches a path with a trailing slash to a path that ends with an id.
    if (endpoint && pathOf(request).endsWith('/')) throw refuseUnknownPath(paths, pathOf(request))
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    discardBody(request.raw, reply.raw, options.timeouts ?? default_timeouts)
    request.leaveThrottle?.(reply.statusCode >= 400 && reply.statusCode < 500)
    // Before the response is sent, so that the next request sees the change.
    const changed = request.routeOptions.config.endpoint?.changes_reach && reply.statusCode < 300
    if (changed) options.authenticator.forget()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    log.record(request, reply)
    done()
  })
  app.addHook('onClose', async () => {
    log.flush()
    await runtime.audit_log.close()
  })
  const reauthenticate: Reauthenticate = async (request, { organization, method }) =>
    applyActAs(options, request, await findCaller(options, request), organization, method !== 'GET')
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: routeOf(endpoint.path),
      config: { endpoint },
      handler: (request, reply) => handleRequest(runtime, reader, endpoint, request, reply, reauthenticate),
    })
  }
  refuseOtherMethodsOf(app, options)
  app.setNotFoundHandler(async (request, reply) => {
    // The CORS plugin adds an OPTIONS route for every path.
    if (request.method === 'OPTIONS') await refuseUnknown(request, reply)
    if (acceptsPage(request)) return sendNotFound(reply, runtime.settings.public_url)
    throw refuseUnknownPath(paths, pathOf(request))
  })
  app.setErrorHandler((error, request, reply) =>
    sendError(error as FastifyError, request, reply, runtime.settings.public_url),
  )
  return app
}

/** `/v1/employers/{employer_id}` in the router's syntax. */
const routeOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** `body/` validates requests, so Fastify's large schema compilers are not loaded. */
const skipCompiler = () => () => {
  throw new Error('Fastify does not validate schemas here.')
}

/** Opens Fastify so that every response has our format, including errors of HTTP parsing, routing and shutdown. */
function openServer(options: ServerParts): FastifyInstance {
  const { timeouts = default_timeouts } = options
  const app = Fastify({
    loggerInstance: options.runtime.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // A child logger per request would only add the request id, which our log lines contain.
    childLoggerFactory: (logger) => logger,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    connectionTimeout: timeouts.silence,
    clientErrorHandler: respondToClientError(timeouts),
    forceCloseConnections: 'idle',
    // Node limits the headers and the path to 16 KiB, so that the router refuses no path because of its length.
    routerOptions: { maxParamLength: 16_384 },
    schemaController: { compilersFactory: { buildValidator: skipCompiler, buildSerializer: skipCompiler } },
    return503OnClosing: false,
    trustProxy: options.trusted_proxies ?? false,
    http: {
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
    },
    frameworkErrors: (error, request, reply) => void refuseUnrouted(options, error, request, reply),
  })
  app.decorateRequest('caller', undefined).decorateRequest('authenticated_at', 0)
  app.decorateRequest('leaveThrottle', undefined)
  app.setReplySerializer((body) => `${JSON.stringify(body)}\n`)
  // Do not send 100-continue until the request is accepted.
  for (const expectation of ['checkContinue', 'checkExpectation'])
    app.server.on(expectation, (request, response) => void app.server.emit('request', request, response))
  routeMethods(app)
  let is_closing = false
  app.addHook('preClose', async () => {
    is_closing = true
    options.runtime.event_waits.close()
    options.throttle.close()
  })
  // A keep-alive connection would delay the shutdown.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (is_closing) reply.header('connection', 'close')
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    pauseBody(request.raw)
    reply.headers(responseHeaders(request))
    refuseMalformed(request)
    if (is_closing) throw new Refusal(generic.unavailable, [], { connection: 'close' })
    done()
  })
  return app
}

function routeMethods(app: FastifyInstance): void {
  const methods = app.supportedMethods
  // `handleRequest` reads bodies when their turn comes, so Fastify must expect none.
  for (const method of methods) app.addHttpMethod(method, { overrideExisting: true })
  // No path has TRACE. Unknown methods become TRACE, instead of thousands of routes that refuse them.
  app.server.prependListener('request', (request) => {
    if (!methods.includes(request.method!)) request.method = 'TRACE'
  })
}

function refuseMalformed({ raw }: FastifyRequest): void {
  const field = faultInHeaders(raw)
  if (field) throw invalid({ field, message: 'must be sent only once' })
}

/**
 * Allows browser pages to call with bound tokens. A CORS preflight has no token yet, so it accepts the origins of all
 * keys. The request itself is checked against the origins of its own key.
 */
async function allowBrowsers(app: FastifyInstance, { cors_origins, originsOfKeys }: HttpOptions): Promise<void> {
  const isAllowed = async (origin: string) => cors_origins.includes(origin) || (await originsOfKeys()).has(origin)
  await app.register(cors, {
    // Non-browser clients send no Origin header.
    origin(origin, decide) {
      if (origin === undefined) return decide(null, false)
      isAllowed(origin).then(
        (allowed) => decide(null, allowed),
        (error: Error) => decide(error, false),
      )
    },
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // The plugin allows and echoes the headers that the preflight requests.
    exposedHeaders: [...Object.keys(headers), 'Allow', 'Content-Disposition'],
    maxAge: 600,
    strictPreflight: false,
  })
}

/** Existing paths answer other methods with 405, to authenticated callers. */
function refuseOtherMethodsOf(app: FastifyInstance, options: ServerParts): void {
  const methods = new Map<string, string[]>()
  for (const { path, method } of options.endpoints) {
    const names = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...names])
  }
  const admit = (request: FastifyRequest, reply: FastifyReply) => authenticate(options, request, reply, 'none', false)
  for (const [path, allowed] of methods) refuseOtherMethods(app, routeOf(path), allowed, { answered: ['HEAD'], admit })
  for (const path of methods.keys()) refuseOverlappingPaths(app, routeOf(path))
}

/** The options of the server, and the state that it opens. */
type ServerParts = HttpOptions & { throttle: RefusalThrottle }

/**
 * Checks in this order, before the body is read: authentication 401, rate limit 429, organization header 400 or 403.
 */
async function authenticate(
  options: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  rule: OrganizationRule,
  writes: boolean,
): Promise<void> {
  let caller = (request.caller = await findCaller(options, request))
  // Authenticate again: the key may have been revoked or narrowed while the request was queued.
  if (await waitForThrottle(options, request)) caller = await findCaller(options, request)
  await applyRateLimit(options, caller, reply)
  const { origin } = request.headers
  if (origin !== undefined) requireOrigin(options, caller, origin, reply)
  request.caller = await applyActAs(options, request, caller, rule, writes)
}

const applyActAs = (
  { organizationExists }: ServerParts,
  { headers }: FastifyRequest,
  caller: Caller,
  rule: OrganizationRule,
  writes: boolean,
): Promise<Caller> => actAs(caller, headers['x-service-organization'], rule, writes, organizationExists)

/**
 * Delays a caller with many refused bodies. Returns whether it waited. A body of unknown or excessive length counts as
 * the limit of its operation.
 */
async function waitForThrottle({ throttle }: ServerParts, request: FastifyRequest): Promise<boolean> {
  const length = declaredLength(request.raw)
  if (length === 0) return false
  const { body_limit = default_limit } = request.routeOptions.config.endpoint ?? {}
  const bytes = Math.min(Number.isNaN(length) ? body_limit : length, body_limit)
  const { credential_id, key_id } = request.caller!
  // All tokens of a key share its allowance.
  const { waited, leave } = await throttle.enter(key_id ?? credential_id, bytes)
  request.leaveThrottle = leave
  return waited
}

/** Parses the credential of a request. Undefined if it is missing or malformed. */
function callerFinderFor({ authenticator }: HttpOptions, { headers }: FastifyRequest): FindCaller | undefined {
  const credential = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return credential === undefined ? undefined : authenticator.callerFinderOf(credential)
}

async function findCaller(options: HttpOptions, request: FastifyRequest): Promise<Caller> {
  const find = callerFinderFor(options, request)
  const client = options.clientAt(request.ip)
  request.authenticated_at = options.runtime.clock()
  const caller = await find?.(client)
  if (find && !caller) refuseFlood(client)
  if (!caller) throw unauthorized(generic.unauthorized.message)
  const is_operator = caller.kind === 'operator'
  if (is_operator !== isOperators(request)) throw unauthorized(is_operator ? operator_at_v1 : partner_at_operator)
  return caller
}

const operator_at_v1 =
  'Operator credentials work at /operator/v1 only. Use an API key of an organization, or its token.'
const partner_at_operator =
  'API keys of organizations, and their tokens, work at /v1 only. Use an operator key, or sign in as an operator.'

const unauthorized = (message: string) =>
  new Refusal({ ...generic.unauthorized, message }, [], { 'www-authenticate': 'Bearer' })

/** Slows down an address that sends many invalid credentials. Valid ones that are in use are never refused. */
function refuseFlood(client: UnauthenticatedClient): void {
  const retry_after = client.countInvalid()
  if (retry_after > 0) throw tooManyInvalidCredentials(retry_after)
}

/** Refuses a URL that the router cannot parse, such as one with an incomplete escape. */
async function refuseUnrouted(
  options: ServerParts,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    reply.headers(uncached)
    refuseMalformed(request)
    await authenticateUnknown(options, request, reply)
    sendError(error, request, reply, options.runtime.settings.public_url)
  } catch (earlier) {
    sendError(earlier as Error, request, reply, options.runtime.settings.public_url)
  }
}

/** Unknown paths of the interface require authentication too. */
async function authenticateUnknown(options: ServerParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (/^\/(operator\/)?v1(\/|$)/.test(pathOf(request))) await authenticate(options, request, reply, 'none', false)
}

/** From a browser only bound tokens from an allowed origin, and tokens that our own pages fetch, are accepted. */
function requireOrigin({ cors_origins }: HttpOptions, caller: Caller, origin: string, reply: FastifyReply): void {
  if (caller.key_id !== null && (isId('sess', caller.key_id) || isId('emsg', caller.key_id))) return
  if (!isBound(caller.kind)) throw new Refusal(refusals.api_key_in_browser)
  if ((caller.allowed_origins ?? cors_origins).includes(origin)) return
  reply.removeHeader('access-control-allow-origin')
  throw new Refusal(refusals.origin_not_allowed)
}

async function applyRateLimit(
  { runtime, rate_limit }: HttpOptions,
  caller: Caller,
  reply: FastifyReply,
): Promise<void> {
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
