import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isIP } from 'node:net'
import type { Caller, OperatorRole } from '../../../runtime/caller.ts'
import { Expiry } from '../../../http/access-tokens.ts'
import type { Day } from '../../../kernel/days.ts'
import { Id } from '../../../kernel/fields.ts'
import { declareRefusals, generic, type RefusalKind } from '../../../kernel/refusal.ts'

export const refusals = declareRefusals({
  no_sign_in: [404, 'Sign-in is not configured at this installation (OIDC_ISSUER is not set).'],
  sign_in_failed: [400, 'The sign-in failed or took too long. Start again.'],
  domain_not_allowed: [403, 'Your email domain is not allowed to sign in here, or your address is not verified.'],
  not_invited: [403, 'You have not been invited. Request an invitation and open its link.'],
  not_in_sandbox: [404, 'You can only sign in this way as a person of a sandbox.'],
  unknown_host: [403, 'A sandbox signs people in at localhost, at an IP address or at PUBLIC_URL. Open one of these.'],
  not_signed_in: [401, 'This browser is not signed in.'],
  belongs_nowhere: [403, 'You are not an operator, and not a member of any organization.'],
  another_origin: [403, 'Only pages of this service can make this request.'],
})

/** The secret in a session cookie: 256 random bits. */
export const newSessionSecret = (): string => randomBytes(32).toString('base64url')

/** Whether a cookie has the form of a session secret. Malformed ones are rejected without a query. */
export const isSessionSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

const minute_ms = 60_000
const hour_ms = 60 * minute_ms

/** The maximum lifetime of a session, whether or not it is in use: a working day. */
const lasts_ms = 12 * hour_ms

/** The longest time that a session can be unused. */
const idle_ms = hour_ms

export const endOfSession = (now: string): string => new Date(Date.parse(now) + lasts_ms).toISOString()

/** When the user authenticated, according to the identity provider. Ignores a missing or future time. */
export const signedInAt = (authenticated_at: string | null, now: string): string =>
  authenticated_at !== null && Date.parse(authenticated_at) < Date.parse(now) ? authenticated_at : now

/** How many seconds the browser keeps the state of a sign-in. */
export const flow_lifetime = 600

export const session_lifetime = lasts_ms / 1000

/** The lifetime of an access token issued by a session. */
export const session_token_seconds = 5 * 60

/** How many days ended sessions are listed. */
export const listed_days = 90

export type SessionTimes = { last_used_at: string; expires_at: string; revoked_at: string | null }

/** Whether a session is usable at an instant. */
export const isSessionAlive = ({ last_used_at, expires_at, revoked_at }: SessionTimes, now: string): boolean =>
  revoked_at === null && Date.parse(now) < Math.min(Date.parse(expires_at), Date.parse(last_used_at) + idle_ms)

/** Whether to save the use of a session. Not every use is saved; the stored time is accurate to a minute. */
export const isUseNoted = ({ last_used_at }: SessionTimes, now: string): boolean =>
  Date.parse(now) - Date.parse(last_used_at) >= minute_ms

/** Refuses sign-in with an email address outside the allowed domains, or without a verified address. */
export const whyNotSignIn = (email: string | null, allowed_domains: readonly string[]): RefusalKind | undefined =>
  allowed_domains.length === 0 || (email !== null && allowed_domains.includes(email.split('@').at(-1)!.toLowerCase()))
    ? undefined
    : refusals.domain_not_allowed

/** The roles of a user: operator, member of organizations, both or neither. */
export type GrantedRoles = {
  user: { id: string; name: string }
  operator_role: OperatorRole | null
  /** `today`: the present day of the organization, which a test clock may have moved. */
  organizations: { id: string; name: string; role: string; today: Day }[]
  /** the present day of the service */
  today: Day
  /** for operators: the latest present day of an organization, which a test clock may have moved. Null for others */
  latest_today: Day | null
}

/** The role in which a signed-in user acts: as an operator, or as a member of one organization. */
export type Acting = { organization_id: string | null; role: string }

/**
 * The role in which a user acts: the requested one (`operator` or the id of an organization), else the first. Returns a
 * refusal if the user lacks it.
 */
export function actingAs(
  { operator_role, organizations }: GrantedRoles,
  requested_role: string | null,
): Acting | RefusalKind {
  const as_operator = operator_role && { organization_id: null, role: operator_role }
  if (requested_role === 'operator') return as_operator ?? generic.forbidden
  const organization =
    requested_role === null ? organizations[0] : organizations.find(({ id }) => id === requested_role)
  if (organization) return { organization_id: organization.id, role: organization.role }
  if (requested_role !== null) return generic.forbidden
  return as_operator ?? refusals.belongs_nowhere
}

/** The signed claims of a session's access token. */
export const SessionClaims = z.object({
  session_id: Id('sess'),
  user_id: Id('usr'),
  organization_id: Id('org').nullable(),
  role: z.string(),
  exp: Expiry,
})
export type SessionClaims = z.output<typeof SessionClaims>

/**
 * Refuses sign-in to a sandbox at a foreign host name. Such a sign-in requires no credential, so a foreign page whose
 * domain resolves to this machine (DNS rebinding) must not count as a page of this installation. An IP address or
 * `localhost` cannot be rebound.
 */
export function whyNotSignInAtHost(hostname: string, public_url: string | null): RefusalKind | undefined {
  const is_local = hostname === 'localhost' || hostname.endsWith('.localhost')
  const is_address = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  const is_public = public_url !== null && new URL(public_url).hostname === hostname
  return is_local || is_address || is_public ? undefined : refusals.unknown_host
}

/** A path of this installation with its query, to redirect to after sign-in. Null for any other URL. */
export const ownPath = (path: string | null): string | null =>
  path !== null && /^\/(?!\/)[\w/-]*(?:\?[\w=&%.~+-]*)?$/.test(path) ? path : null

/**
 * Refuses to end the session of another operator unless the caller is an owner, or of a member unless the caller is an
 * owner or has the role `operations`.
 */
export function whyNotRevoke(
  { user_id, operator_role }: Pick<Caller, 'user_id' | 'operator_role'>,
  session: { user_id: string; is_operators: boolean },
): RefusalKind | undefined {
  if (session.user_id === user_id || operator_role === 'owner') return undefined
  return operator_role === 'operations' && !session.is_operators ? undefined : generic.forbidden
}
