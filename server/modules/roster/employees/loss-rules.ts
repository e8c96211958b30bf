import { addDays, type Day } from '../../../kernel/days.ts'

/** Consecutive days on which an enrollment covers an employee, inclusive. */
export type CoveredDays = { employee_id: string; benefit_id: string; enrollment_id: string; from: Day; until: Day }

/**
 * Returns the days of `before` on which `after` no longer covers the employee with that benefit, as ranges. Any
 * enrollment of the benefit counts, so replacing one enrollment by another loses nothing.
 */
export function lostCoverage(before: CoveredDays[], after: CoveredDays[]): CoveredDays[] {
  const keyOf = ({ employee_id, benefit_id }: CoveredDays) => `${employee_id} ${benefit_id}`
  const kept = Map.groupBy(
    after.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    keyOf,
  )
  return before.flatMap((span) => {
    const lost: CoveredDays[] = []
    let from = span.from
    for (const one of kept.get(keyOf(span)) ?? []) {
      if (one.until < from || one.from > span.until) continue
      if (one.from > from) lost.push({ ...span, from, until: addDays(one.from, -1) })
      from = addDays(one.until, 1)
    }
    return from <= span.until ? [...lost, { ...span, from }] : lost
  })
}
