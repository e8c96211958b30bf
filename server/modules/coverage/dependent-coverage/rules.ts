import { addDays, type Day } from '../../../kernel/days.ts'
import type { ToldPlan } from '../elections/price-rules.ts'
import { isSame, tierOf, type Choice, type EffectiveOn, type EnrollmentFacts, type Step } from '../elections/rules.ts'

/**
 * A step that follows from who can be covered. `effective_on`: of the election that it takes the place of.
 * `left_dependent_ids`: who would be covered from that day on, had they not left before it.
 */
export type FollowingStep = Step & { effective_on: EffectiveOn; follows: boolean; left_dependent_ids: string[] }

/**
 * What follows of the elections that were made when those whom they cover can be no longer: from the day after, for who
 * has left by today, the others in the tier that fits them, or in the one they have where that is not offered. An
 * election whose first day comes after somebody's last is itself without them, and with them again once that day is
 * not.
 */
export function followingSteps(
  { elections, dependents, coverage_start, coverage_end, plan_year_end }: FollowedFacts,
  isOffered: (choice: Pick<Choice, 'plan_id' | 'coverage_tier'>, day: Day) => boolean,
  today: Day,
): FollowingStep[] {
  const made = elections.filter(({ follows }) => !follows)
  return made.flatMap((election, at) => {
    const { plan_id, coverage_tier, dependent_ids, left_dependent_ids = [], effective_on } = election
    const from = effective_on === '-infinity' ? coverage_start : effective_on
    const to = made[at + 1]?.effective_on ?? addDays(coverage_end ?? plan_year_end, 1)
    const listed = dependents.filter(({ id }) => dependent_ids.includes(id) || left_dependent_ids.includes(id))
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
          left_dependent_ids: day === from ? listed.filter((one) => !people.includes(one)).map(({ id }) => id) : [],
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

/** What was told of the plan that a step goes on with, by the election that somebody made before it. */
export function toldBefore({ elections }: Pick<EnrollmentFacts, 'elections'>, step: FollowingStep): ToldPlan {
  const made = elections.findLast(({ follows, effective_on }) => !follows && effective_on <= step.effective_on)
  const { individual_plan_name: name, premium_in_cents = 0, bought_on_exchange } = made ?? {}
  return {
    individual_plan: name ? { name, premium_in_cents } : undefined,
    bought_on_exchange: bought_on_exchange ?? undefined,
  }
}

/** Whether the elections of an enrollment are what follows already. */
export function isFollowed({ elections }: Pick<EnrollmentFacts, 'elections'>, steps: FollowingStep[]): boolean {
  const following = elections.filter(({ follows }) => follows)
  return (
    following.length === steps.length &&
    steps.every((step) => following.some((one) => one.effective_on === step.effective_on && isSame(one, step)))
  )
}
