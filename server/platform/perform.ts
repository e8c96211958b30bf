import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from './audit.ts'
import { findClock, withClock } from './clock.ts'
import type { Ctx } from './ctx.ts'
import type { Endpoint, Place, Reply } from './endpoint.ts'
import { fingerprintOf, keepAnswer, takeIdempotencyKey, type Answer, type Attempt } from './idempotency.ts'
import { generic, Refusal } from './refusal.ts'
import { namesSomething, parseShape, type RawBody, type Shape } from './shape.ts'
import { contextOf, inTransaction, type World } from './world.ts'

/** Performs an operation for an admitted caller and sends what it answers. */
export async function perform(
  world: World,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const raw = request.body as RawBody
  const result =
    endpoint.method === 'GET' ? await read(world, endpoint, request, raw) : await write(world, endpoint, request, raw)
  if (result.replayed) reply.header('idempotent-replayed', 'true')
  if (endpoint.no_store) reply.header('cache-control', 'no-store')
  return reply.code(result.status).header('content-type', 'application/json; charset=utf-8').send(result.body)
}

const reaches_no_organization = { ...generic.forbidden, message: 'These credentials reach no organization.' }

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
  return inTransaction(world, request.caller!, async (asked) => {
    const found = await place(asked, endpoint, params)
    permit(asked, endpoint)
    const ctx = await atClockOf(asked, found)
    if (attempt instanceof Refusal) throw attempt
    if (attempt) {
      const stored = await takeIdempotencyKey(ctx, attempt)
      if (stored) return { ...stored, replayed: true }
    }
    if (shape instanceof Refusal) throw shape
    const result = resultOf(endpoint, await endpoint.handle(ctx, { params, query: shape.query, body: shape.body }))
    await recordAudit(ctx, {
      operation: endpoint.operation,
      organization_id: found?.organization_id ?? onlyOne(ctx.caller.reach.organization_ids),
      resource_id: resourceIn(result.body) ?? Object.values(params).at(-1) ?? null,
      fields: Object.keys(shape.sent ?? {}).filter((name) => Object.hasOwn(shape.body as object, name)),
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
export async function place(ctx: Ctx, endpoint: Endpoint, params: Record<string, string>): Promise<Place | undefined> {
  if (!endpoint.locate) return undefined
  const found = namesSomething(endpoint, params) ? await endpoint.locate(ctx, params) : undefined
  if (!found) throw new Refusal(generic.not_found)
  return found
}

/** A write happens on the day of the organization that its path names. */
async function atClockOf(ctx: Ctx, found: Place | undefined): Promise<Ctx> {
  if (!found?.organization_id) return ctx
  const { clocks, kind } = ctx.caller
  // Partners' clocks came with their credentials.
  const offset_days =
    kind === 'operator' ? await findClock(ctx.db, found.organization_id) : (clocks[found.organization_id] ?? 0)
  return withClock(ctx, offset_days)
}

export function permit(ctx: Ctx, endpoint: Endpoint): void {
  if (!endpoint.allows.includes(ctx.caller.kind)) throw new Refusal(generic.forbidden)
  const acts = endpoint.method !== 'GET' && (endpoint.organization === 'header' || endpoint.organization === 'needed')
  if (acts && ctx.caller.reach.organization_ids?.length === 0) throw new Refusal(reaches_no_organization)
}

function attemptOf(request: FastifyRequest, shape: Shape | Refusal): Attempt | Refusal | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || shape instanceof Refusal) return undefined
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    return new Refusal(generic.invalid_request, [{ field: 'Idempotency-Key', message: 'must be 1 to 255 characters' }])
  }
  const [path = '', query = ''] = request.url.split('?')
  return {
    key,
    method: request.method,
    path,
    fingerprint: fingerprintOf(query, request.headers['x-service-organization'], shape.sent),
  }
}

const onlyOne = (ids: string[] | null): string | null => (ids?.length === 1 ? ids[0]! : null)

function resultOf(endpoint: Endpoint, reply: Reply): Answer {
  if (reply === undefined) throw new Refusal(generic.not_found)
  if (typeof reply !== 'string') return reply
  return { status: Number(Object.keys(endpoint.returns)[0]), body: reply }
}

/** The first id of an answer is that of the resource it shows. */
const resourceIn = (body: string): string | undefined => /"id" ?: ?"(\w+)"/.exec(body)?.[1]
