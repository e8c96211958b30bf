import { Link } from '@tanstack/react-router'
import type {
  DeductionProof,
  Dependent,
  EligibilityExplanation,
  Employee,
  Enrollment,
  LifeEvent,
  WageEntry,
} from 'openbenefits'
import { dayOf, easternDayOf, inDollars, nameOf, presentDay, sentence, withDays } from '../../format.ts'
import { classesOf } from '../../parts/benefits/labels.ts'
import { HereLink } from '../../parts/page/links.tsx'
import { Status } from '../../parts/page/page.tsx'
import { isOperator, may } from '../../session.ts'
import { DependentCoverage } from './coverage.tsx'
import { lastToReinstate } from './dependent-actions.tsx'
import { chargedDays, electedOf, type Election, electionsOf } from './lanes.ts'
import { OfCoverage, type Step, Steps, words } from './why-coverage.tsx'

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
}

/** Explains the dates of a span: the rule, the facts and their source. */
export function Why({ why, employee, eligible, as_of, enrollments, dependents, life_events, wages, proof }: WhyProps) {
  const enrollment = enrollments.find(({ id }) => id === why)
  const election = electionsOf(enrollments, as_of).find(({ id }) => id === why)
  const dependent = dependents.find(({ id }) => id === why)
  const life_event = life_events.find(({ id }) => id === why)
  return (
    <aside className="why" aria-label="Why these dates">
      <div className="section-head">
        <h2 id="why">
          {enrollment
            ? `Why ${enrollment.benefit.name} has these dates`
            : dependent
              ? `Coverage of ${nameOf(dependent)}`
              : 'Why these dates'}
        </h2>
        <HereLink className="plain" change={{ why: undefined }}>
          Close
        </HereLink>
      </div>
      {enrollment ? (
        <OfCoverage enrollment={enrollment} />
      ) : why === 'employment' ? (
        <OfEmployment employee={employee} />
      ) : election ? (
        <OfElection of={election} />
      ) : dependent ? (
        <>
          <DependentCoverage of={dependent} day={as_of ?? eligible?.as_of ?? presentDay()} enrollments={enrollments} />
          <OfDependent of={dependent} />
        </>
      ) : life_event ? (
        <OfLifeEvent of={life_event} />
      ) : why === 'pay' ? (
        <Steps of={wages.map(payStep)} />
      ) : why === 'deductions' ? (
        proof && <OfDeductions of={proof} enrollments={enrollments} />
      ) : (
        eligible && <OfEligibility of={eligible} />
      )}
    </aside>
  )
}

function OfEmployment({ employee }: { employee: Employee }) {
  const { hire_date, termination_date, employee_class, classification_effective_date } = employee
  const steps: Step[] = [
    { day: hire_date, what: 'Hired', because: 'The hire date on the roster.' },
    ...(employee_class
      ? [{ day: classification_effective_date, what: employee_class, because: 'This class applies from this day.' }]
      : []),
    ...(employee.compensation_type
      ? [
          {
            day: employee.compensation_type_effective_date,
            what: employee.compensation_type,
            because: 'This pay type applies from this day.',
          },
        ]
      : []),
    ...(termination_date
      ? [{ day: termination_date, what: 'Last day', because: 'From the roster or a termination.' }]
      : []),
  ]
  return <Steps of={steps} />
}

function OfEligibility({ of: explained }: { of: EligibilityExplanation }) {
  const { anchor, eligibility_policy: policy, waiting_period_ends_on, eligibility_lost_on, covered_until } = explained
  const steps: Step[] = [
    { day: anchor, what: 'Service starts', because: 'Hired or moved into an eligible class.' },
    ...(policy && waiting_period_ends_on
      ? [
          {
            day: waiting_period_ends_on,
            what: 'Eligible',
            because: `${classesOf(policy)}, waiting period: ${words(policy.waiting_period)}.`,
          },
        ]
      : []),
    ...(eligibility_lost_on
      ? [
          {
            day: eligibility_lost_on,
            what: 'No longer eligible',
            because: 'Terminated, or in a class that is not eligible.',
          },
        ]
      : []),
    ...(covered_until
      ? [{ day: covered_until, what: 'Coverage ends', because: 'Coverage lasts until the end of that month.' }]
      : []),
  ]
  return (
    <>
      <p>
        <Status of={explained.status} /> {withDays(explained.reason)}
      </p>
      <Steps of={steps} />
      {explained.warnings.map(({ code, message }) => (
        <p key={code} className="quiet">
          {message}
        </p>
      ))}
    </>
  )
}

const payStep = ({ monthly_wage_in_cents, effective_on }: WageEntry): Step => ({
  day: effective_on,
  what: `${inDollars(monthly_wage_in_cents)} a month`,
  because: 'This pay applies from this day until the next change.',
})

/** The start of a dependent, and the last day of possible coverage. */
function OfDependent({ of }: { of: Dependent }) {
  const { id, first_name, relationship, created_at, ended_on, covered_until, disabled } = of
  const is_by_age = covered_until?.slice(0, 7) !== ended_on?.slice(0, 7)
  const steps: Step[] = [
    {
      day: easternDayOf(created_at),
      what: `${first_name}, ${words(relationship)}`,
      because: 'Added by the employee or the partner on this day.',
    },
    ...(ended_on
      ? [
          {
            day: ended_on,
            what: 'The last day as a dependent',
            because: (
              <>
                Reported by the employee or the partner, who can reverse it until {dayOf(lastToReinstate(ended_on))}.{' '}
                {(isOperator() || may('keys')) && (
                  <Link to="/audit" search={{ resource_id: id }}>
                    Show in the audit log
                  </Link>
                )}
              </>
            ),
          },
        ]
      : []),
    {
      day: covered_until,
      what: covered_until ? 'Last day of possible coverage' : 'No end yet',
      because:
        covered_until === null
          ? disabled
            ? 'No age limit, because a disability is approved.'
            : 'No age limit.'
          : is_by_age
            ? 'The end of the month of the 26th birthday.'
            : 'The end of that month.',
    },
  ]
  return <Steps of={steps} />
}

/** A life event: its date, the decision, and the special enrollment period. */
function OfLifeEvent({ of }: { of: LifeEvent }) {
  const { type, description, status, occurred_on, created_at, decided_at, decision_reason } = of
  const { window_start, window_end } = of
  const opens_itself = type === 'dependent_coverage_ended'
  const steps: Step[] = [
    { day: occurred_on, what: sentence(type), because: description ?? 'The day it happened, as reported.' },
    {
      day: easternDayOf(created_at),
      what: opens_itself ? 'Detected' : 'Reported',
      because: opens_itself
        ? 'Detected automatically, because the end of coverage is on record.'
        : 'Within the 60 days allowed.',
    },
    ...(decided_at
      ? [{ day: easternDayOf(decided_at), what: sentence(status), because: decision_reason ?? 'By the operator.' }]
      : []),
    ...(window_start && window_end
      ? [
          {
            day: window_start,
            what: <strong>First day to enroll</strong>,
            because: opens_itself ? 'The day after the coverage ended.' : 'The day of the approval.',
          },
          {
            day: window_end,
            what: 'Last day to enroll',
            because: `${Math.round((Date.parse(window_end) - Date.parse(window_start)) / 86_400_000)} days after the first.`,
          },
        ]
      : []),
  ]
  return <Steps of={steps} />
}

/** The elections of a day by benefit, each with a link to its history. */
function OfElection({ of: { day, stands, enrollments } }: { of: Election }) {
  const steps = enrollments.map((one): Step => ({
    day,
    what: (
      <>
        <HereLink change={{ why: one.id }}>{one.benefit.name}</HereLink>: {electedOf(one, stands)}
      </>
    ),
    because:
      stands === 'ahead'
        ? `Elected for this day. The employee pays ${inDollars(one.upcoming_election!.employee_deduction_in_cents)} per month from then on.`
        : stands === 'later'
          ? 'This election was made after the selected day. See its history, or select a later day.'
          : [
              one.elected_by && `Submitted by ${words(one.elected_by)}.`,
              one.status === 'enrolled' && `Coverage from ${dayOf(one.coverage_start)}.`,
              one.status === 'enrolled' && `The employee pays ${inDollars(one.employee_deduction_in_cents)} per month.`,
            ]
              .filter(Boolean)
              .join(' '),
  }))
  return <Steps of={steps} />
}

/** The deductions of a year: due, collected and outstanding. */
function OfDeductions({ of, enrollments }: { of: DeductionProof; enrollments: Enrollment[] }) {
  const [start, end] = chargedDays(of, enrollments)
  const parts = [
    [of.corrections_in_cents, 'of this corrects earlier paychecks'],
    [of.difference_in_cents, 'will be corrected by the next statement'],
    [of.outstanding_in_cents, 'is still outstanding'],
    [of.waived_in_cents, 'is waived after the last paycheck'],
  ] as const
  const steps: Step[] = [
    {
      day: start,
      what: `Due in ${of.year}: ${inDollars(of.due_in_cents)}`,
      because: 'The employee’s share for the charged months.',
    },
    ...(of.through
      ? [
          {
            day: of.through,
            what: `Collected so far: ${inDollars(of.collected_in_cents)}`,
            because: [
              'The latest statement ends on this day.',
              ...parts.flatMap(([cents, meaning]) => (cents === 0 ? [] : [`${inDollars(cents)} ${meaning}.`])),
            ].join(' '),
          },
        ]
      : []),
    ...(of.due_in_cents > of.collected_in_cents
      ? [
          {
            day: end,
            what: `Outstanding: ${inDollars(of.due_in_cents - of.collected_in_cents)}`,
            because: 'The last covered day of the year. The statements show the paychecks that deduct it.',
          },
        ]
      : []),
  ]
  return <Steps of={steps} />
}
