import { getRouteApi, Link } from '@tanstack/react-router'
import type { OperatedOrganization } from 'openbenefits/operator'
import { Search } from '../../parts/filters.tsx'
import { Empty, Nothing, Page, Status } from '../../parts/page.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { count, dayOf, inWords, sentence } from '../../parts/words.ts'
import { partnersIn } from '../../operator-queries.ts'

const route = getRouteApi('/partners')

const columns: Column<OperatedOrganization>[] = [
  {
    name: 'Partner',
    width: 30,
    cell: ({ id, name }) => (
      <Link className="row-link" to="/partners/$organization_id" params={{ organization_id: id }}>
        {name}
      </Link>
    ),
  },
  { name: 'Type', only: 'middle', cell: ({ type }) => (type ? sentence(type.toLowerCase()) : <Nothing />) },
  { name: 'Mode', only: 'middle', cell: ({ sandbox }) => (sandbox ? 'Sandbox' : 'Live') },
  { name: 'Employers', align: 'end', cell: ({ employer_count }) => inWords(employer_count) },
  { name: 'People', align: 'end', only: 'wide', cell: ({ member_count }) => inWords(member_count) },
  {
    name: 'Its day',
    align: 'end',
    width: 20,
    cell: ({ today, late }) => (
      <>
        {late && <Status of="late" />} {dayOf(today)}
      </>
    ),
  },
]

/** The organizations of the installation. */
export function Partners() {
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const rows = useRows(partnersIn(search))
  return (
    <Page
      title="Partners"
      mark={rows.total !== undefined && <span className="quiet">{count(rows.total, 'organization')}</span>}
    >
      <div className="filters">
        <Search
          label="Name or id"
          value={search}
          search={(search) => void navigate({ search: (before) => ({ ...before, search }), replace: true })}
        />
      </div>
      <Table
        label="Partners"
        columns={columns}
        rows={rows}
        empty={search ? <Empty title="No organization is called that." /> : <Empty title="No partners yet." />}
      />
    </Page>
  )
}
