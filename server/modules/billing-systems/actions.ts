import type { Ctx } from '../../platform/ctx.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hasSecretKey, saveBillingSystem } from './queries.ts'
import { whyNotCollect } from './rules.ts'
import type { BillingSystemChanges } from './schemas.ts'

/** Chooses where the invoices of an organization are collected from the next draft on; 422 for Stripe without a key. */
export async function chooseBillingSystem(
  ctx: Ctx,
  organization_id: string,
  { billing_system, stripe_secret_key, stripe_webhook_secret }: BillingSystemChanges,
): Promise<void> {
  const has_secret_key = stripe_secret_key !== undefined || (await hasSecretKey(ctx, organization_id))
  refuse(whyNotCollect(billing_system, has_secret_key))
  const sealed = (secret: string | undefined) => (secret === undefined ? null : ctx.secrets.encrypt(secret))
  await saveBillingSystem(ctx, organization_id, {
    billing_system,
    stripe_secret_key_sealed: sealed(stripe_secret_key),
    stripe_webhook_secret_sealed: sealed(stripe_webhook_secret),
  })
}
