import { getRouteApi } from '@tanstack/react-router'
import type { InvoiceRow } from 'openbenefits'
import { Empty, Nothing, Status } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useTrail } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { dayOf, inDollars, monthOf } from '../../parts/words.ts'
import { moneyHere } from '../../money-queries.ts'
import { stateOf } from './invoice-state.ts'

const route = getRouteApi('/employers/$employer_id/invoices')

const dayOrNothing = (day: string | null) => (day ? dayOf(day) : <Nothing />)

/** What of an invoice is shown in a list of its employer. */
export const about_invoices: Column<InvoiceRow>[] = [
  { name: 'Status', cell: (invoice) => <Status of={stateOf(invoice)} /> },
  { name: 'Issued', align: 'end', only: 'middle', cell: ({ issued_on }) => dayOrNothing(issued_on) },
  { name: 'Due', align: 'end', only: 'middle', cell: ({ due_on }) => dayOrNothing(due_on) },
  {
    name: 'Employees pay',
    align: 'end',
    only: 'wide',
    cell: ({ employee_deduction_in_cents }) => inDollars(employee_deduction_in_cents),
  },
  {
    name: 'Employer pays',
    align: 'end',
    only: 'wide',
    cell: ({ employer_contribution_in_cents }) => inDollars(employer_contribution_in_cents),
  },
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => inDollars(total_in_cents) },
]

const columns: Column<InvoiceRow>[] = [
  {
    name: 'Invoice',
    width: 30,
    phone: 38,
    cell: ({ employer_id, invoice_id, period }) => (
      <RowLink to="/employers/$employer_id/invoices/$invoice_id" params={{ employer_id, invoice_id }}>
        {invoice_id} <span className="quiet under">{monthOf(period)}</span>
      </RowLink>
    ),
  },
  ...about_invoices,
]

export const NoInvoice = () => (
  <Empty title="No invoice yet.">One is drafted each month once somebody is enrolled, and issued days later.</Empty>
)

export function Invoices() {
  const { employer_id } = route.useParams()
  const rows = useTrail(moneyHere.invoices({ employer_id }))
  return <Table label="Invoices" columns={columns} rows={rows} empty={<NoInvoice />} />
}
