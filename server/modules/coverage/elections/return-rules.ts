import type { Day } from '../../../kernel/days.ts'
import type { ToldPlan } from './price-rules.ts'
import { tierOf, type ElectionFacts, type EnrollmentFacts, type Step } from './rules.ts'

/** What holds again of a former election, what had been told of the plan, and whom it covers no more. */
export type ReturnedElection = { step: Step; told: ToldPlan; left_dependent_ids: string[] }

/**
 * What had been elected on the last day before somebody left, from the day on which they are covered again: the same
 * plan, with those of the dependents who can still be covered, in the tier that fits them. Undefined where nothing was.
 */
export function returnedElection(
  elections: ElectionFacts[],
  dependents: EnrollmentFacts['dependents'],
  last_day: Day,
  start: Day,
): ReturnedElection | undefined {
  const last = elections.findLast(({ effective_on }) => effective_on <= last_day)
  if (!last) return undefined
  const { dependent_ids, left_dependent_ids = [] } = elections.findLast(
    ({ effective_on, follows }) => !follows && effective_on <= last_day,
  )!
  const chosen = dependents.filter(({ id }) => dependent_ids.includes(id) || left_dependent_ids.includes(id))
  const people = chosen.filter(({ covered_until }) => (covered_until ?? start) >= start)
  const { plan_id, individual_plan_name: name, premium_in_cents = 0, bought_on_exchange } = last
  return {
    step: { day: start, plan_id, coverage_tier: tierOf(people), dependent_ids: people.map(({ id }) => id) },
    told: {
      individual_plan: name ? { name, premium_in_cents } : undefined,
      bought_on_exchange: bought_on_exchange ?? undefined,
    },
    left_dependent_ids: chosen.filter((one) => !people.includes(one)).map(({ id }) => id),
  }
}
