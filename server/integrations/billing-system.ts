/** The system that collects invoices: the service itself, or an outside system that reports when they are paid. */
export const billing_systems = ['built_in', 'stripe'] as const

export type BillingSystem = (typeof billing_systems)[number]
