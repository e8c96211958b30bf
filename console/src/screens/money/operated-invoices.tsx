import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { InvoiceRow } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { asItFollows } from '../../parts/form/refresh-later.ts'
import { Loaded, Nothing } from '../../parts/page/page.tsx'
import { useCursorRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { UpTo } from '../../parts/access/permitted.tsx'
import { moneyAt } from '../../money-queries.ts'
import { operatedEmployer } from '../../queries.ts'
import { invoice_columns, NoInvoice } from './invoices.tsx'
import { action_labels, actionsOf } from './invoice-actions.ts'

const route = getRouteApi('/partners/employers/$employer_id/invoices')

const columns: Column<InvoiceRow>[] = [
  // The cost split is on the page of each invoice.
  ...invoice_columns.filter(({ only }) => only !== 'wide'),
  { name: 'Actions', align: 'end', only: 'wide', width: 20, cell: (invoice) => <Ways of={invoice} /> },
]

/** Links to the actions, which run on the invoice's page. */
function Ways({ of: { employer_id, invoice_id, status } }: { of: InvoiceRow }) {
  const actions = actionsOf(status)
  if (actions.length === 0) return <Nothing />
  return (
    <span className="actions">
      <UpTo area="bill">
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
      </UpTo>
    </span>
  )
}

/** The invoices of an employer, with an action to bill the current month. */
export function OperatedInvoices() {
  const { employer_id } = route.useParams()
  const about = useQuery(operatedEmployer(employer_id))
  return <Loaded query={about}>{({ organization_id }) => <List {...{ employer_id, organization_id }} />}</Loaded>
}

function List({ employer_id, organization_id }: { employer_id: string; organization_id: string }) {
  const list = moneyAt(organization_id).invoices({ employer_id })
  const rows = useCursorRows(list)
  const bill = async () => {
    await operator.invoices.runDay(employer_id)
    asItFollows(() => refetch(['money']))
  }
  return (
    <>
      <Table label="Invoices" columns={columns} rows={rows} empty={<NoInvoice />} />
      <div className="note">
        <UpTo area="bill" action="Bill the current month">
          <Confirm action="Bill the current month" act={bill} variant="main">
            This creates a draft within seconds if there is anything to bill. Invoices are drafted automatically on the
            1st of each month, so use this only after voiding an invoice. The partner can see the draft. To discard it,
            void it.
          </Confirm>
        </UpTo>
      </div>
    </>
  )
}
