import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit, type AuditedAction } from './audit/audit.ts'
import { type Caller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { endPublishing } from '../runtime/events.ts'
import { rowsFor, type Endpoint, type Located, type Reply } from './endpoint.ts'
import { reserveIdempotencyKey, saveResponse, type Attempt } from './idempotency.ts'
import type { BodyReader } from './body/body-reader.ts'
import { declaredLength, default_limit } from './body/body-bytes.ts'
import { isId } from '../kernel/ids.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import type { ParsedBody, RequestScope } from './body/body-validation.ts'
import { parseQuery } from './body/query-validation.ts'
import { isLockNotFree } from '../runtime/locks.ts'
import { inTurn, type LockTarget, type ReadCallerNow, type Runtime, type TakeLock } from '../runtime/runtime.ts'
import {
  needsOneOrganization,
  narrowCaller,
  authorize,
  locate,
  onlyOrganizationOrNull,
  readContext,
  type Reauthenticate,
  type Result,
  resultOf,
  tenantOf,
  writerOf,
} from './request-context.ts'

/**
 * A write that waited longer authenticates its caller again. A cached key may be 3 seconds old, and a revocation must
 * take effect within 5.
 */
const max_caller_age_ms = 2_000

/**
 * A write checks existence and permission before it reads the body, and again in its one transaction, which also holds
 * the change, its audit entry and its stored response. The transaction locks the organization, so its clock cannot move
 * before the end. Replayed responses and malformed bodies need no lock. A dry run does the same, rolls back and is
 * audited like a read.
 *
 * If the path itself names what to lock and the body is small, the first check is left to the transaction, which saves
 * a round trip. A refused body is then reported only after existence and permission.
 */
export async function write(
  runtime: Runtime,
  reader: BodyReader,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  reauthenticate: Reauthenticate,
): Promise<Result> {
  const params = request.params as Record<string, string>
  const readCallerNow = callerReaderOf(runtime, endpoint, request, reauthenticate)
  const unlocked_ctx = readContext(runtime, request.caller!, rowsFor(endpoint, request.caller!))
  const named_target = namedTarget(endpoint, request, unlocked_ctx.caller)
  const checkAccess = async () => {
    const found = await locate(unlocked_ctx, endpoint, params)
    authorize(unlocked_ctx, endpoint, found)
    return found
  }
  const resource = named_target ?? (await checkAccess())
  const tenant = resource?.organization_id ?? tenantOf(unlocked_ctx.caller)
  const input = await takeInput(reader, endpoint, request, reply, tenant).catch(async (error: unknown) => {
    if (named_target) await checkAccess()
    throw error
  })
  const writing: Writing = {
    endpoint,
    request,
    params,
    ...input,
    precheck_refusal: await endpoint.precheck?.(runtime.outbound, input.parsed.body),
    is_dry_run: isDryRun(input.query, input.parsed.body),
    written_organizations: new Set([writerOf(request.caller!)]),
  }
  const performOn = (lockable: Lockable) =>
    inTurn<Result>(runtime, readCallerNow, (ctx, lock) => performLocked(ctx, lock, lockable, writing))
  const perform = () => performOn(resource).catch(orOnceFound(named_target, async () => performOn(await checkAccess())))
  const performQueued = endpoint.locks ? () => runtime.database.concurrent_writes.run(tenant, perform) : perform
  const result = await reader.perform(endpoint, tenant, performQueued).catch(unsavedResultOf)
  if (!writing.is_dry_run) await runtime.replica?.note([...writing.written_organizations])
  request.is_audited = !result.replayed && !writing.is_dry_run
  return result
}

/** A write whose body has been read. Each organization that it writes is added to `written_organizations`. */
type Writing = {
  endpoint: Endpoint
  request: FastifyRequest
  params: Record<string, string>
  attempt: Attempt | undefined
  query: Record<string, unknown>
  parsed: ParsedBody
  precheck_refusal: Refusal | undefined
  is_dry_run: boolean
  written_organizations: Set<string>
}

/** Runs a write in its transaction: locates and locks, calls the handler, and saves the audit entry and response. */
async function performLocked(outer: Ctx, lock: TakeLock, lockable: Lockable, writing: Writing) {
  const { endpoint, request, params, attempt, query, parsed, written_organizations } = writing
  const { operation } = endpoint
  const target = lockTargetOf(endpoint, lockable, outer.caller)
  const { found, locked } = await openWrite(outer, lock, target, writing)
  if (target) written_organizations.add(target.organization_id)

  const ctx = { ...locked, trace_id: request.id, operation, address: request.ip, at_end: [] }
  const { body, staged } = parsed
  const reply = await endpoint.handle(ctx, { params, located: found, query, body, staged })
  const response = resultOf(endpoint, reply)
  if (writing.is_dry_run) throw new UnsavedResult(response)

  const reply_subject = subjectOf(reply)
  const resource_id = reply_subject.resource_id ?? Object.values(params).at(-1) ?? null
  const created_organization_id = createdOrganization(resource_id)
  if (created_organization_id !== null) written_organizations.add(created_organization_id)
  const organization_id =
    found?.organization_id ??
    onlyOrganizationOrNull(ctx.caller) ??
    reply_subject.organization_id ??
    created_organization_id
  const holds_lock = target !== null && !ctx.is_concurrent
  const { status } = response
  const action = { operation, organization_id, resource_id, fields: parsed.fields, status, holds_lock }
  return endWrite(ctx, request, action, attempt, response, target?.organization_id ?? created_organization_id)
}

/**
 * To wait for the lock of an employer, a write needs the employer's id. The path may contain only an enrollment id.
 */
const orOnceFound =
  (named_target: LockTarget | undefined, perform: () => Promise<Result>) =>
  (error: unknown): Promise<Result> => {
    if (!named_target || named_target.employer_id !== undefined || !isLockNotFree(error)) throw error
    return perform()
  }

/**
 * Locates and locks what a write is about, and reserves its idempotency key, all in one round trip. The first refusal
 * in this order counts: existence, permission, the key, the lock. A stored response needs no lock.
 */
async function openWrite(
  outer: Ctx,
  lock: TakeLock,
  target: LockTarget | null,
  { endpoint, params, attempt, precheck_refusal }: Writing,
): Promise<{ found: Located | undefined; locked: Ctx }> {
  const locating = locate(outer, endpoint, params)
  const reserving = attempt && reserveIdempotencyKey(outer, attempt)
  const locking = target ? lock(target) : Promise.resolve(outer)
  for (const later of [reserving, locking]) later?.catch(() => undefined)
  const found = await locating
  authorize(outer, endpoint, found)
  const stored = await reserving
  if (stored) throw new UnsavedResult({ ...stored, replayed: true })
  if (precheck_refusal) throw precheck_refusal
  const locked = await locking
  return { found, locked: target ? narrowedIfDistributed(locked, target) : locked }
}

/** The query and body of a write, and its attempt if it has an idempotency key. */
async function takeInput(
  reader: BodyReader,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: string,
) {
  const key = endpoint.method === 'POST' ? idempotencyKeyOf(request) : undefined
  const query = parseQuery(endpoint, request.query as Record<string, unknown>)
  const parsed = await reader.take(endpoint, request, reply, tenant, key === undefined ? undefined : scopeOf(request))
  const attempt =
    key === undefined ? undefined : attemptOf(endpoint, request.params as Record<string, string>, key, parsed)
  return { attempt, query, parsed }
}

/** The resource that a write locks: located, or named by the path alone. */
type Lockable = (Located & { enrollment_id?: string | undefined }) | undefined

/** The target that a path names by itself, so that a write may lock it before it is located. */
function namedTarget(endpoint: Endpoint, request: FastifyRequest, caller: Caller): LockTarget | undefined {
  const { employer_id, enrollment_id } = request.params as Record<string, string | undefined>
  const organization_id = onlyOrganizationOrNull(caller)
  const is_small = !endpoint.rows && !endpoint.large && declaredLength(request.raw) <= default_limit
  const is_named = (employer_id && isId('empr', employer_id)) || (enrollment_id && isId('enrl', enrollment_id))
  if (!is_small || !is_named || endpoint.locks !== 'employer' || organization_id === null) return undefined
  if (endpoint.precheck || request.headers.expect !== undefined) return undefined
  return { organization_id, employer_id, enrollment_id }
}

/**
 * Returns a function that reads the caller of a write and the rows it may touch. It authenticates again if the body
 * arrived slowly or the write was queued.
 */
function callerReaderOf(
  runtime: Runtime,
  endpoint: Endpoint,
  request: FastifyRequest,
  reauthenticate: Reauthenticate,
): ReadCallerNow {
  return async () => {
    if (runtime.clock() - request.authenticated_at >= max_caller_age_ms)
      request.caller = await reauthenticate(request, endpoint)
    return { caller: request.caller!, rows_of: rowsFor(endpoint, request.caller!) }
  }
}

/** Ends a write with its audit entry, its stored response and its events. */
const endWrite = (
  ctx: Ctx,
  { ip: address, id: trace_id }: FastifyRequest,
  action: Omit<AuditedAction, 'address' | 'trace_id'>,
  attempt: Attempt | undefined,
  result: Result,
  organization_id: string | null,
) =>
  endPublishing(
    ctx,
    result,
    () => recordAudit(ctx, { ...action, address, trace_id }),
    async () => attempt && saveResponse(ctx, attempt, result, organization_id),
  )

/** The organization or employer that a write locks. Null for writes outside any organization. */
function lockTargetOf(endpoint: Endpoint, found: Lockable, caller: Caller): LockTarget | null {
  const organization_id =
    found?.organization_id ?? (needsOneOrganization(endpoint) ? onlyOrganizationOrNull(caller) : null)
  if (organization_id === null) return null
  if (endpoint.locks === 'nothing') return { organization_id, is_shared: true }
  if (endpoint.locks !== 'employer') return { organization_id }
  return { organization_id, employer_id: found?.employer_id ?? undefined, enrollment_id: found?.enrollment_id }
}

const narrowedIfDistributed = (ctx: Ctx, { organization_id }: LockTarget): Ctx =>
  ctx.db.distribution ? { ...ctx, caller: narrowCaller(ctx.caller, organization_id) } : ctx

/** Carries a response out of a transaction that rolls back: that of a dry run, or a stored one. */
class UnsavedResult extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('The response was not saved.')
    this.result = result
  }
}

function unsavedResultOf(error: unknown): Result {
  if (error instanceof UnsavedResult) return error.result
  throw error
}

const isDryRun = (query: { dry_run?: unknown }, body: unknown): boolean =>
  query.dry_run === true || (body as { dry_run?: unknown } | undefined)?.dry_run === true

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw invalid({ field: 'Idempotency-Key', message: 'must be 1 to 255 characters' })
  return key
}

const scopeOf = (request: FastifyRequest): RequestScope => ({
  query: request.url.split('?')[1] ?? '',
  organization: request.headers['x-service-organization'],
})

/** Identifies the request by its decoded path, so that another spelling of the same URL is the same attempt. */
const attemptOf = (
  { method, path, repeats }: Endpoint,
  params: Record<string, string>,
  key: string,
  { fingerprint }: ParsedBody,
): Attempt => ({
  key,
  method,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!),
  fingerprint: Buffer.from(fingerprint!),
  repeats,
})

/** The resource and its organization that a reply names because the path does not. */
const subjectOf = (reply: Reply): Pick<Exclude<Reply, string | undefined>, 'resource_id' | 'organization_id'> =>
  typeof reply === 'object' ? reply : {}

/**
 * The id of the organization that the write created, if any. Its path names no organization, and there was no row to
 * lock.
 */
const createdOrganization = (resource_id: string | null): string | null =>
  resource_id !== null && isId('org', resource_id) ? resource_id : null
