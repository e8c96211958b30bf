import type { Caller, OperatorRole } from '../../../runtime/caller.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { declareRefusals, generic, invalid, type Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { isMintedKey, mintKey } from '../../../security/secrets.ts'

export const refusals = declareRefusals({
  last_owner: [
    409,
    'Somebody must own the installation: make another operator an owner first.',
    'Make another operator an owner, then change or dismiss this one.',
  ],
  owner_exists: [
    409,
    'The installation has an owner by now; the bootstrap key makes the first one only.',
    'Sign in as an owner, or make one by `npm run owner`.',
  ],
})

const prefix = 'obop_'

/** A new operator key, `obop_…`. Shown once; only its SHA-256 is stored. */
export const newOperatorKey = (): string => mintKey(prefix)

/** Whether a text can be an operator key. */
export const isOperatorKey = (text: string): boolean => isMintedKey(prefix, text)

const day_ms = 86_400_000
const usual_days = 90
const most_days = 366

/** When a new key ends, as an instant: as asked, else after 90 days; a Refusal for one that is over or too far off. */
export function endOfKey(asked: string | null | undefined, now: string): string | Refusal {
  const made = Date.parse(now)
  const ends = asked == null ? made + usual_days * day_ms : Date.parse(asked)
  if (ends <= made) return invalid({ field: 'expires_at', message: 'must lie ahead' })
  if (ends > made + most_days * day_ms)
    return invalid({ field: 'expires_at', message: `must be within ${most_days} days` })
  return new Date(ends).toISOString()
}

/** Why a caller may not handle the keys of an operator, if so: one's own are, and an owner those of all. */
export const whyNotHandleKeys = (
  { user_id, operator_role }: Pick<Caller, 'user_id' | 'operator_role'>,
  operator_id: string,
): RefusalKind | undefined => (operator_role === 'owner' || user_id === operator_id ? undefined : generic.forbidden)

/** Why an operator may not lose the role of an owner, if so. `owners`: the users who are owners now. */
export const whyNotStepDown = (owners: string[], operator_id: string): RefusalKind | undefined =>
  owners.length === 1 && owners[0] === operator_id ? refusals.last_owner : undefined

/** Why the bootstrap key may not make an operator, if so. */
export function whyNotBootstrap(role: OperatorRole, has_owner: boolean): RefusalKind | Refusal | undefined {
  if (role !== 'owner') return invalid({ field: 'role', message: 'must be owner: the first operator is one' })
  return has_owner ? refusals.owner_exists : undefined
}

/** An operator key or a session as stored, with the role of its operator today. */
export type OperatorCredential = {
  key_id: string
  user_id: string
  role: OperatorRole
  expires_at: string
  /** of a session: when its operator signed in */
  signed_in_at: string | null
}

/** The caller behind an operator key, or the token of an operator's session. */
export const operatorCaller = ({ key_id, user_id, role, expires_at, signed_in_at }: OperatorCredential): Caller => ({
  ...serviceCaller(null),
  kind: 'operator',
  credential_id: key_id,
  key_id,
  user_id,
  operator_role: role,
  expires_at,
  signed_in_at,
})

/** The caller behind the key from the settings, while nobody owns the installation. */
export const bootstrapCaller: Caller = {
  ...serviceCaller(null),
  kind: 'operator',
  credential_id: 'bootstrap',
  operator_role: 'bootstrap',
}
