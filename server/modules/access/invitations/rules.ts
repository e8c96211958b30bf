import { declareRefusals, type RefusalKind } from '../../../kernel/refusal.ts'
import { day_ms } from '../../../kernel/days.ts'
import { isId } from '../../../kernel/ids.ts'

/** The lifetime of an invitation in days. */
const lifetime_days = 7
/** The number of pending invitations is limited, because each pending link lets its recipient become a member. */
const max_pending = 100

export const refusals = declareRefusals({
  invitation_not_found: [404, 'This invitation was already used, was withdrawn, or has expired. Request a new one.'],
  invitation_for_another: [
    403,
    'This invitation is for another email address than the one you signed in with, or your address is not verified.',
  ],
  too_many_invitations: [
    409,
    `An organization can have at most ${max_pending} pending invitations.`,
    `Withdraw invitations that are no longer needed. Each one expires after ${lifetime_days} days.`,
  ],
})

export const endOfInvitation = (now: string): string => new Date(Date.parse(now) + lifetime_days * day_ms).toISOString()

/** The start of the period of valid invitations. Older ones have expired. */
export const oldestInvitation = (now: string): string =>
  new Date(Date.parse(now) - lifetime_days * day_ms).toISOString()

/** The content of an invitation link: the organization, or null for the installation (`operator`), and the secret. */
export type InvitationToken = { organization_id: string | null; secret: string }

export const tokenText = ({ organization_id, secret }: InvitationToken): string =>
  `${organization_id ?? 'operator'}.${secret}`

/** Parses an invitation token. Undefined if it is malformed. */
export function readInvitationToken(text: string): InvitationToken | undefined {
  const [of = '', secret = '', ...more] = text.split('.')
  if (more.length > 0 || !/^[\w-]{43}$/.test(secret)) return undefined
  if (of === 'operator') return { organization_id: null, secret }
  return isId('org', of) ? { organization_id: of, secret } : undefined
}

/** Refuses another invitation for an organization with too many pending ones. */
export const whyNotInvite = (pending: number): RefusalKind | undefined =>
  pending >= max_pending ? refusals.too_many_invitations : undefined

/** Refuses an invitation for another email address. The identity provider must have verified the address. */
export const whyNotAccept = (invited: { email: string }, email: string | null): RefusalKind | undefined =>
  email !== null && email.toLowerCase() === invited.email.toLowerCase() ? undefined : refusals.invitation_for_another
