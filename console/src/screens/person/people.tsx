import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Member } from 'openbenefits'
import { formatCount, fullName } from '../../format.ts'
import { useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { Empty, Loaded, Dash, Page, Status } from '../../parts/page/page.tsx'
import { Export } from '../../parts/table/export.tsx'
import { SearchField } from '../../parts/table/filters.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import {
  min_search_length,
  type PagedList,
  operatedEmployerQuery,
  people_search_hint,
  employerPeopleList,
  peopleList,
} from '../../queries.ts'
import { isOperator } from '../../session.ts'

const route = getRouteApi('/people')

const columns: Column<Member>[] = [
  {
    name: 'Name',
    width: 26,
    phone: 31,
    cell: (person) => {
      const [latest] = person.employments
      return latest ? (
        <RowLink to="/people/$employee_id" params={{ employee_id: latest.employee_id }}>
          {fullName(person)}
        </RowLink>
      ) : (
        fullName(person)
      )
    },
  },
  {
    name: 'Works for',
    phone: 34,
    cell: ({ employments }) =>
      employments.length > 0 ? [...new Set(employments.map((one) => one.employer_name))].join(', ') : 'Group member',
  },
  {
    name: 'Status',
    cell: ({ employments }) =>
      employments.length === 0 ? (
        <Dash />
      ) : (
        <Status of={employments.some(({ status }) => status === 'active') ? 'active' : 'terminated'} />
      ),
  },
  { name: 'Email', only: 'middle', width: 32, cell: ({ email }) => email ?? <Dash /> },
]

/** All people of the organization, across employers. */
export function People() {
  const { search } = route.useSearch()
  const change = useChangeSearch()
  const is_searched = !isOperator() || (search ?? '').length >= min_search_length
  return (
    <Page
      title="People"
      actions={
        is_searched && (
          <Export name="people" list={peopleList(search)} scheduled={{ list: 'people', parameters: { search } }} />
        )
      }
    >
      <div className="filters">
        <SearchField label="Name, email or reference" value={search} search={(search) => void change({ search })} />
        {is_searched && <ResultCount list={peopleList(search)} />}
      </div>
      {is_searched ? (
        <FoundPeople list={peopleList(search)} is_searched={search !== undefined} />
      ) : (
        <Empty title="Find a person">
          Search across all partners by the first and last name, or by the start of the last name, with at least{' '}
          {min_search_length} letters. You can also enter a full email address, reference or id.
        </Empty>
      )}
    </Page>
  )
}

const of_operators = getRouteApi('/partners/employers/$employer_id/employees')

/** The employees of an employer, for operators, who can search for people but not list them. */
export function PeopleAtEmployer() {
  const { employer_id } = of_operators.useParams()
  const { search = '' } = of_operators.useSearch()
  const change = useChangeSearch()
  const about = useQuery(operatedEmployerQuery(employer_id))
  const is_searched = search.length >= min_search_length
  return (
    <Loaded query={about} lines={2}>
      {(employer) => (
        <>
          <div className="filters">
            <SearchField label="Name, email or reference" value={search} search={(search) => void change({ search })} />
            {is_searched && <ResultCount list={employerPeopleList(employer, search)} />}
          </div>
          {is_searched ? (
            <FoundPeople list={employerPeopleList(employer, search)} is_searched />
          ) : (
            <Empty title="Find an employee">
              Operators search for people and do not list them. Enter the first and last name, or the start of the last
              name, with at least {min_search_length} letters, or a full email address, reference or id.
            </Empty>
          )}
        </>
      )}
    </Loaded>
  )
}

function FoundPeople({ list, is_searched }: { list: PagedList<Member>; is_searched: boolean }) {
  const rows = useRows(list)
  return (
    <Table
      label="People"
      columns={columns}
      rows={rows}
      empty={
        is_searched ? (
          <NoMatches rows="people">{isOperator() && people_search_hint}</NoMatches>
        ) : (
          <Empty title="No people yet.">People are added with an employer’s roster.</Empty>
        )
      }
    />
  )
}

/** The number of results next to the search. */
function ResultCount({ list }: { list: PagedList<Member> }) {
  const { total } = useRows(list)
  return (
    <span className="quiet" role="status">
      {total !== undefined && formatCount(total, 'person', 'people')}
    </span>
  )
}
