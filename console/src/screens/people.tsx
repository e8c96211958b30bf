import { getRouteApi } from '@tanstack/react-router'
import type { Member } from 'openbenefits'
import { Search } from '../parts/filters.tsx'
import { Empty, Nothing, Page, Status } from '../parts/page.tsx'
import { RowLink } from '../parts/row-link.tsx'
import { useRows } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { count, nameOf } from '../parts/words.ts'
import { least_known, peopleIn } from '../queries.ts'
import { isOperator } from '../session.ts'

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
  { name: 'E-mail', only: 'middle', width: 32, cell: ({ email }) => email ?? <Nothing /> },
]

/** The people of the organization, whoever employs them. */
export function People() {
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const is_asked = !isOperator() || (search ?? '').length >= least_known
  return (
    <Page title="People">
      <div className="filters">
        <Search
          label="Name, e-mail or reference"
          value={search}
          search={(search) => void navigate({ search: (before) => ({ ...before, search }), replace: true })}
        />
        {is_asked && <Counted search={search} />}
      </div>
      {is_asked ? (
        <Found search={search} />
      ) : (
        <Empty title="Find a person">
          Somebody of any partner is found by how their last name begins, with at least {least_known} letters, and by
          their e-mail, their reference or an id in full.
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
          <Empty title="No one by that name." />
        ) : (
          <Empty title="No people yet.">People arrive with an employer’s roster.</Empty>
        )
      }
    />
  )
}

/** How many there are, beside what was searched for. */
function Counted({ search }: { search: string | undefined }) {
  const { total } = useRows(peopleIn(search))
  return (
    <span className="quiet" role="status">
      {total !== undefined && count(total, 'person', 'people')}
    </span>
  )
}
