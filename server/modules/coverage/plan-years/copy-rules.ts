import { addDays, daysBetween, yearsAfter, type Day } from '../../../kernel/days.ts'
import type { PlanYear } from './rules.ts'

/**
 * The open enrollment of a copy that starts on a day: that of the former plan year, moved as far as the start of
 * coverage. Null where the former has none, or where it would be over by today.
 */
export function windowOfCopy(
  { coverage_start: former_start, open_enrollment_start: opens, open_enrollment_end: closes }: PlanYear,
  coverage_start: Day,
  today: Day,
): Pick<PlanYear, 'open_enrollment_start' | 'open_enrollment_end'> {
  const none = { open_enrollment_start: null, open_enrollment_end: null }
  if (opens === null || closes === null) return none
  const years = Number(coverage_start.slice(0, 4)) - Number(former_start.slice(0, 4))
  const is_whole_years = yearsAfter(former_start, years) === coverage_start
  const days = daysBetween(former_start, coverage_start)
  const moved = (day: Day) => (is_whole_years ? yearsAfter(day, years) : addDays(day, days))
  return moved(closes) < today ? none : { open_enrollment_start: moved(opens), open_enrollment_end: moved(closes) }
}
