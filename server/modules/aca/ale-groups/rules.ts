import { declareRefusals, type Detail } from '../../../kernel/refusal.ts'
import type { NewAleGroup } from './schemas.ts'

export const refusals = declareRefusals({
  employer_in_other_ale_group: [
    409,
    'An employer belongs to another aggregated ALE group.',
    'Find the group with `GET /v1/ale-groups`, and remove the employer there first.',
  ],
})

/** An employer of a group, and the employer whose EIN its people work under. */
export type AleMembership = { employer_id: string; ein_employer_id: string; field: string }

/**
 * The employers whose people may have other total hours after a change of a group: all of them, if one joins or leaves
 * it.
 */
export function employersToMeasure(before: readonly string[], after: readonly string[]): string[] {
  const [former, current] = [new Set(before), new Set(after)]
  return former.symmetricDifference(current).size === 0 ? [] : [...former.union(current)]
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
    return known.has(employer_id) ? [] : [{ field, message: 'is not an employer of the organization' }]
  })
}
