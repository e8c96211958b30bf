import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { BenefitPlanYear, BenefitPlanYearRow } from 'openbenefits'
import { dayOf, inDollars, presentDay, sentence } from '../../format.ts'
import { operatedPlanYears } from '../../operator-queries.ts'
import { UpTo } from '../../parts/access/permitted.tsx'
import { enrolledColumn } from '../../parts/benefits/employer-stage.tsx'
import { Empty, Loaded, Nothing, Section, Status } from '../../parts/page/page.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { rowsOf } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { credential, planYearsOf } from '../../queries.ts'
import { may } from '../../session.ts'
import { UpcomingRenewal } from './upcoming-renewal.tsx'

type Year = BenefitPlanYear | BenefitPlanYearRow

const coverageOf = ({ coverage_start, coverage_end }: Year) => `${dayOf(coverage_start)} – ${dayOf(coverage_end)}`

const newestFirst = <Row extends Year>(years: Row[]): Row[] =>
  years.toSorted((a, b) => b.coverage_start.localeCompare(a.coverage_start))

const columns: Column<Year>[] = [
  { name: 'Status', phone: 22, cell: ({ status }) => <Status of={status} /> },
  { name: 'Benefits', only: 'middle', cell: ({ benefits }) => benefits.map(({ name }) => name).join(', ') },
  enrolledColumn(({ enrollment_rate }) => enrollment_rate, { width: 18, phone: 23 }),
]

const range = (amount: { min_cents: number; max_cents: number } | null) => {
  if (!amount) return <Nothing />
  const { min_cents, max_cents } = amount
  return min_cents === max_cents ? inDollars(min_cents) : `${inDollars(min_cents)} – ${inDollars(max_cents)}`
}

const memberColumns = (employer_id: string): Column<BenefitPlanYearRow>[] => [
  linkColumn(
    'Coverage',
    (year) => [
      coverageOf(year),
      { to: '/employers/$employer_id/plan-years/$plan_year_id', params: { employer_id, plan_year_id: year.id } },
    ],
    { width: 28 },
  ),
  ...columns,
  { name: 'Employees pay', align: 'end', only: 'wide', cell: (year) => range(year.employee_contribution) },
  { name: 'Employer pays', align: 'end', only: 'wide', cell: (year) => range(year.employer_contribution) },
]

const exported: ExportColumn<Year>[] = [
  { name: 'Coverage starts', kind: 'day', of: ({ coverage_start }) => coverage_start },
  { name: 'Coverage ends', kind: 'day', of: ({ coverage_end }) => coverage_end },
  { name: 'Status', of: ({ status }) => sentence(status) },
  { name: 'Benefits', of: ({ benefits }) => benefits.map(({ name }) => name).join(', ') },
  { name: 'Eligible', of: ({ enrollment_rate }) => enrollment_rate.eligible },
  { name: 'Enrolled', of: ({ enrollment_rate }) => enrollment_rate.enrolled },
]

/** Saves the plan years of an employer. */
const ExportYears = ({ of: years }: { of: Year[] | undefined }) =>
  years && <Export name="plan-years" list={years} columns={exported} />

const members = getRouteApi('/employers/$employer_id/plan-years')

/** The plan years of an employer. */
export function PlanYears() {
  const { employer_id } = members.useParams()
  const years = useQuery(planYearsOf(employer_id))
  const today = useQuery(credential()).data?.today ?? presentDay()
  return (
    <Loaded query={years}>
      {(found) => (
        <>
          <UpcomingRenewal employer_id={employer_id} years={found} today={today} />
          <Section title="Plan years" actions={<ExportYears of={found} />}>
            <Table
              label="Plan years"
              columns={memberColumns(employer_id)}
              rows={rowsOf(newestFirst(found))}
              empty={
                <Empty title="No plan years yet.">
                  <p>The operator opens plan years with their benefits and contributions.</p>
                  {may('settings') && (
                    <Link
                      className="button"
                      to="/employers/$employer_id"
                      params={{ employer_id }}
                      search={{ step: 'plan_year' }}
                    >
                      Request a plan year
                    </Link>
                  )}
                </Empty>
              }
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

const operatorColumns = (employer_id: string): Column<BenefitPlanYear>[] => [
  { name: 'Coverage', width: 26, phone: 31, cell: coverageOf },
  ...columns,
  ...(may('administer')
    ? [
        {
          name: 'Action',
          align: 'end',
          width: 16,
          phone: 24,
          cell: ({ id }: BenefitPlanYear) => (
            <Link to="/partners/employers/$employer_id/plan-years/build" params={{ employer_id }} search={{ from: id }}>
              Copy to next year
            </Link>
          ),
        } as const,
      ]
    : []),
]

const operators = getRouteApi('/partners/employers/$employer_id/plan-years')

/** The plan years of an employer, for operators. */
export function OperatedPlanYears() {
  const { employer_id } = operators.useParams()
  const years = useQuery(operatedPlanYears(employer_id))
  return (
    <Section
      title="Plan years"
      actions={
        <>
          <ExportYears of={years.data} />
          <UpTo area="administer" action="Build plan year">
            <Link
              className="button main"
              to="/partners/employers/$employer_id/plan-years/build"
              params={{ employer_id }}
            >
              Build plan year
            </Link>
          </UpTo>
        </>
      }
    >
      <Loaded query={years}>
        {(found) => (
          <Table
            label="Plan years"
            columns={operatorColumns(employer_id)}
            rows={rowsOf(newestFirst(found))}
            empty={<Empty title="No plan years yet.">Build a plan year from the partner’s catalog.</Empty>}
          />
        )}
      </Loaded>
    </Section>
  )
}
