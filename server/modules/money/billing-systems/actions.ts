import type { Ctx } from '../../../runtime/ctx.ts'
import type { ReEncryption } from '../../../security/re-encrypt.ts'
import { reseal } from '../../../security/secrets.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { findOutdatedSecrets, hasSecretKey, saveBillingSystem, saveSealedSecrets } from './queries.ts'
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
export const reEncryptStripeSecrets: ReEncryption = async (scope, organization_id) => {
  const { secrets } = scope
  const outdated = await findOutdatedSecrets(scope, { organization_id, mark: secrets.mark() })
  if (!outdated) return null
  const sealed = (secret: Buffer | null) => secret && reseal(secrets, secret)
  await saveSealedSecrets(scope, {
    organization_id,
    stripe_secret_key_sealed: sealed(outdated.stripe_secret_key_sealed),
    stripe_webhook_secret_sealed: sealed(outdated.stripe_webhook_secret_sealed),
  })
  return null
}
