import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { InvoiceRow } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { asItFollows } from '../../parts/follow.ts'
import { Loaded, Nothing } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useTrail } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { UpTo } from '../../parts/up-to.tsx'
import { monthOf } from '../../parts/words.ts'
import { moneyAt } from '../../money-queries.ts'
import { operatedEmployer } from '../../queries.ts'
import { about_invoices, NoInvoice } from '../employer/invoices.tsx'
import { action_labels, actionsOf } from './invoice-actions.ts'

const route = getRouteApi('/partners/employers/$employer_id/invoices')

const columns: Column<InvoiceRow>[] = [
  {
    name: 'Invoice',
    width: 30,
    phone: 38,
    cell: ({ employer_id, invoice_id, period }) => (
      <RowLink to="/partners/employers/$employer_id/invoices/$invoice_id" params={{ employer_id, invoice_id }}>
        {invoice_id} <span className="quiet under">{monthOf(period)}</span>
      </RowLink>
    ),
  },
  // Who pays what of it is told at its page.
  ...about_invoices.filter(({ only }) => only !== 'wide'),
  { name: 'Actions', align: 'end', only: 'wide', width: 20, cell: (invoice) => <Ways of={invoice} /> },
]

/** What an operator does with an invoice is asked for here, and done at its page. */
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

/** The invoices of an employer, and how one of the present month comes to be. */
export function OperatedInvoices() {
  const { employer_id } = route.useParams()
  const about = useQuery(operatedEmployer(employer_id))
  return <Loaded query={about}>{({ organization_id }) => <List {...{ employer_id, organization_id }} />}</Loaded>
}

function List({ employer_id, organization_id }: { employer_id: string; organization_id: string }) {
  const client = useQueryClient()
  const list = moneyAt(organization_id).invoices({ employer_id })
  const rows = useTrail(list)
  const bill = async () => {
    await operator.invoices.runDay(employer_id)
    asItFollows(() => client.invalidateQueries({ queryKey: ['money'] }))
  }
  return (
    <>
      <Table label="Invoices" columns={columns} rows={rows} empty={<NoInvoice />} />
      <div className="note">
        <UpTo area="bill" action="Bill the present month">
          <Confirm action="Bill the present month now" act={bill} look="main">
            A draft is here within seconds, if there is anything to bill. Each month is billed by itself on its 1st:
            this is for after an invoice was voided. The partner sees the draft; to take it back, void it.
          </Confirm>
        </UpTo>
      </div>
    </>
  )
}
