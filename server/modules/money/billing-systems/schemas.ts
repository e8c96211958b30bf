import { z } from 'zod'
import { billing_systems } from '../../../integrations/billing-system.ts'
import { Id, optional, text, Timestamp } from '../../../kernel/fields.ts'

const StripeKey = text().regex(
  /^[sr]k_(live|test)_\w+$/,
  'must be a secret or restricted key of Stripe, which begins with sk_live_, rk_live_, sk_test_ or rk_test_',
)

const StripeWebhookSecret = text().regex(
  /^whsec_[\w+/=]+$/,
  'must be the signing secret of a webhook endpoint at Stripe, which begins with whsec_',
)

export const BillingSystemChanges = z
  .object({
    billing_system: z.enum(billing_systems).meta({ description: 'Who collects invoices: we, or Stripe.' }),
    stripe_secret_key: optional(StripeKey).meta({ description: 'Kept as it is when absent. Never shown.' }),
    stripe_webhook_secret: optional(StripeWebhookSecret).meta({
      description: 'Kept as it is when absent. Never shown.',
    }),
  })
  .meta({ id: 'BillingSystemChanges' })
export type BillingSystemChanges = z.output<typeof BillingSystemChanges>

export const BillingSystemSettings = z
  .object({
    organization_id: Id('org'),
    billing_system: z.enum(billing_systems).meta({ description: 'Who collects invoices: we, or Stripe.' }),
    configured: z.boolean().meta({ description: 'Whether everything is there that the billing system needs.' }),
    stripe_secret_key_set: z.boolean().meta({ description: 'Whether a secret key is kept.' }),
    stripe_webhook_secret_set: z.boolean().meta({ description: 'Whether a signing secret is kept.' }),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'BillingSystemSettings', description: 'Where the invoices of an organization are collected.' })
