import { LRUCache } from 'lru-cache'
import type { Caller } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Db } from '../../platform/database/database.ts'
import type { KeyReach } from '../../platform/http/downloads.ts'
import { isAccessToken, readAccessToken, signAccessToken } from '../../platform/http/access-tokens.ts'
import type { Authenticator } from '../../platform/http/server.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { generic, refuse } from '../../kernel/refusal.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Runtime } from '../../platform/runtime.ts'
import type { Stranger } from '../../platform/http/wrong-keys.ts'
import { findByKeyHash, findByKeyId, hasOwner } from '../operators/queries.ts'
import { bootstrapCaller, isOperatorKey, operatorCaller, type OperatorCredential } from '../operators/rules.ts'
import { findOperatorOf, findReach } from '../sessions/queries.ts'
import type { SessionClaims } from '../sessions/rules.ts'
import { findUser, isMember } from '../organizations/queries.ts'
import { unknownUser } from '../organizations/rules.ts'
import {
  findCredential,
  findCredentialByHash,
  findMemberOf,
  locateEmployee,
  locateEmployer,
  insertApiKey,
  saveRevocation,
  type ApiKeyKey,
} from './queries.ts'
import {
  type Credential,
  isApiKey,
  keyCaller,
  newApiKey,
  reachesOrganization,
  sessionCaller,
  refusals,
  token_lifetime,
  tokenCaller,
  type TokenClaims,
} from './rules.ts'
import type { AccessTokenRequest, BoundEntity } from './schemas.ts'

/**
 * How long a process trusts what it read of a key: revoking a key ends it and its tokens within 5 seconds everywhere.
 */
const trusted_for_ms = 3000

/**
 * Makes what reads the credentials that callers hold, each once in a few seconds, and answers from memory in between.
 */
function openCredentials(runtime: Runtime) {
  const known = new LRUCache<string, { credential: object | undefined }, () => Promise<object | undefined>>({
    max: 10_000,
    ttl: trusted_for_ms,
    ttlResolution: 0,
    perf: { now: runtime.clock },
    fetchMethod: async (_key, _stale, { context }) => ({ credential: await context() }),
  })
  // Those that were good when last read are looked up at once, whatever comes from the same address.
  const good = new LRUCache<string, true>({ max: 10_000 })
  let latest = 0
  // Part of what it is known by: what was forgotten is not found again, and who is reading it meanwhile is not
  // disturbed.
  let generation = 0
  const read = async <Found extends object>(
    id: string,
    stranger: Stranger | undefined,
    find: (reads: Db) => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    // A clock that is set back would make old knowledge young again.
    const now = runtime.clock()
    if (now < latest) generation++
    latest = now
    const key = `${generation} ${id}`
    const { reads, inTurnOf } = runtime.database
    const context =
      !stranger || good.has(id) ? () => find(reads) : () => stranger.inTurn((whose) => inTurnOf(whose, find))
    const credential = (await known.fetch(key, { context }))?.credential as Found | undefined
    if (credential) good.set(id, true)
    else good.delete(id)
    // A newcomer's first organization is to be reached by the very next request; and guesses push nobody out.
    const is_newcomer = credential && (credential as Partial<Credential>).organization_ids?.length === 0
    if (!credential || is_newcomer) known.delete(key)
    return credential
  }
  return { read, forget: () => void generation++ }
}

/** Tells whether the installation has an owner, which it never loses. */
function openOwnership({ database }: Runtime): (stranger: Stranger) => Promise<boolean> {
  let owned = false
  return async (stranger) =>
    (owned ||= await stranger.inTurn((whose) => database.inTurnOf(whose, (db) => hasOwner({ db }))))
}

/**
 * Makes what tells who holds a credential: an API key, an access token of one or of a session, an operator key or the
 * bootstrap key; and what a key or a session still reaches.
 */
export function authenticatorOf(runtime: Runtime): Authenticator & { reaches: KeyReach } {
  const { read, forget } = openCredentials(runtime)
  const isOwned = openOwnership(runtime)
  const isAlive = ({ expires_at }: OperatorCredential) => Date.parse(expires_at) > runtime.clock()
  const readKey = (key_id: string, stranger?: Stranger) =>
    read(key_id, stranger, (reads) => findCredential(reads, key_id))
  const now = () => new Date(runtime.clock()).toISOString()
  const readSession = async (claims: SessionClaims, stranger: Stranger): Promise<Caller | undefined> => {
    const { session_id, organization_id, role } = claims
    const id = `${session_id}/${organization_id ?? 'operator'}/${role}`
    if (organization_id === null) {
      const operator = await read(id, stranger, (reads) => findOperatorOf(reads, session_id, now()))
      return operator?.role === role ? operatorCaller(operator) : undefined
    }
    const of = { session_id, organization_id, role, at: now() }
    const member = await read(id, stranger, (reads) => findMemberOf(reads, of))
    return member && sessionCaller(member, organization_id)
  }
  const authenticate = async (text: string, stranger: Stranger): Promise<Caller | undefined> => {
    if (runtime.secrets.isBootstrapKey(text)) return (await isOwned(stranger)) ? undefined : bootstrapCaller
    if (isOperatorKey(text)) {
      const hash = sha256(text)
      const operator = await read(hash.toString('base64'), stranger, (reads) => findByKeyHash(reads, hash))
      return operator && isAlive(operator) ? operatorCaller(operator) : undefined
    }
    if (isAccessToken(text)) {
      const claims = await readAccessToken<TokenClaims | SessionClaims>(runtime.secrets, text, runtime.clock())
      if (claims && 'session_id' in claims) return readSession(claims, stranger)
      const credential = claims && (await readKey(claims.key_id, stranger))
      return credential && tokenCaller(credential, claims)
    }
    if (!isApiKey(text)) return undefined
    const hash = sha256(text)
    const credential = await read(hash.toString('base64'), stranger, (reads) => findCredentialByHash(reads, hash))
    return credential && keyCaller(credential)
  }
  const reaches: KeyReach = async (key_id, organization_id) => {
    if (isId('opkey', key_id)) {
      const operator = await read(key_id, undefined, (reads) => findByKeyId(reads, key_id))
      return operator !== undefined && isAlive(operator)
    }
    if (isId('sess', key_id)) {
      const id = `${key_id}@${organization_id}`
      return (await read(id, undefined, (reads) => findReach(reads, key_id, organization_id, now()))) !== undefined
    }
    const credential = await readKey(key_id)
    return credential !== undefined && reachesOrganization(credential, organization_id)
  }
  return { authenticate, reaches, forget }
}

/** The employer or employee that a token is to be bound to, within reach; a malformed id names nothing. */
async function locateEntity(ctx: Ctx, { type, id }: BoundEntity): Promise<{ organization_id: string } | undefined> {
  if (type === 'employer') return isId('empr', id) ? locateEmployer(ctx, { employer_id: id }) : undefined
  return isId('empl', id) ? locateEmployee(ctx, { employee_id: id }) : undefined
}

/** Issues a token of 15 minutes, bound to one employer or employee when asked; 404 when that is out of reach. */
export async function issueAccessToken(ctx: Ctx, { bound_entity }: AccessTokenRequest) {
  const located = bound_entity && (await locateEntity(ctx, bound_entity))
  if (bound_entity && !located) refuse(generic.not_found)

  const claims: TokenClaims = {
    key_id: ctx.caller.key_id!,
    bound_entity,
    organization_id: located?.organization_id ?? null,
  }
  const access_token = await signAccessToken(ctx.secrets, claims, ctx.real_now, token_lifetime)
  return { access_token, token_type: 'Bearer', expires_in: token_lifetime, bound_entity }
}

/**
 * Creates an API key for a user: bound to one organization, or open to all of the user's active memberships
 * when `organization_id` is null. Returns the key itself, which is not to be had again.
 */
export async function createApiKey(
  ctx: Ctx,
  owner: { user_id: string; organization_id: string | null; mode: 'live' | 'test'; rate_limited: boolean },
): Promise<{ id: string; api_key: string }> {
  const api_key = newApiKey(owner.mode)
  const id = newId('key')
  await insertApiKey(ctx, {
    id,
    user_id: owner.user_id,
    organization_id: owner.organization_id,
    secret_hash: sha256(api_key),
    rate_limited: owner.rate_limited,
  })
  return { id, api_key }
}

/**
 * Creates an API key for a user on behalf of the operator: 400 for an unknown user, 422 for an organization that is not
 * the user's.
 */
export async function handOutApiKey(
  ctx: Ctx,
  owner: { user_id: string; organization_id: string | null; mode: 'live' | 'test' },
) {
  if (!(await findUser(ctx, owner.user_id))) throw unknownUser('user_id')
  const foreign = owner.organization_id !== null && !(await isMember(ctx, owner.organization_id, owner.user_id))
  refuse(foreign ? refusals.user_is_not_a_member : undefined)
  return createApiKey(ctx, { ...owner, rate_limited: true })
}

/**
 * Revokes a key and thereby its tokens; 404 when it was revoked since it was found, since many keys have no
 * organization to lock.
 */
export async function revokeApiKey(ctx: Ctx, { api_key_id }: ApiKeyKey): Promise<void> {
  if (!(await saveRevocation(ctx, api_key_id))) refuse(generic.not_found)
}
