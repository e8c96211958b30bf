import { getRouteApi } from '@tanstack/react-router'
import type { Member } from 'openbenefits'
import { count, nameOf } from '../../format.ts'
import { useChangeSearch, NoMatch } from '../../parts/page/links.tsx'
import { Empty, Nothing, Page, Status } from '../../parts/page/page.tsx'
import { Export } from '../../parts/table/export.tsx'
import { Search } from '../../parts/table/filters.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { least_known, people_search, peopleIn } from '../../queries.ts'
import { isOperator } from '../../session.ts'

const route = getRouteApi('/people')

const columns: Column<Member>[] = [
  {
    name: 'Name',
    width: 26,
    phone: 34,
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
    phone: 36,
    cell: ({ employments }) =>
      employments.length > 0 ? [...new Set(employments.map((one) => one.employer_name))].join(', ') : 'Group member',
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
  { name: 'Email', only: 'middle', width: 32, cell: ({ email }) => email ?? <Nothing /> },
]

/** All people of the organization, across employers. */
export function People() {
  const { search } = route.useSearch()
  const change = useChangeSearch()
  const is_searched = !isOperator() || (search ?? '').length >= least_known
  return (
    <Page
      title="People"
      actions={
        is_searched && (
          <Export name="people" list={peopleIn(search)} scheduled={{ list: 'people', parameters: { search } }} />
        )
      }
    >
      <div className="filters">
        <Search label="Name, email or reference" value={search} search={(search) => void change({ search })} />
        {is_searched && <Counted search={search} />}
      </div>
      {is_searched ? (
        <Found search={search} />
      ) : (
        <Empty title="Find a person">
          Search across all partners by the first and last name, or by the start of the last name, with at least{' '}
          {least_known} letters. You can also enter a full email address, reference or id.
        </Empty>
      )}
    </Page>
  )
}

function Found({ search }: { search: string | undefined }) {
  const rows = useRows(peopleIn(search))
  return (
    <Table
      label="People"
      columns={columns}
      rows={rows}
      empty={
        search ? (
          <NoMatch rows="people">{isOperator() && people_search}</NoMatch>
        ) : (
          <Empty title="No people yet.">People are added with an employer’s roster.</Empty>
        )
      }
    />
  )
}

/** The number of results next to the search. */
function Counted({ search }: { search: string | undefined }) {
  const { total } = useRows(peopleIn(search))
  return (
    <span className="quiet" role="status">
      {total !== undefined && count(total, 'person', 'people')}
    </span>
  )
}
