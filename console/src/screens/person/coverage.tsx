import type { BenefitExplanation, Dependent, EligibilityExplanation, Enrollment } from 'openbenefits'
import { formatDay } from '../../format.ts'
import { HereLink } from '../../parts/page/links.tsx'
import { Status } from '../../parts/page/page.tsx'
import { formatDaysIn } from '../../reasons.ts'
import { dependentStatus, enrollmentsOnDay, statusOnDay } from './coverage-status.ts'

/** The status of a benefit on a day and its reason, with the enrollment that explains it. */
type BenefitStatus = { benefit: string; status: string; because: string; why: string }

/** The benefits with their status on a day. Each links to its explanation. */
const StatusList = ({ label, of }: { label: string; of: BenefitStatus[] }) => (
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

const describeLoss = (day: string | null): string =>
  day === null ? 'Not eligible.' : `Not eligible since ${formatDay(day)}.`

/** The warning of a benefit that grants this person no enrollment. */
const benefitRefusal = ({ warnings }: BenefitExplanation) =>
  warnings.find(({ code }) => code === 'not_offered_in_state' || code === 'plan_year_ends_first')

/** The status of a benefit without an enrollment, and why. */
function statusWithoutEnrollment(
  benefit: BenefitExplanation,
  lost_on: string | null,
): [status: string, because: string] {
  if (benefit.coverage_start === null) return ['not covered', describeLoss(lost_on)]
  const refusal = benefitRefusal(benefit)
  if (refusal) return ['not covered', refusal.message]
  return ['not yet covered', `Coverage can start on ${formatDay(benefit.coverage_start)}.`]
}

type CoverageOnDayProps = { explained: EligibilityExplanation; enrollments: Enrollment[] }

/** Shows for each benefit whether the person is covered on the selected day, and why not. */
export function CoverageOnDay({ explained, enrollments }: CoverageOnDayProps) {
  const { as_of, benefits, benefits_without_period, eligibility_lost_on } = explained
  const statuses = enrollmentsOnDay(as_of, enrollments).map((one): BenefitStatus => {
    const [status, because] = statusOnDay(as_of, one)
    return { benefit: one.benefit.name, status, because, why: one.id }
  })
  const isWithout = ({ benefit }: { benefit: { id: string } }) =>
    !enrollments.some((one) => one.benefit.id === benefit.id)
  const without = benefits.filter(isWithout)
  const waited_for = [...Map.groupBy(without, ({ benefit }) => benefit.id).values()]
    .map(([soonest]) => soonest!)
    .map((soonest): BenefitStatus => {
      const [status, because] = statusWithoutEnrollment(soonest, eligibility_lost_on)
      return { benefit: soonest.benefit.name, status, because, why: 'eligibility' }
    })
  const never_eligible = benefits_without_period
    .filter((one) => isWithout(one) && !waited_for.some(({ benefit }) => benefit === one.benefit.name))
    .map(({ benefit, reason }): BenefitStatus => ({
      benefit: benefit.name,
      status: 'not covered',
      because: formatDaysIn(reason),
      why: 'eligibility',
    }))
  const all = [...statuses, ...waited_for, ...new Map(never_eligible.map((one) => [one.benefit, one])).values()]
  if (all.length === 0) return <p className="quiet note">Not covered: no plan year offers this person a benefit.</p>
  return <StatusList label={`On ${formatDay(as_of)}`} of={all} />
}

type DependentCoverageProps = { of: Dependent; day: string; enrollments: Enrollment[] }

/** Lists for each benefit whether a dependent is covered on a day, and why. */
export function DependentCoverage({ of: dependent, day, enrollments }: DependentCoverageProps) {
  if (enrollments.length === 0)
    return <p className="quiet note">Not covered: the employee has no enrollment in any benefit.</p>
  const statuses = enrollmentsOnDay(day, enrollments).map((one): BenefitStatus => {
    const [status, because] = dependentStatus(dependent, day, one)
    return { benefit: one.benefit.name, status, because, why: one.id }
  })
  return <StatusList label={`Coverage of ${dependent.first_name} on ${formatDay(day)}`} of={statuses} />
}
