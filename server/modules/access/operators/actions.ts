import type { OperatorRole } from '../../../runtime/caller.ts'
import type { Ctx, WriteScope } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { sha256 } from '../../../security/secrets.ts'
import { createUser } from '../organizations/actions.ts'
import {
  hasOwner,
  insertOperator,
  insertOperatorKey,
  lockBootstrap,
  lockOwners,
  revokeKeys,
  saveEnd,
  saveKeyRevocation,
  saveRole,
  type OperatorKeyPath,
  type OperatorPath,
} from './queries.ts'
import { endOfKey, newOperatorKey, whyNotBootstrap, whyNotHandleKeys, whyNotRemoveOwner } from './rules.ts'
import type { NewOperator, NewOperatorKey } from './schemas.ts'

/** The id of a new operator key and its secret, which cannot be retrieved later. */
export type IssuedOperatorKey = { id: string; operator_key: string }

/** Creates a key for an operator. Refuses with 400 if the expiry is in the past or more than 366 days ahead. */
async function createOperatorKey(
  ctx: WriteScope,
  operator_id: string,
  key: NewOperatorKey,
): Promise<IssuedOperatorKey> {
  const expires_at = endOfKey(key.expires_at, ctx.real_now)
  if (expires_at instanceof Refusal) throw expires_at
  const id = newId('opkey')
  const operator_key = newOperatorKey()
  await insertOperatorKey(ctx, {
    id,
    user_id: operator_id,
    name: key.name,
    secret_hash: sha256(operator_key),
    last_four: operator_key.slice(-4),
    created_by: ctx.caller.user_id,
    expires_at,
  })
  return { id, operator_key }
}

/** Creates a user who is an operator, with a first key. */
export async function createOperator(ctx: WriteScope, { role, key, ...user }: NewOperator) {
  const operator_id = await createUser(ctx, user)
  await insertOperator(ctx, { operator_id, role })
  return { operator_id, key: await createOperatorKey(ctx, operator_id, key ?? { name: 'First key' }) }
}

/**
 * Creates an operator on request. An owner can create any operator. The bootstrap key can only create the first owner:
 * it is refused with 400 for another role, and with 409 if there already is an owner.
 */
export async function appointOperator(ctx: Ctx, operator: NewOperator) {
  if (ctx.caller.operator_role === 'bootstrap') {
    await lockBootstrap(ctx)
    refuse(whyNotBootstrap(operator.role, await hasOwner(ctx)))
  }
  return createOperator(ctx, operator)
}

/** Changes the role of an operator, including that of existing keys. Refuses with 409 if no owner would be left. */
export async function changeRole(ctx: Ctx, { operator_id }: OperatorPath, role: OperatorRole): Promise<void> {
  if (role !== 'owner') refuse(whyNotRemoveOwner(await lockOwners(ctx), operator_id))
  if (!(await saveRole(ctx, { operator_id, role }))) throw new Refusal(generic.not_found)
}

/** Removes an operator's role and revokes the keys permanently. Refuses with 409 if no owner would be left. */
export async function removeOperator(ctx: Ctx, { operator_id }: OperatorPath): Promise<void> {
  refuse(whyNotRemoveOwner(await lockOwners(ctx), operator_id))
  if (!(await saveEnd(ctx, { operator_id }))) throw new Refusal(generic.not_found)
  await revokeKeys(ctx, { operator_id })
}

/** Creates a key for the caller, or for another operator if the caller is an owner. */
export async function issueOperatorKey(ctx: Ctx, { operator_id }: OperatorPath, key: NewOperatorKey) {
  refuse(whyNotHandleKeys(ctx.caller, operator_id))
  return createOperatorKey(ctx, operator_id, key)
}

/** Revokes a key of the caller, or of another operator if the caller is an owner. */
export async function revokeOperatorKey(ctx: Ctx, { operator_key_id, operator_id }: OperatorKeyPath): Promise<void> {
  refuse(whyNotHandleKeys(ctx.caller, operator_id))
  if (!(await saveKeyRevocation(ctx, { operator_key_id }))) throw new Refusal(generic.not_found)
}
