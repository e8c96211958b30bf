import type { Dependent, Enrollment } from 'openbenefits'
import { Status } from '../../parts/page/page.tsx'
import { dayOf } from '../../format.ts'
import { answerTo, neverBegan, planOf } from './elections.ts'
import { HereLink } from '../../parts/page/here-link.tsx'

type CoverageStatus = { status: string; because: string }

/** The enrollment of a benefit that covers a day. Without one: the next enrollment, or else the last. */
function enrollmentOn(day: string, enrollments: Enrollment[]): Enrollment {
  const ordered = enrollments.toSorted((a, b) => a.coverage_start.localeCompare(b.coverage_start))
  const lasts = ordered.findLast(
    ({ coverage_start: start, coverage_end: end }) => start <= day && (end === null || day <= end),
  )
  return lasts ?? ordered.find(({ coverage_start }) => coverage_start > day) ?? ordered.at(-1)!
}

/** Whether an enrollment covers a dependent on a day, and why. */
function coverageStatus({ id, first_name, covered_until }: Dependent, day: string, one: Enrollment): CoverageStatus {
  const uncovered = (because: string) => ({ status: 'not covered', because })
  const { coverage_start, coverage_end, coverage_tier, dependent_ids, upcoming_election: next } = one
  const answer = answerTo(one)
  if (answer === 'waived') return uncovered('The employee waived this benefit.')
  if (answer === undefined || neverBegan(one)) return uncovered('The employee has not elected this benefit.')
  if (coverage_end !== null && coverage_end < day)
    return uncovered(`Coverage of the employee ended on ${dayOf(coverage_end)}.`)
  if (covered_until !== null && covered_until < day)
    return uncovered(`${first_name} could be covered until ${dayOf(covered_until)}.`)
  if (dependent_ids.includes(id))
    return coverage_start > day
      ? { status: 'not yet covered', because: `${planOf(one)} starts on ${dayOf(coverage_start)}.` }
      : { status: 'covered', because: `${first_name} is named in the election of ${planOf(one)}.` }
  if (next?.dependent_ids.includes(id))
    return { status: 'not yet covered', because: `From ${dayOf(next.effective_on)}: ${planOf(next)}.` }
  return uncovered(
    coverage_tier === 'EE'
      ? 'The employee elected the coverage level Employee only.'
      : `${first_name} is not named in the election of ${planOf(one)}.`,
  )
}

type DependentCoverageProps = { of: Dependent; day: string; enrollments: Enrollment[] }

/** Lists for each benefit whether a dependent is covered on a day, and why, with a link to the enrollment. */
export function DependentCoverage({ of: dependent, day, enrollments }: DependentCoverageProps) {
  const benefits = [...Map.groupBy(enrollments, ({ benefit }) => benefit.id).values()]
  if (benefits.length === 0)
    return <p className="quiet note">Not covered: the employee has no enrollment in any benefit.</p>
  return (
    <ul className="lines covered" aria-label={`Coverage of ${dependent.first_name} on ${dayOf(day)}`}>
      {benefits
        .map((those) => enrollmentOn(day, those))
        .map((one) => {
          const { status, because } = coverageStatus(dependent, day, one)
          return (
            <li key={one.benefit.id}>
              <HereLink change={{ why: one.id }} hash="why" aria-label={`${one.benefit.name}: why?`}>
                {one.benefit.name}
              </HereLink>
              <span className="quiet because">{because}</span>
              <Status of={status} />
            </li>
          )
        })}
    </ul>
  )
}
