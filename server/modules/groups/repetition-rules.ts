import type { Detail } from '../../kernel/refusal.ts'
import type { GroupMemberRow } from './schemas.ts'

/** Rows that repeat the reference of an earlier row. */
export function repetitionsIn(rows: GroupMemberRow[]): Detail[] {
  const first = new Map<string, number>()
  return rows.flatMap(({ reference_id }, index) => {
    const earlier = first.get(reference_id)
    if (earlier === undefined) first.set(reference_id, index)
    const message = `repeats that of members[${earlier}]`
    return earlier === undefined ? [] : [{ field: `members[${index}].reference_id`, message }]
  })
}
