import type { Invoice } from 'openbenefits/operator'
import type { invoice_deeds } from '../../routes.tsx'

export type InvoiceDeed = (typeof invoice_deeds)[number]

export const deed_labels: Record<InvoiceDeed, string> = { issue: 'Issue', pay: 'Mark as paid', void: 'Void' }

/** What an operator can do with an invoice as it stands. */
export const deedsOf = (status: Invoice['status']): InvoiceDeed[] =>
  status === 'draft' ? ['issue', 'void'] : status === 'open' ? ['pay', 'void'] : []
