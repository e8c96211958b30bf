import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Invoice } from 'openbenefits/operator'
import { useDeed } from '../../parts/deed.ts'
import { operator } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty, Nothing, Section, Status, Trouble } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useTrail } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { UpTo } from '../../parts/up-to.tsx'
import { dayOf, inDollars, monthOf } from '../../parts/words.ts'
import { operatedInvoices } from '../../operator-queries.ts'

const route = getRouteApi('/partners/employers/$employer_id/invoices')

type Deed = { deed: 'issue' | 'pay'; invoice_id: string }

const wayTo = ({ employer_id, invoice_id }: Invoice) => (
  <RowLink to="/partners/employers/$employer_id/invoices/$invoice_id" params={{ employer_id, invoice_id }}>
    {invoice_id}
  </RowLink>
)

const columnsOf = (
  act: (deed: Deed) => void,
  choose: (invoice_id: string) => void,
  is_busy: boolean,
): Column<Invoice>[] => [
  { name: 'Invoice', width: 16, phone: 34, cell: wayTo },
  { name: 'Month', only: 'middle', cell: ({ period }) => monthOf(period) },
  { name: 'Status', width: 12, phone: 17, cell: ({ status }) => <Status of={status} /> },
  { name: 'Due', align: 'end', only: 'wide', cell: ({ due_on }) => (due_on ? dayOf(due_on) : <Nothing />) },
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => inDollars(total_in_cents) },
  {
    name: 'Actions',
    align: 'end',
    width: 24,
    cell: ({ invoice_id, status }) =>
      status === 'draft' || status === 'open' ? (
        <span className="deeds">
          <UpTo area="bill">
            {status === 'draft' && (
              <button
                type="button"
                className="plain"
                disabled={is_busy}
                onClick={() => act({ deed: 'issue', invoice_id })}
              >
                Issue
              </button>
            )}
            {status === 'open' && (
              <button
                type="button"
                className="plain"
                disabled={is_busy}
                onClick={() => act({ deed: 'pay', invoice_id })}
              >
                Mark as paid
              </button>
            )}
            <button type="button" className="plain" onClick={() => choose(invoice_id)}>
              Void
            </button>
          </UpTo>
        </span>
      ) : (
        <Nothing />
      ),
  },
]

/** The invoices of an employer, each with what an operator does with it. */
export function OperatedInvoices() {
  const { employer_id } = route.useParams()
  const { voiding } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const rows = useTrail(operatedInvoices(employer_id))
  const refresh = () => client.invalidateQueries({ queryKey: operatedInvoices(employer_id).key })
  const act = useDeed({
    mutationFn: ({ deed, invoice_id }: Deed) => operator.invoices[deed](employer_id, invoice_id),
    onSuccess: refresh,
  })
  const choose = (voiding: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, voiding }), replace: true, resetScroll: false })
  const end = async () => {
    await operator.invoices.void(employer_id, voiding!)
    await refresh()
    choose(undefined)
  }
  return (
    <>
      {voiding && (
        <Section title={`Void ${voiding}`}>
          <Confirm key={voiding} deed={`Void ${voiding}`} act={end} back={() => choose(undefined)}>
            Nothing is owed by it any more. What it billed is billed by the next, as it is known by then.
          </Confirm>
        </Section>
      )}
      {act.error && <Trouble error={act.error} />}
      <Table
        label="Invoices"
        columns={columnsOf(act.mutate, choose, act.isPending)}
        rows={rows}
        isChosen={({ invoice_id }) => invoice_id === voiding}
        empty={<Empty title="No invoice yet.">One is drafted each month once somebody is enrolled.</Empty>}
      />
    </>
  )
}
