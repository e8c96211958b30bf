import type { FindFault } from '../../platform/endpoint.ts'
import type { GroupMemberRow } from './schemas.ts'

/** Finds rows that repeat the reference of an earlier row. */
export function repetitionFinder(): FindFault {
  const first = new Map<string, number>()
  return ({ reference_id }: GroupMemberRow, index) => {
    const earlier = first.get(reference_id)
    if (earlier === undefined) first.set(reference_id, index)
    const message = `repeats that of members[${earlier}]`
    return earlier === undefined ? undefined : { field: `members[${index}].reference_id`, message }
  }
}
