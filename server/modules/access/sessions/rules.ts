import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isIP } from 'node:net'
import type { Caller, OperatorRole } from '../../../runtime/caller.ts'
import { Expiry } from '../../../http/access-tokens.ts'
import { Id } from '../../../kernel/fields.ts'
import { declareRefusals, generic, type RefusalKind } from '../../../kernel/refusal.ts'

export const refusals = declareRefusals({
  nobody_signs_in: [404, 'Nobody signs in at this installation: it names no provider (OIDC_ISSUER).'],
  sign_in_failed: [400, 'You were not signed in, or came back too late: begin again.'],
  domain_not_allowed: [403, 'People with an address of that domain do not sign in here, or yours is not verified.'],
  not_invited: [403, 'Nobody has invited you yet: ask for an invitation, and open its link.'],
  not_in_sandbox: [404, 'Only the people of a sandbox can be chosen here.'],
  unknown_host: [403, 'A sandbox signs people in at localhost, at an IP address or at PUBLIC_URL. Open one of these.'],
  not_signed_in: [401, 'Nobody is signed in with this browser.'],
  belongs_nowhere: [403, 'You are no operator, and no member of any organization.'],
  another_origin: [403, 'This is for pages of this service alone.'],
})

/** What a cookie of a session holds: 256 random bits. */
export const newSessionSecret = (): string => randomBytes(32).toString('base64url')

/** Whether a cookie can be that of a session: what can't be is not looked up. */
export const isSessionSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

const minute_ms = 60_000
const hour_ms = 60 * minute_ms

/** A session ends so long after its beginning, whatever it is used for: a working day. */
const lasts_ms = 12 * hour_ms

/** And so long after it was used last. */
const idle_ms = hour_ms

export const endOfSession = (now: string): string => new Date(Date.parse(now) + lasts_ms).toISOString()

/** When somebody proved to a provider who they are, where it tells; a clock that is ahead tells nothing. */
export const signedInAt = (authenticated_at: string | null, now: string): string =>
  authenticated_at !== null && Date.parse(authenticated_at) < Date.parse(now) ? authenticated_at : now

/** For how many seconds a browser keeps what it has to bring back from a provider. */
export const flow_lifetime = 600

export const session_lifetime = lasts_ms / 1000

/** Seconds. */
export const token_lifetime = 300

export type SessionTimes = { last_used_at: string; expires_at: string; revoked_at: string | null }

/** Whether a session can be used at an instant. */
export const isAlive = ({ last_used_at, expires_at, revoked_at }: SessionTimes, now: string): boolean =>
  revoked_at === null && Date.parse(now) < Math.min(Date.parse(expires_at), Date.parse(last_used_at) + idle_ms)

/** Whether the use of a session is to be noted: not each, but so that it is known to a minute. */
export const isUseNoted = ({ last_used_at }: SessionTimes, now: string): boolean =>
  Date.parse(now) - Date.parse(last_used_at) >= minute_ms

/** Why somebody with a verified address, or without one, may not sign in, if so. */
export const whyNotLetIn = (email: string | null, allowed_domains: readonly string[]): RefusalKind | undefined =>
  allowed_domains.length === 0 || (email !== null && allowed_domains.includes(email.split('@').at(-1)!.toLowerCase()))
    ? undefined
    : refusals.domain_not_allowed

/** What a user is: an operator, a member of organizations, both or neither. */
export type Places = {
  user: { id: string; name: string }
  operator_role: OperatorRole | null
  organizations: { id: string; name: string; role: string }[]
}

/** As whom somebody acts who is signed in: as an operator, or as a member of one organization. */
export type Acting = { organization_id: string | null; role: string }

/**
 * As whom somebody acts: as said (`operator`, or the id of an organization), else as the first thing that they are. A
 * refusal for what they are not.
 */
export function actingAs({ operator_role, organizations }: Places, said: string | null): Acting | RefusalKind {
  const as_operator = operator_role && { organization_id: null, role: operator_role }
  if (said === 'operator') return as_operator ?? generic.forbidden
  const organization = said === null ? organizations[0] : organizations.find(({ id }) => id === said)
  if (organization) return { organization_id: organization.id, role: organization.role }
  if (said !== null) return generic.forbidden
  return as_operator ?? refusals.belongs_nowhere
}

/** What is signed into the access token of a session. */
export const SessionClaims = z.object({
  session_id: Id('sess'),
  user_id: Id('usr'),
  organization_id: Id('org').nullable(),
  role: z.string(),
  exp: Expiry,
})
export type SessionClaims = z.output<typeof SessionClaims>

/**
 * Why a sandbox refuses sign-in at a host name, if it does. It requires no credential, so a foreign page whose domain
 * resolves to this machine (DNS rebinding) must not count as a page of our own. Such a page has a domain that is not
 * ours; an IP address or `localhost` cannot be rebound.
 */
export function whyNotSignInAtHost(hostname: string, public_url: string | null): RefusalKind | undefined {
  const is_local = hostname === 'localhost' || hostname.endsWith('.localhost')
  const is_address = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  const is_public = public_url !== null && new URL(public_url).hostname === hostname
  return is_local || is_address || is_public ? undefined : refusals.unknown_host
}

/** A path of our own, with its query, to which somebody is led after they signed in; any other is not followed. */
export const ownPath = (path: string | null): string | null =>
  path !== null && /^\/(?!\/)[\w/-]*(?:\?[\w=&%.~+-]*)?$/.test(path) ? path : null

/** Why an operator may not end a session, if so: one's own, as `operations` those of members, as an owner all. */
export function whyNotRevoke(
  { user_id, operator_role }: Pick<Caller, 'user_id' | 'operator_role'>,
  session: { user_id: string; is_operators: boolean },
): RefusalKind | undefined {
  if (session.user_id === user_id || operator_role === 'owner') return undefined
  return operator_role === 'operations' && !session.is_operators ? undefined : generic.forbidden
}
