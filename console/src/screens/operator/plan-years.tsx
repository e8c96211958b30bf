import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { BenefitPlanYear } from 'openbenefits/operator'
import { Empty, Loaded, Share, Status } from '../../parts/page.tsx'
import { rowsOf } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { dayOf } from '../../parts/words.ts'
import { operatedPlanYears } from '../../operator-queries.ts'

const route = getRouteApi('/partners/employers/$employer_id/plan-years')

const columns: Column<BenefitPlanYear>[] = [
  {
    name: 'Coverage',
    width: 30,
    cell: ({ coverage_start, coverage_end }) => `${dayOf(coverage_start)} – ${dayOf(coverage_end)}`,
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
]

/** What an employer offers, year by year. */
export function OperatedPlanYears() {
  const { employer_id } = route.useParams()
  const years = useQuery(operatedPlanYears(employer_id))
  return (
    <Loaded query={years}>
      {(found) => (
        <Table
          label="Plan years"
          columns={columns}
          rows={rowsOf(found.toSorted((a, b) => b.coverage_start.localeCompare(a.coverage_start)))}
          empty={<Empty title="No plan year yet." />}
        />
      )}
    </Loaded>
  )
}
