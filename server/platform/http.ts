import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, { LogController, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { recordAudit } from './audit.ts'
import { actAs, type Caller, type CallerKind, type OrganizationRule } from './caller.ts'
import type { Ctx } from './ctx.ts'
import { isDatabaseError } from './db.ts'
import type { Endpoint, Place, Reply } from './endpoint.ts'
import { fingerprintOf, keepAnswer, takeIdempotencyKey, type Answer, type Attempt } from './idempotency.ts'
import { takeToken, type RateLimit } from './rate-limit.ts'
import { generic, refusal, Refusal } from './refusal.ts'
import { namesSomething, parseShape, type RawBody, type Shape } from './shape.ts'
import { contextOf, inTransaction, type World } from './world.ts'

export const api_version = '1.0.0'
const body_limit = 64 * 1024

export const api_key_in_browser = refusal(
  403,
  'api_key_in_browser',
  'An API key must never reach a browser: issue a bound access token on your server and send that instead.',
)

export type HttpOptions = {
  world: World
  endpoints: Endpoint[]
  /** Who holds this credential; undefined when nobody does. */
  authenticate: (credential: string) => Promise<Caller | undefined>
  organizationExists: (organization_id: string) => Promise<boolean>
  cors_origins: string[]
  rate_limit: RateLimit
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

const operatorPath = (path: string) => path.startsWith('/operator/')

/** Builds the HTTP server: all that is alike for every operation is decided here, once. */
export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { world, endpoints } = options
  const app = Fastify({
    loggerInstance: world.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: body_limit,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  })
  app.decorateRequest('caller', undefined)
  acceptJson(app)
  if (options.cors_origins.length > 0) {
    await app.register(cors, {
      origin: options.cors_origins,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-service-organization'],
      exposedHeaders: ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'],
      maxAge: 600,
    })
  }

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-api-version': api_version })
    const { endpoint } = request.routeOptions.config
    if (endpoint) await admit(options, request, reply, endpoint.organization, endpoint.method !== 'GET')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    world.log.info({
      operation: endpoint?.operation,
      method: request.method,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      trace_id: request.id,
      credential: request.caller?.credential_id,
    })
  })

  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: endpoint.body_limit ?? body_limit,
      config: { endpoint },
      handler: (request, reply) => answer(world, endpoint, request, reply),
    })
  }

  refuseOtherMethods(app, options)
  app.setNotFoundHandler(async (request, reply) => {
    if (/^\/(operator\/)?v1(\/|$|\?)/.test(request.url)) await admit(options, request, reply, 'none', false)
    throw new Refusal(generic.not_found)
  })
  app.setErrorHandler((error, request, reply) => handleError(world, error as FastifyError, request, reply))
  return app
}

/** Bodies are taken as text and parsed later, since existence and permission are answered before shape. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) => ({ text }))
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: NodeJS.ReadableStream) => {
    payload.resume()
    return { refusal: new Refusal(generic.unsupported_media_type) }
  })
}

/** A path that exists answers other methods with 405 and those it has. */
function refuseOtherMethods(app: FastifyInstance, options: HttpOptions): void {
  const methods = new Map<string, string[]>()
  for (const { path, method } of options.endpoints) {
    const names = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...names])
  }
  for (const [path, allowed] of methods) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method))
    app.route({
      method: others,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: (request, reply) => admit(options, request, reply, 'none', false),
      handler: async () => {
        throw new Refusal(generic.method_not_allowed, [], { allow: allowed.join(', ') })
      },
    })
  }
}

/** Authentication 401, rate limit 429, organization header 400 or 403: in this order, before anything is read. */
async function admit(
  options: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  rule: OrganizationRule,
  writes: boolean,
): Promise<void> {
  const credential = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const caller = credential === undefined ? undefined : await options.authenticate(credential)
  if (!caller || (caller.kind === 'operator') !== operatorPath(request.url)) {
    throw new Refusal(generic.unauthorized, [], { 'www-authenticate': 'Bearer' })
  }
  request.caller = caller
  await limit(options, caller, reply)
  if (request.headers.origin !== undefined && !isBound(caller.kind)) throw new Refusal(api_key_in_browser)
  request.caller = await actAs(caller, request.headers['x-service-organization'], rule, writes, options.organizationExists)
}

const isBound = (kind: CallerKind) => kind === 'employer_token' || kind === 'employee_token'

async function limit({ world, rate_limit }: HttpOptions, caller: Caller, reply: FastifyReply): Promise<void> {
  const now = world.clock()
  const allowance = caller.rate_limited
    ? await takeToken(world.database, caller.credential_id, rate_limit, now)
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

async function answer(world: World, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const raw = request.body as RawBody
  const result = endpoint.method === 'GET' ? await read(world, endpoint, request, raw) : await write(world, endpoint, request, raw)
  if (result.replayed) reply.header('idempotent-replayed', 'true')
  if (endpoint.no_store) reply.header('cache-control', 'no-store')
  return reply.code(result.status).header('content-type', 'application/json; charset=utf-8').send(result.body)
}

type Result = Answer & { replayed?: boolean }

/** A read is one statement: existence is asked apart only when the request is refused for something else. */
async function read(world: World, endpoint: Endpoint, request: FastifyRequest, raw: RawBody): Promise<Result> {
  const ctx = contextOf(world, request.caller!, world.database.reads)
  const params = request.params as Record<string, string>
  const shape = tryShape(endpoint, request, raw)
  if (!namesSomething(endpoint, params)) throw new Refusal(generic.not_found)
  if (shape instanceof Refusal || !endpoint.allows.includes(ctx.caller.kind)) {
    await place(ctx, endpoint, params)
    permit(ctx, endpoint)
    throw shape
  }
  return resultOf(endpoint, await endpoint.handle(ctx, { params, query: shape.query, body: undefined }))
}

/** A write is one transaction: existence, permission, the change, its audit entry and its stored answer. */
async function write(world: World, endpoint: Endpoint, request: FastifyRequest, raw: RawBody): Promise<Result> {
  const params = request.params as Record<string, string>
  const shape = tryShape(endpoint, request, raw)
  const attempt = endpoint.method === 'POST' ? attemptOf(request, shape) : undefined
  return inTransaction(world, request.caller!, async (ctx) => {
    if (attempt && !(attempt instanceof Refusal)) {
      const stored = await takeIdempotencyKey(ctx, attempt)
      if (stored) return { ...stored, replayed: true }
    }
    const found = await place(ctx, endpoint, params)
    permit(ctx, endpoint)
    if (attempt instanceof Refusal) throw attempt
    if (shape instanceof Refusal) throw shape
    const result = resultOf(endpoint, await endpoint.handle(ctx, { params, query: shape.query, body: shape.body }))
    await recordAudit(ctx, {
      operation: endpoint.operation,
      organization_id: found?.organization_id ?? ctx.caller.reach.organization_ids?.[0] ?? null,
      resource_id: resourceIn(result.body) ?? Object.values(params).at(-1) ?? null,
      fields: Object.keys((shape.sent as object | undefined) ?? {}),
      trace_id: request.id,
    })
    if (attempt) await keepAnswer(ctx, attempt, result)
    return result
  })
}

function tryShape(endpoint: Endpoint, request: FastifyRequest, raw: RawBody): Shape | Refusal {
  try {
    return parseShape(endpoint, request.query as Record<string, unknown>, raw)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Existence and reach of what the path names: 404 for the malformed, the missing and the foreign alike. */
async function place(ctx: Ctx, endpoint: Endpoint, params: Record<string, string>): Promise<Place | undefined> {
  if (!endpoint.locate) return undefined
  const found = namesSomething(endpoint, params) ? await endpoint.locate(ctx, params) : undefined
  if (!found) throw new Refusal(generic.not_found)
  return found
}

function permit(ctx: Ctx, endpoint: Endpoint): void {
  if (!endpoint.allows.includes(ctx.caller.kind)) throw new Refusal(generic.forbidden)
}

function attemptOf(request: FastifyRequest, shape: Shape | Refusal): Attempt | Refusal | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || shape instanceof Refusal) return undefined
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    return new Refusal(generic.invalid_request, [{ field: 'Idempotency-Key', message: 'must be 1 to 255 characters' }])
  }
  const [path = '', query = ''] = request.url.split('?')
  return { key, method: request.method, path, fingerprint: fingerprintOf(query, shape.sent) }
}

function resultOf(endpoint: Endpoint, reply: Reply): Answer {
  if (reply === undefined) throw new Refusal(generic.not_found)
  if (typeof reply !== 'string') return reply
  return { status: Number(Object.keys(endpoint.returns)[0]), body: reply }
}

/** The first id of an answer is that of the resource it shows. */
const resourceIn = (body: string): string | undefined => /"id" ?: ?"(\w+)"/.exec(body)?.[1]

/** A request whose body was refused while reading it is still answered in the order of checks. */
async function handleError(world: World, error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { endpoint } = request.routeOptions.config
  const unread = bodyRefusals.get(error.code)
  if (!endpoint || !unread || !request.caller) return sendError(error, request, reply)
  try {
    const ctx = contextOf(world, request.caller, world.database.reads)
    await place(ctx, endpoint, request.params as Record<string, string>)
    permit(ctx, endpoint)
    sendError(new Refusal(unread), request, reply)
  } catch (earlier) {
    sendError(earlier as Error, request, reply)
  }
}

const bodyRefusals = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', generic.payload_too_large],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', generic.invalid_request],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', generic.unsupported_media_type],
])

function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { kind, details, headers } = refusalOf(error)
  if (kind.status >= 500) request.log.error({ err: error, trace_id: request.id }, kind.message)
  if (kind.status === 409 || kind.status === 422) reply.header('x-should-retry', 'false')
  reply
    .code(kind.status)
    .headers({ 'x-request-id': request.id, 'x-api-version': api_version, ...headers })
    .header('content-type', 'application/json; charset=utf-8')
    .send(
      JSON.stringify({
        error: { code: kind.code, message: kind.message, details },
        app_error_code: kind.code,
        message: kind.message,
        timestamp: new Date().toISOString(),
        trace_id: request.id,
      }),
    )
}

function refusalOf(error: Error & { code?: string; statusCode?: number }): Refusal {
  if (error instanceof Refusal) return error
  if (isUnavailable(error)) return new Refusal(generic.unavailable, [], { 'retry-after': '5' })
  // What PostgreSQL refuses though our own checks let it pass: the request's values, or a race for a unique one.
  if (isDatabaseError(error) && error.code?.startsWith('22')) return new Refusal(generic.invalid_request)
  if (isDatabaseError(error) && error.code?.startsWith('23')) return new Refusal(generic.conflict)
  if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH') return new Refusal(generic.not_found)
  const unread = bodyRefusals.get(error.code ?? '')
  if (unread) return new Refusal(unread)
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refusal(generic.invalid_request)
  return new Refusal(generic.internal_error)
}

const unavailableCodes = /^(ECONN|ENOENT$|EPIPE$|57P0|57014$|53|08)/

const isUnavailable = (error: Error & { code?: string }): boolean =>
  unavailableCodes.test(error.code ?? '') || /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)
