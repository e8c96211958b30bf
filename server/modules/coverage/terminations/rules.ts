import { addDays, monthEnd, type Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { changesAllowedBy } from '../enrollments/rules.ts'
import { isCoveredByRival, type Rival } from '../elections/choice-rules.ts'
import { isInactive, refusals as electing, type EnrollmentFacts } from '../elections/rules.ts'
import { openLifeEvents } from '../elections/window-rules.ts'
import type { EnrollmentTermination } from './schemas.ts'

/** The number of days in which partners can reissue coverage that was ended on request. */
export const days_to_reissue = 60

export const refusals = declareRefusals({
  coverage_not_elected: [
    409,
    'This enrollment has no elected coverage to end.',
    'Waive the benefit instead while a window is open.',
  ],
  coverage_has_not_started: [409, 'Coverage has not begun.', 'Waive the benefit instead.'],
  coverage_already_ends: [409, 'Coverage already ends by that day.', 'Send an earlier day, or keep the current end.'],
  enrollment_is_not_ended: [
    409,
    'Only coverage that was ended on request can be reissued.',
    'Elect the benefit while a window is open.',
  ],
  choice_group_taken: [
    409,
    'Another benefit of the choice group covers the employee from the day after this coverage ended.',
    'End the other enrollment first.',
  ],
  coverage_ended_long_ago: [
    409,
    `Coverage ended more than ${days_to_reissue} days ago, so only the operator can reissue it.`,
    'Contact the operator to reissue it.',
  ],
})

const invalid = (field: string, message: string) => new Refusal(generic.invalid_request, [{ field, message }])

/** The last day of coverage for an end that is requested today. The default is the end of this month. */
export const requestedEnd = ({ coverage_end }: EnrollmentTermination, today: Day): Day =>
  coverage_end ?? monthEnd(today)

/**
 * Returns why coverage can't be ended on request today. The employee needs an open window of a life event: of the named
 * one, or of any if none is named. Coverage must end with this month or a later month of the plan year.
 */
export function whyNotTerminate(
  enrollment: EnrollmentFacts,
  input: EnrollmentTermination,
  today: Day,
): Refusal | RefusalKind | undefined {
  const last_day = requestedEnd(input, today)
  const wrong = whyNotLastDay(last_day, enrollment.plan_year_end, today)
  if (wrong) return wrong
  if (isInactive(enrollment, today)) return electing.enrollment_is_inactive
  if (enrollment.answer !== 'enrolled') return refusals.coverage_not_elected
  const open = openLifeEvents(enrollment, today)
  const named = open.filter(({ id }) => (input.life_event_id ?? id) === id)
  if (named.length === 0) return electing.enrollment_window_closed
  if (!named.some(({ type, exception = false }) => changesAllowedBy([{ type, exception }]).waive))
    return electing.change_not_consistent
  if (enrollment.coverage_start > today) return refusals.coverage_has_not_started
  return (enrollment.coverage_end ?? enrollment.plan_year_end) <= last_day ? refusals.coverage_already_ends : undefined
}

function whyNotLastDay(last_day: Day, plan_year_end: Day, today: Day): Refusal | undefined {
  if (last_day !== monthEnd(last_day)) return invalid('coverage_end', 'must be the last day of a month')
  if (last_day < today) return invalid('coverage_end', 'must not be before the end of this month')
  return last_day > plan_year_end ? invalid('coverage_end', 'must not be after the plan year') : undefined
}

/**
 * Returns why coverage that was ended on request can't be reissued today alongside the other benefits of its choice
 * group. The operator needs no window and has no time limit.
 */
export function whyNotReissue(
  enrollment: EnrollmentFacts,
  rivals: Rival[],
  today: Day,
  actor: 'partner' | 'operator',
): RefusalKind | undefined {
  if (!enrollment.ended_on) return refusals.enrollment_is_not_ended
  if (isCoveredByRival(rivals, addDays(enrollment.ended_on, 1))) return refusals.choice_group_taken
  if (actor === 'operator') return undefined
  if (enrollment.ended_on < addDays(today, -days_to_reissue)) return refusals.coverage_ended_long_ago
  return openLifeEvents(enrollment, today).length > 0 ? undefined : electing.enrollment_window_closed
}
