import type { BenefitExplanation, Day, Dependent, EligibilityExplanation, Enrollment } from 'openbenefits'
import { dayOf, inDollars, type Tone, toneOf } from '../../format.ts'
import { levelOf } from '../../parts/benefits/labels.ts'
import { HereLink } from '../../parts/page/links.tsx'
import { Status } from '../../parts/page/page.tsx'
import { withDays } from '../../reasons.ts'

/** The answer to an enrollment, even after its end. */
export const answerTo = ({ election_status }: Pick<Enrollment, 'election_status'>): 'elected' | 'waived' | undefined =>
  ({ Enrolled: 'elected', Waived: 'waived', Pending: undefined, Expired: undefined } as const)[election_status]

/** Whether an enrollment ended before its coverage started. */
export const neverBegan = ({ coverage_start, coverage_end }: Enrollment): boolean =>
  coverage_end !== null && coverage_end < coverage_start

/** The status of an enrollment in words: of its election, until it ends. One that never starts has ended. */
export const statusOf = (of: Enrollment): string =>
  of.status === 'inactive' || neverBegan(of) ? 'inactive' : of.election_status.toLowerCase()

/** Plan and coverage level, or the answer without a plan. */
export const planOf = ({ plan, coverage_tier }: Pick<Enrollment, 'plan' | 'coverage_tier'>): string =>
  [plan?.name, levelOf(coverage_tier)].filter(Boolean).join(', ')

/**
 * The color of an enrollment on a timeline. Ended coverage keeps the color of active coverage for the days that it
 * covered.
 */
export const toneOfCoverage = (of: Enrollment): Tone =>
  answerTo(of) === 'elected' ? 'good' : of.election_status === 'Expired' ? 'over' : toneOf(statusOf(of))

/** The status of a benefit on a day and its reason, with the enrollment that explains it. */
type BenefitStatus = { benefit: string; status: string; because: string; why: string }

/** The benefits with their status on a day. Each links to its explanation. */
const Statuses = ({ label, of }: { label: string; of: BenefitStatus[] }) => (
  <ul className="lines covered" aria-label={label}>
    {of.map(({ benefit, status, because, why }) => (
      <li key={benefit}>
        <HereLink change={{ why }} hash="why" aria-label={`${benefit}: why?`}>
          {benefit}
        </HereLink>
        <span className="quiet because">{because}</span>
        <Status of={status} />
      </li>
    ))}
  </ul>
)

const lastsOn = ({ coverage_start, coverage_end }: Enrollment, day: string) =>
  coverage_start <= day && (coverage_end === null || day <= coverage_end)

/** The enrollment of each benefit that covers a day. If none does, the next one that begins, or else the last one. */
const enrollmentsOn = (day: string, enrollments: Enrollment[]): Enrollment[] =>
  [...Map.groupBy(enrollments, ({ benefit }) => benefit.id).values()].map((those) => {
    const ordered = those.toSorted((a, b) => a.coverage_start.localeCompare(b.coverage_start))
    return (
      ordered.findLast((one) => lastsOn(one, day)) ??
      ordered.find((one) => one.coverage_start > day && !neverBegan(one)) ??
      ordered.at(-1)!
    )
  })

/** The upcoming election: the other plan or coverage level, or else only its new cost. */
const nextOf = (now: Enrollment, next: NonNullable<Enrollment['upcoming_election']>): string =>
  planOf(next) === planOf(now)
    ? `the employee pays ${inDollars(next.employee_deduction_in_cents)} a month`
    : planOf(next)

/**
 * The coverage of an enrollment on a day, with its start, its end and the upcoming change. The service records the end
 * only after the plan year, so on the last day of the plan year it is not recorded yet.
 */
function heldBy(enrollment: Enrollment, day: string): string {
  const { coverage_start, coverage_end, plan_year_end, elected_from, upcoming_election: next } = enrollment
  const end = coverage_end ?? (day === plan_year_end ? day : null)
  const days = end ? `${dayOf(coverage_start)} to ${dayOf(end)}` : `since ${dayOf(coverage_start)}`
  return [
    `${planOf(enrollment)}, ${days}.`,
    elected_from && `Changed on ${dayOf(elected_from)}.`,
    next && `From ${dayOf(next.effective_on)}: ${nextOf(enrollment, next)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * The last day of coverage if it is before a day. Coverage that nothing else ends has no `coverage_end`, and ends with
 * the plan year.
 */
export function lastDayBefore(day: string, one: Enrollment): Day | null {
  const last_day = one.coverage_end ?? (answerTo(one) === 'elected' ? one.plan_year_end : null)
  return last_day !== null && last_day < day ? last_day : null
}

/** Whether an enrollment covers the employee on a day, and why. */
export function statusOn(day: string, one: Enrollment): [status: string, because: string] {
  const { coverage_start, window } = one
  const answer = answerTo(one)
  const last_day = lastDayBefore(day, one)
  if (answer === 'waived') return ['waived', 'Waived by the employee.']
  if (neverBegan(one)) return ['not covered', 'Ended before coverage started.']
  if (last_day !== null) return ['not covered', `Coverage ended on ${dayOf(last_day)}.`]
  if (answer === 'elected')
    return coverage_start > day
      ? ['not yet covered', `${planOf(one)} starts on ${dayOf(coverage_start)}.`]
      : ['covered', heldBy(one, day)]
  if (window && window.end >= day)
    return ['not covered', `No election yet. The window is open until ${dayOf(window.end)}.`]
  return [
    'not covered',
    one.election_status === 'Expired' ? 'No election before the window closed.' : 'No election yet.',
  ]
}

const lost = (day: string | null): string => (day === null ? 'Not eligible.' : `Not eligible since ${dayOf(day)}.`)

/** The warning of a benefit that grants this person no enrollment. */
const refusalOf = ({ warnings }: BenefitExplanation) =>
  warnings.find(({ code }) => code === 'not_offered_in_state' || code === 'plan_year_ends_first')

/** The status of a benefit without an enrollment, and why. */
function statusWithout(benefit: BenefitExplanation, lost_on: string | null): [status: string, because: string] {
  if (benefit.coverage_start === null) return ['not covered', lost(lost_on)]
  const refusal = refusalOf(benefit)
  if (refusal) return ['not covered', refusal.message]
  return ['not yet covered', `Coverage can start on ${dayOf(benefit.coverage_start)}.`]
}

type CoveredProps = { explained: EligibilityExplanation; enrollments: Enrollment[] }

/** Shows for each benefit whether the person is covered on the selected day, and why not. */
export function Covered({ explained, enrollments }: CoveredProps) {
  const { as_of, benefits, benefits_without_period, eligibility_lost_on } = explained
  const statuses = enrollmentsOn(as_of, enrollments).map((one): BenefitStatus => {
    const [status, because] = statusOn(as_of, one)
    return { benefit: one.benefit.name, status, because, why: one.id }
  })
  const isWithout = ({ benefit }: { benefit: { id: string } }) =>
    !enrollments.some((one) => one.benefit.id === benefit.id)
  const without = benefits.filter(isWithout)
  const waited_for = [...Map.groupBy(without, ({ benefit }) => benefit.id).values()]
    .map(([soonest]) => soonest!)
    .map((soonest): BenefitStatus => {
      const [status, because] = statusWithout(soonest, eligibility_lost_on)
      return { benefit: soonest.benefit.name, status, because, why: 'eligibility' }
    })
  const never_eligible = benefits_without_period
    .filter((one) => isWithout(one) && !waited_for.some(({ benefit }) => benefit === one.benefit.name))
    .map(({ benefit, reason }): BenefitStatus => ({
      benefit: benefit.name,
      status: 'not covered',
      because: withDays(reason),
      why: 'eligibility',
    }))
  const all = [...statuses, ...waited_for, ...new Map(never_eligible.map((one) => [one.benefit, one])).values()]
  if (all.length === 0) return <p className="quiet note">Not covered: no plan year offers this person a benefit.</p>
  return <Statuses label={`On ${dayOf(as_of)}`} of={all} />
}

/** Whether an enrollment covers a dependent on a day, and why. */
function dependentStatus(
  { id, first_name, covered_until }: Dependent,
  day: string,
  one: Enrollment,
): [status: string, because: string] {
  const { coverage_start, coverage_end, coverage_tier, dependent_ids, upcoming_election: next } = one
  const answer = answerTo(one)
  if (answer === 'waived') return ['not covered', 'The employee waived this benefit.']
  if (answer === undefined || neverBegan(one)) return ['not covered', 'The employee has not elected this benefit.']
  if (coverage_end !== null && coverage_end < day)
    return ['not covered', `Coverage of the employee ended on ${dayOf(coverage_end)}.`]
  if (covered_until !== null && covered_until < day)
    return ['not covered', `${first_name} could be covered until ${dayOf(covered_until)}.`]
  if (dependent_ids.includes(id))
    return coverage_start > day
      ? ['not yet covered', `${planOf(one)} starts on ${dayOf(coverage_start)}.`]
      : ['covered', `${first_name} is named in the election of ${planOf(one)}.`]
  if (next?.dependent_ids.includes(id)) return ['not yet covered', `From ${dayOf(next.effective_on)}: ${planOf(next)}.`]
  if (coverage_tier === 'EE') return ['not covered', 'The employee elected the coverage level Employee only.']
  return ['not covered', `${first_name} is not named in the election of ${planOf(one)}.`]
}

type DependentCoverageProps = { of: Dependent; day: string; enrollments: Enrollment[] }

/** Lists for each benefit whether a dependent is covered on a day, and why. */
export function DependentCoverage({ of: dependent, day, enrollments }: DependentCoverageProps) {
  if (enrollments.length === 0)
    return <p className="quiet note">Not covered: the employee has no enrollment in any benefit.</p>
  const statuses = enrollmentsOn(day, enrollments).map((one): BenefitStatus => {
    const [status, because] = dependentStatus(dependent, day, one)
    return { benefit: one.benefit.name, status, because, why: one.id }
  })
  return <Statuses label={`Coverage of ${dependent.first_name} on ${dayOf(day)}`} of={statuses} />
}
