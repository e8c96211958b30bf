import { addDays, monthEnd, type Day } from '../../../kernel/days.ts'
import { changes_by_event, changesAllowedBy } from '../enrollments/life-event-rules.ts'
import { arrivalsOf, isRegular, openEvents, openLifeEvents } from './window-rules.ts'
import {
  type Choice,
  type DependentFacts,
  type EnrollmentFacts,
  hasEnrolled,
  isSame,
  type Step,
  tierOf,
} from './rules.ts'

/**
 * When an election is effective: from `day`. Added people are covered earlier, from the first possible day in
 * `arrivals`, or later, from `next_month`, if none of these days is possible.
 */
export type ElectionDays = {
  arrivals: Day[]
  day: Day
  /** The first of the next month, if a life event allows adding people. */
  next_month?: Day | undefined
  /** The day of the latest marriage. A spouse is not covered before it. */
  wedding?: Day | undefined
  /** The day after a death, from which dependents are dropped. */
  departure?: Day | undefined
}

/** The first day on which a part of an election could be effective. */
export const firstOf = ({ arrivals, day }: ElectionDays): Day => [...arrivals, day].sort()[0]!

/**
 * When an election made today is effective. Before coverage begins, and for people without coverage in the window of
 * the grant or open enrollment, it is the first day of coverage. Otherwise it is the first of the next month.
 */
export function electionDays(enrollment: EnrollmentFacts, today: Day): ElectionDays {
  const { coverage_start, plan_year_end } = enrollment
  const arrivals = arrivalsOf(enrollment, today)
  const next_month = addDays(monthEnd(today), 1)
  const days = {
    next_month: changesAllowedBy(openEvents(enrollment, today)).add ? next_month : undefined,
    wedding: weddingOf(enrollment),
    departure: departureOf(enrollment, today),
  }
  if (today < coverage_start || (!hasEnrolled(enrollment) && isRegular(enrollment, today)))
    return {
      ...days,
      arrivals: arrivals.filter((on) => coverage_start < on && on <= plan_year_end),
      day: coverage_start,
    }
  return { ...days, arrivals, day: next_month }
}

const weddingOf = ({ life_events }: EnrollmentFacts): Day | undefined =>
  life_events
    .filter(({ type }) => type === 'marriage')
    .map(({ occurred_on }) => occurred_on)
    .sort()
    .at(-1)

/** The day after a death, if no other open event allows dropping a dependent. */
function departureOf(enrollment: EnrollmentFacts, today: Day): Day | undefined {
  const dropping = openLifeEvents(enrollment, today).filter(
    ({ type, exception }) => exception || changes_by_event[type].drop.length > 0,
  )
  if (dropping.some(({ type }) => type !== 'death_of_dependent')) return undefined
  const [died_on] = dropping.map(({ occurred_on }) => occurred_on).sort()
  if (died_on === undefined) return undefined
  const after = addDays(died_on, 1)
  return after > enrollment.coverage_start ? after : enrollment.coverage_start
}

/** The first day on which a dependent could be covered in their relationship. */
const sinceOf = ({ relationship, date_of_birth }: DependentFacts, wedding: Day | undefined): Day =>
  relationship === 'spouse' && wedding !== undefined && wedding > date_of_birth ? wedding : date_of_birth

/**
 * The coverage of an election from each day on. It replaces all elections from the first of these days on. Until the
 * whole choice is effective, the plan stays and only a deceased dependent is dropped. People added after an arrival
 * join the covered ones in their plan, and the employee with them if the employee was not covered yet. Each step covers
 * all people with possible coverage on its day, with the coverage level that fits them.
 */
export function stepsOf(
  { elections, dependents }: Pick<EnrollmentFacts, 'elections' | 'dependents'>,
  { plan_id, covered }: { plan_id: string; covered: DependentFacts[] },
  days: ElectionDays,
): Step[] {
  const { arrivals, day, next_month = day, wedding, departure } = days
  // No dependent joins in the next month if the whole choice is effective later than that.
  const openings = [...arrivals, day, next_month > day ? next_month : day].sort()
  const afterWedding = wedding && wedding > day ? addDays(monthEnd(wedding), 1) : day
  const before = (on: Day): Choice | undefined => elections.findLast(({ effective_on }) => effective_on < on)
  const present = before(day)
  const added = covered
    .filter(({ id }) => !present?.dependent_ids.includes(id))
    .map((one) => ({ ...one, from: openings.find((opening) => sinceOf(one, wedding) <= opening) ?? afterWedding }))
  const leaves = (id: string, on: Day) => departure !== undefined && departure <= on && !stay.includes(id)
  const stay = covered.map(({ id }) => id).filter((id) => present?.dependent_ids.includes(id))
  const choiceOn = (on: Day): Choice => {
    const base = (on < day ? before(addDays(on, 1)) : undefined) ?? { plan_id, dependent_ids: stay }
    const ids = [
      ...base.dependent_ids.filter((id) => !leaves(id, on)),
      ...added.filter(({ from }) => from <= on).map(({ id }) => id),
    ]
    const people = dependents.filter((one) => ids.includes(one.id) && (one.covered_until ?? on) >= on)
    return { plan_id: base.plan_id, coverage_tier: tierOf(people), dependent_ids: people.map(({ id }) => id) }
  }
  const departs = present?.dependent_ids.some((id) => !stay.includes(id)) && departure ? [departure] : []
  const starts = [...added.map(({ from }) => from), ...departs, present ? day : firstOf(days), day].sort()
  const [first, last] = [starts[0]!, starts.at(-1)!]
  const leaving = dependents.flatMap(({ id, covered_until }) =>
    covered_until &&
    first <= covered_until &&
    covered_until < last &&
    choiceOn(covered_until).dependent_ids.includes(id)
      ? [addDays(covered_until, 1)]
      : [],
  )
  const changing = elections.map(({ effective_on }) => effective_on).filter((on) => first < on && on < last)
  return [...new Set([...starts, ...changing, ...leaving])]
    .sort()
    .map((on) => ({ day: on, ...choiceOn(on) }))
    .filter((step, at, steps) => at === 0 || step.day !== day || !isSame(step, steps[at - 1]!))
}
