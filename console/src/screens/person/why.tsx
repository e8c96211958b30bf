import { Link, useRouteContext } from '@tanstack/react-router'
import type {
  DeductionProof,
  Dependent,
  EligibilityExplanation,
  Employee,
  Enrollment,
  LifeEvent,
  ToldWage,
} from 'openbenefits'
import { Status } from '../../parts/page.tsx'
import { classesOf } from '../../parts/policy.ts'
import { dayOf, easternDayOf, inDollars, nameOf, presentDay, sentence, withDays } from '../../parts/words.ts'
import { isOperator, may } from '../../session.ts'
import { DependentCoverage } from './dependent-coverage.tsx'
import { lastToReinstate } from './dependent-actions.tsx'
import { chargedDays, electedOf, electionsOf, type Election } from './lanes.ts'
import { Steps, words, type Step } from './steps.tsx'
import { OfCoverage } from './why-coverage.tsx'

type WhyProps = {
  why: string
  employee: Employee
  eligible: EligibilityExplanation | undefined
  as_of: string | undefined
  enrollments: Enrollment[]
  dependents: Dependent[]
  life_events: LifeEvent[]
  wages: ToldWage[]
  proof: DeductionProof | undefined
}

/** Why the days of a span are what they are: the rule, the facts and where they come from. */
export function Why({ why, employee, eligible, as_of, enrollments, dependents, life_events, wages, proof }: WhyProps) {
  const enrollment = enrollments.find(({ id }) => id === why)
  const election = electionsOf(enrollments, as_of).find(({ id }) => id === why)
  const dependent = dependents.find(({ id }) => id === why)
  const life_event = life_events.find(({ id }) => id === why)
  return (
    <aside className="why" aria-label="Why these days">
      <div className="section-head">
        <h2 id="why">
          {enrollment
            ? `Why ${enrollment.benefit.name} has these days`
            : dependent
              ? `Coverage of ${nameOf(dependent)}`
              : 'Why these days'}
        </h2>
        <Link
          className="plain"
          from="/people/$employee_id"
          to="."
          search={(before) => ({ ...before, why: undefined })}
          resetScroll={false}
        >
          Close
        </Link>
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
            because: 'This kind of pay applies from this day.',
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
    { day: anchor, what: 'Service counts from here', because: 'Hired, or moved into a class that is eligible.' },
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
            because: 'Left, or in a class that is not eligible.',
          },
        ]
      : []),
    ...(covered_until
      ? [{ day: covered_until, what: 'Coverage ends', because: 'Any coverage lasts until the end of that month.' }]
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

const payStep = ({ monthly_wage_in_cents, effective_on }: ToldWage): Step => ({
  day: effective_on,
  what: `${inDollars(monthly_wage_in_cents)} a month`,
  because: 'This pay applies from this day until the next one.',
})

/** From when somebody is a dependent, and until when they can be covered. */
function OfDependent({ of }: { of: Dependent }) {
  const { id, first_name, relationship, created_at, ended_on, covered_until, disabled } = of
  const { session } = useRouteContext({ from: '__root__' })
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
                Told by the employee or the partner, who can take it back until {dayOf(lastToReinstate(ended_on))}.{' '}
                {(isOperator() || may(session, 'keys')) && (
                  <Link to="/audit" search={{ resource_id: id }}>
                    Who did it
                  </Link>
                )}
              </>
            ),
          },
        ]
      : []),
    {
      day: covered_until,
      what: covered_until ? 'The last day on which coverage is possible' : 'No end so far',
      because:
        covered_until === null
          ? disabled
            ? 'A disability is approved: there is no age at which it ends.'
            : 'There is no age at which it ends.'
          : is_by_age
            ? 'The end of the month of the 26th birthday.'
            : 'The end of that month.',
    },
  ]
  return <Steps of={steps} />
}

/** When something happened, what was decided of it, and when one may choose because of it. */
function OfLifeEvent({ of }: { of: LifeEvent }) {
  const { type, description, status, occurred_on, created_at, decided_at, decision_reason } = of
  const { window_start, window_end } = of
  const opens_itself = type === 'dependent_coverage_ended'
  const steps: Step[] = [
    { day: occurred_on, what: sentence(type), because: description ?? 'The day it happened, as reported.' },
    {
      day: easternDayOf(created_at),
      what: opens_itself ? 'Known here' : 'Reported',
      because: opens_itself
        ? 'Found without a report: the end of the coverage is on record.'
        : 'Within the 60 days allowed.',
    },
    ...(decided_at
      ? [{ day: easternDayOf(decided_at), what: sentence(status), because: decision_reason ?? 'By the operator.' }]
      : []),
    ...(window_start && window_end
      ? [
          {
            day: window_start,
            what: <strong>First day to choose</strong>,
            because: opens_itself ? 'The day after the coverage ended.' : 'The day of the approval.',
          },
          {
            day: window_end,
            what: 'Last day to choose',
            because: `${Math.round((Date.parse(window_end) - Date.parse(window_start)) / 86_400_000)} days after the first.`,
          },
        ]
      : []),
  ]
  return <Steps of={steps} />
}

/** What was answered on a day, benefit by benefit: each leads to what happened to it before. */
function OfElection({ of: { day, stands, enrollments } }: { of: Election }) {
  const steps = enrollments.map((one): Step => ({
    day,
    what: (
      <>
        <Link from="/people/$employee_id" to="." search={(before) => ({ ...before, why: one.id })} resetScroll={false}>
          {one.benefit.name}
        </Link>
        : {electedOf(one, stands)}
      </>
    ),
    because:
      stands === 'ahead'
        ? `Elected for this day. The employee pays ${inDollars(one.upcoming_election!.employee_deduction_in_cents)} a month from then on.`
        : stands === 'later'
          ? 'This was after the day you are looking at: see what happened, or look at a later day.'
          : [
              one.elected_by && `Answered by ${words(one.elected_by)}.`,
              one.status === 'enrolled' && `Coverage from ${dayOf(one.coverage_start)}.`,
              one.status === 'enrolled' && `The employee pays ${inDollars(one.employee_deduction_in_cents)} a month.`,
            ]
              .filter(Boolean)
              .join(' '),
  }))
  return <Steps of={steps} />
}

/** What is due in a year, and what became of it, in the order of the days. */
function OfDeductions({ of, enrollments }: { of: DeductionProof; enrollments: Enrollment[] }) {
  const [start, end] = chargedDays(of, enrollments)
  const parts = [
    [of.corrections_in_cents, 'of it corrects earlier pays'],
    [of.difference_in_cents, 'is what the next statement corrects'],
    [of.outstanding_in_cents, 'has still to be taken'],
    [of.waived_in_cents, 'is not collected after the last paycheck'],
  ] as const
  const steps: Step[] = [
    {
      day: start,
      what: `Due in ${of.year}: ${inDollars(of.due_in_cents)}`,
      because: 'What the employee pays for the months that are charged.',
    },
    ...(of.through
      ? [
          {
            day: of.through,
            what: `Collected so far: ${inDollars(of.collected_in_cents)}`,
            because: [
              'The newest statement ends on this day.',
              ...parts.flatMap(([cents, said]) => (cents === 0 ? [] : [`${inDollars(cents)} ${said}.`])),
            ].join(' '),
          },
        ]
      : []),
    ...(of.due_in_cents > of.collected_in_cents
      ? [
          {
            day: end,
            what: `To come: ${inDollars(of.due_in_cents - of.collected_in_cents)}`,
            because: 'The last day of the year that is covered. Which pays take it is told by the statements.',
          },
        ]
      : []),
  ]
  return <Steps of={steps} />
}
