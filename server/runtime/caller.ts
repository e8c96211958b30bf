import { isId } from '../kernel/ids.ts'
import { every_organization, type RowsOf } from '../database/query/rows-of.ts'
import type { Reach } from '../database/sql/reach.ts'
import { generic, Refusal } from '../kernel/refusal.ts'
import type { KeyMode, KeyScope, Role } from './permissions.ts'
import { refusals } from '../http/refusals.ts'

/** Whose rows a caller reaches; every organization's where its credential says so. */
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

/** Whether a credential is bound to one employer or employee, and so for browsers. */
export const isBound = (kind: CallerKind): boolean => kind === 'employer_token' || kind === 'employee_token'

/** What an operator is for: `owner` everything, `support` reads; the others are told by `roles_to` of endpoint.ts. */
export const operator_roles = ['owner', 'operations', 'billing', 'support'] as const

export type OperatorRole = (typeof operator_roles)[number]

export type Caller = {
  kind: CallerKind
  /** id of the key, with the bound entity behind it for bound tokens: whose idempotency keys these are */
  credential_id: string
  /** the key behind it, which is limited for all its tokens together; null where there is none */
  key_id: string | null
  user_id: string | null
  reach: Reach
  /** What its user is in the organizations that the credential is open to, by their ids. */
  roles: Readonly<Record<string, Role>>
  /** Of one that reaches every organization: the role in which it does. */
  super_role: Role | null
  /** What the key is for. */
  scopes: readonly KeyScope[]
  /** Which organizations the key reaches, sandboxes or the others; null: both. */
  mode: KeyMode | null
  /** From where a browser may send tokens of the key; null: from where the installation says. */
  allowed_origins: readonly string[] | null
  /** The instant from which on the credential opens nothing; null: it has no end. */
  expires_at: string | null
  /** When its user signed in with the browser whose session this is a token of; null: of no session. */
  signed_in_at: string | null
  rate_limited: boolean
  /** of an operator; `bootstrap` is the key from the settings, which makes the first owner. null: no operator */
  operator_role: OperatorRole | 'bootstrap' | null
  /** How many days ahead of the calendar the organizations within reach live, by id; absent: none. */
  clocks: Readonly<Record<string, number>>
}

/** The service itself, at work on one organization: the caller of jobs and of the seed. */
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

/**
 * How many days ahead a caller lives: as the one organization it reaches; one who reaches several is at none of theirs.
 */
export function clockOf({ reach: { organization_ids }, clocks }: Caller): number {
  const [organization_id] = organization_ids ?? []
  return organization_id !== undefined && organization_ids?.length === 1 ? (clocks[organization_id] ?? 0) : 0
}

/**
 * How an operation takes X-Service-Organization (decisions.md, section 2). Everywhere it is checked when sent.
 * `header`: marked H in the interface, so callers who reach several must send it.
 * `path`: the path names the resource and thereby the organization.
 * `needed`: nothing else names the organization.
 * `none`: the operation is about the caller, not about an organization.
 */
export type OrganizationRule = 'header' | 'path' | 'needed' | 'none'

const refused = (
  code: 'organization_required' | 'invalid_organization_header' | 'organization_access_denied',
  message: string,
) => new Refusal(refusals[code], [{ field: 'X-Service-Organization', message }])

/**
 * Narrows a caller to the organization it acts as. `exists` is asked only for callers who reach all.
 * Reads of a super caller without the header span every organization; its writes need one like everyone else's.
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
    const several = all ? writes : organization_ids.length > 1
    if (several && (rule === 'header' || rule === 'needed')) throw refused('organization_required', 'is required')
    return caller
  }
  if (typeof header !== 'string' || !isId('org', header))
    throw refused('invalid_organization_header', 'must be an organization id')
  const reached = organization_ids === null ? await exists(header) : organization_ids.includes(header)
  if (!reached) throw refused('organization_access_denied', 'is not reached')
  return { ...caller, reach: { ...caller.reach, organization_ids: [header] } }
}

/** The one organization a caller acts as, for writes whose path names none. */
export function actingOrganization(caller: Caller): string {
  const [organization_id] = caller.reach.organization_ids ?? []
  if (!organization_id) throw new Refusal(generic.forbidden)
  return organization_id
}
