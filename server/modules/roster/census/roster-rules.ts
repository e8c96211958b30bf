import type { Day } from '../../../kernel/days.ts'
import { soundKey } from '../../../kernel/person-names.ts'
import { each } from '../../../kernel/slices.ts'
import { repetitionsAt } from './repetition-rules.ts'
import { hasLeft, isUnusable, refusals, type StagedRow } from './rules.ts'
import type { RosterRow } from './schemas.ts'

/**
 * Marks the rows that repeat another: of two rows for one person the first is taken, but one of somebody who is here
 * before one of somebody who left, and a later leave before an earlier one. Payroll systems keep a row of each
 * employment.
 */
export function* withoutRepetitions(rows: StagedRow[], today: Day): Generator<void, StagedRow[]> {
  const untilEach = new Map<Day, number[]>()
  yield* each(rows, (row, at) => {
    if (isUnusable(row)) return
    const until = hasLeft(row, today) ? row.termination_date! : today
    const others = untilEach.get(until)
    if (others) others.push(at)
    else untilEach.set(until, [at])
  })
  const days = [...untilEach.keys()].toSorted().toReversed()
  const places = days.flatMap((day) => untilEach.get(day)!)
  const ordered = places.map((at) => rows[at] as RosterRow)
  const repeated = yield* repetitionsAt(ordered)
  const reason = `${refusals.repeated_person.code}: ${refusals.repeated_person.message}`
  const marked = new Map(
    repeated.map(({ at, field, earlier }) => {
      const [row, former] = [ordered[at]!, ordered[earlier]!]
      // A reference that was typed twice by mistake hides somebody else.
      const repeats = field !== 'reference_id' || soundKey(row) === soundKey(former)
      return [places[at]!, { field, reason, repeats }]
    }),
  )
  return rows.map((row, at) => {
    const unusable = marked.get(at)
    return unusable ? { ...row, unusable } : row
  })
}
