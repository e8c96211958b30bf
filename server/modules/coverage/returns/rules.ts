import type { Day } from '../../../kernel/days.ts'
import { boughtPlan, type BoughtPlan } from '../elections/price-rules.ts'
import { tierOf, type ElectionFacts, type EnrollmentFacts, type Step } from '../elections/rules.ts'

/** A resumed election, the reported data about its plan, and the dependents without further coverage. */
type ReturnedElection = { step: Step; reported: BoughtPlan; removed_dependent_ids: string[] }

/**
 * Returns the election on the last day before the employee left, from the first new day of coverage: the same plan for
 * the dependents with possible coverage, with the coverage level that fits them. Undefined without an election.
 */
export function returnedElection(
  elections: ElectionFacts[],
  dependents: EnrollmentFacts['dependents'],
  last_day: Day,
  start: Day,
): ReturnedElection | undefined {
  const last = elections.findLast(({ effective_on }) => effective_on <= last_day)
  if (!last) return undefined
  const { dependent_ids, removed_dependent_ids = [] } = elections.findLast(
    ({ effective_on, follows }) => !follows && effective_on <= last_day,
  )!
  const chosen = dependents.filter(({ id }) => dependent_ids.includes(id) || removed_dependent_ids.includes(id))
  const people = chosen.filter(({ covered_until }) => (covered_until ?? start) >= start)
  return {
    step: {
      day: start,
      plan_id: last.plan_id,
      coverage_tier: tierOf(people),
      dependent_ids: people.map(({ id }) => id),
    },
    reported: boughtPlan(last),
    removed_dependent_ids: chosen.filter((dependent) => !people.includes(dependent)).map(({ id }) => id),
  }
}
