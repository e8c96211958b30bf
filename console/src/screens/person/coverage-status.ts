import type { Day, Dependent, Enrollment } from 'openbenefits'
import { formatDay, formatDollars, type Tone, toneOf } from '../../format.ts'
import { coverageLevelLabel } from '../../parts/benefits/labels.ts'

/** The status of an enrollment, and of the coverage it provides on a day. */

/** The answer to an enrollment, even after its end. */
export const answerOf = ({ election_status }: Pick<Enrollment, 'election_status'>): 'elected' | 'waived' | undefined =>
  ({ Enrolled: 'elected', Waived: 'waived', Pending: undefined, Expired: undefined } as const)[election_status]

/** Whether an enrollment ended before its coverage started. */
export const neverStarted = ({ coverage_start, coverage_end }: Enrollment): boolean =>
  coverage_end !== null && coverage_end < coverage_start

/** The status of an enrollment in words: of its election, until it ends. One that never starts has ended. */
export const enrollmentStatus = (of: Enrollment): string =>
  of.status === 'inactive' || neverStarted(of) ? 'inactive' : of.election_status.toLowerCase()

/** Plan and coverage level, or the answer without a plan. */
export const planAndLevel = ({ plan, coverage_tier }: Pick<Enrollment, 'plan' | 'coverage_tier'>): string =>
  [plan?.name, coverageLevelLabel(coverage_tier)].filter(Boolean).join(', ')

/**
 * The color of an enrollment on a timeline. Ended coverage keeps the color of active coverage for the days that it
 * covered.
 */
export const toneOfCoverage = (of: Enrollment): Tone =>
  answerOf(of) === 'elected' ? 'good' : of.election_status === 'Expired' ? 'over' : toneOf(enrollmentStatus(of))

const coversDay = ({ coverage_start, coverage_end }: Enrollment, day: string) =>
  coverage_start <= day && (coverage_end === null || day <= coverage_end)

/** The enrollment of each benefit that covers a day. If none does, the next one that begins, or else the last one. */
export const enrollmentsOnDay = (day: string, enrollments: Enrollment[]): Enrollment[] =>
  [...Map.groupBy(enrollments, ({ benefit }) => benefit.id).values()].map((those) => {
    const ordered = those.toSorted((a, b) => a.coverage_start.localeCompare(b.coverage_start))
    return (
      ordered.findLast((one) => coversDay(one, day)) ??
      ordered.find((one) => one.coverage_start > day && !neverStarted(one)) ??
      ordered.at(-1)!
    )
  })

/** The upcoming election: the other plan or coverage level, or else only its new cost. */
const describeNext = (now: Enrollment, next: NonNullable<Enrollment['upcoming_election']>): string =>
  planAndLevel(next) === planAndLevel(now)
    ? `the employee pays ${formatDollars(next.employee_deduction_in_cents)} a month`
    : planAndLevel(next)

/**
 * The coverage of an enrollment on a day, with its start, its end and the upcoming change. The service records the end
 * only after the plan year, so on the last day of the plan year it is not recorded yet.
 */
function describeCoverage(enrollment: Enrollment, day: string): string {
  const { coverage_start, coverage_end, plan_year_end, elected_from, upcoming_election: next } = enrollment
  const end = coverage_end ?? (day === plan_year_end ? day : null)
  const days = end ? `${formatDay(coverage_start)} to ${formatDay(end)}` : `since ${formatDay(coverage_start)}`
  return [
    `${planAndLevel(enrollment)}, ${days}.`,
    elected_from && `Changed on ${formatDay(elected_from)}.`,
    next && `From ${formatDay(next.effective_on)}: ${describeNext(enrollment, next)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * The last day of coverage if it is before a day. Coverage that nothing else ends has no `coverage_end`, and ends with
 * the plan year.
 */
export function lastCoveredDayBefore(day: string, one: Enrollment): Day | null {
  const last_day = one.coverage_end ?? (answerOf(one) === 'elected' ? one.plan_year_end : null)
  return last_day !== null && last_day < day ? last_day : null
}

/** Whether an enrollment covers the employee on a day, and why. */
export function statusOnDay(day: string, one: Enrollment): [status: string, because: string] {
  const { coverage_start, window } = one
  const answer = answerOf(one)
  const last_day = lastCoveredDayBefore(day, one)
  if (answer === 'waived') return ['waived', 'Waived by the employee.']
  if (answer === 'elected' && neverStarted(one))
    return [
      'not covered',
      `${planAndLevel(one)} was elected, but the enrollment ended before its start on ${formatDay(coverage_start)}.`,
    ]
  if (last_day !== null)
    return answer === 'elected'
      ? ['not covered', `Coverage ended on ${formatDay(last_day)}.`]
      : ['not covered', `No election before the enrollment ended on ${formatDay(last_day)}.`]
  if (answer === 'elected')
    return coverage_start > day
      ? ['not yet covered', `${planAndLevel(one)} starts on ${formatDay(coverage_start)}.`]
      : ['covered', describeCoverage(one, day)]
  if (window && window.end >= day)
    return ['not covered', `No election yet. The window is open until ${formatDay(window.end)}.`]
  return [
    'not covered',
    one.election_status === 'Expired' ? 'No election before the window closed.' : 'No election yet.',
  ]
}

/** Whether an enrollment covers a dependent on a day, and why. */
export function dependentStatus(
  { id, first_name, covered_until }: Dependent,
  day: string,
  one: Enrollment,
): [status: string, because: string] {
  const { coverage_start, coverage_end, coverage_tier, dependent_ids, upcoming_election: next } = one
  const answer = answerOf(one)
  if (answer === 'waived') return ['not covered', 'The employee waived this benefit.']
  if (answer === undefined || neverStarted(one)) return ['not covered', 'The employee has not elected this benefit.']
  if (coverage_end !== null && coverage_end < day)
    return ['not covered', `Coverage of the employee ended on ${formatDay(coverage_end)}.`]
  if (covered_until !== null && covered_until < day)
    return ['not covered', `${first_name} could be covered until ${formatDay(covered_until)}.`]
  if (dependent_ids.includes(id))
    return coverage_start > day
      ? ['not yet covered', `${planAndLevel(one)} starts on ${formatDay(coverage_start)}.`]
      : ['covered', `${first_name} is named in the election of ${planAndLevel(one)}.`]
  if (next?.dependent_ids.includes(id))
    return ['not yet covered', `From ${formatDay(next.effective_on)}: ${planAndLevel(next)}.`]
  if (coverage_tier === 'EE') return ['not covered', 'The employee elected the coverage level Employee only.']
  return ['not covered', `${first_name} is not named in the election of ${planAndLevel(one)}.`]
}
