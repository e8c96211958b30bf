import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Enrolled, enrollmentYear } from '../../parts/benefits/enrollment-rate.tsx'
import { Empty, Facts, Loaded, Section, Status } from '../../parts/page/page.tsx'
import { stretchAround, TimeLine, type Lane } from '../../parts/page/time-line.tsx'
import { count, dayOf, inDollars, instantOf, presentDay, sentence, toneOf } from '../../format.ts'
import { credential, employer, employerRow, planYearsOf, unpaidOf } from '../../queries.ts'
import { may } from '../../session.ts'
import type { BenefitPlanYearRow } from 'openbenefits'

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
  // A window without an end is drawn below the others.
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
function Owed({ employer_id, today }: { employer_id: string; today: string }) {
  const found = useQuery(unpaidOf(employer_id))
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
                  {inDollars(unpaid.reduce((sum, { total_in_cents }) => sum + total_in_cents, 0))}
                </strong>{' '}
                unpaid
              </span>
              {oldest < today ? (
                <Status of={`Overdue since ${dayOf(oldest)}`} tone="bad" />
              ) : (
                <span className="quiet">due {dayOf(oldest)}</span>
              )}
              <Link to="/employers/$employer_id/invoices" params={{ employer_id }}>
                {count(unpaid.length, 'invoice')}
              </Link>
            </div>
          )
        }}
      </Loaded>
    </Section>
  )
}

export function Overview() {
  const { employer_id } = route.useParams()
  const about = useQuery(employer(employer_id))
  const row = useQuery(employerRow(employer_id))
  const years = useQuery(planYearsOf(employer_id))
  const known = useQuery(credential())
  const today = known.data?.today ?? presentDay()
  return (
    <>
      <Section title="Enrollment">
        <Loaded query={years} lines={1}>
          {(found) => {
            const year = enrollmentYear(found)
            return (
              <Enrolled year={year}>
                {may('people') && year && year.enrollment_rate.enrolled < year.enrollment_rate.eligible && (
                  <Link
                    to="/employers/$employer_id/plan-years/$plan_year_id"
                    params={{ employer_id, plan_year_id: year.id }}
                    search={{ status: ['pending', 'expired'] }}
                  >
                    Employees who have not responded
                  </Link>
                )}
              </Enrolled>
            )
          }}
        </Loaded>
      </Section>
      {may('money') && <Owed employer_id={employer_id} today={today} />}
      <Section title="Plan years">
        <Loaded query={years} lines={3}>
          {(found) =>
            found.length > 0 ? (
              <TimeLine
                label="Plan years"
                lanes={lanesOf(found, employer_id)}
                stretch={stretchAround(today, lanesOf(found, employer_id), true)}
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
      <Section title="Details">
        <Loaded query={about} lines={5}>
          {({ legal_name, ein, email, phone_number, reference_id, address, created_at, id }) => (
            <Facts
              of={[
                ['Legal name', legal_name],
                ['EIN', <span className="number">{ein}</span>],
                ['Email', email],
                ['Phone', phone_number],
                [
                  'Address',
                  [address.address_line_1, address.address_line_2, address.city, `${address.state} ${address.zipcode}`]
                    .filter(Boolean)
                    .join(', '),
                ],
                ['Your reference', reference_id],
                [
                  'Payroll',
                  row.data?.hris_status &&
                    `${row.data.hris_status.provider_label}, ${sentence(row.data.hris_status.status).toLowerCase()}`,
                ],
                ['Added', <span title={instantOf(created_at)}>{dayOf(created_at)}</span>],
                ['Id', <code>{id}</code>],
              ]}
            />
          )}
        </Loaded>
      </Section>
    </>
  )
}
