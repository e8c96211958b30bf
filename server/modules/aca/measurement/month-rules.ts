import { firstOnOrAfter, monthEnd, monthsAfter, type Day } from '../../../kernel/days.ts'
import { forever, isFullTimeMonth, isReported, overlap, type Span } from './hour-rules.ts'
import type { MeasurementPolicy } from './period-rules.ts'
import { employedSpans, type MeasuredReason, type MeasuredPerson, type WorkHistory } from './status-rules.ts'
import { measureTransfers, policyOn, type PolicyTerm } from './transfer-rules.ts'

export type MonthlyStatus = {
  /** The first day of the month. */
  month: Day
  status: 'full_time' | 'part_time' | 'limited_non_assessment' | 'not_employed'
  reason: MeasuredReason | 'not_employed' | 'start_month' | 'first_three_months' | 'hours_not_reported'
}

/**
 * The status of a person in each month of a calendar year, for assessable payments and Form 1095-C. Limited
 * non-assessment periods follow 54.4980H-1(a)(26): the month of a start date after its first day, the first three full
 * months of a new full-time employee, an initial measurement with its administrative period, and the months after a
 * change to a full-time position. `hours_not_reported`: the month is part-time only because no hours are reported.
 */
export function monthlyStatuses(history: WorkHistory, terms: PolicyTerm[], year: number, as_of: Day): MonthlyStatus[] {
  const outcome = measureTransfers(history, terms, as_of)
  const employed = employedSpans(history)
  return Array.from({ length: 12 }, (_, index) => {
    const month = monthsAfter(`${year}-01-01`, index)
    const span = { starts_on: month, ends_on: monthEnd(month) }
    if (!employed.some((days) => overlap(days, span))) return { month, status: 'not_employed', reason: 'not_employed' }
    return { month, ...statusOfMonth(history, policyOn(terms, month), outcome, span, as_of) }
  })
}

function statusOfMonth(
  history: WorkHistory,
  policy: MeasurementPolicy,
  { statuses, services }: MeasuredPerson,
  month: Span,
  as_of: Day,
): Omit<MonthlyStatus, 'month'> {
  const within = statuses.filter(({ starts_on, ends_on }) => overlap({ starts_on, ends_on: ends_on ?? forever }, month))
  const { reason, is_full_time, measurement } = within.find((status) => status.is_full_time) ?? within[0]!
  const started_on = services.findLast(({ starts_on }) => starts_on <= month.ends_on)!.starts_on
  if (started_on > month.starts_on) return { status: 'limited_non_assessment', reason: 'start_month' }
  if (reason === 'measuring' || reason === 'change_not_assessed') return { status: 'limited_non_assessment', reason }
  const eligible_on = firstEligible(history, policy, started_on)
  if (is_full_time && isWithinThreeMonths(eligible_on, month.starts_on))
    return { status: 'limited_non_assessment', reason: 'first_three_months' }
  const by_hours = reason === 'expected_full_time' || reason === 'not_expected_full_time'
  const is_over = month.ends_on < as_of
  const is_known = is_over && isReported(history.hours, month)
  const counts = by_hours && is_known ? isFullTimeMonth(history.hours, month.starts_on, policy.by_weeks) : is_full_time
  const lacks_hours = by_hours ? is_over && !is_known : measurement?.is_reported === false
  if (lacks_hours && !counts) return { status: 'part_time', reason: 'hours_not_reported' }
  return { status: counts ? 'full_time' : 'part_time', reason: by_hours && is_known ? 'monthly_hours' : reason }
}

/**
 * The day on which a person is first otherwise eligible for coverage: the start date in a full-time position
 * (54.4980H-3(d)(2)(iii)), or by the monthly method the first day in one (-3(c)(2)). Undefined if there is no such day.
 */
function firstEligible({ positions }: WorkHistory, { method }: MeasurementPolicy, started_on: Day): Day | undefined {
  const days = positions
    .filter(({ is_full_time, ends_on }) => is_full_time && (ends_on ?? started_on) >= started_on)
    .map(({ starts_on }) => (starts_on > started_on ? starts_on : started_on))
    .sort()
  return method === 'monthly' || days[0] === started_on ? days[0] : undefined
}

function isWithinThreeMonths(eligible_on: Day | undefined, month: Day): boolean {
  const first = eligible_on && firstOnOrAfter(eligible_on)
  return first !== undefined && month >= first && month < monthsAfter(first, 3)
}
