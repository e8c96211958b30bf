import type { Detail } from '../../kernel/refusal.ts'
import { atOnce, each } from '../../kernel/slices.ts'
import { Repetitions } from '../identities/rules.ts'
import type { RosterRow } from './schemas.ts'

/** Rows that repeat a reference or a person of an earlier row, with the field that tells. */
export function* repetitionsAt(rows: RosterRow[]): Generator<void, { at: number; field: string; earlier: number }[]> {
  const repetitions = new Repetitions()
  const found = yield* each(rows, (row, at) => repetitions.find(row, at))
  return found.flatMap((repetition, at) => (repetition ? { at, ...repetition } : []))
}

/** The same as what is wrong with a submission. */
export const repetitionsIn = (rows: RosterRow[]): Detail[] =>
  atOnce(repetitionsAt(rows)).map(({ at, field, earlier }) => ({
    field: `employees[${at}].${field}`,
    message: `repeats that of employees[${earlier}]`,
  }))
