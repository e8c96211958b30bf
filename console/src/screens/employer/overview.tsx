import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { BenefitPlanYearRow, Employer as EmployerDetails } from 'openbenefits'
import {
  formatAddress,
  formatCount,
  formatDay,
  formatDollars,
  formatInstant,
  easternToday,
  toSentence,
  toneOf,
} from '../../format.ts'
import { operatedEmployerRowQuery, operatedPlanYearsQuery } from '../../operator-queries.ts'
import { EnrolledSummary, enrollmentYear, EmployerStage } from '../../parts/benefits/employer-stage.tsx'
import { Notes } from '../../parts/notes/notes.tsx'
import { Trends } from '../../parts/charts/trends.tsx'
import { Empty, type Fact, Facts, Loaded, Section, Status } from '../../parts/page/page.tsx'
import type { Lane } from '../../parts/page/spans.ts'
import { timelineRange, Timeline } from '../../parts/page/timeline.tsx'
import {
  credentialQuery,
  employerQuery,
  employerRowQuery,
  operatedEmployerQuery,
  planYearsQuery,
  unpaidInvoicesQuery,
} from '../../queries.ts'
import { isRoleAllowed } from '../../session.ts'
import { UpcomingRenewal } from '../plan-years/upcoming-renewal.tsx'
import { isInSetup, SetupPage } from '../setup/setup.tsx'

const route = getRouteApi('/employers/$employer_id')

/** A lane per benefit with its plan years and open enrollments. */
function lanesOf(years: BenefitPlanYearRow[], employer_id: string): Lane[] {
  const spans = years.map((year) => ({
    id: year.id,
    label: year.benefits.map(({ name }) => name).join(', '),
    start: year.coverage_start,
    end: year.coverage_end,
    tone: toneOf(year.status),
    link: {
      to: '/employers/$employer_id/plan-years/$plan_year_id',
      params: { employer_id, plan_year_id: year.id },
    } as const,
  }))
  // Windows without an end are drawn below the others.
  const ordered = years.toSorted(
    (a, b) => Number(b.open_enrollment_end === null) - Number(a.open_enrollment_end === null),
  )
  const windows = ordered.map((year) => ({
    id: `${year.id}-window`,
    label: 'Open enrollment',
    start: year.open_enrollment_start,
    end: year.open_enrollment_end ?? year.coverage_end,
    // A window without an end needs no attention.
    tone: year.open_enrollment_end ? ('wait' as const) : ('over' as const),
  }))
  return [
    { name: 'Plan years', spans },
    { name: 'Open enrollment', spans: windows },
  ]
}

/** The unpaid total, and the oldest due date. */
function BalanceDue({ employer_id, today }: { employer_id: string; today: string }) {
  const found = useQuery(unpaidInvoicesQuery(employer_id))
  return (
    <Section title="Money">
      <Loaded query={found} lines={1}>
        {(unpaid) => {
          const [oldest] = unpaid.flatMap(({ due_on }) => due_on ?? []).toSorted()
          if (oldest === undefined) return <p className="quiet">No unpaid invoices.</p>
          return (
            <div className="headline">
              <span>
                <strong className="number">
                  {formatDollars(unpaid.reduce((sum, { total_in_cents }) => sum + total_in_cents, 0))}
                </strong>{' '}
                unpaid
              </span>
              {oldest < today ? (
                <Status of={`Overdue since ${formatDay(oldest)}`} tone="bad" />
              ) : (
                <span className="quiet">due {formatDay(oldest)}</span>
              )}
              <Link to="/employers/$employer_id/invoices" params={{ employer_id }}>
                {formatCount(unpaid.length, 'invoice')}
              </Link>
            </div>
          )
        }}
      </Loaded>
    </Section>
  )
}

/** During open enrollment, opens the page that sends reminders. */
const UnansweredLink = ({ employer_id, year }: { employer_id: string; year: BenefitPlanYearRow }) =>
  year.status === 'open_enrollment' ? (
    <Link to="/employers/$employer_id/enrollment" params={{ employer_id }}>
      Employees who have not responded
    </Link>
  ) : (
    <Link
      to="/employers/$employer_id/plan-years/$plan_year_id"
      params={{ employer_id, plan_year_id: year.id }}
      search={{ status: ['pending', 'expired'] }}
    >
      Employees who have not responded
    </Link>
  )

export function Overview() {
  const { employer_id } = route.useParams()
  const about = useQuery(employerQuery(employer_id))
  const row = useQuery(employerRowQuery(employer_id))
  const years = useQuery(planYearsQuery(employer_id))
  const known = useQuery(credentialQuery())
  const today = known.data?.today ?? easternToday()
  // The checklist of a new employer replaces the sections that would be empty.
  const is_new = isRoleAllowed('settings') && years.data?.length === 0
  return (
    <>
      {row.data && isInSetup(row.data) && <SetupPage employer_id={employer_id} />}
      {years.data && <UpcomingRenewal employer_id={employer_id} years={years.data} today={today} />}
      {!is_new && (
        <Section title="Enrollment">
          <Loaded query={years} lines={1}>
            {(found) => {
              const year = enrollmentYear(found)
              return (
                <EnrolledSummary year={year}>
                  {isRoleAllowed('people') && year && year.enrollment_rate.enrolled < year.enrollment_rate.eligible && (
                    <UnansweredLink employer_id={employer_id} year={year} />
                  )}
                </EnrolledSummary>
              )
            }}
          </Loaded>
        </Section>
      )}
      {isRoleAllowed('money') && !is_new && <BalanceDue employer_id={employer_id} today={today} />}
      {!is_new && <Trends employer_id={employer_id} />}
      {!is_new && (
        <Section title="Plan years">
          <Loaded query={years} lines={3}>
            {(found) =>
              found.length > 0 ? (
                <Timeline
                  label="Plan years"
                  lanes={lanesOf(found, employer_id)}
                  stretch={timelineRange(today, lanesOf(found, employer_id), true)}
                  today={today}
                />
              ) : (
                <Empty title="No plan years yet.">
                  The operator opens plan years with their benefits and contributions.
                </Empty>
              )
            }
          </Loaded>
        </Section>
      )}
      <Notes of={{ employer_id }} />
      <Loaded query={about} lines={5}>
        {(found) => (
          <EmployerFacts
            of={found}
            reference="Your reference"
            more={[
              [
                'Payroll',
                row.data?.hris_status &&
                  `${row.data.hris_status.provider_label}, ${toSentence(row.data.hris_status.status).toLowerCase()}`,
              ],
            ]}
          />
        )}
      </Loaded>
    </>
  )
}

type DetailsProps = { of: EmployerDetails; reference: string; more?: Fact[] }

/** The details of an employer. `reference` is the label of the partner's own id. */
const EmployerFacts = ({ of, reference, more = [] }: DetailsProps) => (
  <Section title="Details">
    <Facts
      of={[
        ['Legal name', of.legal_name],
        ['EIN', <span className="number">{of.ein}</span>],
        ['Email', of.email],
        ['Phone', of.phone_number],
        ['Address', formatAddress(of.address)],
        [reference, of.reference_id],
        ...more,
        ['Added', <span title={formatInstant(of.created_at)}>{formatDay(of.created_at)}</span>],
        ['Id', <code>{of.id}</code>],
      ]}
    />
  </Section>
)

const operators = getRouteApi('/partners/employers/$employer_id')

/** The overview of an employer, for operators. */
export function OperatedOverview() {
  const { employer_id } = operators.useParams()
  const about = useQuery(operatedEmployerQuery(employer_id))
  const row = useQuery(operatedEmployerRowQuery(employer_id))
  const years = useQuery(operatedPlanYearsQuery(employer_id))
  return (
    <>
      {row.data && isInSetup(row.data) && <SetupPage employer_id={employer_id} />}
      {years.data?.length !== 0 && (
        <Section title="Enrollment">
          <Loaded query={years} lines={1}>
            {(found) => (
              <EnrolledSummary year={enrollmentYear(found)}>
                {row.data && <EmployerStage of={row.data.benefit_lifecycle_stage} />}
              </EnrolledSummary>
            )}
          </Loaded>
        </Section>
      )}
      <Notes of={{ employer_id }} />
      <Loaded query={about} lines={5}>
        {(found) => <EmployerFacts of={found} reference="Partner’s reference" />}
      </Loaded>
    </>
  )
}
