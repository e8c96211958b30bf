import type { EligibilityExplanation, Enrollment } from 'openbenefits'
import { Status } from '../../parts/page/page.tsx'
import { dayOf, inDollars } from '../../format.ts'
import { answerTo, neverBegan, planOf } from './elections.ts'
import { HereLink } from '../../parts/page/here-link.tsx'

/** The status of a benefit on a day, with the enrollment that explains it. */
type BenefitStatus = { benefit: string; status: string; because: string; why: string }

const lastsOn = ({ coverage_start, coverage_end }: Enrollment, day: string) =>
  coverage_start <= day && (coverage_end === null || day <= coverage_end)

/** The upcoming election: another plan or tier, or else its new cost. */
const nextOf = (now: Enrollment, next: NonNullable<Enrollment['upcoming_election']>): string =>
  planOf(next) === planOf(now)
    ? `the employee pays ${inDollars(next.employee_deduction_in_cents)} a month`
    : planOf(next)

/** The coverage of an enrollment on its day, with its start and the upcoming change. */
function heldBy(enrollment: Enrollment): string {
  const { coverage_start, coverage_end, elected_from, upcoming_election: next } = enrollment
  const days = coverage_end ? `${dayOf(coverage_start)} to ${dayOf(coverage_end)}` : `since ${dayOf(coverage_start)}`
  return [
    `${planOf(enrollment)}, ${days}.`,
    elected_from && `Changed on ${dayOf(elected_from)}.`,
    next && `From ${dayOf(next.effective_on)}: ${nextOf(enrollment, next)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The enrollment of the day, else the next one, else the last one. */
function statusOn(day: string, enrollments: Enrollment[]): BenefitStatus {
  const ordered = enrollments.toSorted((a, b) => a.coverage_start.localeCompare(b.coverage_start))
  const one =
    ordered.findLast((each) => lastsOn(each, day)) ??
    ordered.find((each) => each.coverage_start > day && !neverBegan(each))
  const enrollment = one ?? ordered.at(-1)!
  const { benefit, coverage_start, coverage_end, window } = enrollment
  const common = { benefit: benefit.name, why: enrollment.id }
  const answer = answerTo(enrollment)
  if (answer === 'waived') return { ...common, status: 'waived', because: 'Waived by the employee.' }
  if (coverage_end !== null && coverage_end < day && !neverBegan(enrollment))
    return { ...common, status: 'not covered', because: `Coverage ended on ${dayOf(coverage_end)}.` }
  if (neverBegan(enrollment)) return { ...common, status: 'not covered', because: 'Ended before coverage started.' }
  if (answer === 'elected')
    return coverage_start > day
      ? { ...common, status: 'not yet covered', because: `${planOf(enrollment)} starts on ${dayOf(coverage_start)}.` }
      : { ...common, status: 'covered', because: heldBy(enrollment) }
  if (window && window.end >= day)
    return {
      ...common,
      status: 'not covered',
      because: `No election yet. The window is open until ${dayOf(window.end)}.`,
    }
  return {
    ...common,
    status: 'not covered',
    because: window ? `No election by ${dayOf(window.end)}.` : 'No election.',
  }
}

const lost = (day: string | null): string => (day === null ? 'Not eligible.' : `Not eligible since ${dayOf(day)}.`)

type CoveredProps = { explained: EligibilityExplanation; enrollments: Enrollment[] }

/** Shows for each benefit whether the person is covered on the selected day, and why not. */
export function Covered({ explained, enrollments }: CoveredProps) {
  const { as_of, benefits, eligibility_lost_on } = explained
  const statuses = [...Map.groupBy(enrollments, ({ benefit }) => benefit.id).values()].map((those) =>
    statusOn(as_of, those),
  )
  const without = benefits.filter(({ benefit }) => !enrollments.some((one) => one.benefit.id === benefit.id))
  const waited_for = [...Map.groupBy(without, ({ benefit }) => benefit.id).values()]
    .map(([soonest]) => soonest!)
    .map(({ benefit, coverage_start }): BenefitStatus => ({
      benefit: benefit.name,
      why: 'eligibility',
      ...(coverage_start === null
        ? { status: 'not covered', because: lost(eligibility_lost_on) }
        : { status: 'not yet covered', because: `Coverage can start on ${dayOf(coverage_start)}.` }),
    }))
  if (statuses.length === 0 && waited_for.length === 0)
    return <p className="quiet note">Not covered: no plan year offers this person a benefit.</p>
  return (
    <ul className="lines covered" aria-label={`On ${dayOf(as_of)}`}>
      {[...statuses, ...waited_for].map(({ benefit, status, because, why }) => (
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
}
