import { z } from 'zod'
import type { Reach } from '../../../database/sql/reach.ts'
import { isBound, type Caller } from '../../../runtime/caller.ts'
import { scopes, type KeyMode, type KeyScope, type Role } from '../../../runtime/permissions.ts'
import { Expiry } from '../../../http/access-tokens.ts'
import { isMintedKey, mintKey } from '../../../security/secrets.ts'
import { Id } from '../../../kernel/fields.ts'
import { isId } from '../../../kernel/ids.ts'
import type { Day } from '../../../kernel/days.ts'
import { BoundEntity } from './schemas.ts'
import type { DisplayName } from '../organizations/rules.ts'

const prefixes = { live: 'obk_live_', test: 'obk_test_' } as const

/** A new API key: `obk_live_…` or `obk_test_…`. Shown once; only its SHA-256 hash is stored. */
export const newApiKey = (mode: KeyMode): string => mintKey(prefixes[mode])

export const isApiKey = (text: string): boolean => isMintedKey(prefixes.live, text) || isMintedKey(prefixes.test, text)

/** The lifetime of an access token issued by a key. */
export const access_token_seconds = 15 * 60

/** The signed claims of an access token. */
export const TokenClaims = z
  .object({
    key_id: Id('key'),
    bound_entity: BoundEntity.nullable(),
    organization_id: Id('org').nullable(),
    exp: Expiry,
  })
  .refine(({ bound_entity, organization_id }) => (bound_entity === null) === (organization_id === null))
export type TokenClaims = z.output<typeof TokenClaims>

/**
 * The signed claims of the access token of an employee who opened the link in an email. The token depends on no API
 * key.
 */
export const EmployeeClaims = z.object({
  enrollment_message_id: Id('emsg'),
  employee_id: Id('empl'),
  organization_id: Id('org'),
  exp: Expiry,
})
export type EmployeeClaims = z.output<typeof EmployeeClaims>

/** The lifetime in seconds of a token issued now. A token never outlives its key. */
export const lifetimeOf = ({ expires_at }: Pick<Caller, 'expires_at'>, now: number): number =>
  expires_at === null
    ? access_token_seconds
    : Math.min(access_token_seconds, Math.floor((Date.parse(expires_at) - now) / 1000))

/** The expiry of a token, from its `exp` claim. */
export const endOfToken = (exp: number): string => new Date(exp * 1000).toISOString()

/** A stored API key, with the organizations that its owner reaches today. */
export type Credential = {
  key_id: string
  user_id: string
  rate_limited: boolean
  /** Null means every organization. */
  organization_ids: string[] | null
  /** The owner's role in each organization that the key reaches. */
  roles: Record<string, Role>
  /**
   * The owner's role in an organization whose members reach all organizations. Null if the key is not of such an
   * organization.
   */
  super_role: Role | null
  mode: KeyMode | null
  scopes: KeyScope[]
  allowed_origins: string[] | null
  /** When the credential expires. */
  expires_at: string | null
  /** Days that an organization's clock is ahead, for those where it is. */
  clocks: Record<string, number>
  /** Sessions only: when the user signed in. */
  signed_in_at: string | null
}

export const isCredentialAlive = ({ expires_at }: Pick<Credential, 'expires_at'>, now: number): boolean =>
  expires_at === null || Date.parse(expires_at) > now

export const reachesOrganization = ({ organization_ids }: Credential, organization_id: string): boolean =>
  organization_ids === null || organization_ids.includes(organization_id)

/** The names of a credential, its user and its organization. */
export type SelfRow = {
  key_name: string | null
  last_four: string | null
  user_name: string | null
  user_email: string | null
  organization_name: string | null
  sandbox: boolean | null
  accent_color: string | null
  display_names: DisplayName[] | null
}

export function credentialOf(caller: Caller, names: SelfRow, today: Day) {
  const { kind, expires_at } = caller
  const { organization_ids, employer_id, employee_id } = caller.reach
  const { organization_name: name, sandbox, accent_color, display_names } = names
  const organization =
    organization_ids?.length === 1 && name !== null
      ? { id: organization_ids[0], name, sandbox, accent_color, display_names }
      : null
  if (isBound(kind)) {
    const type = employer_id === null ? 'employee' : 'employer'
    return { kind, bound_entity: { type, id: employer_id ?? employee_id }, organization, expires_at, today }
  }
  return {
    kind,
    api_key: isId('key', caller.key_id ?? '')
      ? { id: caller.key_id, name: names.key_name, last_four: names.last_four }
      : null,
    user: { id: caller.user_id, name: names.user_name, email: names.user_email },
    organization,
    bound_entity: null,
    roles: Object.entries(caller.roles).map(([organization_id, role]) => ({ organization_id, role })),
    super_in: caller.super_role !== null,
    scopes: caller.scopes,
    mode: caller.mode,
    signed_in_at: caller.signed_in_at,
    expires_at,
    today,
  }
}

const everything = { employer_id: null, employee_id: null }

export const keyCaller = (credential: Credential): Caller => ({
  kind: 'api_key',
  credential_id: credential.key_id,
  key_id: credential.key_id,
  user_id: credential.user_id,
  reach: { organization_ids: credential.organization_ids, ...everything },
  roles: credential.roles,
  super_role: credential.super_role,
  scopes: credential.scopes,
  mode: credential.mode,
  allowed_origins: credential.allowed_origins,
  expires_at: credential.expires_at,
  signed_in_at: credential.signed_in_at,
  rate_limited: credential.rate_limited,
  operator_role: null,
  clocks: credential.clocks,
})

/** The caller behind the access token of a session. It reaches only this organization, as a member. */
export const sessionCaller = (credential: Credential, organization_id: string): Caller => ({
  ...keyCaller(credential),
  kind: 'session_token',
  credential_id: `${credential.key_id}/${organization_id}`,
})

/**
 * The caller behind an access token. An unbound token acts as its API key; a bound one reaches only its employer or
 * employee. Undefined if the key no longer reaches the organization of the bound entity.
 */
export function tokenCaller(credential: Credential, claims: TokenClaims): Caller | undefined {
  const caller = { ...keyCaller(credential), expires_at: endOfToken(claims.exp) }
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

/** The role behind the token of an employee, which limits it no further than the operations open to such tokens. */
export const role_of_employees: Role = 'ADMIN'

/** The caller behind the token of an employee who opened the link of an email. */
export const employeeCaller = (claims: EmployeeClaims, clocks: Caller['clocks']): Caller => {
  const { enrollment_message_id, employee_id, organization_id, exp } = claims
  return {
    kind: 'employee_token',
    credential_id: `${enrollment_message_id}/${employee_id}`,
    key_id: enrollment_message_id,
    user_id: null,
    reach: { organization_ids: [organization_id], employer_id: null, employee_id },
    roles: { [organization_id]: role_of_employees },
    super_role: null,
    scopes,
    mode: null,
    allowed_origins: [],
    expires_at: endOfToken(exp),
    signed_in_at: null,
    rate_limited: true,
    operator_role: null,
    clocks,
  }
}
