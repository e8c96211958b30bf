import { declareRefusals, type Detail } from '../../../kernel/refusal.ts'
import type { NewAleGroup } from './schemas.ts'

export const refusals = declareRefusals({
  employer_in_other_ale_group: [
    409,
    'An employer belongs to another aggregated ALE group.',
    'Find the group by `GET /v1/ale-groups`, and remove the employer there first.',
  ],
})

/** An employer of a group, and the employer whose EIN its people work under. */
export type AleMembership = { employer_id: string; ein_employer_id: string; field: string }

export type EinMembership = Omit<AleMembership, 'field'>

/**
 * The employers whose people have other hours after a change of a group: those that join or leave an EIN, and those
 * that work under that EIN before or after.
 */
export function employersToMeasure(before: EinMembership[], after: EinMembership[]): string[] {
  const einIn = (memberships: EinMembership[]) => {
    const eins = new Map(memberships.map(({ employer_id, ein_employer_id }) => [employer_id, ein_employer_id]))
    return (employer_id: string) => eins.get(employer_id) ?? employer_id
  }
  const [einBefore, einAfter] = [einIn(before), einIn(after)]
  const ids = [...new Set([...before, ...after].map(({ employer_id }) => employer_id))]
  const changed = ids.filter((id) => einBefore(id) !== einAfter(id))
  const eins = new Set(changed.flatMap((id) => [einBefore(id), einAfter(id)]))
  return ids.filter((id) => eins.has(einBefore(id)) || eins.has(einAfter(id)))
}

/** The employers of a group with their fields in the request. */
export const membershipsOf = ({ members }: NewAleGroup): AleMembership[] =>
  members.flatMap(({ employer_id, employer_ids = [] }, at) => [
    { employer_id, ein_employer_id: employer_id, field: `members[${at}].employer_id` },
    ...employer_ids.map((id, index) => ({
      employer_id: id,
      ein_employer_id: employer_id,
      field: `members[${at}].employer_ids[${index}]`,
    })),
  ])

/** Employers that are repeated, or that are not among the known ones of the organization. */
export function membershipFaults(memberships: AleMembership[], known_ids: string[]): Detail[] {
  const known = new Set(known_ids)
  const seen = new Set<string>()
  return memberships.flatMap(({ employer_id, field }) => {
    const is_repeated = seen.has(employer_id)
    seen.add(employer_id)
    if (is_repeated) return [{ field, message: 'repeats an employer of the group' }]
    return known.has(employer_id) ? [] : [{ field, message: 'is no employer of the organization' }]
  })
}
