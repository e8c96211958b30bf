import { declareRefusals, type RefusalKind } from '../../../kernel/refusal.ts'

/** The system that collects invoices: the service itself, or an outside system that reports when they are paid. */
export const billing_systems = ['built_in', 'stripe'] as const

export type BillingSystem = (typeof billing_systems)[number]

export const refusals = declareRefusals({
  stripe_secret_key_missing: [
    422,
    'Stripe requires the secret key of an account.',
    'Send `stripe_secret_key` in the same request.',
  ],
})

/** Refuses Stripe without a secret key. */
export const whyNotCollect = (billing_system: string, has_secret_key: boolean): RefusalKind | undefined =>
  billing_system === 'stripe' && !has_secret_key ? refusals.stripe_secret_key_missing : undefined
