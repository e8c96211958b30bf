import type { Ctx } from '../../../runtime/ctx.ts'
import { reEncryptionOf } from '../../../security/re-encryption.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { hasSecretKey, saveBillingSystem } from './queries.ts'
import { whyNotCollect } from './rules.ts'
import type { BillingSystemChanges } from './schemas.ts'

/** Sets the billing system of an organization for future drafts. Refuses Stripe without a secret key with 422. */
export async function chooseBillingSystem(
  ctx: Ctx,
  organization_id: string,
  { billing_system, stripe_secret_key, stripe_webhook_secret }: BillingSystemChanges,
): Promise<void> {
  const has_secret_key = stripe_secret_key !== undefined || (await hasSecretKey(ctx, { organization_id }))
  refuse(whyNotCollect(billing_system, has_secret_key))
  const sealed = (secret: string | undefined) => (secret === undefined ? null : ctx.secrets.encrypt(secret))
  await saveBillingSystem(ctx, {
    organization_id,
    billing_system,
    stripe_secret_key_sealed: sealed(stripe_secret_key),
    stripe_webhook_secret_sealed: sealed(stripe_webhook_secret),
  })
}

/** Re-encrypts the Stripe secrets with the current key. */
export const reEncryptStripeSecrets = reEncryptionOf({
  table: 'billing_systems',
  key: [],
  sealed: ['stripe_secret_key_sealed', 'stripe_webhook_secret_sealed'],
})
