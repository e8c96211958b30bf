import { Link } from '@tanstack/react-router'
import type {
  AcaStatus,
  DeductionProof,
  Dependent,
  EligibilityExplanation,
  Employee,
  EmployeeId,
  Enrollment,
  LifeEvent,
  WageEntry,
} from 'openbenefits'
import { formatDay, daysBetween, formatDollars, fullName, easternToday, toSentence } from '../../format.ts'
import { easternDayOf } from '../../zoned-days.ts'
import { formatDaysIn } from '../../reasons.ts'
import { describeClasses, classLabel } from '../../parts/benefits/labels.ts'
import { takeFocus } from '../../parts/page/interaction.ts'
import { HereLink } from '../../parts/page/links.tsx'
import { Status } from '../../parts/page/page.tsx'
import { isOperator, isRoleAllowed } from '../../session.ts'
import { DependentCoverage } from './coverage.tsx'
import { lastReinstatementDay } from '../dependents/dependent-actions.tsx'
import { chargedDays, describeElection, type Election, electionsOf } from './lanes.ts'
import { aca_prefix } from '../aca/queries.ts'
import { AcaReasons } from '../aca/aca-reasons.tsx'
import { CoverageReasons, reasonStep, type ReasonStep, ReasonSteps, toWords } from './coverage-reasons.tsx'

const types_with_new_dependent = ['marriage', 'birth', 'adoption', 'placement']

type WhyProps = {
  why: string
  employee: Employee
  eligible: EligibilityExplanation | undefined
  as_of: string | undefined
  enrollments: Enrollment[]
  dependents: Dependent[]
  life_events: LifeEvent[]
  wages: WageEntry[]
  proof: DeductionProof | undefined
  aca: AcaStatus | undefined
}

/** Explains the dates of a span: the rule, the facts and their source. Takes the focus, since its link is far above. */
export function SpanReasons({
  why,
  employee,
  eligible,
  as_of,
  enrollments,
  dependents,
  life_events,
  wages,
  proof,
  aca,
}: WhyProps) {
  const enrollment = enrollments.find(({ id }) => id === why)
  const election = electionsOf(enrollments, as_of).find(({ id }) => id === why)
  const dependent = dependents.find(({ id }) => id === why)
  const life_event = life_events.find(({ id }) => id === why)
  const day = as_of ?? eligible?.as_of ?? easternToday()
  return (
    <aside className="why" aria-label="Why these dates">
      <div className="section-head">
        <h2 id="why" ref={takeFocus} tabIndex={-1}>
          {enrollment
            ? `Why ${enrollment.benefit.name} has these dates`
            : dependent
              ? `Coverage of ${fullName(dependent)}`
              : 'Why these dates'}
        </h2>
        <HereLink className="plain" change={{ why: undefined }}>
          Close
        </HereLink>
      </div>
      {enrollment ? (
        <CoverageReasons enrollment={enrollment} day={day} />
      ) : why === 'employment' ? (
        <EmploymentReasons employee={employee} classes={eligible?.class_history ?? []} />
      ) : election ? (
        <ElectionReasons of={election} />
      ) : dependent ? (
        <>
          <DependentCoverage of={dependent} day={day} enrollments={enrollments} />
          <DependentReasons of={dependent} />
        </>
      ) : life_event ? (
        <LifeEventReasons of={life_event} employee_id={employee.id} />
      ) : why.startsWith(aca_prefix) ? (
        aca && <AcaReasons of={aca} why={why} />
      ) : why === 'pay' ? (
        <ReasonSteps of={wages.map(wageStep)} />
      ) : why === 'deductions' ? (
        proof && <DeductionReasons of={proof} enrollments={enrollments} />
      ) : (
        eligible && <EligibilityReasons of={eligible} />
      )}
    </aside>
  )
}

type EmploymentReasonsProps = { employee: Employee; classes: EligibilityExplanation['class_history'] }

function EmploymentReasons({ employee, classes }: EmploymentReasonsProps) {
  const { hire_date, termination_date, compensation_type, bargaining_unit } = employee
  return (
    <ReasonSteps
      of={[
        reasonStep(hire_date, 'Hired', 'The hire date on the roster.'),
        ...classes.map(({ employee_class, effective_on }) =>
          reasonStep(effective_on, classLabel(employee_class), 'This class applies from this day.'),
        ),
        compensation_type !== null &&
          reasonStep(
            employee.compensation_type_effective_date,
            compensation_type,
            'This pay type applies from this day.',
          ),
        bargaining_unit !== null &&
          reasonStep(
            employee.bargaining_unit_effective_date,
            bargaining_unit,
            'In this bargaining unit from this day.',
          ),
        termination_date !== null && reasonStep(termination_date, 'Last day', 'From the roster or a termination.'),
      ]}
    />
  )
}

function EligibilityReasons({ of: explained }: { of: EligibilityExplanation }) {
  const { anchor, eligibility_policy: policy, eligible_on, eligibility_lost_on, covered_until } = explained
  return (
    <>
      <p>
        <Status of={explained.status} /> {formatDaysIn(explained.reason)}
      </p>
      <ReasonSteps
        of={[
          reasonStep(anchor, 'Service starts', 'Hired or moved into an eligible class.'),
          policy &&
            eligible_on !== null &&
            reasonStep(
              eligible_on,
              'Eligible from this day',
              `${describeClasses(policy)}, waiting period: ${toWords(policy.waiting_period)}.`,
            ),
          eligibility_lost_on !== null &&
            reasonStep(
              eligibility_lost_on,
              'No longer eligible from this day',
              'Terminated, or in a class that is not eligible.',
            ),
          covered_until !== null &&
            reasonStep(covered_until, 'Last day of coverage', 'Coverage lasts until the end of that month.'),
        ]}
      />
      {explained.warnings.map(({ code, message }) => (
        <p key={code} className="quiet">
          {message}
        </p>
      ))}
      <BenefitRefusals of={explained} />
    </>
  )
}

/** The reasons why single benefits are not granted to a person, although the person may be eligible for others. */
function BenefitRefusals({ of: { benefits, benefits_without_period } }: { of: EligibilityExplanation }) {
  const refusals = [
    ...benefits.flatMap(({ benefit, warnings }) => warnings.map(({ message }) => [benefit.name, message] as const)),
    ...benefits_without_period.map(({ benefit, reason }) => [benefit.name, reason] as const),
  ]
  // Two plan years of a benefit can have the same reason.
  const shown = new Map(refusals.map((refusal) => [refusal.join(), refusal]))
  if (shown.size === 0) return null
  return (
    <ul className="lines" aria-label="Benefits that are not granted or limited">
      {[...shown].map(([key, [name, reason]]) => (
        <li key={key}>
          <span>{name}</span>
          <span>{formatDaysIn(reason)}</span>
        </li>
      ))}
    </ul>
  )
}

const wageStep = ({ monthly_wage_in_cents, effective_on }: WageEntry): ReasonStep =>
  reasonStep(
    effective_on,
    `${formatDollars(monthly_wage_in_cents)} a month`,
    'This pay applies from this day until the next change.',
  )

/** The start of a dependent, and the last day of possible coverage. */
function DependentReasons({ of }: { of: Dependent }) {
  const { id, first_name, relationship, created_at, ended_on, covered_until } = of
  return (
    <ReasonSteps
      of={[
        reasonStep(
          easternDayOf(created_at),
          `${first_name}, ${toWords(relationship)}`,
          'Added by the employee or the partner on this day.',
        ),
        ended_on !== null &&
          reasonStep(
            ended_on,
            'The last day as a dependent',
            <>
              Reported by the employee or the partner, who can reverse it until{' '}
              {formatDay(lastReinstatementDay(ended_on))}.
              {(isOperator() || isRoleAllowed('keys')) && (
                <>
                  {' '}
                  <Link to="/audit" search={{ resource_id: id }}>
                    Show in the audit log
                  </Link>
                </>
              )}
            </>,
          ),
        reasonStep(covered_until, covered_until ? 'Last day of possible coverage' : 'No end yet', whyUntil(of)),
      ]}
    />
  )
}

/** The reason for the last day of possible coverage. */
function whyUntil({ covered_until, ended_on, disabled }: Dependent): string {
  if (covered_until === null) return disabled ? 'No age limit, because a disability is approved.' : 'No age limit.'
  const is_by_age = covered_until.slice(0, 7) !== ended_on?.slice(0, 7)
  return is_by_age ? 'The end of the month of the 26th birthday.' : 'The end of that month.'
}

/** A life event: its date, the decision, and the special enrollment period. */
function LifeEventReasons({ of, employee_id }: { of: LifeEvent; employee_id: EmployeeId }) {
  const { type, description, status, occurred_on, created_at, decided_at, decision_reason } = of
  const { window_start, window_end } = of
  const reported =
    type === 'dependent_coverage_ended'
      ? reasonStep(
          easternDayOf(created_at),
          'Detected',
          'Detected automatically, because the end of coverage is on record.',
        )
      : reasonStep(easternDayOf(created_at), 'Reported', 'Within the 60 days allowed.')
  return (
    <>
      <ReasonSteps
        of={[
          reasonStep(occurred_on, toSentence(type), description ?? 'The day it happened, as reported.'),
          reported,
          decided_at !== null &&
            reasonStep(easternDayOf(decided_at), toSentence(status), decision_reason ?? 'By the operator.'),
          window_start !== null &&
            reasonStep(
              window_start,
              <strong>First day to enroll</strong>,
              type === 'dependent_coverage_ended' ? 'The day after the coverage ended.' : 'The day of the approval.',
            ),
          window_start !== null &&
            window_end !== null &&
            reasonStep(
              window_end,
              'Last day to enroll',
              `${daysBetween(window_start, window_end)} days after the first.`,
            ),
        ]}
      />
      {type !== 'dependent_coverage_ended' && <LifeEventNextStep of={of} employee_id={employee_id} />}
    </>
  )
}

/** The next step for a life event: its decision, or the correction of a wrong one, since decisions are permanent. */
function LifeEventNextStep({ of, employee_id }: { of: LifeEvent; employee_id: EmployeeId }) {
  const { type, status, window_end } = of
  if (status === 'pending')
    return (
      <p className="quiet">
        The operator approves or declines the event. An approval opens a special enrollment period of 30 days.{' '}
        {types_with_new_dependent.includes(type) && !isOperator() && isRoleAllowed('people') && (
          <>
            To cover a new dependent, add them first: <HereLink change={{ add: 'dependent' }}>Add dependent</HereLink>
          </>
        )}
      </p>
    )
  if (status === 'declined')
    return (
      <p className="quiet">
        Declined by mistake? Decisions are permanent. Report the life event again, and approve the new report.
      </p>
    )
  if (status !== 'approved' || window_end === null) return null
  return (
    <p className="quiet">
      Approved in error? Decisions are permanent. The employee can enroll until {formatDay(window_end)}. Then{' '}
      {isOperator() && isRoleAllowed('administer') ? (
        <Link to="/people/$employee_id/change" params={{ employee_id }} search={{ action: 'enrollment' }}>
          correct the enrollments that changed
        </Link>
      ) : (
        'the operator can correct the enrollments that changed'
      )}
      . Deductions and invoices follow.
    </p>
  )
}

/** The elections of a day by benefit, each with a link to its history. */
function ElectionReasons({ of: { day, stands, enrollments } }: { of: Election }) {
  const steps = enrollments.map((one): ReasonStep => ({
    day,
    what: (
      <>
        <HereLink change={{ why: one.id }}>{one.benefit.name}</HereLink>: {describeElection(one, stands)}
      </>
    ),
    because: whyElected(one, stands),
  }))
  return <ReasonSteps of={steps} />
}

/** The submitter of an election, and its effect. */
function whyElected(one: Enrollment, stands: Election['stands']): string {
  if (stands === 'later')
    return 'This election was made after the selected day. See its history, or select a later day.'
  if (stands === 'ahead') {
    const paid = formatDollars(one.upcoming_election!.employee_deduction_in_cents)
    return `Elected for this day. The employee pays ${paid} per month from then on.`
  }
  return [
    one.elected_by && `Submitted by ${toWords(one.elected_by)}.`,
    one.status === 'enrolled' && `Coverage from ${formatDay(one.coverage_start)}.`,
    one.status === 'enrolled' && `The employee pays ${formatDollars(one.employee_deduction_in_cents)} per month.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The deductions of a year: due, on statements so far, and those that later statements request. */
function DeductionReasons({ of, enrollments }: { of: DeductionProof; enrollments: Enrollment[] }) {
  const [start, end] = chargedDays(of, enrollments)
  const parts = [
    [of.corrections_in_cents, 'of this corrects earlier paychecks'],
    [of.difference_in_cents, 'will be corrected by the next statement'],
    [of.outstanding_in_cents, 'is still outstanding'],
    [of.waived_in_cents, 'is waived after the last paycheck'],
  ] as const
  return (
    <ReasonSteps
      of={[
        reasonStep(
          start,
          `Due in ${of.year}: ${formatDollars(of.due_in_cents)}`,
          'The employee’s share for the charged months.',
        ),
        of.through !== null &&
          reasonStep(
            of.through,
            `On statements so far: ${formatDollars(of.collected_in_cents)}`,
            [
              'The latest statement ends on this day.',
              ...parts.flatMap(([cents, meaning]) => (cents === 0 ? [] : [`${formatDollars(cents)} ${meaning}.`])),
            ].join(' '),
          ),
        of.due_in_cents > of.collected_in_cents &&
          reasonStep(
            end,
            `Not requested yet: ${formatDollars(of.due_in_cents - of.collected_in_cents)}`,
            'The last covered day of the year. The statements show the paychecks that deduct it.',
          ),
      ]}
    />
  )
}
