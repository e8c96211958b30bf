import { getRouteApi } from '@tanstack/react-router'
import type { PayrollDeductionStatement } from 'openbenefits'
import type { ReactNode } from 'react'
import { Empty } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { dayOf, inDollars, inWords, instantOf, periodOf } from '../../parts/words.ts'
import { statementsOf } from '../../queries.ts'

const members = getRouteApi('/employers/$employer_id/statements')
const operators = getRouteApi('/partners/employers/$employer_id/statements')

/** What leads from a statement to its page. */
type WayTo = (statement: PayrollDeductionStatement, label: ReactNode) => ReactNode

const columnsOf = (wayTo: WayTo): Column<PayrollDeductionStatement>[] => [
  {
    name: 'Pay period',
    width: 28,
    phone: 44,
    cell: (statement) => wayTo(statement, periodOf(statement)),
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

type StatementsProps = { employer_id: string; wayTo: WayTo }

/** What payroll is to take, by pay period. */
function StatementsOf({ employer_id, wayTo }: StatementsProps) {
  const rows = useRows(statementsOf(employer_id))
  return (
    <Table
      label="Statements"
      columns={columnsOf(wayTo)}
      rows={rows}
      empty={
        <Empty title="No statement yet.">
          Each pay period gets one on its first day, once somebody is enrolled and pays a part.
        </Empty>
      }
    />
  )
}

export const Statements = () => (
  <StatementsOf
    {...members.useParams()}
    wayTo={({ id, employer_id }, label) => (
      <RowLink to="/employers/$employer_id/statements/$statement_id" params={{ employer_id, statement_id: id }}>
        {label}
      </RowLink>
    )}
  />
)

/** The same for operators. */
export const OperatedStatements = () => (
  <StatementsOf
    {...operators.useParams()}
    wayTo={({ id, employer_id }, label) => (
      <RowLink
        to="/partners/employers/$employer_id/statements/$statement_id"
        params={{ employer_id, statement_id: id }}
      >
        {label}
      </RowLink>
    )}
  />
)
