import type { Ctx } from '../../platform/ctx.ts'
import { newId } from '../../kernel/ids.ts'
import { generic, refuse, Refusal } from '../../kernel/refusal.ts'
import { locateEmployee } from '../auth/queries.ts'
import { isCovered, saveCoveredUntil } from '../elections/queries.ts'
import { lockOrganization } from '../organizations/queries.ts'
import {
  findActiveDependents,
  locateDependent,
  findLastDay,
  insertDependent,
  saveDependent,
  saveDependentEnd,
} from './queries.ts'
import {
  dependent_already_ended,
  dependent_is_covered,
  sameDependent,
  whyNotAdd,
  whyNotChange,
  whyNotEmployed,
  withChanges,
} from './rules.ts'
import type { DependentChanges, NewDependent } from './schemas.ts'

/** Adds a dependent to the person whose employment this is, former employees included; returns the dependent's id. */
export async function addDependent(ctx: Ctx, employee_id: string, said: NewDependent): Promise<string> {
  const place = await locateEmployee(ctx, { employee_id })
  if (!place) throw new Refusal(generic.not_found)
  const { organization_id, member_id } = place
  await lockOrganization(ctx, organization_id)
  await requireEmployed(ctx, organization_id)
  refuse(whyNotAdd(said, await findActiveDependents(ctx, organization_id, member_id), ctx.today))
  const id = newId('dep')
  await insertDependent(ctx, organization_id, member_id, {
    ...said,
    id,
    suffix: said.suffix ?? null,
    gender: said.gender ?? null,
  })
  return id
}

/** The token of a former employee still reads; what is to be set right then, the partner does. */
async function requireEmployed(ctx: Ctx, organization_id: string): Promise<void> {
  const { employee_id } = ctx.caller.reach
  const employment = employee_id === null ? undefined : await findLastDay(ctx, organization_id, employee_id)
  refuse(employment && whyNotEmployed(employment, ctx.today))
}

/** A dependent's organization and person, under the organization's lock. */
async function enterDependent(ctx: Ctx, dependent_id: string) {
  const place = await locateDependent(ctx, { dependent_id })
  if (!place) throw new Refusal(generic.not_found)
  await lockOrganization(ctx, place.organization_id)
  await requireEmployed(ctx, place.organization_id)
  return place
}

/** Changes what is known of a dependent, all or nothing. Coverage that ended with their age follows the new end. */
export async function changeDependent(ctx: Ctx, dependent_id: string, changes: DependentChanges): Promise<void> {
  const { organization_id, member_id } = await enterDependent(ctx, dependent_id)
  const active = await findActiveDependents(ctx, organization_id, member_id)
  const former = active.find(({ id }) => id === dependent_id)
  const others = active.filter(({ id }) => id !== dependent_id)
  refuse(whyNotChange(former, changes, others, ctx.today))
  const changed = withChanges(former!, changes)
  if (sameDependent(former!, changed)) return
  const changes_tier = changed.relationship !== former!.relationship
  refuse(changes_tier && (await isCovered(ctx, organization_id, dependent_id)) ? dependent_is_covered : undefined)
  await saveDependent(ctx, organization_id, changed)
  await saveCoveredUntil(ctx, organization_id, dependent_id)
}

/** Makes today the last day of a dependent; their coverage ends with the month, or with their age before that. */
export async function endDependent(ctx: Ctx, dependent_id: string): Promise<void> {
  const { organization_id } = await enterDependent(ctx, dependent_id)
  const ended = await saveDependentEnd(ctx, organization_id, dependent_id)
  if (!ended) throw new Refusal(dependent_already_ended)
  await saveCoveredUntil(ctx, organization_id, dependent_id)
}
