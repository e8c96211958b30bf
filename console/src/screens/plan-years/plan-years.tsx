import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { BenefitPlanYearRow } from 'openbenefits'
import { Empty, Loaded, Nothing, Share, Status } from '../../parts/page/page.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { rowsOf } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { dayOf, inDollars } from '../../format.ts'
import { planYearsOf } from '../../queries.ts'

const route = getRouteApi('/employers/$employer_id/plan-years')

const range = (amount: { min_cents: number; max_cents: number } | null) => {
  if (!amount) return <Nothing />
  const { min_cents, max_cents } = amount
  return min_cents === max_cents ? inDollars(min_cents) : `${inDollars(min_cents)} – ${inDollars(max_cents)}`
}

const columnsOf = (employer_id: string): Column<BenefitPlanYearRow>[] => [
  {
    name: 'Coverage',
    width: 28,
    cell: ({ id, coverage_start, coverage_end }) => (
      <RowLink to="/employers/$employer_id/plan-years/$plan_year_id" params={{ employer_id, plan_year_id: id }}>
        {dayOf(coverage_start)} – {dayOf(coverage_end)}
      </RowLink>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Benefits', only: 'middle', cell: ({ benefits }) => benefits.map(({ name }) => name).join(', ') },
  {
    name: 'Enrolled',
    width: 20,
    cell: ({ enrollment_rate: { enrolled, eligible } }) => (
      <Share of="eligible people enrolled" enrolled={enrolled} eligible={eligible} />
    ),
  },
  { name: 'Employees pay', align: 'end', only: 'wide', cell: (year) => range(year.employee_contribution) },
  { name: 'Employer pays', align: 'end', only: 'wide', cell: (year) => range(year.employer_contribution) },
]

export function PlanYears() {
  const { employer_id } = route.useParams()
  const years = useQuery(planYearsOf(employer_id))
  return (
    <Loaded query={years}>
      {(found) => (
        <Table
          label="Plan years"
          columns={columnsOf(employer_id)}
          rows={rowsOf(found.toSorted((a, b) => b.coverage_start.localeCompare(a.coverage_start)))}
          empty={
            <Empty title="No plan years yet.">
              The operator opens plan years with their benefits and contributions.
            </Empty>
          }
        />
      )}
    </Loaded>
  )
}
