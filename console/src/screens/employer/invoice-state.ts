import type { Invoice } from 'openbenefits'

/** How an invoice stands; of one that is issued and not paid, whether its day has passed. */
export const stateOf = ({ status, due_on }: Pick<Invoice, 'status' | 'due_on'>, today: string | undefined): string =>
  status === 'open' && today !== undefined && due_on !== null && due_on < today ? 'overdue' : status
