import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { BenefitPlanYear, BenefitPlanYearRow } from 'openbenefits'
import { formatDollars, easternToday, toSentence, formatDayRange } from '../../format.ts'
import { operatedPlanYearsQuery } from '../../operator-queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { makeEnrolledColumn } from '../../parts/benefits/employer-stage.tsx'
import { Empty, Loaded, Dash, Section, Status } from '../../parts/page/page.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { credentialQuery, planYearsQuery } from '../../queries.ts'
import { isRoleAllowed } from '../../session.ts'
import { UpcomingRenewal } from './upcoming-renewal.tsx'

type Year = BenefitPlanYear | BenefitPlanYearRow

const formatCoverage = ({ coverage_start, coverage_end }: Year) => formatDayRange(coverage_start, coverage_end)

const newestFirst = <Row extends Year>(years: Row[]): Row[] =>
  years.toSorted((a, b) => b.coverage_start.localeCompare(a.coverage_start))

const columns: Column<Year>[] = [
  { name: 'Status', phone: 22, cell: ({ status }) => <Status of={status} /> },
  { name: 'Benefits', only: 'middle', cell: ({ benefits }) => benefits.map(({ name }) => name).join(', ') },
  makeEnrolledColumn(({ enrollment_rate }) => enrollment_rate, { width: 18, phone: 23 }),
]

const formatRange = (amount: { min_cents: number; max_cents: number } | null) => {
  if (!amount) return <Dash />
  const { min_cents, max_cents } = amount
  return min_cents === max_cents
    ? formatDollars(min_cents)
    : `${formatDollars(min_cents)} – ${formatDollars(max_cents)}`
}

const memberColumns = (employer_id: string): Column<BenefitPlanYearRow>[] => [
  linkColumn(
    'Coverage',
    (year) => [
      formatCoverage(year),
      { to: '/employers/$employer_id/plan-years/$plan_year_id', params: { employer_id, plan_year_id: year.id } },
    ],
    { width: 28 },
  ),
  ...columns,
  { name: 'Employees pay', align: 'end', only: 'wide', cell: (year) => formatRange(year.employee_contribution) },
  { name: 'Employer pays', align: 'end', only: 'wide', cell: (year) => formatRange(year.employer_contribution) },
]

const exported: ExportColumn<Year>[] = [
  { name: 'Coverage starts', kind: 'day', of: ({ coverage_start }) => coverage_start },
  { name: 'Coverage ends', kind: 'day', of: ({ coverage_end }) => coverage_end },
  { name: 'Status', of: ({ status }) => toSentence(status) },
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
  const years = useQuery(planYearsQuery(employer_id))
  const today = useQuery(credentialQuery()).data?.today ?? easternToday()
  return (
    <Loaded query={years}>
      {(found) => (
        <>
          <UpcomingRenewal employer_id={employer_id} years={found} today={today} />
          <Section title="Plan years" actions={<ExportYears of={found} />}>
            <Table
              label="Plan years"
              columns={memberColumns(employer_id)}
              rows={fixedRows(newestFirst(found))}
              empty={
                <Empty title="No plan years yet.">
                  <p>The operator opens plan years with their benefits and contributions.</p>
                  {isRoleAllowed('settings') && (
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
  { name: 'Coverage', width: 26, phone: 31, cell: formatCoverage },
  ...columns,
  ...(isRoleAllowed('administer')
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
  const years = useQuery(operatedPlanYearsQuery(employer_id))
  return (
    <Section
      title="Plan years"
      actions={
        <>
          <ExportYears of={years.data} />
          <RequiresRole area="administer" action="Build plan year">
            <Link
              className="button main"
              to="/partners/employers/$employer_id/plan-years/build"
              params={{ employer_id }}
            >
              Build plan year
            </Link>
          </RequiresRole>
        </>
      }
    >
      <Loaded query={years}>
        {(found) => (
          <Table
            label="Plan years"
            columns={operatorColumns(employer_id)}
            rows={fixedRows(newestFirst(found))}
            empty={<Empty title="No plan years yet.">Build a plan year from the partner’s catalog.</Empty>}
          />
        )}
      </Loaded>
    </Section>
  )
}
