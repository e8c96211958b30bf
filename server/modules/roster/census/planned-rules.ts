import type { Day } from '../../../kernel/days.ts'
import { lines, named } from '../../directory/people/rules.ts'
import type { DoneRow, Rostered } from './rules.ts'
import { most_planned_rows, type CensusPlannedRow } from './schemas.ts'

type Told = Record<string, string | null>

/** What is known of somebody, by the names that rows have for it. */
const toldOf = ({ member, employment }: Rostered): Told => ({
  ...Object.fromEntries(named.map((name) => [name, member[name] ?? null])),
  ...Object.fromEntries(lines.map((line) => [`address.${line}`, member.address?.[line] ?? null])),
  'address.county': member.address?.county ?? null,
  reference_id: employment.reference_id,
  start_date: employment.hired_on,
  termination_date: employment.terminated_on,
  employee_class: employment.employee_class,
  compensation_type: employment.compensation_type,
})

const differencesBetween = (before: Told, after: Told): CensusPlannedRow['differences'] =>
  Object.keys(after)
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter(({ before, after }) => before !== after)

const differencesOf = ({ before, after }: Pick<DoneRow, 'before' | 'after'>) =>
  differencesBetween(before ? toldOf(before) : {}, toldOf(after))

/** What a row did to somebody: what changed of who was known, field by field, or all that is told of who is new. */
export type CensusChange = { employee_id: string } & (
  | { differences: CensusPlannedRow['differences']; told?: undefined }
  | { differences?: undefined; told: Told }
)

/** What rows did to people. */
export const changesOf = (done: DoneRow[]): CensusChange[] =>
  done.map(({ before, after }) => {
    const [employee_id, told] = [after.employment.id, toldOf(after)]
    return before ? { employee_id, differences: differencesBetween(toldOf(before), told) } : { employee_id, told }
  })

/** What becomes of people who are missing from a roster: this is their last day. */
export const endsOf = (missing: { id: string; ends_on: Day | null }[], today: Day): CensusChange[] =>
  missing.map(({ id, ends_on }) => ({
    employee_id: id,
    differences: [{ field: 'termination_date', before: ends_on, after: today }],
  }))

/** What rows would do, in their order and field by field; of many rows, of the first ones. */
export const plannedOf = (done: DoneRow[]): CensusPlannedRow[] =>
  done
    .toSorted((a, b) => a.index - b.index)
    .slice(0, most_planned_rows)
    .map(({ index, outcome, before, after }) => ({
      index,
      outcome,
      employee_id: before?.employment.id === after.employment.id ? after.employment.id : null,
      differences: differencesOf({ before, after }),
    }))
