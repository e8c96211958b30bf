import { getRouteApi } from '@tanstack/react-router'
import type { Member } from 'openbenefits'
import { Search } from '../parts/filters.tsx'
import { Empty, Nothing, Page, Status } from '../parts/page.tsx'
import { RowLink } from '../parts/row-link.tsx'
import { useRows } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { count, nameOf } from '../parts/words.ts'
import { peopleIn } from '../queries.ts'

const route = getRouteApi('/people')

const columns: Column<Member>[] = [
  {
    name: 'Name',
    width: 26,
    cell: (person) => {
      const [latest] = person.employments
      return latest ? (
        <RowLink to="/people/$employee_id" params={{ employee_id: latest.employee_id }}>
          {nameOf(person)}
        </RowLink>
      ) : (
        nameOf(person)
      )
    },
  },
  {
    name: 'Works for',
    cell: ({ employments }) =>
      employments.length > 0 ? [...new Set(employments.map((one) => one.employer_name))].join(', ') : 'A group',
  },
  {
    name: 'Status',
    cell: ({ employments }) =>
      employments.length === 0 ? (
        <Nothing />
      ) : (
        <Status of={employments.some(({ status }) => status === 'active') ? 'active' : 'terminated'} />
      ),
  },
  { name: 'E-mail', only: 'middle', cell: ({ email }) => email ?? <Nothing /> },
]

/** The people of the organization, whoever employs them. */
export function People() {
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const rows = useRows(peopleIn(search))
  return (
    <Page
      title="People"
      mark={rows.total !== undefined && <span className="quiet">{count(rows.total, 'person', 'people')}</span>}
    >
      <div className="filters">
        <Search
          label="Name, e-mail or reference"
          value={search}
          search={(search) => void navigate({ search: (before) => ({ ...before, search }), replace: true })}
        />
      </div>
      <Table
        label="People"
        columns={columns}
        rows={rows}
        empty={
          search ? (
            <Empty title="Nobody is called that." />
          ) : (
            <Empty title="Nobody yet.">People come with the roster of an employer.</Empty>
          )
        }
      />
    </Page>
  )
}
