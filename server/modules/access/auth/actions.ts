import { z } from 'zod'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Db } from '../../../database/query/database.ts'
import { every_organization, no_organization } from '../../../database/query/rows-of.ts'
import type { RolesHeld } from '../../../http/files/downloads.ts'
import { isAccessToken, readAccessToken, signAccessToken } from '../../../http/access-tokens.ts'
import type { Authenticator, FindCaller } from '../../../http/server.ts'
import { isId } from '../../../kernel/ids.ts'
import { generic, refuse } from '../../../kernel/refusal.ts'
import { roleInOrganization } from '../../../runtime/permissions.ts'
import { sha256 } from '../../../security/secrets.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import type { UnauthenticatedClient } from '../../../http/limits/failed-auth.ts'
import { findByKeyHash, findByKeyId, hasOwner } from '../operators/queries.ts'
import { bootstrapCaller, isOperatorKey, operatorCaller } from '../operators/rules.ts'
import { findOperatorOf, findReach } from '../sessions/queries.ts'
import { SessionClaims } from '../sessions/rules.ts'
import {
  findClock,
  findCredential,
  findCredentialByHash,
  findMemberOf,
  locateEmployee,
  locateEmployer,
} from './queries.ts'
import {
  access_token_seconds,
  type Credential,
  employeeCaller,
  EmployeeClaims,
  endOfToken,
  isCredentialAlive,
  isApiKey,
  keyCaller,
  lifetimeOf,
  reachesOrganization,
  role_of_employees,
  sessionCaller,
  tokenCaller,
  TokenClaims,
} from './rules.ts'
import type { AccessTokenRequest, BoundEntity } from './schemas.ts'

/**
 * How long a process caches a credential, in milliseconds. Revoking a key takes effect within 5 seconds in every
 * process.
 */
const trusted_for_ms = 3000

/** Opens a cache of credentials that reads each one from the database at most once every few seconds. */
function openCredentials(runtime: Runtime) {
  type Known = { credential: object | undefined; requested_at: number }
  const known = new LRUCache<string, Known, () => Promise<object | undefined>>({
    max: 10_000,
    // The age counts from the request, because a slow read returns old data.
    fetchMethod: async (_key, _outdated, { context }) => ({
      requested_at: runtime.clock(),
      credential: await context(),
    }),
  })
  // Credentials that were valid when last read skip the queue of their address.
  const good = new LRUCache<string, true>({ max: 10_000 })
  let latest = 0
  // Part of the cache key. Incrementing it invalidates every entry without disturbing reads in progress.
  let generation = 0
  const read = async <Found extends object>(
    id: string,
    client: UnauthenticatedClient | undefined,
    find: (reads: Db) => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    // If the system clock is set back, invalidate the cache. Otherwise, old entries would count as fresh.
    const now = runtime.clock()
    if (now < latest) generation++
    latest = now
    const key = `${generation} ${id}`
    const { reads, inTurnOf } = runtime.database
    const context =
      !client || good.has(id)
        ? () => find(reads(every_organization))
        : () => client.inTurn((tenant) => inTurnOf(tenant, every_organization, find))
    if (now - (known.get(key)?.requested_at ?? now) > trusted_for_ms) known.delete(key)
    const credential = (known.get(key) ?? (await known.fetch(key, { context })))?.credential as Found | undefined
    if (credential) good.set(id, true)
    else good.delete(id)
    // Do not cache users without organizations, whose first organization must be reachable by the next request. Do not
    // cache unknown credentials, so that guesses cannot evict valid ones.
    const is_newcomer = credential && (credential as Partial<Credential>).organization_ids?.length === 0
    if (!credential || is_newcomer) known.delete(key)
    return credential
  }
  return { read, forget: () => void generation++ }
}

const AnyClaims = z.union([SessionClaims, TokenClaims, EmployeeClaims])

/** Records that a key was used. */
export type NoteUse = (key_id: string) => void

/**
 * Checks whether the installation has an owner. A positive result is cached, because the last owner cannot be removed.
 */
function openOwnership({ database }: Runtime): (client: UnauthenticatedClient) => Promise<boolean> {
  let owned = false
  return async (client) =>
    (owned ||= await client.inTurn((tenant) => database.inTurnOf(tenant, no_organization, (db) => hasOwner({ db }))))
}

/**
 * The lookups of authentication: any record, credentials that have not expired, and API keys by id; and the current
 * time.
 */
type Reading = {
  read: ReturnType<typeof openCredentials>['read']
  readAlive: <Found extends Pick<Credential, 'expires_at'>>(
    id: string,
    client: UnauthenticatedClient | undefined,
    find: (reads: Db) => Promise<Found | undefined>,
  ) => Promise<Found | undefined>
  readKey: (key_id: string) => Promise<Credential | undefined>
  now: () => string
}

/** Finds the roles in which a key or session reaches an organization. */
function rolesHeldAmong({ read, readAlive, readKey, now }: Reading): RolesHeld {
  return async (key_id, organization_id) => {
    if (isId('opkey', key_id)) {
      const operator = await readAlive(key_id, undefined, (reads) => findByKeyId({ db: reads }, { key_id }))
      return operator ? [operator.role] : []
    }
    if (isId('sess', key_id)) {
      const id = `${key_id}@${organization_id}`
      const session = await read(id, undefined, (reads) => findReach(reads, key_id, organization_id, now()))
      return session?.roles ?? []
    }
    if (isId('emsg', key_id)) return [role_of_employees]
    const credential = await readKey(key_id)
    if (!credential || !reachesOrganization(credential, organization_id)) return []
    return [roleInOrganization(credential, organization_id) ?? '']
  }
}

/** Finds the holder of an operator or partner key by its hash. Malformed keys have no holder. */
function keyHolders(readAlive: Reading['readAlive'], noteUse: NoteUse) {
  return (text: string, hash: Buffer): FindCaller => {
    const id = hash.toString('base64')
    if (isOperatorKey(text)) {
      return async (client) => {
        const operator = await readAlive(id, client, (reads) => findByKeyHash({ db: reads }, { secret_hash: hash }))
        if (operator) noteUse(operator.key_id)
        return operator && operatorCaller(operator)
      }
    }
    if (!isApiKey(text)) return async () => undefined
    return async (client) => {
      const credential = await readAlive(id, client, (reads) =>
        findCredentialByHash({ db: reads }, { secret_hash: hash }),
      )
      if (credential) noteUse(credential.key_id)
      return credential && keyCaller(credential)
    }
  }
}

/**
 * Builds the authenticator. It identifies the holders of API keys, access tokens of keys and sessions, operator keys
 * and the bootstrap key. It also finds the roles in which a key or session still reaches an organization.
 */
export function authenticatorOf(runtime: Runtime, noteUse: NoteUse): Authenticator & { rolesHeld: RolesHeld } {
  const { read, forget } = openCredentials(runtime)
  const isOwned = openOwnership(runtime)
  const readAlive = async <Found extends Pick<Credential, 'expires_at'>>(
    id: string,
    client: UnauthenticatedClient | undefined,
    find: (reads: Db) => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const found = await read(id, client, find)
    return found && isCredentialAlive(found, runtime.clock()) ? found : undefined
  }
  const readKey = (key_id: string, client?: UnauthenticatedClient) =>
    readAlive(key_id, client, (reads) => findCredential({ db: reads }, { key_id }))
  const now = () => new Date(runtime.clock()).toISOString()
  const readSession = async (claims: SessionClaims, client: UnauthenticatedClient): Promise<Caller | undefined> => {
    const { session_id, organization_id, role, exp } = claims
    const expires_at = endOfToken(exp)
    const id = `${session_id}/${organization_id ?? 'operator'}/${role}`
    if (organization_id === null) {
      const operator = await read(id, client, (reads) => findOperatorOf(reads, session_id, now()))
      return operator?.role === role ? operatorCaller({ ...operator, expires_at }) : undefined
    }
    const session = { session_id, organization_id, role, at: now() }
    const member = await read(id, client, (reads) => findMemberOf({ db: reads }, session))
    return member && sessionCaller({ ...member, expires_at }, organization_id)
  }
  const readEmployee = async (claims: EmployeeClaims, client: UnauthenticatedClient): Promise<Caller | undefined> => {
    const { organization_id } = claims
    const id = `clock of ${organization_id}`
    const found = await read(id, client, (reads) => findClock({ db: reads }, { organization_id }))
    return found && employeeCaller(claims, { [organization_id]: found.clock_offset_days })
  }
  const readToken = async (text: string, client: UnauthenticatedClient): Promise<Caller | undefined> => {
    const claims = await readAccessToken(runtime.secrets, AnyClaims, text, runtime.clock())
    if (claims && 'session_id' in claims) return readSession(claims, client)
    if (claims && 'enrollment_message_id' in claims) return readEmployee(claims, client)
    const credential = claims && (await readKey(claims.key_id, client))
    if (credential) noteUse(credential.key_id)
    return credential && tokenCaller(credential, claims)
  }
  const keyCallerFinderOf = keyHolders(readAlive, noteUse)
  const callerFinderOf = (text: string): FindCaller => {
    const hash = sha256(text)
    const find: FindCaller = isAccessToken(text) ? (client) => readToken(text, client) : keyCallerFinderOf(text, hash)
    return async (client) => {
      if (runtime.secrets.isBootstrapKey(hash)) return (await isOwned(client)) ? undefined : bootstrapCaller
      return find(client)
    }
  }
  return { callerFinderOf, rolesHeld: rolesHeldAmong({ read, readAlive, readKey, now }), forget }
}

/**
 * Locates the employer or employee that a token is to be bound to. Undefined if it is out of reach or the id is
 * malformed.
 */
async function locateEntity(ctx: Ctx, { type, id }: BoundEntity): Promise<{ organization_id: string } | undefined> {
  if (type === 'employer') return isId('empr', id) ? locateEmployer(ctx, { employer_id: id }) : undefined
  return isId('empl', id) ? locateEmployee(ctx, { employee_id: id }) : undefined
}

/**
 * Issues an access token, bound to one employer or employee of an organization if requested. Refuses with 404 if that
 * entity is out of reach.
 */
export async function issueAccessToken(ctx: Ctx, { bound_entity }: AccessTokenRequest) {
  const located = bound_entity && (await locateEntity(ctx, bound_entity))
  if (bound_entity && !located) refuse(generic.not_found)

  const claims: Omit<TokenClaims, 'exp'> = {
    key_id: ctx.caller.key_id!,
    bound_entity,
    organization_id: located?.organization_id ?? null,
  }
  const expires_in = lifetimeOf(ctx.caller, Date.parse(ctx.real_now))
  const access_token = await signAccessToken(ctx.secrets, claims, ctx.real_now, expires_in)
  const token = { access_token, token_type: 'Bearer', expires_in, bound_entity }
  return { token, organization_id: claims.organization_id }
}

/** Issues the token of an employee who opened the link of an email. It ends with the visit. */
export async function issueEmployeeToken(
  ctx: Ctx,
  claims: Omit<EmployeeClaims, 'exp'>,
  visit_ends_at: string,
): Promise<{ access_token: string; expires_in: number }> {
  const seconds_left = Math.floor((Date.parse(visit_ends_at) - Date.parse(ctx.real_now)) / 1000)
  const expires_in = Math.min(access_token_seconds, seconds_left)
  return { access_token: await signAccessToken(ctx.secrets, claims, ctx.real_now, expires_in), expires_in }
}
