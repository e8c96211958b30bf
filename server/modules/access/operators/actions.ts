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
import { endOfKey, newOperatorKey, whyNotBootstrap, whyNotHandleKeys, whyNotStepDown } from './rules.ts'
import type { NewOperator, NewOperatorKey } from './schemas.ts'

/** What is told once of a new key. */
export type HandedKey = { id: string; operator_key: string }

/**
 * Makes a key for an operator and returns it, which is not to be had again. 400 for an end that is over or more than
 * 366 days off.
 */
export async function createOperatorKey(ctx: WriteScope, operator_id: string, key: NewOperatorKey): Promise<HandedKey> {
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

/** Makes somebody an operator, with a first key. */
export async function createOperator(ctx: WriteScope, { role, key, ...user }: NewOperator) {
  const operator_id = await createUser(ctx, user)
  await insertOperator(ctx, operator_id, role)
  return { operator_id, key: await createOperatorKey(ctx, operator_id, key ?? { name: 'First key' }) }
}

/**
 * The same as asked for: an owner makes any operator, the bootstrap key the first owner (400 for another role, 409 when
 * somebody was faster).
 */
export async function appointOperator(ctx: Ctx, operator: NewOperator) {
  if (ctx.caller.operator_role === 'bootstrap') {
    await lockBootstrap(ctx)
    refuse(whyNotBootstrap(operator.role, await hasOwner(ctx)))
  }
  return createOperator(ctx, operator)
}

/** Gives an operator another role, with which their keys go on; 409 when nobody would own the installation. */
export async function changeRole(ctx: Ctx, { operator_id }: OperatorPath, role: OperatorRole): Promise<void> {
  if (role !== 'owner') refuse(whyNotStepDown(await lockOwners(ctx), operator_id))
  if (!(await saveRole(ctx, operator_id, role))) throw new Refusal(generic.not_found)
}

/** Takes an operator's role and revokes their keys, for good; 409 when nobody would own the installation. */
export async function dismissOperator(ctx: Ctx, { operator_id }: OperatorPath): Promise<void> {
  refuse(whyNotStepDown(await lockOwners(ctx), operator_id))
  if (!(await saveEnd(ctx, operator_id))) throw new Refusal(generic.not_found)
  await revokeKeys(ctx, operator_id)
}

/** Makes a key for oneself, or as an owner for another operator. */
export async function handOutOperatorKey(ctx: Ctx, { operator_id }: OperatorPath, key: NewOperatorKey) {
  refuse(whyNotHandleKeys(ctx.caller, operator_id))
  return createOperatorKey(ctx, operator_id, key)
}

/** Revokes a key of one's own, or as an owner of another operator. */
export async function revokeOperatorKey(ctx: Ctx, { operator_key_id, operator_id }: OperatorKeyPath): Promise<void> {
  refuse(whyNotHandleKeys(ctx.caller, operator_id))
  if (!(await saveKeyRevocation(ctx, operator_key_id))) throw new Refusal(generic.not_found)
}
