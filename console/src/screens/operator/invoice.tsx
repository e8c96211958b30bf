import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Day, Invoice } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { UpTo } from '../../parts/up-to.tsx'
import { dayAfter, dayOf } from '../../parts/words.ts'
import { tasks } from '../../operator-queries.ts'
import { OneInvoice } from '../employer/invoice.tsx'
import { action_labels, actionsOf, type InvoiceAction } from './invoice-actions.ts'

const route = getRouteApi('/partners/employers/$employer_id/invoices/$invoice_id')

/** An invoice as partners see it, with what an operator does with it. */
export const OperatedInvoice = () => (
  <OneInvoice {...route.useParams()} actions={(invoice) => <Actions of={invoice} key={invoice.status} />} />
)

/** A draft is issued by itself so many days after it was drafted. */
const days_as_draft = 3

/** What comes of an action, who is told, and how it is taken back. */
const consequences: Record<InvoiceAction, (invoice: Invoice) => ReactNode> = {
  issue: ({ drafted_on }) =>
    `It is issued today and due in 30 days; the partner is told by the webhook invoice.issued. It would issue by ` +
    `itself on ${dayOf(dayAfter(drafted_on, days_as_draft))}. It never becomes a draft again: to take it back, void it.`,
  pay: () =>
    'Nothing is owed by it any more. The partner sees it as paid, and no webhook is sent. This can’t be undone, nor ' +
    'can the invoice be voided then: what it billed wrongly, the next one adjusts.',
  void: () =>
    'Nothing is owed by it any more, and its PDF says so, with the reason. The partner sees it as void, and no webhook is sent. This ' +
    'can’t be undone: what it billed is billed by the next invoice, or by one that you have drafted now.',
}

const sayings: Record<InvoiceAction, (invoice_id: string) => string> = {
  issue: (invoice_id) => `Issue ${invoice_id}`,
  pay: (invoice_id) => `Mark ${invoice_id} as paid`,
  void: (invoice_id) => `Void ${invoice_id}`,
}

/** Each asks first, at an address of its own. */
function Actions({ of: invoice }: { of: Invoice }) {
  const { invoice_id, status, issued_on } = invoice
  const { action } = route.useSearch()
  const navigate = route.useNavigate()
  const actions = actionsOf(status)
  const chosen = actions.find((one) => one === action)
  const choose = (action: InvoiceAction | undefined) =>
    navigate({ search: { action }, replace: true, resetScroll: false })
  const [paid_on, setPaidOn] = useState('')
  const [reason, setReason] = useState('')
  const act = useActs(invoice)
  if (actions.length === 0) return null
  return (
    <div className="note">
      <UpTo area="bill" action={actions.map((one) => action_labels[one]).join(', ')}>
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
            action={sayings[chosen](invoice_id)}
            look={chosen === 'void' ? 'danger' : 'main'}
            act={() => act[chosen]({ paid_on, reason })}
            is_ready={chosen !== 'void' || reason.trim() !== ''}
            back={() => void choose(undefined)}
          >
            {chosen === 'pay' && (
              <label className="block">
                Paid on <span className="quiet">(today, unless you say so)</span>{' '}
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
                Reason <span className="quiet">(the partner reads it on the invoice)</span>{' '}
                <input required maxLength={255} value={reason} onChange={({ target }) => setReason(target.value)} />
              </label>
            )}
            {consequences[chosen](invoice)}
          </Confirm>
        )}
      </UpTo>
    </div>
  )
}

type Entered = { paid_on: string; reason: string }

/** The actions, after each of which whatever tells of the invoice is asked anew. */
function useActs({ employer_id, invoice_id }: Invoice) {
  const client = useQueryClient()
  const refresh = () =>
    Promise.all(
      [['employers', employer_id, 'invoices'], ['invoices', invoice_id], ['money'], tasks().key].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
  return {
    issue: async () => (await operator.invoices.issue(employer_id, invoice_id), refresh()),
    pay: async ({ paid_on }: Entered) => (
      await operator.invoices.pay(employer_id, invoice_id, paid_on ? { paid_on: paid_on as Day } : {}),
      refresh()
    ),
    void: async ({ reason }: Entered) => (await operator.invoices.void(employer_id, invoice_id, { reason }), refresh()),
  }
}
