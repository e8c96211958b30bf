import { z } from 'zod'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Db } from '../../../database/query/database.ts'
import { every_organization, no_organization } from '../../../database/query/rows-of.ts'
import type { RolesHeld } from '../../../http/files/downloads.ts'
import { isAccessToken, readAccessToken, signAccessToken } from '../../../http/access-tokens.ts'
import type { Authenticator, FindHolder } from '../../../http/server.ts'
import { isId } from '../../../kernel/ids.ts'
import { generic, refuse } from '../../../kernel/refusal.ts'
import { roleAt } from '../../../runtime/permissions.ts'
import { sha256 } from '../../../security/secrets.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import type { Stranger } from '../../../http/limits/failed-auth.ts'
import { findByKeyHash, findByKeyId, hasOwner } from '../operators/queries.ts'
import { bootstrapCaller, isOperatorKey, operatorCaller } from '../operators/rules.ts'
import { findOperatorOf, findReach } from '../sessions/queries.ts'
import { SessionClaims } from '../sessions/rules.ts'
import { findCredential, findCredentialByHash, findMemberOf, locateEmployee, locateEmployer } from './queries.ts'
import {
  type Credential,
  endOfToken,
  isAlive,
  isApiKey,
  keyCaller,
  lifetimeOf,
  reachesOrganization,
  sessionCaller,
  tokenCaller,
  TokenClaims,
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
  type Known = { credential: object | undefined; asked_at: number }
  const known = new LRUCache<string, Known, () => Promise<object | undefined>>({
    max: 10_000,
    // By when it was asked for: an answer that took long is as old as its question.
    fetchMethod: async (_key, _stale, { context }) => ({ asked_at: runtime.clock(), credential: await context() }),
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
      !stranger || good.has(id)
        ? () => find(reads(every_organization))
        : () => stranger.inTurn((whose) => inTurnOf(whose, every_organization, find))
    if (now - (known.get(key)?.asked_at ?? now) > trusted_for_ms) known.delete(key)
    const credential = (known.get(key) ?? (await known.fetch(key, { context })))?.credential as Found | undefined
    if (credential) good.set(id, true)
    else good.delete(id)
    // A newcomer's first organization is to be reached by the very next request; and guesses push nobody out.
    const is_newcomer = credential && (credential as Partial<Credential>).organization_ids?.length === 0
    if (!credential || is_newcomer) known.delete(key)
    return credential
  }
  return { read, forget: () => void generation++ }
}

const AnyClaims = z.union([SessionClaims, TokenClaims])

/** Notes that a key was used; `last_four` of its secret, where that was sent. */
export type NoteUse = (key_id: string, last_four?: string) => void

/** Tells whether the installation has an owner, which it never loses. */
function openOwnership({ database }: Runtime): (stranger: Stranger) => Promise<boolean> {
  let owned = false
  return async (stranger) =>
    (owned ||= await stranger.inTurn((whose) => database.inTurnOf(whose, no_organization, (db) => hasOwner({ db }))))
}

/** How what a credential is, is read: anything, what is not over, an API key by its id; and the present instant. */
type Reading = {
  read: ReturnType<typeof openCredentials>['read']
  readAlive: <Found extends Pick<Credential, 'expires_at'>>(
    id: string,
    stranger: Stranger | undefined,
    find: (reads: Db) => Promise<Found | undefined>,
  ) => Promise<Found | undefined>
  readKey: (key_id: string) => Promise<Credential | undefined>
  now: () => string
}

/** Tells in which roles a key or a session reaches an organization. */
function rolesHeldAmong({ read, readAlive, readKey, now }: Reading): RolesHeld {
  return async (key_id, organization_id) => {
    if (isId('opkey', key_id)) {
      const operator = await readAlive(key_id, undefined, (reads) => findByKeyId(reads, key_id))
      return operator ? [operator.role] : []
    }
    if (isId('sess', key_id)) {
      const id = `${key_id}@${organization_id}`
      const session = await read(id, undefined, (reads) => findReach(reads, key_id, organization_id, now()))
      return session?.roles ?? []
    }
    const credential = await readKey(key_id)
    if (!credential || !reachesOrganization(credential, organization_id)) return []
    return [roleAt(credential, organization_id) ?? '']
  }
}

/** Makes what finds who holds a key, of an operator or of a partner, by its hash; nobody holds what can't be one. */
function keyHolders(readAlive: Reading['readAlive'], noteUse: NoteUse) {
  return (text: string, hash: Buffer): FindHolder => {
    const id = hash.toString('base64')
    if (isOperatorKey(text)) {
      return async (stranger) => {
        const operator = await readAlive(id, stranger, (reads) => findByKeyHash(reads, hash))
        if (operator) noteUse(operator.key_id)
        return operator && operatorCaller(operator)
      }
    }
    if (!isApiKey(text)) return async () => undefined
    const last_four = text.slice(-4)
    return async (stranger) => {
      const credential = await readAlive(id, stranger, (reads) => findCredentialByHash(reads, hash))
      if (credential) noteUse(credential.key_id, last_four)
      return credential && keyCaller(credential)
    }
  }
}

/**
 * Makes what tells who holds a credential: an API key, an access token of one or of a session, an operator key or the
 * bootstrap key; and in which roles a key or a session still reaches an organization.
 */
export function authenticatorOf(runtime: Runtime, noteUse: NoteUse): Authenticator & { rolesHeld: RolesHeld } {
  const { read, forget } = openCredentials(runtime)
  const isOwned = openOwnership(runtime)
  const readAlive = async <Found extends Pick<Credential, 'expires_at'>>(
    id: string,
    stranger: Stranger | undefined,
    find: (reads: Db) => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const found = await read(id, stranger, find)
    return found && isAlive(found, runtime.clock()) ? found : undefined
  }
  const readKey = (key_id: string, stranger?: Stranger) =>
    readAlive(key_id, stranger, (reads) => findCredential(reads, key_id))
  const now = () => new Date(runtime.clock()).toISOString()
  const readSession = async (claims: SessionClaims, stranger: Stranger): Promise<Caller | undefined> => {
    const { session_id, organization_id, role, exp } = claims
    const expires_at = endOfToken(exp)
    const id = `${session_id}/${organization_id ?? 'operator'}/${role}`
    if (organization_id === null) {
      const operator = await read(id, stranger, (reads) => findOperatorOf(reads, session_id, now()))
      return operator?.role === role ? operatorCaller({ ...operator, expires_at }) : undefined
    }
    const of = { session_id, organization_id, role, at: now() }
    const member = await read(id, stranger, (reads) => findMemberOf(reads, of))
    return member && sessionCaller({ ...member, expires_at }, organization_id)
  }
  const readToken = async (text: string, stranger: Stranger): Promise<Caller | undefined> => {
    const claims = await readAccessToken(runtime.secrets, AnyClaims, text, runtime.clock())
    if (claims && 'session_id' in claims) return readSession(claims, stranger)
    const credential = claims && (await readKey(claims.key_id, stranger))
    if (credential) noteUse(credential.key_id)
    return credential && tokenCaller(credential, claims)
  }
  const keyHolderOf = keyHolders(readAlive, noteUse)
  const holderOf = (text: string): FindHolder => {
    const hash = sha256(text)
    const findHolder: FindHolder = isAccessToken(text)
      ? (stranger) => readToken(text, stranger)
      : keyHolderOf(text, hash)
    return async (stranger) => {
      if (runtime.secrets.isBootstrapKey(hash)) return (await isOwned(stranger)) ? undefined : bootstrapCaller
      return findHolder(stranger)
    }
  }
  return { holderOf, rolesHeld: rolesHeldAmong({ read, readAlive, readKey, now }), forget }
}

/** The employer or employee that a token is to be bound to, within reach; a malformed id names nothing. */
async function locateEntity(ctx: Ctx, { type, id }: BoundEntity): Promise<{ organization_id: string } | undefined> {
  if (type === 'employer') return isId('empr', id) ? locateEmployer(ctx, { employer_id: id }) : undefined
  return isId('empl', id) ? locateEmployee(ctx, { employee_id: id }) : undefined
}

/**
 * Issues a token of 15 minutes, or until its key ends, bound to one employer or employee when asked; 404 when that is
 * out of reach.
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
  return { access_token, token_type: 'Bearer', expires_in, bound_entity }
}
