import type { FastifyReply, FastifyRequest } from 'fastify'
import { clockOf, type Caller } from '../runtime/caller.ts'
import { findClock, withClock } from '../runtime/clock.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { numberEvents } from '../runtime/event-positions.ts'
import { rowsFor, type Endpoint } from './endpoint.ts'
import type { BodyReader } from './body/body-reader.ts'
import { generic, Refusal } from '../kernel/refusal.ts'
import { hasWellFormedPath, parseQuery } from './body/query-validation.ts'
import { organizationsInReach, whyNotAnywhere } from './authorize.ts'
import { type Runtime } from '../runtime/runtime.ts'
import {
  narrowCaller,
  authorize,
  locate,
  onlyOrganizationOrNull,
  readContext,
  type Reauthenticate,
  type ReadsOf,
  type Result,
  resultOf,
  writerOf,
} from './request-context.ts'
import { write } from './write.ts'

/** Performs the operation of an authenticated caller and sends its response. */
export async function handleRequest(
  runtime: Runtime,
  reader: BodyReader,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  reauthenticate: Reauthenticate,
): Promise<FastifyReply> {
  const result =
    endpoint.method === 'GET'
      ? await read(runtime, endpoint, request, reauthenticate)
      : await write(runtime, reader, endpoint, request, reply, reauthenticate)
  if (result.replayed) reply.header('idempotent-replayed', 'true')
  return reply.code(result.status).header('content-type', 'application/json; charset=utf-8').send(`${result.body}\n`)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When the caller was last authenticated, in milliseconds of the service's clock. */
    authenticated_at: number
  }
}

/**
 * A read is one statement. Two cases look up the resource first: a request that is refused for another reason, because
 * a 404 takes precedence, and a caller with several organizations, because the clock of the resource's organization
 * applies.
 */
async function read(
  runtime: Runtime,
  endpoint: Endpoint,
  request: FastifyRequest,
  reauthenticate: Reauthenticate,
): Promise<Result> {
  const params = request.params as Record<string, string>
  const query = tryQuery(endpoint, request)
  const seconds = query instanceof Refusal ? undefined : endpoint.waits?.(query)
  // Events get their positions on the primary, so requests that follow them read there.
  const readsOf = seconds === undefined ? await runtime.replica?.readsFor(writersOf(request.caller!)) : undefined
  const ctx = readContext(runtime, request.caller!, rowsFor(endpoint, request.caller!), readsOf)
  if (!hasWellFormedPath(endpoint, params)) throw new Refusal(generic.not_found)
  if (query instanceof Refusal) {
    authorize(ctx, endpoint, await locate(ctx, endpoint, params))
    throw query
  }
  const readOnce = async (outer: Ctx, seen?: number) => {
    const target_ctx = await narrowToResource(runtime, outer, endpoint, request, readsOf)
    return resultOf(
      endpoint,
      await endpoint.handle(target_ctx, { params, located: undefined, query, body: undefined, seen }),
    )
  }
  const organization_id = onlyOrganizationOrNull(ctx.caller)
  if (seconds === undefined || organization_id === null) return readOnce(ctx)
  await numberEvents(runtime.database, [organization_id])
  if (seconds === 0) return readOnce(ctx)
  const waiter = { caller: ctx.caller, organization_id, seconds, socket: request.socket }
  const readAgain = async (seen?: number) => {
    const caller = await reauthenticate(request, endpoint)
    return readOnce(readContext(runtime, caller, rowsFor(endpoint, caller)), seen)
  }
  return runtime.event_waits.readUntil(waiter, readAgain, ({ body }) => body.startsWith('{"data":[],'))
}

/** Returns the refusal instead of throwing it, because existence and permission are checked first. */
function tryQuery(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> | Refusal {
  try {
    return parseQuery(endpoint, request.query as Record<string, unknown>)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * Narrows a read to the organization of its path, on the day of that organization's clock. A path without an
 * organization reads only the organizations in which the caller's role allows the operation.
 */
async function narrowToResource(
  runtime: Runtime,
  ctx: Ctx,
  endpoint: Endpoint,
  request: FastifyRequest,
  readsOf: ReadsOf | undefined,
): Promise<Ctx> {
  const params = request.params as Record<string, string>
  const { caller } = ctx
  const organization_ids = organizationsInReach(endpoint, caller)
  const reaches_all = organization_ids === caller.reach.organization_ids && !whyNotAnywhere(endpoint, caller)
  // `caller.clocks` has the test clocks of a partner's organizations. It is not complete for operators.
  const has_no_test_clock = caller.kind !== 'operator' && Object.keys(caller.clocks).length === 0
  if (reaches_all && ((has_no_test_clock && !ctx.db.distribution) || onlyOrganizationOrNull(caller) !== null))
    return ctx
  const found = await locate(ctx, endpoint, params)
  request.resource_organization_id = found?.organization_id ?? null
  authorize(ctx, endpoint, found)
  if (!found?.organization_id) {
    const narrowed = { ...caller, reach: { ...caller.reach, organization_ids } }
    return withClock({ ...ctx, caller: narrowed }, clockOf(narrowed))
  }
  const offset_days =
    caller.kind === 'operator'
      ? await findClock(ctx.db, found.organization_id)
      : (caller.clocks[found.organization_id] ?? 0)
  const { organization_id } = found
  const target_ctx = ctx.db.distribution ? narrowCaller(caller, organization_id) : caller
  return withClock(readContext(runtime, target_ctx, [organization_id], readsOf), offset_days)
}

/** The writers whose changes a caller must see: itself and the organizations in its reach. */
const writersOf = (caller: Caller): string[] => [writerOf(caller), ...(caller.reach.organization_ids ?? [])]
