import { newId } from '../../../kernel/ids.ts'
import { invalid, refuse } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { listEmployersElsewhere, listKnownEmployers, saveAleGroup, type AleGroupKey } from './queries.ts'
import { membershipFaults, membershipsOf, refusals } from './rules.ts'
import type { NewAleGroup } from './schemas.ts'

/** Creates an aggregated ALE group and returns its id. */
export async function createAleGroup(ctx: Ctx, organization_id: string, group: NewAleGroup): Promise<string> {
  const ale_group_id = newId('aleg')
  await replaceAleGroup(ctx, { organization_id, ale_group_id }, group)
  return ale_group_id
}

/** Saves the name and the employers of an aggregated ALE group. Refused if an employer belongs to another group. */
export async function replaceAleGroup(ctx: Ctx, key: AleGroupKey, group: NewAleGroup): Promise<void> {
  const memberships = membershipsOf(group)
  const employer_ids = memberships.map(({ employer_id }) => employer_id)
  const { organization_id } = key
  const faults = membershipFaults(memberships, await listKnownEmployers(ctx, { organization_id, employer_ids }))
  if (faults.length > 0) throw invalid(...faults)
  const [elsewhere] = await listEmployersElsewhere(ctx, { ...key, employer_ids })
  const { field = '' } = memberships.find(({ employer_id }) => employer_id === elsewhere) ?? {}
  if (elsewhere) refuse(refusals.employer_in_other_ale_group, { field, message: 'belongs to another group' })
  const ein_employer_ids = memberships.map(({ ein_employer_id }) => ein_employer_id)
  await saveAleGroup(ctx, { ...key, name: group.name, employer_ids, ein_employer_ids })
}
