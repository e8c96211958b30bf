import { rowInWords } from '../../../kernel/refusal.ts'
import type { FindFault } from '../../../http/endpoint.ts'

/** Finds rows that repeat the reference of an earlier row. */
export function repetitionFinder(): FindFault {
  const first = new Map<string, number>()
  return ({ reference_id }: { reference_id: string }, index) => {
    const earlier = first.get(reference_id)
    if (earlier === undefined) return void first.set(reference_id, index)
    return { field: `members[${index}].reference_id`, message: `repeats that of ${rowInWords(earlier)}` }
  }
}
