import type { Caller } from '../../../runtime/caller.ts'
import type { KeyMode, KeyScope } from '../../../runtime/permissions.ts'
import { endOfKey } from '../operators/rules.ts'
import { declareRefusals, invalid, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'

/** The maximum number of unrevoked keys of an organization, including expired ones. */
const max_keys = 200

export const refusals = declareRefusals({
  user_is_not_a_member: [
    422,
    'The owner of the key is not a member of the organization.',
    'Add the user to the organization, then create the key.',
    'user_id',
  ],
  key_of_other_mode: [
    422,
    'Test keys are for sandbox organizations, and live keys are for all others.',
    'Use the mode of the organization.',
    'mode',
  ],
  too_many_api_keys: [
    409,
    `An organization can have at most ${max_keys} unrevoked API keys, including expired ones.`,
    'Revoke unused keys. The list shows when each key was last used.',
  ],
  key_exceeds_creator: [
    422,
    'A new key cannot have scopes that the creating key lacks, or expire later than it.',
    'Request fewer scopes or an earlier expiry, or use a key with more scopes.',
  ],
})

export const modeOf = ({ sandbox }: { sandbox: boolean }): KeyMode => (sandbox ? 'test' : 'live')

/** Refuses another key for an organization at the limit, because each process caches keys in bounded memory. */
export const whyNotAnother = (unrevoked: number): RefusalKind | undefined =>
  unrevoked >= max_keys ? refusals.too_many_api_keys : undefined

/** Refuses an expiry in the past. */
export const whyNotEndAt = (expires_at: string | undefined, now: string): Refusal | undefined =>
  expires_at !== undefined && Date.parse(expires_at) <= Date.parse(now)
    ? invalid({ field: 'expires_at', message: 'must be in the future' })
    : undefined

/** The scopes and expiry that the holder of a secret gets. */
export type KeyTerms = { scopes: readonly KeyScope[]; expires_at: string | null }

type Maker = Pick<Caller, 'scopes' | 'expires_at' | 'signed_in_at'>

/** The expiry of a new key: as requested, or null for none. A key that a browser session creates always expires. */
export const endOfNewKey = (
  { signed_in_at }: Maker,
  requested: string | undefined,
  now: string,
): string | null | Refusal =>
  signed_in_at === null ? (whyNotEndAt(requested, now) ?? requested ?? null) : endOfKey(requested, now)

/**
 * Refuses to hand out the secret of a key that has more scopes or a later expiry than the caller's own credential. A
 * signed-in user's access ends with the membership, not with the session, so the session's expiry does not count.
 */
export function whyNotIssueKey(maker: Maker, wanted: KeyTerms): RefusalKind | undefined {
  const wider = wanted.scopes.some((scope) => !maker.scopes.includes(scope))
  const longer =
    maker.signed_in_at === null &&
    maker.expires_at !== null &&
    (wanted.expires_at === null || Date.parse(wanted.expires_at) > Date.parse(maker.expires_at))
  return wider || longer ? refusals.key_exceeds_creator : undefined
}

/** When the previous secret expires after a rotation. Null if it stops immediately. */
export const previousSecretExpiry = (now: string, overlap_hours: number): string | null =>
  overlap_hours === 0 ? null : new Date(Date.parse(now) + overlap_hours * 3_600_000).toISOString()
