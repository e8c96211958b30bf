import { declareRefusals, type RefusalKind } from '../../../kernel/refusal.ts'
import { isId } from '../../../kernel/ids.ts'

export const refusals = declareRefusals({
  invitation_not_found: [404, 'This invitation was used, taken back, or is too old: ask for another.'],
  invitation_for_another: [
    403,
    'This invitation is for another e-mail address than the one you signed in with, or that is not verified.',
  ],
  too_many_invitations: [
    409,
    'An organization has at most 100 invitations that wait to be accepted.',
    'Take back those that nobody will accept; each ends by itself after 7 days.',
  ],
})

const day_ms = 86_400_000

/** For how many days an invitation is good. */
const lasts_days = 7

export const endOfInvitation = (now: string): string => new Date(Date.parse(now) + lasts_days * day_ms).toISOString()

/** Invitations that were made up to this instant are over. */
export const oldestInvitation = (now: string): string => new Date(Date.parse(now) - lasts_days * day_ms).toISOString()

/** What a link holds: whom it concerns, an organization or the installation (`operator`), and the secret. */
export type InvitationToken = { organization_id: string | null; secret: string }

export const tokenText = ({ organization_id, secret }: InvitationToken): string =>
  `${organization_id ?? 'operator'}.${secret}`

/** Undefined for what is none of our links. */
export function readInvitationToken(text: string): InvitationToken | undefined {
  const [of = '', secret = '', ...more] = text.split('.')
  if (more.length > 0 || !/^[\w-]{43}$/.test(secret)) return undefined
  if (of === 'operator') return { organization_id: null, secret }
  return isId('org', of) ? { organization_id: of, secret } : undefined
}

/** Each is a link that makes a member of whoever has that address. */
const most_pending = 100

/** Why nobody else may be invited, if so. `pending`: how many wait to be accepted. */
export const whyNotInvite = (pending: number): RefusalKind | undefined =>
  pending >= most_pending ? refusals.too_many_invitations : undefined

/** Why somebody may not accept an invitation, if so: it is for one address, which their provider has verified. */
export const whyNotAccept = (invited: { email: string }, email: string | null): RefusalKind | undefined =>
  email !== null && email.toLowerCase() === invited.email.toLowerCase() ? undefined : refusals.invitation_for_another
