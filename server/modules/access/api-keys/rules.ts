import type { Caller } from '../../../runtime/caller.ts'
import type { KeyMode, KeyScope } from '../../../runtime/permissions.ts'
import { endOfKey } from '../operators/rules.ts'
import { declareRefusals, invalid, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'

/** How many keys an organization may have that are not revoked, the expired ones among them. */
const most_keys = 200

export const refusals = declareRefusals({
  user_is_not_a_member: [
    422,
    'A key is bound to an organization of its owner: make the user a member of it first.',
    'Make the user a member of the organization, then the key.',
  ],
  key_is_of_another_mode: [
    422,
    'A test key is for sandbox organizations, and a live key for the others.',
    'Choose the mode of the organization.',
  ],
  too_many_api_keys: [
    409,
    `An organization has at most ${most_keys} API keys that are not revoked, expired ones among them.`,
    'Revoke the keys that are not used any more: the list says when each was used last.',
  ],
  key_beyond_its_maker: [
    422,
    'A key makes and rotates keys for no more than it is for itself, and that end no later.',
    'Ask for fewer scopes or an earlier end, or use a key that is for more.',
  ],
})

/** The mode of the keys of an organization. */
export const modeOf = ({ sandbox }: { sandbox: boolean }): KeyMode => (sandbox ? 'test' : 'live')

/** Why an organization may not have another key, if so: what each process keeps of keys is bounded. */
export const whyNotAnother = (unrevoked: number): RefusalKind | undefined =>
  unrevoked >= most_keys ? refusals.too_many_api_keys : undefined

/** The refusal of an end that has come already, if so. */
export const whyNotEndAt = (expires_at: string | undefined, now: string): Refusal | undefined =>
  expires_at !== undefined && Date.parse(expires_at) <= Date.parse(now)
    ? invalid({ field: 'expires_at', message: 'must lie ahead' })
    : undefined

/** What somebody comes to hold with a secret: for what it opens, and until when. */
export type KeyTerms = { scopes: readonly KeyScope[]; expires_at: string | null }

type Maker = Pick<Caller, 'scopes' | 'expires_at' | 'signed_in_at'>

/**
 * When a new key ends: as asked. Of whoever is signed in with a browser it ends in any case, within 366 days, and after
 * 90 unless said.
 */
export const endOfNewKey = ({ signed_in_at }: Maker, asked: string | undefined, now: string): string | null | Refusal =>
  signed_in_at === null ? (whyNotEndAt(asked, now) ?? asked ?? null) : endOfKey(asked, now)

/**
 * Why the secret of a key with these terms may not be handed out, if so: nobody gains by making or rotating keys. What
 * a person may do who signed in ends with their membership, and not with the session.
 */
export function whyNotHold(maker: Maker, wanted: KeyTerms): RefusalKind | undefined {
  const wider = wanted.scopes.some((scope) => !maker.scopes.includes(scope))
  const longer =
    maker.signed_in_at === null &&
    maker.expires_at !== null &&
    (wanted.expires_at === null || Date.parse(wanted.expires_at) > Date.parse(maker.expires_at))
  return wider || longer ? refusals.key_beyond_its_maker : undefined
}

/** Until when the secret before a rotation opens as well; null: no longer. */
export const formerSecretEnds = (now: string, overlap_hours: number): string | null =>
  overlap_hours === 0 ? null : new Date(Date.parse(now) + overlap_hours * 3_600_000).toISOString()
