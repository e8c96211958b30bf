import type { Invoice } from 'openbenefits/operator'
import type { invoice_actions } from '../../routes/filter-values.ts'

export type InvoiceAction = (typeof invoice_actions)[number]

export const action_labels: Record<InvoiceAction, string> = { issue: 'Issue', pay: 'Mark as paid', void: 'Void' }

/** The actions that an operator can take on an invoice, by its status. */
export const actionsOf = (status: Invoice['status']): InvoiceAction[] =>
  status === 'draft' ? ['issue', 'void'] : status === 'open' ? ['pay', 'void'] : []
