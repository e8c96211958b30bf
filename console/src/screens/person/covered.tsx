import { Link } from '@tanstack/react-router'
import type { EligibilityExplanation, Enrollment } from 'openbenefits'
import { Status } from '../../parts/page.tsx'
import { dayOf, inDollars } from '../../parts/words.ts'
import { answerTo, neverBegan, planOf } from './answers.ts'

/** Of a benefit on a day: the enrollment that is looked at, and how it stands. */
type Standing = { benefit: string; status: string; because: string; why: string }

const lastsOn = ({ coverage_start, coverage_end }: Enrollment, day: string) =>
  coverage_start <= day && (coverage_end === null || day <= coverage_end)

/** What comes next: another plan or tier, or where both stay what it will cost. */
const nextOf = (now: Enrollment, next: NonNullable<Enrollment['upcoming_election']>): string =>
  planOf(next) === planOf(now)
    ? `the employee pays ${inDollars(next.employee_deduction_in_cents)} a month`
    : planOf(next)

/** What somebody has on the day that the enrollment is of, since when, and what comes next. */
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

/** Of the enrollments of one benefit: that of the day, else the one that comes next, else the last there was. */
function standingOn(day: string, enrollments: Enrollment[]): Standing {
  const ordered = enrollments.toSorted((a, b) => a.coverage_start.localeCompare(b.coverage_start))
  const one =
    ordered.findLast((each) => lastsOn(each, day)) ??
    ordered.find((each) => each.coverage_start > day && !neverBegan(each))
  const told = one ?? ordered.at(-1)!
  const { benefit, coverage_start, coverage_end, window } = told
  const common = { benefit: benefit.name, why: told.id }
  const answer = answerTo(told)
  if (answer === 'waived') return { ...common, status: 'waived', because: 'Declined by the employee.' }
  if (coverage_end !== null && coverage_end < day && !neverBegan(told))
    return { ...common, status: 'not covered', because: `Coverage ended on ${dayOf(coverage_end)}.` }
  if (neverBegan(told)) return { ...common, status: 'not covered', because: 'Ended before coverage started.' }
  if (answer === 'elected')
    return coverage_start > day
      ? { ...common, status: 'not yet covered', because: `${planOf(told)} starts on ${dayOf(coverage_start)}.` }
      : { ...common, status: 'covered', because: heldBy(told) }
  if (window && window.end >= day)
    return { ...common, status: 'not covered', because: `Has not chosen yet. Open until ${dayOf(window.end)}.` }
  return {
    ...common,
    status: 'not covered',
    because: window ? `Did not choose by ${dayOf(window.end)}.` : 'Nothing was chosen.',
  }
}

const lost = (day: string | null): string => (day === null ? 'Not eligible.' : `Not eligible since ${dayOf(day)}.`)

type CoveredProps = { explained: EligibilityExplanation; enrollments: Enrollment[] }

/** Benefit by benefit, whether somebody is covered on the day looked at, and if not, why: each leads to its days. */
export function Covered({ explained, enrollments }: CoveredProps) {
  const { as_of, benefits, eligibility_lost_on } = explained
  const standings = [...Map.groupBy(enrollments, ({ benefit }) => benefit.id).values()].map((those) =>
    standingOn(as_of, those),
  )
  const without = benefits.filter(({ benefit }) => !enrollments.some((one) => one.benefit.id === benefit.id))
  const waited_for = [...Map.groupBy(without, ({ benefit }) => benefit.id).values()]
    .map(([soonest]) => soonest!)
    .map(({ benefit, coverage_start }): Standing => ({
      benefit: benefit.name,
      why: 'eligibility',
      ...(coverage_start === null
        ? { status: 'not covered', because: lost(eligibility_lost_on) }
        : { status: 'not yet covered', because: `Coverage can start on ${dayOf(coverage_start)}.` }),
    }))
  if (standings.length === 0 && waited_for.length === 0)
    return <p className="quiet note">Not covered: no plan year offers them a benefit.</p>
  return (
    <ul className="lines covered" aria-label={`On ${dayOf(as_of)}`}>
      {[...standings, ...waited_for].map(({ benefit, status, because, why }) => (
        <li key={benefit}>
          <Link
            from="/people/$employee_id"
            to="."
            search={(before) => ({ ...before, why })}
            hash="why"
            aria-label={`${benefit}: why?`}
          >
            {benefit}
          </Link>
          <span className="quiet because">{because}</span>
          <Status of={status} />
        </li>
      ))}
    </ul>
  )
}
