import { isId } from '../kernel/ids.ts'
import { every_organization, type RowsOf } from '../database/query/rows-of.ts'
import type { Reach } from '../database/sql/reach.ts'
import { generic, Refusal } from '../kernel/refusal.ts'
import { type KeyMode, type KeyScope, operating, type Role, roleInOrganization } from './permissions.ts'
import { refusals } from '../http/refusals.ts'

/** The organizations whose rows a caller reaches. */
export const rowsOf = ({ reach: { organization_ids } }: Pick<Caller, 'reach'>): RowsOf =>
  organization_ids ?? every_organization

export type CallerKind =
  | 'api_key'
  | 'session_token'
  | 'access_token'
  | 'employer_token'
  | 'employee_token'
  | 'operator'
  | 'service'

/** Whether a credential is bound to one employer or employee. Browsers use such tokens. */
export const isBound = (kind: CallerKind): boolean => kind === 'employer_token' || kind === 'employee_token'

/**
 * `owner` may do everything and `support` only reads. `for_operators` of endpoint.ts lists the rights of the other
 * roles.
 */
export const operator_roles = ['owner', 'operations', 'billing', 'support'] as const

export type OperatorRole = (typeof operator_roles)[number]

export type Caller = {
  kind: CallerKind
  /** the id of the key, followed by the bound entity for bound tokens; idempotency keys belong to it */
  credential_id: string
  /** the key of the credential, whose rate limit all its tokens share; null if there is no key */
  key_id: string | null
  user_id: string | null
  reach: Reach
  /** The roles of its user, by the ids of the organizations that the credential is open to. */
  roles: Readonly<Record<string, Role>>
  /** The role in every organization, for a credential that reaches them all. */
  super_role: Role | null
  scopes: readonly KeyScope[]
  /** Whether the key reaches sandboxes or live organizations. Null for both. */
  mode: KeyMode | null
  /** The origins from which a browser may send tokens of the key. Null for the origins of the installation. */
  allowed_origins: readonly string[] | null
  /** The instant at which the credential expires. Null if it does not expire. */
  expires_at: string | null
  /** When the user of a browser session signed in. Null for other credentials. */
  signed_in_at: string | null
  rate_limited: boolean
  /** the role of an operator; `bootstrap` is the key from the settings that creates the first owner; null for others */
  operator_role: OperatorRole | 'bootstrap' | null
  /** The days by which test clocks of organizations within reach are ahead, by id. Absent for real clocks. */
  clocks: Readonly<Record<string, number>>
}

/** Whether a caller may see amounts of money at all organizations that it reaches. */
export function canSeeMoney(caller: Caller): boolean {
  if (caller.operator_role !== null) return true
  const roles = (caller.reach.organization_ids ?? ['']).map((organization_id) =>
    roleInOrganization(caller, organization_id),
  )
  return (
    caller.scopes.includes('money') &&
    roles.every((role) => operating.some((operating_role) => operating_role === role))
  )
}

/** The service itself, as the caller of jobs and of the demo data, for one organization or all. */
export const serviceCaller = (organization_id: string | null, clock_offset_days = 0): Caller => ({
  kind: 'service',
  credential_id: 'service',
  key_id: null,
  user_id: null,
  reach: {
    organization_ids: organization_id === null ? null : [organization_id],
    employer_id: null,
    employee_id: null,
  },
  roles: {},
  super_role: null,
  scopes: [],
  mode: null,
  allowed_origins: null,
  expires_at: null,
  signed_in_at: null,
  rate_limited: false,
  operator_role: null,
  clocks: organization_id === null ? {} : { [organization_id]: clock_offset_days },
})

/** The days by which the clock of a caller is ahead: the clock of its only organization, else 0. */
export function clockOf({ reach: { organization_ids }, clocks }: Caller): number {
  const [organization_id] = organization_ids ?? []
  return organization_id !== undefined && organization_ids?.length === 1 ? (clocks[organization_id] ?? 0) : 0
}

/**
 * How an operation uses X-Service-Organization. The header is always checked if it is sent
 * (docs/design/access/tenant-isolation.md).
 *
 * `header`: marked H in the interface, so callers with several organizations must send it.
 *
 * `path`: the path names the resource and thereby the organization.
 *
 * `needed`: nothing else names the organization.
 *
 * `none`: the operation concerns the caller, not an organization.
 */
export type OrganizationRule = 'header' | 'path' | 'needed' | 'none'

const refused = (
  code: 'organization_required' | 'invalid_organization_header' | 'organization_access_denied',
  message: string,
) => new Refusal(refusals[code], [{ field: 'X-Service-Organization', message }])

/**
 * Narrows a caller to the organization it acts as. `exists` is called only for callers who reach all organizations.
 * Reads of a super caller without the header span every organization; its writes need the header.
 */
export async function actAs(
  caller: Caller,
  header: string | string[] | undefined,
  rule: OrganizationRule,
  writes: boolean,
  exists: (organization_id: string) => Promise<boolean>,
): Promise<Caller> {
  const { organization_ids } = caller.reach
  if (header === undefined) {
    const all = organization_ids === null || (caller.super_role !== null && organization_ids.length !== 1)
    const many = all ? writes : organization_ids.length > 1
    if (many && (rule === 'header' || rule === 'needed')) throw refused('organization_required', 'is required')
    return caller
  }
  if (typeof header !== 'string' || !isId('org', header))
    throw refused('invalid_organization_header', 'must be an organization id')
  const reached = organization_ids === null ? await exists(header) : organization_ids.includes(header)
  if (!reached) throw refused('organization_access_denied', 'is not accessible with these credentials')
  return { ...caller, reach: { ...caller.reach, organization_ids: [header] } }
}

/** The only organization of a caller, for writes whose path names none. */
export function actingOrganization(caller: Caller): string {
  const [organization_id] = caller.reach.organization_ids ?? []
  if (!organization_id) throw new Refusal(generic.forbidden)
  return organization_id
}
