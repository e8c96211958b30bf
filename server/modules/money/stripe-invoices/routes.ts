import type { Incoming } from '../../../http/callbacks.ts'
import { receiveWebhook } from './actions.ts'
import { refusals } from './rules.ts'

/** What Stripe calls. */
export const incoming: Incoming[] = [
  {
    operation: 'receive_stripe_webhook',
    tag: 'Billing system',
    path: '/v1/billing/stripe-webhooks/{organization_id}',
    summary: 'Tell that something happened to an invoice at Stripe',
    description:
      'For Stripe alone, which signs with the webhook secret of the organization. The service then asks Stripe ' +
      'what is so; webhooks may come twice, late and in any order, and events about anything else are ignored.',
    signature_header: 'stripe-signature',
    refuses: [refusals.invalid_signature],
    receive: receiveWebhook,
  },
]
