import { addDays, monthEnd, type Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { changesAllowedBy } from '../enrollments/life-event-rules.ts'
import { isHeldBeside, type Rival } from '../elections/choice-rules.ts'
import { isInactive, openLifeEvents, refusals as electing, type EnrollmentFacts } from '../elections/rules.ts'
import type { EnrollmentTermination } from './schemas.ts'

export const refusals = declareRefusals({
  coverage_not_elected: [
    409,
    'Nothing was elected that could be ended.',
    'There is nothing to end; waive it, while a window is open.',
  ],
  coverage_has_not_started: [409, 'Coverage has not begun: waive it instead.', 'Waive it instead.'],
  coverage_already_ends: [409, 'Coverage ends by then already.', 'Name an earlier day, or leave it.'],
  enrollment_is_not_ended: [
    409,
    'Only what was ended on request is opened anew; what was waived is elected while a window is open.',
    'Elect it while a window is open.',
  ],
  choice_group_taken: [
    409,
    'Another benefit of the choice group covers the day after: end that one first.',
    'End the other enrollment first.',
  ],
  coverage_ended_long_ago: [
    409,
    'Coverage ended more than 60 days ago: the operator can open it anew.',
    'Ask the operator to open it anew.',
  ],
})

const invalid = (field: string, message: string) => new Refusal(generic.invalid_request, [{ field, message }])

/** For how many days coverage that was ended on request can be opened anew by whoever ended it. */
const days_to_reissue = 60

/** The last day of coverage that is ended today, unless another is asked for: that of this month. */
export const requestedEnd = ({ coverage_end }: EnrollmentTermination, today: Day): Day =>
  coverage_end ?? monthEnd(today)

/**
 * Why coverage can't be ended on request today. It needs the window of a life event, the one that is named or any, and
 * ends with a month, this one or a later one of the plan year.
 */
export function whyNotTerminate(
  enrollment: EnrollmentFacts,
  said: EnrollmentTermination,
  today: Day,
): Refusal | RefusalKind | undefined {
  const last_day = requestedEnd(said, today)
  const wrong = whyNotLastDay(last_day, enrollment.plan_year_end, today)
  if (wrong) return wrong
  if (isInactive(enrollment, today)) return electing.enrollment_is_inactive
  if (enrollment.answer !== 'enrolled') return refusals.coverage_not_elected
  const open = openLifeEvents(enrollment, today)
  const named = open.filter(({ id }) => (said.life_event_id ?? id) === id)
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
 * Why coverage that was ended on request can't be opened anew today, beside the others of its choice group. The
 * operator needs no window, and has no limit.
 */
export function whyNotReissue(
  enrollment: EnrollmentFacts,
  rivals: Rival[],
  today: Day,
  by: 'partner' | 'operator',
): RefusalKind | undefined {
  if (!enrollment.ended_on) return refusals.enrollment_is_not_ended
  if (isHeldBeside(rivals, addDays(enrollment.ended_on, 1))) return refusals.choice_group_taken
  if (by === 'operator') return undefined
  if (enrollment.ended_on < addDays(today, -days_to_reissue)) return refusals.coverage_ended_long_ago
  return openLifeEvents(enrollment, today).length > 0 ? undefined : electing.enrollment_window_closed
}
