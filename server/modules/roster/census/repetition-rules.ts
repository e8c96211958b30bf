import { rowInWords } from '../../../kernel/refusal.ts'
import { each } from '../../../kernel/concurrency/time-slices.ts'
import type { FindFault } from '../../../http/endpoint.ts'
import { Repetitions, type Candidate } from '../../directory/identities/rules.ts'

/** Finds rows that repeat the reference or the person of an earlier row, with the field that shows it. */
export function* repetitionsAt(rows: Candidate[]): Generator<void, { at: number; field: string; earlier: number }[]> {
  const repetitions = new Repetitions()
  const found = yield* each(rows, (row, at) => repetitions.find(row, at))
  return found.flatMap((repetition, at) => (repetition ? { at, ...repetition } : []))
}

/** Finds repeated rows for the validation of a submission. */
export function repetitionFinder(): FindFault {
  const repetitions = new Repetitions()
  const references: Candidate['reference_id'][] = []
  return (row: Candidate, at) => {
    references[at] = row.reference_id
    const found = repetitions.find(row, at)
    if (!found) return undefined
    const { field, earlier } = found
    return {
      field: `employees[${at}].${field}`,
      message: `is the same as in ${rowInWords(earlier, references[earlier])}`,
    }
  }
}
