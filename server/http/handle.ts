import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit, type AuditedAction } from './audit/audit.ts'
import { clockOf, type Caller } from '../runtime/caller.ts'
import { findClock, withClock } from '../runtime/clock.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { Database } from '../database/query/database.ts'
import type { RowsOf } from '../database/query/rows-of.ts'
import { endTelling } from '../runtime/events.ts'
import { rowsFor, type Endpoint, type Located, type Reply } from './endpoint.ts'
import { keepAnswer, takeIdempotencyKey, type ReadyAnswer, type Attempt } from './idempotency.ts'
import type { Intake } from './body/body-reader.ts'
import { isId } from '../kernel/ids.ts'
import { generic, invalid, Refusal, refuse } from '../kernel/refusal.ts'
import { namesSomething, parseQuery, type Asked, type Shape } from './body/validate.ts'
import { reachFor, whyNotEver, whyNotHandOut, whyNotPerform } from './authorize.ts'
import { contextOf, inTurn, type AskAsWhom, type Runtime, type WritePlace } from '../runtime/runtime.ts'

/** Performs an operation for an admitted caller and sends what it answers. */
export async function handleRequest(
  runtime: Runtime,
  intake: Intake,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  readmit: Readmit,
): Promise<FastifyReply> {
  const result =
    endpoint.method === 'GET'
      ? await read(runtime, endpoint, request, readmit)
      : await write(runtime, intake, endpoint, request, reply, readmit)
  if (result.replayed) reply.header('idempotent-replayed', 'true')
  return reply.code(result.status).header('content-type', 'application/json; charset=utf-8').send(`${result.body}\n`)
}

const reaches_no_organization = { ...generic.forbidden, message: 'These credentials reach no organization.' }

type Result = ReadyAnswer & { replayed?: boolean }

declare module 'fastify' {
  interface FastifyRequest {
    /** When it was last asked who calls; milliseconds of the service's clock. */
    asked_at: number
  }
}

/** Asks again who is calling, of a request that has waited: a key may have been revoked meanwhile, or reach another. */
export type Readmit = (request: FastifyRequest, endpoint: Endpoint) => Promise<Caller>

/**
 * Milliseconds that a write may wait before its sender is asked for again: what is known of a key may be 3 seconds old,
 * and a revocation holds within 5.
 */
const longest_unasked = 2_000

/**
 * A read is one statement: existence is asked apart only when the request is refused for something else, or when the
 * caller is not at one organization, whose clock would be that of the read.
 */
async function read(runtime: Runtime, endpoint: Endpoint, request: FastifyRequest, readmit: Readmit): Promise<Result> {
  const params = request.params as Record<string, string>
  const query = tryQuery(endpoint, request)
  const seconds = query instanceof Refusal ? 0 : (endpoint.waits?.(query) ?? 0)
  // Who waits is told of events by the primary, and must find them then.
  const readsOf = seconds === 0 ? await runtime.replica?.readsFor(writersOf(request.caller!)) : undefined
  const ctx = readingAs(runtime, request.caller!, rowsFor(endpoint, request.caller!), readsOf)
  if (!namesSomething(endpoint, params)) throw new Refusal(generic.not_found)
  if (query instanceof Refusal) {
    authorize(ctx, endpoint, await locate(ctx, endpoint, params))
    throw query
  }
  const look = async (asked: Ctx, seen?: number) => {
    const there = await atPlaceOf(runtime, asked, endpoint, request, readsOf)
    return resultOf(
      endpoint,
      await endpoint.handle(there, { params, located: undefined, query, body: undefined, seen }),
    )
  }
  const organization_id = onlyOne(ctx.caller)
  if (seconds === 0 || organization_id === null) return look(ctx)
  const waiter = { caller: ctx.caller, organization_id, seconds, socket: request.socket }
  const lookAgain = async (seen?: number) => {
    const caller = await readmit(request, endpoint)
    return look(readingAs(runtime, caller, rowsFor(endpoint, caller)), seen)
  }
  return runtime.event_waits.lookUntil(waiter, lookAgain, ({ body }) => body.startsWith('{"data":[],'))
}

/**
 * A write asks for existence and permission before it looks at what was sent, and again in its one transaction, which
 * holds the change, its audit entry and its stored answer. It happens on the day of its organization, which is locked
 * and so stays the same until the end. What is answered again, or refused for its shape, waits for nobody. A dry run is
 * all of that, rolled back at its end: it leaves the trace of a read.
 */
async function write(
  runtime: Runtime,
  intake: Intake,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  readmit: Readmit,
): Promise<Result> {
  const params = request.params as Record<string, string>
  const askAsWhom = askedWhenLate(runtime, endpoint, request, readmit)
  const before = readingAs(runtime, request.caller!, rowsFor(endpoint, request.caller!))
  const there = await locate(before, endpoint, params)
  authorize(before, endpoint, there)
  const key = endpoint.method === 'POST' ? idempotencyKeyOf(request) : undefined
  const query = parseQuery(endpoint, request.query as Record<string, unknown>)
  const whose = there?.organization_id ?? whoseIs(before.caller)
  const shape = await intake.take(endpoint, request, reply, whose, key === undefined ? undefined : askedBy(request))
  const attempt = key === undefined ? undefined : attemptOf(endpoint, params, key, shape)
  const found_out = await endpoint.precheck?.(runtime.outbound, shape.body)
  const rehearses = isRehearsal(query, shape.body)
  const writers = new Set([writerOf(request.caller!)])
  const perform = () =>
    inTurn<Result>(runtime, askAsWhom, async (asked, lock) => {
      const found = await locate(asked, endpoint, params)
      authorize(asked, endpoint, found)
      if (attempt) {
        const stored = await takeIdempotencyKey(asked, attempt)
        if (stored) return { ...stored, replayed: true }
      }
      if (found_out) throw found_out
      const place = placeOf(endpoint, found, asked.caller)
      if (place) writers.add(place.organization_id)
      const { operation } = endpoint
      const ctx = { ...(place ? atOneWhereDivided(await lock(place), place) : asked), trace_id: request.id, operation }
      const { body, staged } = shape
      const reply = await endpoint.handle(ctx, { params, located: found, query, body, staged })
      const result = resultOf(endpoint, reply)
      if (rehearses) throw new Rehearsed(result)
      const resource_id = resourceOf(reply) ?? Object.values(params).at(-1) ?? null
      const made = madeOrganization(resource_id)
      if (made !== null) writers.add(made)
      const action = {
        operation,
        organization_id: found?.organization_id ?? onlyOne(ctx.caller),
        resource_id,
        fields: shape.fields,
        status: result.status,
        holds_lock: place !== null && place.employer_id === undefined,
      }
      return endWrite(ctx, request, action, attempt, result, place?.organization_id ?? made)
    })
  const beside = endpoint.locks === 'employer' ? () => runtime.database.side_by_side.run(whose, perform) : perform
  const done = await intake.perform(endpoint, whose, beside).catch(whatWasRehearsed)
  if (!rehearses) await runtime.replica?.note([...writers])
  request.traced = !done.replayed && !rehearses
  return done
}

/**
 * Tells as whom a write is done, and whose rows it may touch. That is who was let in, unless its body came slowly or it
 * waited for its turn: a key may have been revoked meanwhile, or its owner belong elsewhere.
 */
function askedWhenLate(runtime: Runtime, endpoint: Endpoint, request: FastifyRequest, readmit: Readmit): AskAsWhom {
  return async () => {
    if (runtime.clock() - request.asked_at >= longest_unasked) request.caller = await readmit(request, endpoint)
    return { caller: request.caller!, rows_of: rowsFor(endpoint, request.caller!) }
  }
}

/** A write ends with its audit entry, its stored answer, and the events that it held back. */
const endWrite = (
  ctx: Ctx,
  { ip: address, id: trace_id }: FastifyRequest,
  action: Omit<AuditedAction, 'address' | 'trace_id'>,
  attempt: Attempt | undefined,
  result: Result,
  organization_id: string | null,
) =>
  endTelling(
    ctx,
    result,
    () => recordAudit(ctx, { ...action, address, trace_id }),
    async () => attempt && keepAnswer(ctx, attempt, result, organization_id),
  )

/** What a write locks; nothing where it belongs to no organization. */
function placeOf(endpoint: Endpoint, found: Located | undefined, caller: Caller): WritePlace | null {
  const organization_id = found?.organization_id ?? (actsAsOne(endpoint) ? onlyOne(caller) : null)
  if (organization_id === null) return null
  return { organization_id, employer_id: endpoint.locks === 'employer' ? (found?.employer_id ?? undefined) : undefined }
}

/** A caller at one organization, by which a divided database knows the server that has its rows. */
const atOne = (caller: Caller, organization_id: string): Caller => ({
  ...caller,
  reach: { ...caller.reach, organization_ids: [organization_id] },
})

const atOneWhereDivided = (ctx: Ctx, { organization_id }: WritePlace): Ctx =>
  ctx.db.divided ? { ...ctx, caller: atOne(ctx.caller, organization_id) } : ctx

/** Ends the transaction of a dry run with its answer: all that was written is rolled back. */
class Rehearsed extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('It was a dry run.')
    this.result = result
  }
}

function whatWasRehearsed(error: unknown): Result {
  if (error instanceof Rehearsed) return error.result
  throw error
}

/** Whether a write is asked for as a dry run: it is done as any other, told of, and taken back. */
const isRehearsal = (query: { dry_run?: unknown }, body: unknown): boolean =>
  query.dry_run === true || (body as { dry_run?: unknown } | undefined)?.dry_run === true

/** A refusal of the query is put aside: existence and permission come first. */
function tryQuery(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> | Refusal {
  try {
    return parseQuery(endpoint, request.query as Record<string, unknown>)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Existence and reach of what the path names: 404 for the malformed, the missing and the foreign alike. */
async function locate(ctx: Ctx, endpoint: Endpoint, params: Record<string, string>): Promise<Located | undefined> {
  if (!endpoint.locate) return undefined
  const found = namesSomething(endpoint, params) ? await endpoint.locate(ctx, params) : undefined
  if (!found) throw new Refusal(generic.not_found)
  return found
}

/**
 * Where a read is: on the day of the organization that the path leads to, when the caller is not at one alone, and only
 * where the caller's role allows it; then nothing else is read of others. A path that leads to no organization is read
 * at those where it does.
 */
async function atPlaceOf(
  runtime: Runtime,
  ctx: Ctx,
  endpoint: Endpoint,
  request: FastifyRequest,
  readsOf: ReadsOf | undefined,
): Promise<Ctx> {
  const params = request.params as Record<string, string>
  const { caller } = ctx
  const organization_ids = reachFor(endpoint, caller)
  const everywhere = organization_ids === caller.reach.organization_ids && !whyNotEver(endpoint, caller)
  // Partners' clocks came with their credentials.
  const nobody_ahead = caller.kind !== 'operator' && Object.keys(caller.clocks).length === 0
  if (everywhere && ((nobody_ahead && !ctx.db.divided) || onlyOne(caller) !== null)) return ctx
  const found = await locate(ctx, endpoint, params)
  request.read_at = found?.organization_id ?? null
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
  const there = ctx.db.divided ? atOne(caller, organization_id) : caller
  return withClock(readingAs(runtime, there, [organization_id], readsOf), offset_days)
}

/** Whether a write is the action of one organization, though its path may name none. */
const actsAsOne = ({ organization }: Endpoint): boolean => organization === 'header' || organization === 'needed'

/** Permission, at the organization of what the path names where that was found. */
function authorize(ctx: Ctx, endpoint: Endpoint, found: Located | undefined): void {
  refuse(whyNotPerform(endpoint, ctx.caller, found?.organization_id ?? null))
  refuse(whyNotHandOut(endpoint, ctx.caller, ctx.real_now))
  const acts = endpoint.method !== 'GET' && actsAsOne(endpoint)
  if (acts && ctx.caller.reach.organization_ids?.length === 0) throw new Refusal(reaches_no_organization)
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw invalid({ field: 'Idempotency-Key', message: 'must be 1 to 255 characters' })
  return key
}

const askedBy = (request: FastifyRequest): Asked => ({
  query: request.url.split('?')[1] ?? '',
  organization: request.headers['x-service-organization'],
})

/** An attempt at what a path names, however it is spelled: some of it may be escaped, or an address stand before it. */
const attemptOf = (
  { method, path, repeats }: Endpoint,
  params: Record<string, string>,
  key: string,
  { fingerprint }: Shape,
): Attempt => ({
  key,
  method,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!),
  fingerprint: Buffer.from(fingerprint!),
  repeats,
})

/** In whose share reads of a caller run. */
const whoseIs = (caller: Caller): string => onlyOne(caller) ?? caller.credential_id

type ReadsOf = Database['readsOf']

/** The context of a caller's reads, of the primary unless said. */
const readingAs = (
  runtime: Runtime,
  caller: Caller,
  rows_of: RowsOf,
  readsOf: ReadsOf = runtime.database.readsOf,
): Ctx => contextOf(runtime, caller, readsOf(whoseIs(caller), rows_of))

/** By whom a write is noted: the credential, whichever of its tokens was sent. */
const writerOf = ({ key_id, credential_id }: Caller): string => key_id ?? credential_id

/** Whose writes a caller must see: its own, and all of the organizations that it reaches by name. */
const writersOf = (caller: Caller): string[] => [writerOf(caller), ...(caller.reach.organization_ids ?? [])]

const onlyOne = ({ reach: { organization_ids } }: Caller): string | null =>
  organization_ids?.length === 1 ? organization_ids[0]! : null

function resultOf(endpoint: Endpoint, reply: Reply): ReadyAnswer {
  if (reply === undefined) throw new Refusal(generic.not_found)
  const { status = Number(Object.keys(endpoint.returns)[0]), body } =
    typeof reply === 'string' ? { body: reply } : reply
  return { status, body }
}

/** What a reply says that it is about, when that is not what the path names. */
const resourceOf = (reply: Reply): string | undefined => (typeof reply === 'object' ? reply.resource_id : undefined)

/** The organization that was made, when that is what was: no path names it, and nothing of it was to be locked. */
const madeOrganization = (resource_id: string | null): string | null =>
  resource_id !== null && isId('org', resource_id) ? resource_id : null
