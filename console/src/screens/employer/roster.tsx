import { getRouteApi, Link } from '@tanstack/react-router'
import type { Employee } from 'openbenefits'
import { Search, Several } from '../../parts/filters.tsx'
import { Empty, Nothing, Status } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { count, dayOf, nameOf, sentence } from '../../parts/words.ts'
import { rosterOf } from '../../queries.ts'
import { employment_statuses } from '../../routes.tsx'

const route = getRouteApi('/employers/$employer_id/roster')

/** The number of enrollments with each status, without those that are over. */
const enrollmentCounts = (enrollments: Employee['enrollments']): [status: string, count: number][] =>
  (['enrolled', 'pending', 'waived'] as const)
    .map((status): [string, number] => [status, enrollments.filter((one) => one.status === status).length])
    .filter(([, count]) => count > 0)

const columns: Column<Employee>[] = [
  {
    name: 'Name',
    width: 20,
    cell: (employee) => (
      <RowLink to="/people/$employee_id" params={{ employee_id: employee.id }}>
        {nameOf(employee)}
      </RowLink>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Class', only: 'middle', cell: ({ employee_class }) => employee_class ?? <Nothing /> },
  { name: 'Hired', align: 'end', phone: 34, cell: ({ hire_date }) => (hire_date ? dayOf(hire_date) : <Nothing />) },
  {
    name: 'Left',
    align: 'end',
    only: 'wide',
    cell: ({ termination_date }) => (termination_date ? dayOf(termination_date) : <Nothing />),
  },
  {
    name: 'Enrollments',
    width: 18,
    only: 'middle',
    cell: ({ enrollments }) => {
      const counts = enrollmentCounts(enrollments)
      return counts.length > 0 ? counts.map(([status, count]) => `${count} ${status}`).join(', ') : <Nothing />
    },
  },
  { name: 'Reference', only: 'wide', cell: ({ reference_id }) => reference_id ?? <Nothing /> },
]

/** Everybody who works or worked for an employer. */
export function Roster() {
  const { employer_id } = route.useParams()
  const { search, status } = route.useSearch()
  const navigate = route.useNavigate()
  const say = (said: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...said }), replace: true })
  // Of both is the same as of neither.
  const only = status?.length === 1 ? status[0] : undefined
  const rows = useRows(rosterOf(employer_id, { ...(search && { search }), ...(only && { employment_status: only }) }))
  return (
    <>
      <div className="filters">
        <Search label="Name or e-mail" value={search} search={(search) => say({ search })} />
        <Several
          label="Employment"
          options={employment_statuses.map((value) => ({ value, label: sentence(value) }))}
          chosen={status}
          choose={(status) => say({ status: status as (typeof employment_statuses)[number][] })}
        />
        <span className="quiet" role="status">
          {rows.total !== undefined && count(rows.total, 'employee')}
        </span>
      </div>
      <Table
        label="Roster"
        columns={columns}
        rows={rows}
        empty={
          search || status ? (
            <Empty title="No one matches." />
          ) : (
            <Empty title="No employees yet.">
              Employees arrive with a{' '}
              <Link to="/employers/$employer_id/census" params={{ employer_id }}>
                census
              </Link>
              , from the payroll system, or one by one through the API.
            </Empty>
          )
        }
      />
    </>
  )
}
