import { actingOrganization } from '../../../runtime/caller.ts'
import { lockOtherOrganization, lockOrganization } from '../../../runtime/locks.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { scopes, type KeyMode, type KeyScope } from '../../../runtime/permissions.ts'
import { sha256 } from '../../../security/secrets.ts'
import { newId, isId } from '../../../kernel/ids.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { recordAudit } from '../../../http/audit/audit.ts'
import { onlyOrganizationOrNull } from '../../../http/request-context.ts'
import { isApiKey, newApiKey } from '../auth/rules.ts'
import { findOrganizationState, findUser, isMember } from '../organizations/queries.ts'
import { unknownUser } from '../organizations/rules.ts'
import {
  findApiKey,
  countUnrevoked,
  findBySecret,
  findTerms,
  insertApiKey,
  saveChanges,
  saveRevocation,
  saveRotation,
  type ApiKeyKey,
  listOrigins,
  saveUses,
} from './queries.ts'
import {
  endOfNewKey,
  previousSecretExpiry,
  modeOf,
  refusals,
  whyNotAnother,
  whyNotEndAt,
  whyNotIssueKey,
} from './rules.ts'
import type { ApiKeyChanges, NewApiKey, Rotation } from './schemas.ts'
import { isDatabaseError } from '../../../database/query/database.ts'
import { every_organization } from '../../../database/query/rows-of.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { saveKeyUses } from '../operators/queries.ts'

/** The terms of a new key. Without scopes, the key gets all of them. It is unbound if `organization_id` is null. */
export type WantedApiKey = {
  user_id: string
  organization_id: string | null
  mode: KeyMode
  rate_limited: boolean
  name?: string | undefined
  scopes?: readonly KeyScope[] | undefined
  expires_at?: string | null | undefined
  allowed_origins?: readonly string[] | undefined
  /** Unbound keys only: whether the key also reaches organizations that its owner joins later. */
  follows_memberships?: boolean | undefined
}

/** The id of a new key and its secret, which cannot be retrieved later. */
export type IssuedKey = { id: string; api_key: string }

/** The ApiKey as JSON, including the secret. */
export async function issuedKeyJson(ctx: Ctx, { id, api_key }: IssuedKey): Promise<string> {
  const shown = JSON.parse((await findApiKey(ctx, { api_key_id: id }))!) as object
  return JSON.stringify({ ...shown, api_key })
}

/** Publishes an event about a key to the organization that it is bound to, if any. */
async function publish(ctx: Ctx, event_name: EventName, { api_key_id, organization_id }: ApiKeyKey): Promise<void> {
  if (organization_id !== null) await recordEvents(ctx, [{ event_name, organization_id, resource_id: api_key_id }])
}

/** Creates an API key for a user. It is bound to one organization, or reaches those that the user belongs to. */
export async function createApiKey(ctx: Ctx, wanted: WantedApiKey): Promise<IssuedKey> {
  const api_key = newApiKey(wanted.mode)
  const id = newId('key')
  const row = {
    id,
    user_id: wanted.user_id,
    organization_id: wanted.organization_id,
    mode: wanted.mode,
    rate_limited: wanted.rate_limited,
    name: wanted.name ?? null,
    scopes: wanted.scopes ?? scopes,
    expires_at: wanted.expires_at ?? null,
    allowed_origins: wanted.allowed_origins ?? null,
    secret_hash: sha256(api_key),
    last_four: api_key.slice(-4),
  }
  await insertApiKey(ctx, row, wanted.follows_memberships === true)
  return { id, api_key }
}

/**
 * Creates an API key for a user on behalf of the operator. Refuses with 400 for an unknown user, and with 422 if the
 * user is not a member of the organization or the organization is of the other mode.
 */
export async function issueApiKey(
  ctx: Ctx,
  wanted: Omit<WantedApiKey, 'rate_limited' | 'expires_at'> & { expires_at?: string | undefined },
): Promise<IssuedKey> {
  if (!(await findUser(ctx, { user_id: wanted.user_id }))) throw unknownUser('user_id')
  refuse(whyNotEndAt(wanted.expires_at, ctx.real_now))
  const { organization_id } = wanted
  if (organization_id !== null) {
    refuse(
      (await isMember(ctx, { organization_id, user_id: wanted.user_id })) ? undefined : refusals.user_is_not_a_member,
    )
    const organization = (await findOrganizationState(ctx, { organization_id }))!
    refuse(modeOf(organization) === wanted.mode ? undefined : refusals.key_of_other_mode)
    await lockOrganization(ctx.db, organization_id)
  }
  const created = await createApiKey(ctx, { ...wanted, rate_limited: true })
  await publish(ctx, 'api_key.created', { api_key_id: created.id, organization_id })
  return created
}

/**
 * Requires the caller to be a member of the organization. A key with other access could otherwise create keys that
 * outlast that access.
 */
async function requireMember(ctx: Ctx, organization_id: string | null): Promise<void> {
  const is_member = organization_id !== null && (await isMember(ctx, { organization_id, user_id: ctx.caller.user_id! }))
  refuse(is_member ? undefined : generic.forbidden)
}

/**
 * Creates a key for the caller or another member, bound to the organization that the caller acts as. The key cannot
 * have more scopes than the caller or expire later. Refuses with 409 if the organization has too many keys.
 */
export async function makeApiKey(ctx: Ctx, wanted: NewApiKey): Promise<IssuedKey> {
  const organization_id = actingOrganization(ctx.caller)
  await requireMember(ctx, organization_id)
  const expires_at = endOfNewKey(ctx.caller, wanted.expires_at, ctx.real_now)
  if (expires_at instanceof Refusal) throw expires_at
  const { user_id = ctx.caller.user_id!, scopes: chosen = ctx.caller.scopes } = wanted
  refuse(whyNotIssueKey(ctx.caller, { scopes: chosen, expires_at }))
  refuse(whyNotAnother(await countUnrevoked(ctx, { organization_id })))
  refuse((await isMember(ctx, { organization_id, user_id })) ? undefined : refusals.user_is_not_a_member)
  const organization = (await findOrganizationState(ctx, { organization_id }))!
  const mode = modeOf(organization)
  const { rate_limited } = ctx.caller
  const terms = { scopes: chosen, expires_at }
  const created = await createApiKey(ctx, { ...wanted, ...terms, user_id, organization_id, mode, rate_limited })
  await publish(ctx, 'api_key.created', { api_key_id: created.id, organization_id })
  return created
}

/** Changes the name or allowed origins of a key. Refuses with 404 if the key is revoked. */
export async function changeApiKey(ctx: Ctx, key: ApiKeyKey, changes: ApiKeyChanges): Promise<void> {
  const { name = null, allowed_origins } = changes
  const saved = await saveChanges(ctx, {
    ...key,
    name,
    changes_origins: allowed_origins !== undefined,
    allowed_origins: allowed_origins ?? null,
  })
  refuse(saved ? undefined : generic.not_found)
}

/**
 * Gives a key a new secret, if the caller has the scopes of the key. The previous secret stays valid during the
 * overlap; older ones stop immediately. Tokens that were already issued stay valid until they expire.
 */
export async function rotateApiKey(ctx: Ctx, key: ApiKeyKey, { overlap_hours }: Rotation): Promise<IssuedKey> {
  await requireMember(ctx, key.organization_id)
  const organization = (await findOrganizationState(ctx, { organization_id: key.organization_id! }))!
  const terms = (await findTerms(ctx, key))!
  refuse(whyNotIssueKey(ctx.caller, terms))
  const api_key = newApiKey(terms.mode ?? modeOf(organization))
  const saved = await saveRotation(ctx, {
    ...key,
    secret_hash: sha256(api_key),
    last_four: api_key.slice(-4),
    former_secret_expires_at: previousSecretExpiry(ctx.real_now, overlap_hours),
  })
  refuse(saved ? undefined : generic.not_found)
  await publish(ctx, 'api_key.rotated', key)
  return { id: key.api_key_id, api_key }
}

/** Revokes a key and its tokens. Refuses with 404 if the key was revoked in the meantime. */
export async function revokeApiKey(ctx: Ctx, key: ApiKeyKey): Promise<void> {
  refuse((await saveRevocation(ctx, { ...key, revoked_because: 'requested' })) ? undefined : generic.not_found)
  await publish(ctx, 'api_key.revoked', key)
}

/**
 * Revokes a leaked key. Possession of the secret is the only authorization required. Refuses with 404 if the secret is
 * not valid.
 *
 * If the key belongs to another organization than the reporter, the audit log of its organization gets an entry of its
 * own, whose actor is the key. Neither organization learns of the other.
 */
export async function revokeLeakedApiKey(ctx: Ctx, secret: string): Promise<{ id: string; is_own: boolean }> {
  const key = isApiKey(secret) ? await findBySecret(ctx, { secret_hash: sha256(secret) }) : undefined
  if (!key) throw new Refusal(generic.not_found)
  if (key.organization_id !== null) await lockOtherOrganization(ctx.db, key.organization_id)
  refuse((await saveRevocation(ctx, { ...key, revoked_because: 'leaked' })) ? undefined : generic.not_found)
  await publish(ctx, 'api_key.revoked', key)
  const { api_key_id, organization_id, user_id } = key
  ctx.log.warn({ api_key_id, organization_id }, 'revoked a leaked API key')
  const is_own = organization_id === onlyOrganizationOrNull(ctx.caller)
  if (!is_own)
    await recordAudit(ctx, {
      operation: ctx.operation!,
      organization_id,
      resource_id: api_key_id,
      fields: ['api_key'],
      status: 200,
      actor: { kind: 'api_key', id: api_key_id, user_id },
      address: null,
      trace_id: ctx.trace_id!,
      holds_lock: false,
    })
  return { id: api_key_id, is_own }
}

/** In milliseconds. Including the time of the write, the last use is up to date within a minute. */
const kept_for_ms = 30_000

/** Buffers the last use of partner and operator keys in memory, and writes them in batches. */
export type KeyUses = {
  /** Records that a key was used just now. */
  note(key_id: string): void
  /** Writes the buffered uses. */
  flush(): Promise<void>
}

/**
 * Opens the buffer of key uses. It writes every 30 seconds, so requests do not wait. A killed process loses its buffer.
 */
export function openKeyUses(runtime: Runtime): KeyUses {
  let noted = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const uses = [...noted].map(([key_id, used_at]) => ({ key_id, used_at: new Date(used_at).toISOString() }))
    noted = new Map()
    if (uses.length === 0) return
    const of_operators = uses.filter(({ key_id }) => isId('opkey', key_id))
    const of_partners = uses.filter(({ key_id }) => !isId('opkey', key_id))
    await runtime.database
      .transaction(every_organization, async (db) => {
        if (of_partners.length > 0) await saveUses(db, of_partners)
        if (of_operators.length > 0) await saveKeyUses(db, of_operators)
      })
      .catch((error: unknown) => {
        // A read-only database still serves requests. The next use of each key is recorded again.
        const code = isDatabaseError(error) ? error.code : undefined
        runtime.log.warn({ keys: uses.length, code }, 'could not save the last use of some keys')
      })
  }
  return {
    note(key_id) {
      noted.set(key_id, runtime.clock())
      timer ??= setTimeout(() => void flush(), kept_for_ms).unref()
    },
    flush,
  }
}

/** How long a process caches the origins, in milliseconds. */
const origins_trusted_for_ms = 3000

/** Returns the allowed origins of all keys, read at most once every few seconds. */
export function openOrigins(runtime: Runtime): () => Promise<ReadonlySet<string>> {
  let read_at = -Infinity
  let known: Promise<ReadonlySet<string>> = Promise.resolve(new Set())
  return () => {
    const now = runtime.clock()
    if (now < read_at || now >= read_at + origins_trusted_for_ms) {
      read_at = now
      known = listOrigins({ db: runtime.database.reads(every_organization) }).then((origins) => new Set(origins))
      known.catch(() => (read_at = -Infinity))
    }
    return known
  }
}
