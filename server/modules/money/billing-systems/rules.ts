import { declareRefusals, type RefusalKind } from '../../../kernel/refusal.ts'

export const refusals = declareRefusals({
  stripe_secret_key_missing: [
    422,
    'Invoices can only be collected by Stripe with a secret key of its account.',
    'Send `stripe_secret_key` with it.',
  ],
})

/** Why an organization can't have its invoices collected there. */
export const whyNotCollect = (billing_system: string, has_secret_key: boolean): RefusalKind | undefined =>
  billing_system === 'stripe' && !has_secret_key ? refusals.stripe_secret_key_missing : undefined
