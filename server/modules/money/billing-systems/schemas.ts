import { z } from 'zod'
import { billing_systems } from './rules.ts'
import { Id, optional, text, Timestamp } from '../../../kernel/fields.ts'

const StripeKey = text().regex(
  /^[sr]k_(live|test)_\w+$/,
  'must be a secret or restricted Stripe key, which starts with sk_live_, rk_live_, sk_test_ or rk_test_',
)

const StripeWebhookSecret = text().regex(
  /^whsec_[\w+/=]+$/,
  'must be the signing secret of a Stripe webhook endpoint, which starts with whsec_',
)

const BillingSystem = z.enum(billing_systems).meta({
  id: 'BillingSystem',
  description: 'The system that collects invoices: `built_in` or `stripe`.',
})

export const BillingSystemChanges = z
  .object({
    billing_system: BillingSystem,
    stripe_secret_key: optional(StripeKey).meta({
      description: 'The secret key of the Stripe account. It is never shown. If omitted, the stored one stays.',
    }),
    stripe_webhook_secret: optional(StripeWebhookSecret).meta({
      description: 'The secret that signs webhooks of Stripe. It is never shown. If omitted, the stored one stays.',
    }),
  })
  .meta({ id: 'BillingSystemChanges' })
export type BillingSystemChanges = z.output<typeof BillingSystemChanges>

export const BillingSystemSettings = z
  .object({
    organization_id: Id('org'),
    billing_system: BillingSystem,
    configured: z.boolean().meta({ description: 'Whether the billing system has all required settings.' }),
    stripe_secret_key_set: z.boolean().meta({ description: 'Whether a secret key is stored.' }),
    stripe_webhook_secret_set: z.boolean().meta({ description: 'Whether a signing secret is stored.' }),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'BillingSystemSettings', description: 'The system that collects the invoices of an organization.' })
