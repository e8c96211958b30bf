import type { Ctx } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse, Refusal } from '../../../kernel/refusal.ts'
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
import { refusals, sameDependent, whyNotAdd, whyNotChange, whyNotReinstate, withChanges } from './rules.ts'
import type { DependentChanges, NewDependent } from './schemas.ts'

/** Adds a dependent to the person whose employment this is, former employees included; returns the dependent's id. */
export async function addDependent(
  ctx: Ctx,
  { organization_id, member_id }: EmployeeKey,
  said: NewDependent,
): Promise<string> {
  await requireEmployed(ctx, organization_id)
  refuse(whyNotAdd(said, await findActiveDependents(ctx, organization_id, member_id), ctx.today))
  const id = newId('dep')
  const { suffix = null, gender = null } = said
  await insertDependents(ctx, organization_id, [{ ...said, id, member_id, suffix, gender }])
  return id
}

/** The token of a former employee still reads; what is to be set right then, the partner does. */
async function requireEmployed(ctx: Ctx, organization_id: string): Promise<void> {
  const { employee_id } = ctx.caller.reach
  const employment = employee_id === null ? undefined : await findLastDay(ctx, organization_id, employee_id)
  refuse(employment && whyNotEmployed(employment, ctx.today))
}

/** Changes what is known of a dependent, all or nothing. Coverage that ended with their age follows the new end. */
export async function changeDependent(
  ctx: Ctx,
  { dependent_id, organization_id, member_id }: DependentKey,
  changes: DependentChanges,
): Promise<void> {
  await requireEmployed(ctx, organization_id)
  const active = await findActiveDependents(ctx, organization_id, member_id)
  const former = active.find(({ id }) => id === dependent_id)
  const others = active.filter(({ id }) => id !== dependent_id)
  refuse(whyNotChange(former, changes, others, ctx.today))
  const changed = withChanges(former!, changes)
  if (sameDependent(former!, changed)) return
  const changes_tier = changed.relationship !== former!.relationship
  refuse(
    changes_tier && (await isCovered(ctx, organization_id, dependent_id)) ? refusals.dependent_is_covered : undefined,
  )
  await saveDependent(ctx, organization_id, changed)
  await follow(ctx, { organization_id, dependent_id, member_id })
}

/** Makes today the last day of a dependent; their coverage ends with the month, or with their age before that. */
export async function endDependent(ctx: Ctx, dependent: DependentKey): Promise<void> {
  const { organization_id, dependent_id } = dependent
  await requireEmployed(ctx, organization_id)
  const ended = await saveDependentEnd(ctx, organization_id, dependent_id)
  if (!ended) throw new Refusal(refusals.dependent_already_ended)
  await follow(ctx, dependent)
}

/**
 * Takes the end of a dependent back, as if it had not been told: 409 more than 60 days after it, or when another has
 * taken their place. Who has not ended stays as they are.
 */
export async function reinstateDependent(ctx: Ctx, dependent: DependentKey): Promise<void> {
  const { organization_id, dependent_id, member_id } = dependent
  const ended = await findEndedDependent(ctx, organization_id, dependent_id)
  if (!ended) return
  refuse(whyNotReinstate(ended, await findActiveDependents(ctx, organization_id, member_id), ctx.today))
  await deleteDependentEnd(ctx, organization_id, dependent_id)
  await follow(ctx, dependent)
}

/** Approves that a dependent is disabled: a child then has no age limit, and is covered as if there had been none. */
export async function approveDisability(ctx: Ctx, dependent: DependentKey, reason: string): Promise<void> {
  if (!(await saveDisability(ctx, dependent, reason))) throw new Refusal(refusals.dependent_already_disabled)
  await follow(ctx, dependent)
}

/** Takes that back from today on: coverage of a child who is too old ends with this month, and never earlier. */
export async function withdrawDisability(ctx: Ctx, dependent: DependentKey): Promise<void> {
  if (!(await saveDisabilityEnd(ctx, dependent))) throw new Refusal(refusals.dependent_not_disabled)
  await follow(ctx, dependent)
}

/** The last day covered is as birth and end say now, at once; what follows from it comes within seconds. */
async function follow(ctx: Ctx, { organization_id, dependent_id }: DependentKey): Promise<void> {
  await saveCoveredUntil(ctx, organization_id, dependent_id)
  await ctx.enqueue('follow_dependents', { organization_id, dependent_ids: [dependent_id] })
}
