import { addDays, type Day } from '../../../kernel/days.ts'
import { boughtPlan, type BoughtPlan } from '../elections/price-rules.ts'
import {
  isSameChoice,
  tierOf,
  type Choice,
  type EffectiveOn,
  type EnrollmentFacts,
  type Step,
} from '../elections/rules.ts'

/**
 * A step that follows from the possible coverage of dependents. `effective_on` is the day of the election that it
 * replaces. `removed_dependent_ids` are the elected dependents with a last day before it.
 */
export type FollowingStep = Step & { effective_on: EffectiveOn; follows: boolean; removed_dependent_ids: string[] }

/**
 * The steps that follow when elected dependents can no longer be covered. From the day after their last day, if that
 * is past, the others are covered with the coverage level that fits them, or with the current one if that is not
 * offered. If an election begins after the last day of a dependent, the dependent is removed from it, and added again
 * if that last day is withdrawn.
 */
export function dependentSteps(
  { elections, dependents, coverage_start, coverage_end, plan_year_end }: FollowedFacts,
  isOffered: (choice: Pick<Choice, 'plan_id' | 'coverage_tier'>, day: Day) => boolean,
  today: Day,
): FollowingStep[] {
  const made = elections.filter(({ follows }) => !follows)
  return made.flatMap((election, index) => {
    const { plan_id, coverage_tier, dependent_ids, removed_dependent_ids = [], effective_on } = election
    const from = effective_on === '-infinity' ? coverage_start : effective_on
    const to = made[index + 1]?.effective_on ?? addDays(coverage_end ?? plan_year_end, 1)
    const listed = dependents.filter(({ id }) => dependent_ids.includes(id) || removed_dependent_ids.includes(id))
    const gone = listed.flatMap(({ covered_until }) =>
      covered_until && covered_until < today ? [addDays(covered_until, 1)] : [],
    )
    const peopleOn = (day: Day) =>
      listed.filter(({ id, covered_until }) => {
        const stays = day === from && covered_until !== null && covered_until >= today && dependent_ids.includes(id)
        return stays || (covered_until ?? day) >= day
      })
    const covered = listed.filter(({ id }) => dependent_ids.includes(id))
    const is_itself = idsOf(peopleOn(from)) === idsOf(covered)
    const days = [...(is_itself ? [] : [from]), ...gone.filter((day) => day > from)]
    return [...new Set(days)]
      .filter((day) => day < to)
      .sort()
      .map((day) => {
        const people = peopleOn(day)
        const fitting_tier = tierOf(people)
        return {
          day,
          effective_on: day === from ? effective_on : day,
          follows: day !== from,
          plan_id,
          coverage_tier: isOffered({ plan_id, coverage_tier: fitting_tier }, day) ? fitting_tier : coverage_tier,
          dependent_ids: people.map(({ id }) => id),
          removed_dependent_ids:
            day === from ? listed.filter((dependent) => !people.includes(dependent)).map(({ id }) => id) : [],
        }
      })
  })
}

const idsOf = (people: { id: string }[]): string =>
  people
    .map(({ id }) => id)
    .sort()
    .join()

type FollowedFacts = Pick<
  EnrollmentFacts,
  'elections' | 'dependents' | 'coverage_start' | 'coverage_end' | 'plan_year_end'
>

/**
 * The data that an employee reported about a bought plan, for a step that continues it. Taken from the last actual
 * election before the step.
 */
export function boughtPlanBefore({ elections }: Pick<EnrollmentFacts, 'elections'>, step: FollowingStep): BoughtPlan {
  const made = elections.findLast(({ follows, effective_on }) => !follows && effective_on <= step.effective_on)
  return boughtPlan(made ?? {})
}

/** Whether the elections of an enrollment already contain these steps. */
export function isFollowed({ elections }: Pick<EnrollmentFacts, 'elections'>, steps: FollowingStep[]): boolean {
  const following = elections.filter(({ follows }) => follows)
  return (
    following.length === steps.length &&
    steps.every((step) =>
      following.some((follower) => follower.effective_on === step.effective_on && isSameChoice(follower, step)),
    )
  )
}
