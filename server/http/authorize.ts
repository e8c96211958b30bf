import type { Endpoint } from './endpoint.ts'
import { refusals } from './refusals.ts'
import { generic, Refusal, type RefusalKind } from '../kernel/refusal.ts'
import type { Caller } from '../runtime/caller.ts'
import { roleInOrganization, type Role } from '../runtime/permissions.ts'

const missingScopes = (missing: string[]): RefusalKind => ({
  ...generic.forbidden,
  message: `The API key lacks the ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}.`,
})
const lacks_role = { ...generic.forbidden, message: 'The role of this credential does not allow this operation.' }

/** Seconds after a sign-in during which a session may create credentials that outlast it. */
export const fresh_seconds = 60 * 60

/** Why a signed-in caller may not create a credential that outlasts the session: the sign-in is too old. */
export const whyNotIssueCredential = (
  { issues_credential }: Pick<Endpoint, 'issues_credential'>,
  { signed_in_at }: Pick<Caller, 'signed_in_at'>,
  now: string,
): RefusalKind | undefined =>
  issues_credential && signed_in_at !== null && Date.parse(now) - Date.parse(signed_in_at) > fresh_seconds * 1000
    ? refusals.sign_in_again
    : undefined

const isOneOf = ({ roles: allowed }: Endpoint, role: Role | Caller['operator_role'] | undefined): boolean =>
  role !== null && role !== undefined && allowed.includes(role)

/** Why a caller may not perform an operation in any organization: the kind of credential, or a missing scope. */
export function whyNotAnywhere({ allows, scopes: needed = [] }: Endpoint, caller: Caller): RefusalKind | undefined {
  if (!allows.includes(caller.kind)) return generic.forbidden
  const missing = needed.filter((scope) => !caller.scopes.includes(scope))
  return missing.length === 0 ? undefined : missingScopes(missing)
}

/**
 * Why a caller may not perform an operation in an organization. If `organization_id` is null: why not in any
 * organization within reach.
 */
export function whyNotPerform(
  endpoint: Endpoint,
  caller: Caller,
  organization_id: string | null,
): RefusalKind | undefined {
  const ever = whyNotAnywhere(endpoint, caller)
  if (ever) return ever
  if (organization_id !== null && caller.operator_role === null)
    return isOneOf(endpoint, roleInOrganization(caller, organization_id)) ? undefined : lacks_role
  const within = organizationsInReach(endpoint, caller)
  // A caller without any organization has no role that could be missing.
  return within?.length === 0 && caller.reach.organization_ids?.length !== 0 ? lacks_role : undefined
}

/** The organizations within reach in which the caller's role allows an operation. Null: every organization. */
export function organizationsInReach(endpoint: Endpoint, caller: Caller): string[] | null {
  const { organization_ids } = caller.reach
  if (organization_ids === null) return isOneOf(endpoint, caller.operator_role ?? caller.super_role) ? null : []
  const within = organization_ids.filter((organization_id) =>
    isOneOf(endpoint, roleInOrganization(caller, organization_id)),
  )
  // `read` in handle.ts compares the lists by identity.
  return within.length === organization_ids.length ? organization_ids : within
}

/** The only organization of a caller, for operations that never cover several. Throws `organization_required`. */
export function onlyOrganization({ reach: { organization_ids } }: Pick<Caller, 'reach'>): string {
  if (organization_ids?.length !== 1) throw new Refusal(refusals.organization_required)
  return organization_ids[0]!
}
