import { refusal, type RefusalKind } from '../../kernel/refusal.ts'

export const stripe_secret_key_missing = refusal(
  422,
  'stripe_secret_key_missing',
  'Invoices can only be collected by Stripe with a secret key of its account.',
)

/** Why an organization can't have its invoices collected there. */
export const whyNotCollect = (billing_system: string, has_secret_key: boolean): RefusalKind | undefined =>
  billing_system === 'stripe' && !has_secret_key ? stripe_secret_key_missing : undefined
