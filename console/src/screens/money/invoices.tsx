import { getRouteApi } from '@tanstack/react-router'
import type { InvoiceRow } from 'openbenefits'
import { Empty, orNothing, Status } from '../../parts/page/page.tsx'
import { employerPath } from '../../parts/page/employer-path.ts'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useCursorRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { dayOf, inDollars, monthOf } from '../../format.ts'
import { moneyHere } from '../../money-queries.ts'
import { stateOf } from './invoice-status.ts'

const route = getRouteApi('/employers/$employer_id/invoices')

/** The invoices of an employer. */
export const invoice_columns: Column<InvoiceRow>[] = [
  {
    name: 'Invoice',
    width: 30,
    phone: 38,
    cell: ({ employer_id, invoice_id, period }) => (
      <RowLink to={employerPath('/invoices/$invoice_id')} params={{ employer_id, invoice_id }}>
        {invoice_id} <span className="quiet under">{monthOf(period)}</span>
      </RowLink>
    ),
  },
  { name: 'Status', cell: (invoice) => <Status of={stateOf(invoice)} /> },
  { name: 'Issued', align: 'end', only: 'middle', cell: ({ issued_on }) => orNothing(issued_on, dayOf) },
  { name: 'Due', align: 'end', only: 'middle', cell: ({ due_on }) => orNothing(due_on, dayOf) },
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

export const NoInvoice = () => (
  <Empty title="No invoices yet.">
    Once an employee is enrolled, an invoice is drafted each month and issued a few days later.
  </Empty>
)

export function Invoices() {
  const { employer_id } = route.useParams()
  const rows = useCursorRows(moneyHere.invoices({ employer_id }))
  return <Table label="Invoices" columns={invoice_columns} rows={rows} empty={<NoInvoice />} />
}
