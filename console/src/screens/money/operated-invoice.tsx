import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Day, Invoice } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { addDays, formatDay } from '../../format.ts'
import { operatorTasksList } from '../../operator-queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { InvoiceView } from './invoice.tsx'
import { action_labels, allowedActions, type InvoiceAction } from './invoices.tsx'

const route = getRouteApi('/partners/employers/$employer_id/invoices/$invoice_id')

/** The invoice page with the actions of operators. */
export const OperatedInvoice = () => (
  <InvoiceView {...route.useParams()} actions={(invoice) => <InvoiceActions of={invoice} key={invoice.status} />} />
)

/** Days until a draft is issued automatically. */
const days_as_draft = 3

/** The consequences of each action, its notifications, and whether it can be undone. */
const consequences: Record<InvoiceAction, (invoice: Invoice) => ReactNode> = {
  issue: ({ drafted_on }) =>
    `The invoice is issued today and due in 30 days. The partner receives the webhook invoice.issued. Without this, ` +
    `it is issued automatically on ${formatDay(addDays(drafted_on, days_as_draft))}. To reverse an issued invoice, ` +
    `void it.`,
  pay: () =>
    'The partner sees the invoice as paid. No webhook is sent. You can’t undo this, and you can’t void a paid ' +
    'invoice. The next invoice adjusts any errors.',
  void: () =>
    'The partner no longer owes this invoice and sees it as void. Its PDF shows the reason. No webhook is sent. You ' +
    'can’t undo this. The next invoice bills the amounts again, or you can draft one now.',
}

const success_messages: Record<InvoiceAction, (invoice_id: string) => string> = {
  issue: (invoice_id) => `Issue ${invoice_id}`,
  pay: (invoice_id) => `Mark ${invoice_id} as paid`,
  void: (invoice_id) => `Void ${invoice_id}`,
}

/** Each action needs a confirmation, which has its own URL. */
function InvoiceActions({ of: invoice }: { of: Invoice }) {
  const { invoice_id, status, issued_on } = invoice
  const { action } = route.useSearch()
  const navigate = route.useNavigate()
  const actions = allowedActions(status)
  const chosen = actions.find((one) => one === action)
  const choose = (action: InvoiceAction | undefined) =>
    navigate({ search: { action }, replace: true, resetScroll: false })
  const [paid_on, setPaidOn] = useState('')
  const [reason, setReason] = useState('')
  const act = useInvoiceActions(invoice)
  if (actions.length === 0) return null
  return (
    <div className="note">
      <RequiresRole area="bill" action={actions.map((one) => action_labels[one]).join(', ')}>
        <div className="form-end">
          {actions.map((one) => (
            <button
              key={one}
              type="button"
              className="button"
              aria-pressed={one === chosen}
              onClick={() => void choose(one)}
            >
              {action_labels[one]}
            </button>
          ))}
        </div>
        {chosen && (
          <Confirm
            key={chosen}
            action={success_messages[chosen](invoice_id)}
            variant={chosen === 'void' ? 'danger' : 'main'}
            act={() => act[chosen]({ paid_on, reason })}
            is_ready={chosen !== 'void' || reason.trim() !== ''}
            back={() => void choose(undefined)}
          >
            {chosen === 'pay' && (
              <label className="block">
                Paid on <span className="quiet">(defaults to today)</span>{' '}
                <input
                  type="date"
                  min={issued_on ?? undefined}
                  value={paid_on}
                  onChange={({ target }) => setPaidOn(target.value)}
                />
              </label>
            )}
            {chosen === 'void' && (
              <label className="block">
                Reason <span className="quiet">(shown to the partner on the invoice)</span>{' '}
                <input required maxLength={255} value={reason} onChange={({ target }) => setReason(target.value)} />
              </label>
            )}
            {consequences[chosen](invoice)}
          </Confirm>
        )}
      </RequiresRole>
    </div>
  )
}

type PaymentValues = { paid_on: string; reason: string }

/** The actions. Each refreshes all queries that show the invoice. */
function useInvoiceActions({ employer_id, invoice_id }: Invoice) {
  const refresh = () =>
    refetch(['employers', employer_id, 'invoices'], ['invoices', invoice_id], ['money'], operatorTasksList().key)
  return {
    issue: async () => (await operator.invoices.issue(employer_id, invoice_id), refresh()),
    pay: async ({ paid_on }: PaymentValues) => (
      await operator.invoices.pay(employer_id, invoice_id, paid_on ? { paid_on: paid_on as Day } : {}),
      refresh()
    ),
    void: async ({ reason }: PaymentValues) => (
      await operator.invoices.void(employer_id, invoice_id, { reason }),
      refresh()
    ),
  }
}
