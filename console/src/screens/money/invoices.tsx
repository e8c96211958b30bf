import { getRouteApi, Link } from '@tanstack/react-router'
import type { Invoice, InvoiceRow } from 'openbenefits'
import { useQuery } from '@tanstack/react-query'
import { operator, refetch } from '../../api.ts'
import { formatMonth } from '../../format.ts'
import { operatorMoney, memberMoney } from '../../money-queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { refreshLater } from '../../parts/form/use-action.ts'
import { employerPath } from '../../parts/page/links.tsx'
import { Empty, Loaded, Dash, Status } from '../../parts/page/page.tsx'
import { Export } from '../../parts/table/export.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useCursorRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, moneyColumn, Table } from '../../parts/table/table.tsx'
import { operatedEmployerQuery } from '../../queries.ts'
import type { invoice_actions } from '../../routes/filter-values.ts'

/** The status of an invoice. An open invoice past its due date is overdue. */
export const invoiceState = ({ status, age }: Pick<InvoiceRow, 'status' | 'age'>): string =>
  age !== null && age !== 'not_due' ? 'overdue' : status

const columns: Column<InvoiceRow>[] = [
  {
    name: 'Invoice',
    width: 30,
    phone: 38,
    cell: ({ employer_id, invoice_id, period }) => (
      <RowLink to={employerPath('/invoices/$invoice_id')} params={{ employer_id, invoice_id }}>
        {invoice_id} <span className="quiet under">{formatMonth(period)}</span>
      </RowLink>
    ),
  },
  { name: 'Status', cell: (invoice) => <Status of={invoiceState(invoice)} /> },
  dateColumn('Issued', 'issued_on', { only: 'middle' }),
  dateColumn('Due', 'due_on', { only: 'middle' }),
  moneyColumn('Employees pay', 'employee_deduction_in_cents', { only: 'wide' }),
  moneyColumn('Employer pays', 'employer_contribution_in_cents', { only: 'wide' }),
  moneyColumn('Total', 'total_in_cents'),
]

const NoInvoices = () => (
  <Empty title="No invoices yet.">
    Once an employee is enrolled, an invoice is drafted each month and issued a few days later.
  </Empty>
)

const members = getRouteApi('/employers/$employer_id/invoices')

/** The invoices of an employer. */
export function Invoices() {
  const { employer_id } = members.useParams()
  const list = memberMoney.invoices({ employer_id })
  const rows = useCursorRows(list)
  return (
    <>
      {rows.total !== 0 && (
        <div className="filters">
          <Export
            name="invoices"
            list={list}
            scheduled={{ list: 'invoices', parameters: { employer_id, include_drafts: 'true' } }}
          />
        </div>
      )}
      <Table label="Invoices" columns={columns} rows={rows} empty={<NoInvoices />} />
    </>
  )
}

export type InvoiceAction = (typeof invoice_actions)[number]

export const action_labels: Record<InvoiceAction, string> = { issue: 'Issue', pay: 'Mark as paid', void: 'Void' }

/** The actions that an operator can take on an invoice, by its status. */
export const allowedActions = (status: Invoice['status']): InvoiceAction[] =>
  status === 'draft' ? ['issue', 'void'] : status === 'open' ? ['pay', 'void'] : []

const operators = getRouteApi('/partners/employers/$employer_id/invoices')

const operator_columns: Column<InvoiceRow>[] = [
  // The cost split is on the page of each invoice.
  ...columns.filter(({ only }) => only !== 'wide'),
  { name: 'Actions', align: 'end', only: 'wide', width: 20, cell: (invoice) => <ActionLinks of={invoice} /> },
]

/** Links to the actions, which run on the invoice's page. */
function ActionLinks({ of: { employer_id, invoice_id, status } }: { of: InvoiceRow }) {
  const actions = allowedActions(status)
  if (actions.length === 0) return <Dash />
  return (
    <span className="actions">
      <RequiresRole area="bill">
        {actions.map((action) => (
          <Link
            key={action}
            to="/partners/employers/$employer_id/invoices/$invoice_id"
            params={{ employer_id, invoice_id }}
            search={{ action }}
          >
            {action_labels[action]} <span className="unseen">{invoice_id}</span>
          </Link>
        ))}
      </RequiresRole>
    </span>
  )
}

/** The invoices of an employer, with an action to bill the current month. */
export function OperatedInvoices() {
  const { employer_id } = operators.useParams()
  const about = useQuery(operatedEmployerQuery(employer_id))
  return (
    <Loaded query={about}>
      {({ organization_id }) => <OperatedInvoiceList {...{ employer_id, organization_id }} />}
    </Loaded>
  )
}

function OperatedInvoiceList({ employer_id, organization_id }: { employer_id: string; organization_id: string }) {
  const list = operatorMoney(organization_id).invoices({ employer_id })
  const rows = useCursorRows(list)
  const bill = async () => {
    await operator.invoices.runDay(employer_id)
    refreshLater(() => refetch(['money']))
  }
  return (
    <>
      {rows.total !== 0 && (
        <div className="filters">
          <Export name="invoices" list={list} scheduled={{ list: 'invoices' }} />
        </div>
      )}
      <Table label="Invoices" columns={operator_columns} rows={rows} empty={<NoInvoices />} />
      <div className="note">
        <RequiresRole area="bill" action="Bill the current month">
          <Confirm action="Bill the current month" act={bill} variant="main">
            This creates a draft within seconds if there is anything to bill. Invoices are drafted automatically on the
            1st of each month, so use this only after voiding an invoice. The partner can see the draft. To discard it,
            void it.
          </Confirm>
        </RequiresRole>
      </div>
    </>
  )
}
