import type { Ctx } from '../../../runtime/ctx.ts'
import type { Remake } from '../../../security/re-encrypt.ts'
import { reseal } from '../../../security/key-age.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { findStaleSecrets, hasSecretKey, saveBillingSystem, saveSealedSecrets } from './queries.ts'
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

/** Encrypts the secrets for Stripe with the key of now. */
export const remakeStripeSecrets: Remake = async (scope, organization_id) => {
  const { secrets } = scope
  const stale = await findStaleSecrets(scope, { organization_id, mark: secrets.mark() })
  if (!stale) return null
  const sealed = (secret: Buffer | null) => secret && reseal(secrets, secret)
  await saveSealedSecrets(scope, organization_id, {
    stripe_secret_key_sealed: sealed(stale.stripe_secret_key_sealed),
    stripe_webhook_secret_sealed: sealed(stale.stripe_webhook_secret_sealed),
  })
  return null
}
