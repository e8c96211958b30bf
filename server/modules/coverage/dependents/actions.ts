import type { Ctx } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse, Refusal } from '../../../kernel/refusal.ts'
import { recordEvents } from '../../../runtime/events.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { isCovered, saveCoveredUntil } from '../elections/queries.ts'
import { whyNotEmployed } from '../elections/rules.ts'
import {
  deleteDependentEnd,
  findActiveDependents,
  findEndedDependent,
  findLastDay,
  insertDependents,
  saveDependent,
  saveDependentEnd,
  saveDisability,
  saveDisabilityEnd,
  type DependentKey,
} from './queries.ts'
import { findAttachable, saveStatus } from './verification-queries.ts'
import {
  isSameRelation,
  refusals,
  sameDependent,
  whyNotAdd,
  whyNotChange,
  whyNotReinstate,
  withChanges,
} from './rules.ts'
import type { DependentChanges, NewDependent } from './schemas.ts'

/** Adds a dependent to the person of an employment, past or current. Returns the id of the dependent. */
export async function addDependent(
  ctx: Ctx,
  { organization_id, member_id }: EmployeeKey,
  input: NewDependent,
): Promise<string> {
  await requireEmployed(ctx, organization_id)
  refuse(whyNotAdd(input, await findActiveDependents(ctx, { organization_id, member_id }), ctx.today))
  const id = newId('dep')
  const { suffix = null, gender = null, address = null } = input
  await insertDependents(ctx, organization_id, [{ ...input, id, member_id, suffix, gender, address }])
  return id
}

/** Refuses the tokens of former employees, which can only read. Partners make corrections after the last day. */
export async function requireEmployed(ctx: Ctx, organization_id: string): Promise<void> {
  const { employee_id } = ctx.caller.reach
  const employment = employee_id === null ? undefined : await findLastDay(ctx, { organization_id, employee_id })
  refuse(employment && whyNotEmployed(employment, ctx.today))
}

/** Changes the data of a dependent, all or nothing. If the end of coverage depends on the age, it moves accordingly. */
export async function changeDependent(ctx: Ctx, dependent: DependentKey, changes: DependentChanges): Promise<void> {
  const { dependent_id, organization_id, member_id } = dependent
  await requireEmployed(ctx, organization_id)
  const active = await findActiveDependents(ctx, { organization_id, member_id })
  const former = active.find(({ id }) => id === dependent_id)
  const others = active.filter(({ id }) => id !== dependent_id)
  refuse(whyNotChange(former, changes, others, ctx.today))
  const changed = withChanges(former!, changes)
  if (sameDependent(former!, changed)) return
  const changes_tier = changed.relationship !== former!.relationship
  refuse(
    changes_tier && (await isCovered(ctx, { organization_id, dependent_id }))
      ? refusals.dependent_is_covered
      : undefined,
  )
  await saveDependent(ctx, { ...changed, organization_id })
  if (!isSameRelation(former!, changed))
    await withdrawDecision(ctx, dependent, (await findAttachable(ctx, dependent)).attachment_count)
  await updateCoverageEnd(ctx, dependent)
}

/** Withdraws the decision about the relationship. Documents wait for another decision. */
export async function withdrawDecision(ctx: Ctx, dependent: DependentKey, document_count: number): Promise<void> {
  const { organization_id, dependent_id } = dependent
  const status = document_count > 0 ? 'pending' : 'unverified'
  if ((await saveStatus(ctx, { organization_id, dependent_id, status })) && status === 'pending')
    await publishVerification(ctx, dependent, 'requested')
}

export const publishVerification = (
  ctx: Ctx,
  { organization_id, dependent_id }: DependentKey,
  change: 'requested' | 'decided',
) => recordEvents(ctx, [{ event_name: `dependent.verification_${change}`, organization_id, resource_id: dependent_id }])

/** Makes today the last day of a dependent. Coverage ends with this month, or earlier if the age limit applies. */
export async function endDependent(ctx: Ctx, dependent: DependentKey): Promise<void> {
  const { organization_id, dependent_id } = dependent
  await requireEmployed(ctx, organization_id)
  const ended = await saveDependentEnd(ctx, { organization_id, dependent_id })
  if (!ended) throw new Refusal(refusals.dependent_already_ended)
  await updateCoverageEnd(ctx, dependent)
}

/**
 * Reverses the end of a dependent. Refused with 409 more than `days_to_reinstate` after the end, and if an active
 * dependent conflicts, such as a new spouse. Does nothing if the dependent has not ended.
 */
export async function reinstateDependent(ctx: Ctx, dependent: DependentKey): Promise<void> {
  const { organization_id, dependent_id, member_id } = dependent
  const ended = await findEndedDependent(ctx, { organization_id, dependent_id })
  if (!ended) return
  refuse(whyNotReinstate(ended, await findActiveDependents(ctx, { organization_id, member_id }), ctx.today))
  await deleteDependentEnd(ctx, { organization_id, dependent_id })
  await updateCoverageEnd(ctx, dependent)
}

/**
 * Approves the disability of a dependent. A disabled child has no age limit and is covered as if there had never been
 * one.
 */
export async function approveDisability(ctx: Ctx, dependent: DependentKey, reason: string): Promise<void> {
  if (!(await saveDisability(ctx, { ...dependent, reason }))) throw new Refusal(refusals.dependent_already_disabled)
  await updateCoverageEnd(ctx, dependent)
}

/** Withdraws the approval as of today. Coverage of a child over the age limit ends with this month, never earlier. */
export async function withdrawDisability(ctx: Ctx, dependent: DependentKey): Promise<void> {
  if (!(await saveDisabilityEnd(ctx, dependent))) throw new Refusal(refusals.dependent_not_disabled)
  await updateCoverageEnd(ctx, dependent)
}

/** Updates the last day of coverage immediately. A job updates the elections that name the dependent. */
async function updateCoverageEnd(ctx: Ctx, { organization_id, dependent_id }: DependentKey): Promise<void> {
  await saveCoveredUntil(ctx, { organization_id, dependent_id })
  await ctx.enqueue('follow_dependents', { organization_id, dependent_ids: [dependent_id] })
}
