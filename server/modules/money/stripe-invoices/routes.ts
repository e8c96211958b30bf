import type { Incoming } from '../../../http/callbacks.ts'
import { receiveWebhook } from './actions.ts'
import { refusals } from './rules.ts'

/** The webhook that Stripe calls. */
export const incoming: Incoming[] = [
  {
    operation: 'receive_stripe_webhook',
    tag: 'Billing system',
    path: '/v1/billing/stripe-webhooks/{organization_id}',
    summary: 'Receive a Stripe webhook',
    description:
      'Only for Stripe, which signs it with the webhook secret of the organization. The service then reads the ' +
      'invoice from Stripe, so webhooks may arrive twice, late and in any order. Other events are ignored.',
    signature_header: 'stripe-signature',
    refuses: [refusals.invalid_signature],
    receive: receiveWebhook,
  },
]
