import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { BenefitPlanYear } from 'openbenefits/operator'
import { Empty, Loaded, Section, Share, Status } from '../../parts/page/page.tsx'
import { rowsOf } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { UpTo } from '../../parts/access/permitted.tsx'
import { dayOf } from '../../format.ts'
import { operatedPlanYears } from '../../operator-queries.ts'
import { may } from '../../session.ts'

const route = getRouteApi('/partners/employers/$employer_id/plan-years')

const columns: Column<BenefitPlanYear>[] = [
  {
    name: 'Coverage',
    width: 26,
    phone: 31,
    cell: ({ coverage_start, coverage_end }) => `${dayOf(coverage_start)} – ${dayOf(coverage_end)}`,
  },
  { name: 'Status', phone: 22, cell: ({ status }) => <Status of={status} /> },
  { name: 'Benefits', only: 'middle', cell: ({ benefits }) => benefits.map(({ name }) => name).join(', ') },
  {
    name: 'Enrolled',
    width: 17,
    phone: 23,
    cell: ({ enrollment_rate: { enrolled, eligible } }) => (
      <Share of="eligible people enrolled" enrolled={enrolled} eligible={eligible} />
    ),
  },
]

const nextOf = (employer_id: string): Column<BenefitPlanYear> => ({
  name: 'Action',
  align: 'end',
  width: 16,
  phone: 24,
  cell: ({ id }) => (
    <Link to="/partners/employers/$employer_id/plan-years/build" params={{ employer_id }} search={{ from: id }}>
      Copy to next year
    </Link>
  ),
})

/** The plan years of an employer, for operators. */
export function OperatedPlanYears() {
  const { employer_id } = route.useParams()
  const years = useQuery(operatedPlanYears(employer_id))
  return (
    <Section
      title="Plan years"
      actions={
        <UpTo area="administer" action="Build plan year">
          <Link className="button main" to="/partners/employers/$employer_id/plan-years/build" params={{ employer_id }}>
            Build plan year
          </Link>
        </UpTo>
      }
    >
      <Loaded query={years}>
        {(found) => (
          <Table
            label="Plan years"
            columns={may('administer') ? [...columns, nextOf(employer_id)] : columns}
            rows={rowsOf(found.toSorted((a, b) => b.coverage_start.localeCompare(a.coverage_start)))}
            empty={<Empty title="No plan years yet.">Build plan year from the partner’s catalog.</Empty>}
          />
        )}
      </Loaded>
    </Section>
  )
}
