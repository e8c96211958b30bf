import { lines, named } from '../people/rules.ts'
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

export type CensusChange = Pick<CensusPlannedRow, 'differences'> & { employee_id: string }

/** What rows changed of people who were known, field by field. */
export const changesOf = (done: DoneRow[]): CensusChange[] =>
  done.flatMap(({ before, after }) =>
    before
      ? [{ employee_id: after.employment.id, differences: differencesBetween(toldOf(before), toldOf(after)) }]
      : [],
  )

/** What rows would do, in their order and field by field; of many rows, of the first ones. */
export const plannedOf = (done: DoneRow[]): CensusPlannedRow[] =>
  done
    .toSorted((a, b) => a.index - b.index)
    .slice(0, most_planned_rows)
    .map(({ index, outcome, before, after }) => ({
      index,
      outcome,
      employee_id: before?.employment.id === after.employment.id ? after.employment.id : null,
      differences: differencesBetween(before ? toldOf(before) : {}, toldOf(after)),
    }))
