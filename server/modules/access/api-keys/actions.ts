import { actingOrganization } from '../../../runtime/caller.ts'
import { lockBeside, lockClock } from '../../../runtime/clock.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { scopes, type KeyMode, type KeyScope } from '../../../runtime/permissions.ts'
import { sha256 } from '../../../security/secrets.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
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
} from './queries.ts'
import { endOfNewKey, formerSecretEnds, modeOf, refusals, whyNotAnother, whyNotEndAt, whyNotHold } from './rules.ts'
import type { ApiKeyChanges, NewApiKey, Rotation } from './schemas.ts'

/** What a key is to be; without scopes for everything, and bound to no organization when `organization_id` is null. */
export type WantedApiKey = {
  user_id: string
  organization_id: string | null
  mode: KeyMode
  rate_limited: boolean
  name?: string | undefined
  scopes?: readonly KeyScope[] | undefined
  expires_at?: string | null | undefined
  allowed_origins?: readonly string[] | undefined
  /** of an unbound key: whether it reaches what its owner comes to belong to later */
  follows_memberships?: boolean | undefined
}

/** A key's id, with the key itself, which is not to be had again. */
export type IssuedKey = { id: string; api_key: string }

/** The ApiKey as JSON with the key itself, which is shown this once. */
export async function showIssued(ctx: Ctx, { id, api_key }: IssuedKey): Promise<string> {
  const shown = JSON.parse((await findApiKey(ctx, { api_key_id: id }))!) as object
  return JSON.stringify({ ...shown, api_key })
}

/** Tells an organization of what happened to a key that is bound to it. */
async function tell(ctx: Ctx, event_name: EventName, { api_key_id, organization_id }: ApiKeyKey): Promise<void> {
  if (organization_id !== null) await recordEvents(ctx, [{ event_name, organization_id, resource_id: api_key_id }])
}

/** Creates an API key for a user: bound to one organization, or open to those that the user belongs to. */
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
 * Creates an API key for a user on behalf of the operator: 400 for an unknown user, 422 for an organization that is not
 * the user's or of another mode.
 */
export async function handOutApiKey(
  ctx: Ctx,
  wanted: Omit<WantedApiKey, 'rate_limited' | 'expires_at'> & { expires_at?: string | undefined },
): Promise<IssuedKey> {
  if (!(await findUser(ctx, wanted.user_id))) throw unknownUser('user_id')
  refuse(whyNotEndAt(wanted.expires_at, ctx.real_now))
  const { organization_id } = wanted
  if (organization_id !== null) {
    refuse((await isMember(ctx, organization_id, wanted.user_id)) ? undefined : refusals.user_is_not_a_member)
    const organization = (await findOrganizationState(ctx, organization_id))!
    refuse(modeOf(organization) === wanted.mode ? undefined : refusals.key_is_of_another_mode)
    await lockClock(ctx.db, organization_id)
  }
  const made = await createApiKey(ctx, { ...wanted, rate_limited: true })
  await tell(ctx, 'api_key.created', { api_key_id: made.id, organization_id })
  return made
}

/**
 * Whoever hands out secrets of an organization is a member of it: a key that reaches it otherwise would make keys that
 * outlast that.
 */
async function requireMember(ctx: Ctx, organization_id: string | null): Promise<void> {
  const is_member = organization_id !== null && (await isMember(ctx, organization_id, ctx.caller.user_id!))
  refuse(is_member ? undefined : generic.forbidden)
}

/**
 * Creates a key that is bound to the organization that the caller acts as, for the caller or another member: for no
 * more than the caller's own key is, and no longer; of a session for at most 366 days. 409 when there are too many.
 */
export async function makeApiKey(ctx: Ctx, wanted: NewApiKey): Promise<IssuedKey> {
  const organization_id = actingOrganization(ctx.caller)
  await requireMember(ctx, organization_id)
  const expires_at = endOfNewKey(ctx.caller, wanted.expires_at, ctx.real_now)
  if (expires_at instanceof Refusal) throw expires_at
  const { user_id = ctx.caller.user_id!, scopes: chosen = ctx.caller.scopes } = wanted
  refuse(whyNotHold(ctx.caller, { scopes: chosen, expires_at }))
  refuse(whyNotAnother(await countUnrevoked(ctx, organization_id)))
  refuse((await isMember(ctx, organization_id, user_id)) ? undefined : refusals.user_is_not_a_member)
  const organization = (await findOrganizationState(ctx, organization_id))!
  const mode = modeOf(organization)
  const { rate_limited } = ctx.caller
  const terms = { scopes: chosen, expires_at }
  const made = await createApiKey(ctx, { ...wanted, ...terms, user_id, organization_id, mode, rate_limited })
  await tell(ctx, 'api_key.created', { api_key_id: made.id, organization_id })
  return made
}

/** Changes the name of a key, or from where its tokens may be sent; 404 when it is revoked. */
export async function changeApiKey(ctx: Ctx, key: ApiKeyKey, changes: ApiKeyChanges): Promise<void> {
  const { name = null, allowed_origins } = changes
  const saved = await saveChanges(ctx, key, {
    name,
    changes_origins: allowed_origins !== undefined,
    allowed_origins: allowed_origins ?? null,
  })
  refuse(saved ? undefined : generic.not_found)
}

/**
 * Gives a key another secret, to whom that gives no more than their own. The former one opens as well until the overlap
 * is over; one before that no longer. Tokens that were issued go on to their end.
 */
export async function rotateApiKey(ctx: Ctx, key: ApiKeyKey, { overlap_hours }: Rotation): Promise<IssuedKey> {
  await requireMember(ctx, key.organization_id)
  const organization = (await findOrganizationState(ctx, key.organization_id!))!
  const terms = (await findTerms(ctx, key))!
  refuse(whyNotHold(ctx.caller, terms))
  const api_key = newApiKey(terms.mode ?? modeOf(organization))
  const saved = await saveRotation(ctx, key, {
    secret_hash: sha256(api_key),
    last_four: api_key.slice(-4),
    former_secret_expires_at: formerSecretEnds(ctx.real_now, overlap_hours),
  })
  refuse(saved ? undefined : generic.not_found)
  await tell(ctx, 'api_key.rotated', key)
  return { id: key.api_key_id, api_key }
}

/** Revokes a key and thereby its tokens; 404 when it was revoked since it was found. */
export async function revokeApiKey(ctx: Ctx, key: ApiKeyKey): Promise<void> {
  refuse((await saveRevocation(ctx, key, 'requested')) ? undefined : generic.not_found)
  await tell(ctx, 'api_key.revoked', key)
}

/**
 * Revokes the key that somebody has found, whoever it belongs to: having it is reason enough. Returns its id; 404 when
 * it opens nothing.
 */
export async function revokeLeakedApiKey(ctx: Ctx, secret: string): Promise<string> {
  const key = isApiKey(secret) ? await findBySecret(ctx, sha256(secret)) : undefined
  if (!key) throw new Refusal(generic.not_found)
  if (key.organization_id !== null) await lockBeside(ctx.db, key.organization_id)
  refuse((await saveRevocation(ctx, key, 'leaked')) ? undefined : generic.not_found)
  await tell(ctx, 'api_key.revoked', key)
  ctx.log.warn({ api_key_id: key.api_key_id, organization_id: key.organization_id }, 'a leaked API key was revoked')
  return key.api_key_id
}
