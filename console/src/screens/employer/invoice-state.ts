import type { InvoiceRow } from 'openbenefits'

/** How an invoice stands; of one that is owed, whether its day has passed. */
export const stateOf = ({ status, age }: Pick<InvoiceRow, 'status' | 'age'>): string =>
  age !== null && age !== 'not_due' ? 'overdue' : status
