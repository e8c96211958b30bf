import { getRouteApi } from '@tanstack/react-router'
import type { PayrollDeductionStatement } from 'openbenefits'
import { Empty } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { dayOf, inDollars, inWords, instantOf } from '../../parts/words.ts'
import { statementsOf } from '../../queries.ts'

const route = getRouteApi('/employers/$employer_id/statements')

const columnsOf = (employer_id: string): Column<PayrollDeductionStatement>[] => [
  {
    name: 'Pay period',
    width: 28,
    phone: 44,
    cell: ({ id, period_start_date, period_end_date }) => (
      <RowLink to="/employers/$employer_id/statements/$statement_id" params={{ employer_id, statement_id: id }}>
        {dayOf(period_start_date)} – {dayOf(period_end_date)}
      </RowLink>
    ),
  },
  { name: 'Employees', align: 'end', only: 'middle', cell: ({ employee_count }) => inWords(employee_count) },
  { name: 'Deductions', align: 'end', only: 'middle', cell: ({ line_count }) => inWords(line_count) },
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => inDollars(total_in_cents) },
  { name: 'Generated', align: 'end', only: 'wide', width: 22, cell: ({ generated_at }) => instantOf(generated_at) },
  {
    name: 'File',
    align: 'end',
    width: 8,
    phone: 16,
    cell: ({ csv, period_start_date }) => (
      <a href={csv.download_url} download aria-label={`CSV of the period from ${dayOf(period_start_date)}`}>
        CSV
      </a>
    ),
  },
]

/** What payroll is to take, by pay period. */
export function Statements() {
  const { employer_id } = route.useParams()
  const rows = useRows(statementsOf(employer_id))
  return (
    <Table
      label="Statements"
      columns={columnsOf(employer_id)}
      rows={rows}
      empty={
        <Empty title="No statement yet.">
          Each pay period gets one on its first day, once somebody is enrolled and pays a part.
        </Empty>
      }
    />
  )
}
