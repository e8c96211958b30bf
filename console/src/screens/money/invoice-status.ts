import type { InvoiceRow } from 'openbenefits'

/** The status of an invoice. An open invoice past its due date is overdue. */
export const stateOf = ({ status, age }: Pick<InvoiceRow, 'status' | 'age'>): string =>
  age !== null && age !== 'not_due' ? 'overdue' : status
