import type { Endpoint } from './endpoint.ts'
import { refusals } from './refusals.ts'
import { generic, Refusal, type RefusalKind } from '../kernel/refusal.ts'
import type { Caller } from '../runtime/caller.ts'
import { roleAt, type Role } from '../runtime/permissions.ts'

const lacks_scope = { ...generic.forbidden, message: 'The API key is not for this: it lacks a scope.' }
const lacks_role = { ...generic.forbidden, message: 'The role of whom this credential belongs to does not allow this.' }

/** Seconds after a sign-in in which a session may make what outlasts it. */
export const fresh_seconds = 60 * 60

/** Why whoever is signed in may not hand out what outlasts their session, if so: the sign-in was long ago. */
export const whyNotHandOut = (
  { hands_out }: Pick<Endpoint, 'hands_out'>,
  { signed_in_at }: Pick<Caller, 'signed_in_at'>,
  now: string,
): RefusalKind | undefined =>
  hands_out && signed_in_at !== null && Date.parse(now) - Date.parse(signed_in_at) > fresh_seconds * 1000
    ? refusals.sign_in_again
    : undefined

const isOneOf = ({ roles: allowed }: Endpoint, role: Role | Caller['operator_role'] | undefined): boolean =>
  role !== null && role !== undefined && allowed.includes(role)

/** Why a caller may not perform an operation at any organization: a credential of its kind, or a key for less. */
export function whyNotEver({ allows, scopes: needed = [] }: Endpoint, caller: Caller): RefusalKind | undefined {
  if (!allows.includes(caller.kind)) return generic.forbidden
  return needed.every((scope) => caller.scopes.includes(scope)) ? undefined : lacks_scope
}

/**
 * Why a caller may not perform an operation: at an organization, or where none is known yet, at none of those within
 * reach.
 */
export function whyNotPerform(
  endpoint: Endpoint,
  caller: Caller,
  organization_id: string | null,
): RefusalKind | undefined {
  const ever = whyNotEver(endpoint, caller)
  if (ever) return ever
  if (organization_id !== null && caller.operator_role === null)
    return isOneOf(endpoint, roleAt(caller, organization_id)) ? undefined : lacks_role
  const within = reachFor(endpoint, caller)
  // Who belongs nowhere yet has no role to lack.
  return within?.length === 0 && caller.reach.organization_ids?.length !== 0 ? lacks_role : undefined
}

/** Those of the organizations within reach in which a caller's role allows an operation; null: every organization. */
export function reachFor(endpoint: Endpoint, caller: Caller): string[] | null {
  const { organization_ids } = caller.reach
  if (organization_ids === null) return isOneOf(endpoint, caller.operator_role ?? caller.super_role) ? null : []
  const within = organization_ids.filter((organization_id) => isOneOf(endpoint, roleAt(caller, organization_id)))
  // The same list when nothing is left out.
  return within.length === organization_ids.length ? organization_ids : within
}

/** The one organization that a caller is at, where nobody reads several at once. */
export function onlyOrganization({ reach: { organization_ids } }: Pick<Caller, 'reach'>): string {
  if (organization_ids?.length !== 1) throw new Refusal(refusals.organization_required)
  return organization_ids[0]!
}
