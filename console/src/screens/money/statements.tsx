import { useParams } from '@tanstack/react-router'
import type { PayrollDeductionStatement } from 'openbenefits'
import { employerPath } from '../../parts/page/employer-path.ts'
import { Empty } from '../../parts/page/page.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { dayOf, inDollars, inWords, instantOf, periodOf } from '../../format.ts'
import { statementsOf } from '../../queries.ts'

const columns: Column<PayrollDeductionStatement>[] = [
  {
    name: 'Pay period',
    width: 28,
    phone: 44,
    cell: (statement) => (
      <RowLink
        to={employerPath('/statements/$statement_id')}
        params={{ employer_id: statement.employer_id, statement_id: statement.id }}
      >
        {periodOf(statement)}
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

/** The deductions for payroll, by pay period. */
export function Statements() {
  const { employer_id = '' } = useParams({ strict: false })
  const rows = useRows(statementsOf(employer_id))
  return (
    <Table
      label="Statements"
      columns={columns}
      rows={rows}
      empty={
        <Empty title="No statements yet.">
          Once an enrolled employee pays part of the premium, a statement is generated on the first day of each pay
          period.
        </Empty>
      }
    />
  )
}
