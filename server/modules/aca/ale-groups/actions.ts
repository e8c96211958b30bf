import { newId } from '../../../kernel/ids.ts'
import { invalid, refuse } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { touchEmployers } from '../../directory/employers/queries.ts'
import {
  listEmployersElsewhere,
  listEmployersOfGroup,
  listKnownEmployers,
  removeAleGroup,
  saveAleGroup,
  type AleGroupKey,
} from './queries.ts'
import { employersToMeasure, membershipFaults, membershipsOf, refusals } from './rules.ts'
import type { NewAleGroup } from './schemas.ts'

/** Enqueues a measurement of the employees by their recorded hours. Repeated requests share one job. */
export const requestMeasurement = (ctx: Ctx, { organization_id, employer_id }: EmployerKey) =>
  ctx.enqueue('measure_employer', { organization_id, employer_id }, { key: `measure:${employer_id}` })

/** Measures the people whose total hours the change affects, and marks all employers of the group as changed. */
async function remeasureGroup(ctx: Ctx, organization_id: string, former: string[], current: string[]) {
  await touchEmployers(ctx, { organization_id, employer_ids: [...new Set([...former, ...current])] })
  for (const employer_id of employersToMeasure(former, current))
    await requestMeasurement(ctx, { organization_id, employer_id })
}

export async function createAleGroup(ctx: Ctx, organization_id: string, group: NewAleGroup): Promise<string> {
  const ale_group_id = newId('aleg')
  await replaceAleGroup(ctx, { organization_id, ale_group_id }, group)
  return ale_group_id
}

/**
 * Saves the name and the employers of an aggregated ALE group. Jobs measure the people whose total hours the change
 * affects. Refused if an employer belongs to another group.
 */
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
  const former = await listEmployersOfGroup(ctx, key)
  await saveAleGroup(ctx, { ...key, name: group.name, employer_ids, ein_employer_ids })
  await remeasureGroup(ctx, organization_id, former, employer_ids)
}

export async function deleteAleGroup(ctx: Ctx, key: AleGroupKey): Promise<void> {
  const former = await listEmployersOfGroup(ctx, key)
  await removeAleGroup(ctx, key)
  await remeasureGroup(ctx, key.organization_id, former, [])
}
