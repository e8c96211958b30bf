import { addDays, type Day } from '../../../kernel/days.ts'
import { Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { changesAllowedBy, type ApprovedEvent, type LifeEventKind, mayDrop } from '../enrollments/life-event-rules.ts'
import {
  refusals,
  type Window,
  type LifeEventWindow,
  type Choice,
  type EnrollmentFacts,
  hasEnrolled,
  isInactive,
} from './rules.ts'

const holds = (window: Window, day: Day) => window.start <= day && day <= window.end

/**
 * Whether the window of the grant or the open enrollment of the plan year is open. Coverage then begins on its original
 * first day.
 */
export function isRegular(enrollment: EnrollmentFacts, today: Day): boolean {
  const { granted_on, window_ends_on, open_enrollment_start, open_enrollment_end } = enrollment
  const year = open_enrollment_start &&
    open_enrollment_end && { start: open_enrollment_start, end: open_enrollment_end }
  return holds({ start: granted_on, end: window_ends_on }, today) || (!!year && holds(year, today))
}

/** The life events with open windows. */
export const openLifeEvents = (enrollment: EnrollmentFacts, today: Day): LifeEventWindow[] =>
  enrollment.life_events.filter((event) => holds(event, today))

/** The life events with open windows, in the form that the rules of life events use. */
export const openEvents = (enrollment: EnrollmentFacts, today: Day): ApprovedEvent[] =>
  openLifeEvents(enrollment, today).map(({ type, exception = false }) => ({ type, exception }))

/** The events after which people are covered from the day of the event, if they are added soon. */
const arriving: LifeEventKind[] = ['birth', 'adoption', 'placement']

/** The number of days after an arrival in which people can be added from that day (29 CFR 2590.701-6(b)(3)). */
const days_of_arrival = 30

/** The days of arrivals from which people added today are covered, in order. */
export const arrivalsOf = (enrollment: EnrollmentFacts, today: Day): Day[] =>
  openLifeEvents(enrollment, today)
    .filter(({ type, occurred_on }) => arriving.includes(type) && today <= addDays(occurred_on, days_of_arrival))
    .map(({ occurred_on }) => (occurred_on > enrollment.coverage_start ? occurred_on : enrollment.coverage_start))
    .sort()

/** Whether coverage that ended with its plan year still accepts a person with an arrival before its end. */
const joinsAfterYear = (enrollment: EnrollmentFacts, today: Day): boolean =>
  enrollment.answer === 'enrolled' &&
  (enrollment.coverage_end ?? enrollment.plan_year_end) === enrollment.plan_year_end &&
  arrivalsOf(enrollment, today).some((on) => on <= enrollment.plan_year_end)

/** Returns why an enrollment can't be answered today. */
export function whyNotAnswer(enrollment: EnrollmentFacts, today: Day): RefusalKind | undefined {
  if (isInactive(enrollment, today) && !joinsAfterYear(enrollment, today)) return refusals.enrollment_is_inactive
  const open = isRegular(enrollment, today) || openLifeEvents(enrollment, today).length > 0
  return open ? undefined : refusals.enrollment_window_closed
}

/**
 * Returns why coverage can't be waived today: once it has begun, it can only be ended. Exception: carried-over coverage
 * can be waived in the window of the grant or open enrollment.
 */
export function whyNotWaive(enrollment: EnrollmentFacts, today: Day): RefusalKind | undefined {
  const has_begun = enrollment.answer === 'enrolled' && enrollment.coverage_start <= today
  const may_waive = !has_begun || (!hasEnrolled(enrollment) && isRegular(enrollment, today))
  const why = whyNotAnswer(enrollment, today) ?? (may_waive ? undefined : refusals.coverage_has_started)
  if (why || enrollment.answer !== 'enrolled' || isRegular(enrollment, today)) return why
  return changesAllowedBy(openEvents(enrollment, today)).waive ? undefined : refusals.change_not_consistent
}

/** Returns why an election can't take effect on a day: coverage ends before that day, or can no longer begin. */
export function whyNotFrom(enrollment: EnrollmentFacts, day: Day): RefusalKind | undefined {
  const { answer, coverage_end, inactive_on, plan_year_end } = enrollment
  const begins_late = answer !== 'enrolled' && inactive_on !== null && day >= inactive_on
  return begins_late || day > (coverage_end ?? plan_year_end) ? refusals.coverage_ends_first : undefined
}

const inconsistent = (field: string, message: string) =>
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
  if (isRegular(enrollment, today)) return undefined
  const events = openEvents(enrollment, today)
  const allowed = changesAllowedBy(events)
  const scheduled = enrollment.elections.at(-1)
  if (enrollment.answer !== 'enrolled' || !scheduled)
    return allowed.add ? undefined : inconsistent('plan_id', 'this life event does not allow adding anyone')
  const present = enrollment.elections.findLast(({ effective_on }) => effective_on <= today) ?? enrollment.elections[0]!
  const isKnown = (id: string) => present.dependent_ids.includes(id) || scheduled.dependent_ids.includes(id)
  if (!allowed.add && chosen.dependent_ids.some((id) => !isKnown(id)))
    return inconsistent('dependent_ids', 'this life event does not allow adding anyone')
  const dropped = enrollment.dependents.filter(
    ({ id, ended_on, covered_until }) =>
      present.dependent_ids.includes(id) &&
      scheduled.dependent_ids.includes(id) &&
      !chosen.dependent_ids.includes(id) &&
      ended_on === null &&
      (covered_until ?? day) >= day,
  )
  if (!mayDrop(dropped, events))
    return inconsistent('dependent_ids', 'this life event does not allow dropping these dependents')
  return allowed.change_plan || [present.plan_id, scheduled.plan_id].includes(chosen.plan_id)
    ? undefined
    : inconsistent('plan_id', 'this life event does not allow a change of plan')
}
