import type { Invoice } from 'openbenefits/operator'
import type { invoice_actions } from '../../routes.tsx'

export type InvoiceAction = (typeof invoice_actions)[number]

export const action_labels: Record<InvoiceAction, string> = { issue: 'Issue', pay: 'Mark as paid', void: 'Void' }

/** What an operator can do with an invoice as it stands. */
export const actionsOf = (status: Invoice['status']): InvoiceAction[] =>
  status === 'draft' ? ['issue', 'void'] : status === 'open' ? ['pay', 'void'] : []
