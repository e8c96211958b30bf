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

const columns: Column<Employee>[] = [
  {
    name: 'Name',
    width: 26,
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
    only: 'middle',
    cell: ({ enrollments }) => {
      const waiting = enrollments.filter(({ status }) => status === 'pending').length
      const enrolled = enrollments.filter(({ status }) => status === 'enrolled').length
      if (waiting > 0) return <Status of="pending" />
      return enrolled > 0 ? <Status of="enrolled" /> : <Nothing />
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
