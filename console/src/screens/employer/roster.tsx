import { getRouteApi, Link } from '@tanstack/react-router'
import type { Employee } from 'openbenefits'
import { formatCount, fullName } from '../../format.ts'
import { classLabel } from '../../parts/benefits/labels.ts'
import { AddLink, NoMatches, useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Dash, orDash, Status } from '../../parts/page/page.tsx'
import { Export } from '../../parts/table/export.tsx'
import { SearchField, ToggleFilter } from '../../parts/table/filters.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { rosterList } from '../../queries.ts'
import { employment_statuses } from '../../routes/filter-values.ts'
import { isRoleAllowed } from '../../session.ts'
import { AddEmployee } from '../person/add.tsx'

const route = getRouteApi('/employers/$employer_id/roster')

const answers = { enrolled: 'enrolled', waived: 'waived', pending: 'unanswered' } as const

/**
 * The number of enrollments by answer, without ended ones. A pending enrollment may be expired, so it is not called
 * pending here.
 */
const enrollmentCounts = (enrollments: Employee['enrollments']): [answer: string, count: number][] =>
  (['enrolled', 'waived', 'pending'] as const)
    .map((status): [string, number] => [answers[status], enrollments.filter((one) => one.status === status).length])
    .filter(([, count]) => count > 0)

const columns: Column<Employee>[] = [
  linkColumn(
    'Name',
    (employee) => [fullName(employee), { to: '/people/$employee_id', params: { employee_id: employee.id } }],
    { width: 20 },
  ),
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Class', only: 'middle', cell: ({ employee_class }) => orDash(employee_class, classLabel) },
  dateColumn('Hired', 'hire_date', { phone: 34 }),
  dateColumn('Terminated', 'termination_date', { only: 'wide' }),
  {
    name: 'Enrollments',
    width: 22,
    only: 'middle',
    cell: ({ enrollments }) => {
      const counts = enrollmentCounts(enrollments)
      return counts.length > 0 ? counts.map(([answer, count]) => `${count} ${answer}`).join(', ') : <Dash />
    },
  },
  { name: 'Reference', only: 'wide', cell: ({ reference_id }) => reference_id ?? <Dash /> },
]

/** The current and former employees of an employer. */
export function Roster() {
  const { employer_id } = route.useParams()
  const { search, status, add } = route.useSearch()
  const change = useChangeSearch()
  // Selecting both values is the same as having no filter.
  const only = status?.length === 1 ? status[0] : undefined
  const list = rosterList(employer_id, { ...(search && { search }), ...(only && { employment_status: only }) })
  const rows = useRows(list)
  return (
    <>
      {add && isRoleAllowed('people') && <AddEmployee employer_id={employer_id} />}
      <div className="filters">
        <SearchField label="Name or email" value={search} search={(search) => void change({ search })} />
        <ToggleFilter
          label="Employment"
          values={employment_statuses}
          chosen={status}
          choose={(status) => void change({ status })}
        />
        <span className="quiet" role="status">
          {rows.total !== undefined && formatCount(rows.total, 'employee')}
        </span>
        <Export
          name="roster"
          list={list}
          scheduled={{ list: 'employees', parameters: { employer_id, search, employment_status: only } }}
        />
        {!add && isRoleAllowed('people') && <AddLink>Add employee</AddLink>}
      </div>
      <Table
        label="Roster"
        columns={columns}
        rows={rows}
        empty={
          search || status ? (
            <NoMatches rows="employees" />
          ) : (
            <Empty title="No employees yet.">
              Add employees one by one, with a{' '}
              <Link to="/employers/$employer_id/census" params={{ employer_id }}>
                census
              </Link>
              , from the payroll system, or through the API.
            </Empty>
          )
        }
      />
    </>
  )
}
