import { rowInWords } from '../../../kernel/refusal.ts'
import { each } from '../../../kernel/slices.ts'
import type { FindFault } from '../../../http/endpoint.ts'
import { Repetitions } from '../../directory/identities/rules.ts'
import type { RosterRow } from './schemas.ts'

/** Rows that repeat a reference or a person of an earlier row, with the field that tells. */
export function* repetitionsAt(rows: RosterRow[]): Generator<void, { at: number; field: string; earlier: number }[]> {
  const repetitions = new Repetitions()
  const found = yield* each(rows, (row, at) => repetitions.find(row, at))
  return found.flatMap((repetition, at) => (repetition ? { at, ...repetition } : []))
}

/** The same as what is wrong with a submission. */
export function repetitionFinder(): FindFault {
  const repetitions = new Repetitions()
  const references: RosterRow['reference_id'][] = []
  return (row: RosterRow, at) => {
    references[at] = row.reference_id
    const found = repetitions.find(row, at)
    if (!found) return undefined
    const { field, earlier } = found
    return {
      field: `employees[${at}].${field}`,
      message: `repeats that of ${rowInWords(earlier, references[earlier])}`,
    }
  }
}
