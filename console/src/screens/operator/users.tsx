import { getRouteApi } from '@tanstack/react-router'
import type { OperatedUser } from 'openbenefits/operator'
import { Search } from '../../parts/filters.tsx'
import { Empty, Nothing, Page } from '../../parts/page.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { count, dayOf, sentence } from '../../parts/words.ts'
import { operatedUsers } from '../../operator-queries.ts'
import { access_tabs } from './operators.tsx'

const route = getRouteApi('/access')

const columns: Column<OperatedUser>[] = [
  { name: 'Name', width: 22, cell: ({ name }) => name },
  {
    name: 'Belongs to',
    cell: ({ memberships, operator_role }) =>
      [
        ...(operator_role ? [`Operator, ${operator_role}`] : []),
        ...memberships
          .filter(({ ended_at }) => ended_at === null)
          .map(({ organization_name, role }) => `${organization_name}, ${sentence(role.toLowerCase())}`),
      ].join(' · ') || <span className="quiet">Nothing yet</span>,
  },
  { name: 'E-mail', only: 'middle', width: 24, cell: ({ email }) => email ?? <Nothing /> },
  { name: 'Since', align: 'end', only: 'middle', width: 14, cell: ({ created_at }) => dayOf(created_at) },
]

/** Everybody who may sign in, or has a key. */
export function Users() {
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const rows = useRows(operatedUsers(search ? { search } : {}))
  return (
    <Page
      title="People and roles"
      mark={rows.total !== undefined && <span className="quiet">{count(rows.total, 'user')}</span>}
      tabs={access_tabs}
    >
      <div className="filters">
        <Search
          label="Name, e-mail or id"
          value={search}
          search={(search) => void navigate({ search: (before) => ({ ...before, search }), replace: true })}
        />
      </div>
      <Table
        label="Users"
        columns={columns}
        rows={rows}
        empty={<Empty title={search ? 'Nobody is called that.' : 'Nobody yet.'} />}
      />
    </Page>
  )
}
