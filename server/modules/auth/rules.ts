import type { Caller, Reach } from '../../platform/caller.ts'
import { declareRefusals } from '../../kernel/refusal.ts'
import type { Role } from '../../platform/permissions.ts'
import { isMintedKey, mintKey } from '../../platform/secrets.ts'
import type { BoundEntity } from './schemas.ts'

export const refusals = declareRefusals({
  user_is_not_a_member: [
    422,
    'A key is bound to an organization of its owner: make the user a member of it first.',
    'Make the user a member of the organization, then the key.',
  ],
})

const prefixes = { live: 'obk_live_', test: 'obk_test_' } as const

/** A new API key: `obk_live_…` or `obk_test_…`. Shown once; only its SHA-256 is stored. */
export const newApiKey = (mode: 'live' | 'test'): string => mintKey(prefixes[mode])

/** Whether a text can be an API key. */
export const isApiKey = (text: string): boolean => isMintedKey(prefixes.live, text) || isMintedKey(prefixes.test, text)

/** How long an access token lives, in seconds. */
export const token_lifetime = 900

/** What is signed into an access token, besides its times. */
export type TokenClaims = { key_id: string; bound_entity: BoundEntity | null; organization_id: string | null }

/** An API key as stored, with what its owner reaches today. */
export type Credential = {
  key_id: string
  user_id: string
  rate_limited: boolean
  /** null: every organization */
  organization_ids: string[] | null
  /** the owner's role in each of its organizations that the key is open to */
  roles: Record<string, Role>
  /** the owner's role in the organization whose members reach every one, when the key is of such a one */
  super_role: Role | null
  /** how many days ahead those of them live that do */
  clocks: Record<string, number>
}

/** Whether a key reaches an organization. */
export const reachesOrganization = ({ organization_ids }: Credential, organization_id: string): boolean =>
  organization_ids === null || organization_ids.includes(organization_id)

const everything = { employer_id: null, employee_id: null }

/** The caller behind an API key. */
export const keyCaller = (credential: Credential): Caller => ({
  kind: 'api_key',
  credential_id: credential.key_id,
  key_id: credential.key_id,
  user_id: credential.user_id,
  reach: { organization_ids: credential.organization_ids, ...everything },
  roles: credential.roles,
  super_role: credential.super_role,
  rate_limited: credential.rate_limited,
  operator_role: null,
  clocks: credential.clocks,
})

/** The caller behind the access token of a session: a member of the organization, and of no other by it. */
export const sessionCaller = (credential: Credential, organization_id: string): Caller => ({
  ...keyCaller(credential),
  kind: 'access_token',
  credential_id: `${credential.key_id}/${organization_id}`,
})

/**
 * The caller behind an access token: unbound, as its API key; bound, one employer or one employee and nothing
 * else. Undefined when the key no longer reaches the organization of the bound entity.
 */
export function tokenCaller(credential: Credential, claims: TokenClaims): Caller | undefined {
  const caller = keyCaller(credential)
  const { bound_entity, organization_id } = claims
  if (!bound_entity || organization_id === null) return { ...caller, kind: 'access_token' }
  if (!reachesOrganization(credential, organization_id)) return undefined
  const reach: Reach =
    bound_entity.type === 'employer'
      ? { organization_ids: [organization_id], employer_id: bound_entity.id, employee_id: null }
      : { organization_ids: [organization_id], employer_id: null, employee_id: bound_entity.id }
  return {
    ...caller,
    kind: `${bound_entity.type}_token`,
    credential_id: `${credential.key_id}/${bound_entity.id}`,
    reach,
  }
}
