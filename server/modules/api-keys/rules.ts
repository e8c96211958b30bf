import type { Caller } from '../../platform/caller.ts'
import type { KeyMode, KeyScope } from '../../platform/permissions.ts'
import { declareRefusals, invalid, Refusal, type RefusalKind } from '../../kernel/refusal.ts'

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
  key_beyond_its_maker: [
    422,
    'A key makes keys for no more than it is for itself, and that end no later.',
    'Ask for fewer scopes or an earlier end, or use a key that is for more.',
  ],
})

/** The mode of the keys of an organization. */
export const modeOf = ({ sandbox }: { sandbox: boolean }): KeyMode => (sandbox ? 'test' : 'live')

/** The refusal of an end that has come already, if so. */
export const whyNotEndAt = (expires_at: string | undefined, now: string): Refusal | undefined =>
  expires_at !== undefined && Date.parse(expires_at) <= Date.parse(now)
    ? invalid({ field: 'expires_at', message: 'must lie ahead' })
    : undefined

/** Why a key may not make another with these scopes and this end, if so: nobody gains by making keys. */
export function whyNotMake(
  maker: Pick<Caller, 'scopes' | 'expires_at'>,
  wanted: { scopes: readonly KeyScope[]; expires_at: string | null },
): RefusalKind | undefined {
  const wider = wanted.scopes.some((scope) => !maker.scopes.includes(scope))
  const longer =
    maker.expires_at !== null &&
    (wanted.expires_at === null || Date.parse(wanted.expires_at) > Date.parse(maker.expires_at))
  return wider || longer ? refusals.key_beyond_its_maker : undefined
}

/** Until when the secret before a rotation opens as well; null: no longer. */
export const formerSecretEnds = (now: string, overlap_hours: number): string | null =>
  overlap_hours === 0 ? null : new Date(Date.parse(now) + overlap_hours * 3_600_000).toISOString()
