/**
 * Where invoices are collected: by the service itself, or mirrored to an outside system, which tells when they are
 * paid.
 */
export const billing_systems = ['built_in', 'stripe'] as const

export type BillingSystem = (typeof billing_systems)[number]
