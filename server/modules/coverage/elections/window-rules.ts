import { addDays, type Day, monthEnd } from '../../../kernel/days.ts'
import { Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import {
  changesAllowedBy,
  type ApprovedEvent,
  type LifeEventKind,
  canDropDependents,
  changes_by_event,
} from '../enrollments/rules.ts'
import {
  refusals,
  type Window,
  type LifeEventWindow,
  type Choice,
  type EnrollmentFacts,
  hasEnrolled,
  isInactive,
  type DependentFacts,
  isSameChoice,
  type Step,
  tierOf,
} from './rules.ts'

const contains = (window: Window, day: Day) => window.start <= day && day <= window.end

/**
 * Whether the window of the grant or the open enrollment of the plan year is open. Coverage then begins on its original
 * first day.
 */
export function isRegularWindowOpen(enrollment: EnrollmentFacts, today: Day): boolean {
  const { granted_on, window_ends_on, open_enrollment_start, open_enrollment_end } = enrollment
  const year = open_enrollment_start &&
    open_enrollment_end && { start: open_enrollment_start, end: open_enrollment_end }
  return contains({ start: granted_on, end: window_ends_on }, today) || (!!year && contains(year, today))
}

export const openLifeEvents = (enrollment: EnrollmentFacts, today: Day): LifeEventWindow[] =>
  enrollment.life_events.filter((event) => contains(event, today))

/** The life events with open windows, in the form that the rules of life events use. */
const openEvents = (enrollment: EnrollmentFacts, today: Day): ApprovedEvent[] =>
  openLifeEvents(enrollment, today).map(({ type, exception = false }) => ({ type, exception }))

/** The events after which people are covered from the day of the event, if they are added soon. */
const arriving: LifeEventKind[] = ['birth', 'adoption', 'placement']

/** The number of days after an arrival in which people can be added from that day (29 CFR 2590.701-6(b)(3)). */
const days_of_arrival = 30

/** The days of arrivals from which people added today are covered, in order. */
const arrivalsOf = (enrollment: EnrollmentFacts, today: Day): Day[] =>
  openLifeEvents(enrollment, today)
    .filter(({ type, occurred_on }) => arriving.includes(type) && today <= addDays(occurred_on, days_of_arrival))
    .map(({ occurred_on }) => (occurred_on > enrollment.coverage_start ? occurred_on : enrollment.coverage_start))
    .sort()

/** Whether coverage that ended with its plan year still accepts a person with an arrival before its end. */
const acceptsArrivalsAfterYear = (enrollment: EnrollmentFacts, today: Day): boolean =>
  enrollment.answer === 'enrolled' &&
  (enrollment.coverage_end ?? enrollment.plan_year_end) === enrollment.plan_year_end &&
  arrivalsOf(enrollment, today).some((on) => on <= enrollment.plan_year_end)

/** Returns why an enrollment can't be answered today. */
export function whyNotAnswer(enrollment: EnrollmentFacts, today: Day): RefusalKind | undefined {
  if (isInactive(enrollment, today) && !acceptsArrivalsAfterYear(enrollment, today))
    return refusals.enrollment_is_inactive
  const open = isRegularWindowOpen(enrollment, today) || openLifeEvents(enrollment, today).length > 0
  return open ? undefined : refusals.enrollment_window_closed
}

/**
 * Returns why coverage can't be waived today: once it has begun, it can only be ended. Exception: carried-over coverage
 * can be waived in the window of the grant or open enrollment.
 */
export function whyNotWaive(enrollment: EnrollmentFacts, today: Day): RefusalKind | undefined {
  const has_begun = enrollment.answer === 'enrolled' && enrollment.coverage_start <= today
  const may_waive = !has_begun || (!hasEnrolled(enrollment) && isRegularWindowOpen(enrollment, today))
  const why = whyNotAnswer(enrollment, today) ?? (may_waive ? undefined : refusals.coverage_has_started)
  if (why || enrollment.answer !== 'enrolled' || isRegularWindowOpen(enrollment, today)) return why
  return changesAllowedBy(openEvents(enrollment, today)).waive ? undefined : refusals.change_not_consistent
}

/** Returns why an election can't take effect on a day: coverage ends before that day, or can no longer begin. */
export function whyNotFrom(enrollment: EnrollmentFacts, day: Day): RefusalKind | undefined {
  const { answer, coverage_end, inactive_on, plan_year_end } = enrollment
  const begins_late = answer !== 'enrolled' && inactive_on !== null && day >= inactive_on
  return begins_late || day > (coverage_end ?? plan_year_end) ? refusals.coverage_ends_first : undefined
}

const inconsistentField = (field: string, message: string) =>
  new Refusal(refusals.change_not_consistent, [{ field, message }])

/**
 * Returns why a choice is not consistent with the life events with open windows today. In the window of the grant and
 * in open enrollment, every choice is allowed. `chosen` is the coverage when the whole choice is effective, on `day`. A
 * scheduled change that is not effective yet can be reverted.
 */
export function whyNotConsistent(
  enrollment: EnrollmentFacts,
  { day, ...chosen }: Choice & { day: Day },
  today: Day,
): Refusal | undefined {
  if (isRegularWindowOpen(enrollment, today)) return undefined
  const events = openEvents(enrollment, today)
  const allowed = changesAllowedBy(events)
  const scheduled = enrollment.elections.at(-1)
  if (enrollment.answer !== 'enrolled' || !scheduled)
    return allowed.add ? undefined : inconsistentField('plan_id', 'this life event does not allow adding anyone')
  const present = enrollment.elections.findLast(({ effective_on }) => effective_on <= today) ?? enrollment.elections[0]!
  const isKnown = (id: string) => present.dependent_ids.includes(id) || scheduled.dependent_ids.includes(id)
  if (!allowed.add && chosen.dependent_ids.some((id) => !isKnown(id)))
    return inconsistentField('dependent_ids', 'this life event does not allow adding anyone')
  const dropped = enrollment.dependents.filter(
    ({ id, ended_on, covered_until }) =>
      present.dependent_ids.includes(id) &&
      scheduled.dependent_ids.includes(id) &&
      !chosen.dependent_ids.includes(id) &&
      ended_on === null &&
      (covered_until ?? day) >= day,
  )
  if (!canDropDependents(dropped, events))
    return inconsistentField('dependent_ids', 'this life event does not allow dropping these dependents')
  return allowed.change_plan || [present.plan_id, scheduled.plan_id].includes(chosen.plan_id)
    ? undefined
    : inconsistentField('plan_id', 'this life event does not allow a change of plan')
}

/**
 * The days from which an election is effective: `day`. Added people are covered earlier, from the first possible day in
 * `arrivals`. If none of these days is possible, they are covered later, from `next_month`.
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
export const firstElectionDay = ({ arrivals, day }: ElectionDays): Day => [...arrivals, day].sort()[0]!

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
  if (today < coverage_start || (!hasEnrolled(enrollment) && isRegularWindowOpen(enrollment, today)))
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

/** The day on which an added dependent joins: the first possible one on which the person can be covered. */
function dependentStart(dependent: DependentFacts, { arrivals, day, next_month = day, wedding }: ElectionDays): Day {
  // No dependent joins in the next month if the whole choice is effective later than that.
  const openings = [...arrivals, day, next_month > day ? next_month : day].sort()
  const since = sinceOf(dependent, wedding)
  const after_wedding = wedding && wedding > day ? addDays(monthEnd(wedding), 1) : day
  return openings.find((opening) => since <= opening) ?? after_wedding
}

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
  const { day, departure } = days
  const before = (on: Day): Choice | undefined => elections.findLast(({ effective_on }) => effective_on < on)
  const present = before(day)
  const isPresent = ({ id }: DependentFacts) => present?.dependent_ids.includes(id) ?? false
  const staying_ids = covered.filter(isPresent).map(({ id }) => id)
  const joining = covered
    .filter((dependent) => !isPresent(dependent))
    .map((dependent) => ({ id: dependent.id, joins_on: dependentStart(dependent, days) }))
  const hasDeparted = (id: string, on: Day) => departure !== undefined && departure <= on && !staying_ids.includes(id)

  const choiceOn = (on: Day): Choice => {
    const base = (on < day ? before(addDays(on, 1)) : undefined) ?? { plan_id, dependent_ids: staying_ids }
    const ids = [
      ...base.dependent_ids.filter((id) => !hasDeparted(id, on)),
      ...joining.filter(({ joins_on }) => joins_on <= on).map(({ id }) => id),
    ]
    const people = dependents.filter(({ id, covered_until }) => ids.includes(id) && (covered_until ?? on) >= on)
    return { plan_id: base.plan_id, coverage_tier: tierOf(people), dependent_ids: people.map(({ id }) => id) }
  }

  const departures = present?.dependent_ids.some((id) => !staying_ids.includes(id)) && departure ? [departure] : []
  const joining_days = joining.map(({ joins_on }) => joins_on)
  const starts = [...joining_days, ...departures, present ? day : firstElectionDay(days), day].sort()
  const [first, last] = [starts[0]!, starts.at(-1)!]
  // Between these days, a dependent may lose coverage, and an earlier election may begin.
  const endings = dependents.flatMap(({ id, covered_until }) =>
    covered_until &&
    first <= covered_until &&
    covered_until < last &&
    choiceOn(covered_until).dependent_ids.includes(id)
      ? [addDays(covered_until, 1)]
      : [],
  )
  const beginnings = elections.map(({ effective_on }) => effective_on).filter((on) => first < on && on < last)
  return [...new Set([...starts, ...beginnings, ...endings])]
    .sort()
    .map((on) => ({ day: on, ...choiceOn(on) }))
    .filter((step, index, steps) => index === 0 || step.day !== day || !isSameChoice(step, steps[index - 1]!))
}
