import { key_days } from './schemas.ts'
import type { Caller, OperatorRole } from '../../../runtime/caller.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { day_ms } from '../../../kernel/days.ts'
import { declareRefusals, generic, invalid, type Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { isMintedKey, mintKey } from '../../../security/secrets.ts'

export const refusals = declareRefusals({
  last_owner: [
    409,
    'The installation must have at least one owner.',
    'Make another operator an owner, then change or remove this one.',
  ],
  owner_exists: [
    409,
    'The installation already has an owner. The bootstrap key can only create the first one.',
    'Sign in as an owner, or create one with `openbenefits owner` on the machine of the service.',
  ],
})

const prefix = 'obop_'

/** A new operator key, `obop_…`. Shown once; only its SHA-256 hash is stored. */
export const newOperatorKey = (): string => mintKey(prefix)

export const isOperatorKey = (text: string): boolean => isMintedKey(prefix, text)

/** The expiry of a new operator key. Returns a Refusal if the requested expiry is in the past or too far ahead. */
export function endOfKey(requested: string | null | undefined, now: string): string | Refusal {
  const made = Date.parse(now)
  const ends = requested == null ? made + key_days.usual * day_ms : Date.parse(requested)
  if (ends <= made) return invalid({ field: 'expires_at', message: 'must be in the future' })
  if (ends > made + key_days.most * day_ms)
    return invalid({ field: 'expires_at', message: `must be within ${key_days.most} days` })
  return new Date(ends).toISOString()
}

/** Refuses access to the keys of another operator unless the caller is an owner. */
export const whyNotHandleKeys = (
  { user_id, operator_role }: Pick<Caller, 'user_id' | 'operator_role'>,
  operator_id: string,
): RefusalKind | undefined => (operator_role === 'owner' || user_id === operator_id ? undefined : generic.forbidden)

/** Refuses to remove the last owner. `owners` are the users who are owners now. */
export const whyNotRemoveOwner = (owners: string[], operator_id: string): RefusalKind | undefined =>
  owners.length === 1 && owners[0] === operator_id ? refusals.last_owner : undefined

/** Refuses the bootstrap key, unless it creates the first owner. */
export function whyNotBootstrap(role: OperatorRole, has_owner: boolean): RefusalKind | Refusal | undefined {
  if (role !== 'owner')
    return invalid({ field: 'role', message: 'must be owner, because the first operator is an owner' })
  return has_owner ? refusals.owner_exists : undefined
}

/** A stored operator key or session, with the current role of its operator. */
export type OperatorCredential = {
  key_id: string
  user_id: string
  role: OperatorRole
  expires_at: string
  /** Sessions only: when the operator signed in. */
  signed_in_at: string | null
}

/** The caller behind an operator key or a token of an operator's session. */
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

/** The caller behind the bootstrap key from the settings, which is valid until the installation has an owner. */
export const bootstrapCaller: Caller = {
  ...serviceCaller(null),
  kind: 'operator',
  credential_id: 'bootstrap',
  operator_role: 'bootstrap',
}
