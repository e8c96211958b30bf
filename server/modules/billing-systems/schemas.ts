import { z } from 'zod'
import { billing_systems } from '../../platform/billing-system.ts'
import { Id, optional, text, Timestamp } from '../../platform/values.ts'

/** It goes into a header. */
const StripeKey = text().refine((value) => /^[!-~]+$/.test(value), 'must be a key of Stripe')

export const BillingSystemChanges = z
  .object({
    billing_system: z.enum(billing_systems),
    stripe_secret_key: optional(StripeKey).meta({ description: 'Kept as it is when absent. Never shown.' }),
    stripe_webhook_secret: optional(StripeKey).meta({ description: 'Kept as it is when absent. Never shown.' }),
  })
  .meta({ id: 'BillingSystemChanges' })
export type BillingSystemChanges = z.output<typeof BillingSystemChanges>

export const BillingSystemSettings = z
  .object({
    organization_id: Id('org'),
    billing_system: z.enum(billing_systems),
    configured: z.boolean().meta({ description: 'Whether everything is there that the billing system needs.' }),
    stripe_secret_key_set: z.boolean(),
    stripe_webhook_secret_set: z.boolean(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'BillingSystemSettings', description: 'Where the invoices of an organization are collected.' })
