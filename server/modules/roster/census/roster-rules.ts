import type { Day } from '../../../kernel/days.ts'
import { comparableNameKey } from '../../../kernel/person-names.ts'
import { each } from '../../../kernel/concurrency/time-slices.ts'
import { repetitionsAt } from './repetition-rules.ts'
import { hasLeft, isUnusable, refusals, type StagedRow } from './rules.ts'
import type { RosterRow } from './schemas.ts'

/**
 * Marks rows that repeat another one. Payroll systems keep a row for each employment, so of two rows for one person,
 * the current employee's row wins over a former employee's, the later last day wins over an earlier one, and otherwise
 * the first row wins.
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
  const positions = days.flatMap((day) => untilEach.get(day)!)
  const ordered = positions.map((at) => rows[at] as RosterRow)
  const repeated = yield* repetitionsAt(ordered)
  const reason = `${refusals.repeated_person.code}: ${refusals.repeated_person.message}`
  const marked = new Map(
    repeated.map(({ at, field, earlier }) => {
      const [row, former] = [ordered[at]!, ordered[earlier]!]
      // A reference that was entered twice by mistake must not hide another person.
      const repeats = field !== 'reference_id' || comparableNameKey(row) === comparableNameKey(former)
      return [positions[at]!, { field, reason, repeats }]
    }),
  )
  return rows.map((row, at) => {
    const unusable = marked.get(at)
    return unusable ? { ...row, unusable } : row
  })
}
