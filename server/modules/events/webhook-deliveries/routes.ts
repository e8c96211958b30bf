import { Paging } from '../../../kernel/pages.ts'
import { replay_days } from './schemas.ts'
import { alsoForOperators, data, dataOf, endpoint, made, partner, for_operators } from '../../../http/endpoint.ts'
import { administering } from '../../../runtime/permissions.ts'
import { locateEvent } from '../webhooks/event-queries.ts'
import { locateSubscription } from '../webhooks/queries.ts'
import { redeliver, replay, resume, testSubscription } from './actions.ts'
import { listDeliveries, listOfSubscription } from './listing-queries.ts'
import { findDelivery, locateDelivery } from './queries.ts'
import { refusals } from './rules.ts'
import {
  NewWebhookReplay,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookDeliveryPage,
  WebhookReplay,
  WebhookTest,
} from './schemas.ts'

const here = { tag: 'Webhooks', allows: partner } as const
const of_a_webhook = {
  locate: locateSubscription,
  method: 'GET',
  summary: 'List the deliveries of a webhook subscription',
  description: 'Returns the deliveries with the last response of the receiver.',
  query: WebhookDeliveryFilter,
  returns: { 200: WebhookDeliveryPage },
} as const

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      ...here,
      operation: 'webhook_events_list_deliveries',
      roles: administering,
      scopes: ['read', 'webhooks'],
      method: 'GET',
      path: '/v1/webhook-events/{webhook_event_id}/deliveries',
      summary: 'List the deliveries of an event',
      description:
        'Returns one delivery for each subscription to the event, and one for each redelivery and replay, newest ' +
        'first.',
      locate: locateEvent,
      query: Paging,
      returns: { 200: WebhookDeliveryPage },
      handle: (ctx, { params, query }) => listDeliveries(ctx, params, query),
    }),
    {
      operation: 'operator_list_webhook_event_deliveries',
      sdk: 'webhookEvents.listDeliveries',
      ...for_operators.read,
    },
  ),
  endpoint({
    ...here,
    operation: 'webhook_deliveries_redeliver',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'POST',
    path: '/v1/webhook-deliveries/{webhook_delivery_id}/redeliver',
    summary: 'Deliver an event again',
    description:
      'Sends the event to the subscription of this delivery again, regardless of its outcome, as a new delivery with ' +
      'the same `webhook-id`.',
    locate: locateDelivery,
    returns: { 202: dataOf(WebhookDelivery) },
    refuses: [refusals.webhook_subscription_is_disabled],
    handle: async (ctx, { located }) =>
      made(await redeliver(ctx, located), (id) => findDelivery(ctx, { webhook_delivery_id: id })),
  }),
  endpoint({
    ...here,
    locate: locateSubscription,
    operation: 'webhook_subscriptions_test',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'POST',
    path: '/v1/webhook-subscriptions/{webhook_subscription_id}/test',
    summary: 'Test a webhook subscription',
    description:
      'Sends a test event, or the latest event of the given name, to this subscription only. The event is sent even ' +
      'if the subscription does not include its name.',
    query: WebhookTest,
    returns: { 202: dataOf(WebhookDelivery) },
    refuses: [refusals.webhook_subscription_is_disabled, refusals.event_never_occurred],
    handle: async (ctx, { located, query }) =>
      made(await testSubscription(ctx, located, query.event_name), (id) =>
        findDelivery(ctx, { webhook_delivery_id: id }),
      ),
  }),
  endpoint({
    ...here,
    locate: locateSubscription,
    operation: 'webhook_subscriptions_replay',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'POST',
    path: '/v1/webhook-subscriptions/{webhook_subscription_id}/replay',
    summary: 'Replay events to a webhook subscription',
    description:
      'Sends the events of a period that the subscription should have received but did not: those whose last retry ' +
      'failed, and those that occurred while it was disabled or before it existed. Delivered and waiting events are ' +
      'not sent ' +
      'again.',
    body: NewWebhookReplay,
    returns: { 202: dataOf(WebhookReplay) },
    refuses: [refusals.webhook_subscription_is_disabled, refusals.replay_too_far_back],
    example: { since: '2026-03-01T00:00:00Z' },
    handle: async (ctx, { located, body }) => data(await replay(ctx, located, body)),
  }),
  ...alsoForOperators(
    endpoint({
      ...here,
      ...of_a_webhook,
      operation: 'webhook_subscriptions_list_deliveries',
      roles: administering,
      scopes: ['read', 'webhooks'],
      path: '/v1/webhook-subscriptions/{webhook_subscription_id}/deliveries',
      handle: (ctx, { params, query }) => listOfSubscription(ctx, params.webhook_subscription_id, query),
    }),
    {
      operation: 'operator_list_webhook_deliveries',
      sdk: 'webhookSubscriptions.listDeliveries',
      ...for_operators.read,
    },
  ),
  endpoint({
    tag: 'Webhooks',
    locate: locateSubscription,
    operation: 'operator_resume_webhook_subscription',
    sdk: 'webhookSubscriptions.resume',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/webhook-subscriptions/{webhook_subscription_id}/resume',
    summary: 'Replay missed events to a webhook subscription',
    description:
      'Enables a subscription that was disabled after failures, and sends the events that it missed, up to ' +
      `${replay_days} days back. Delivered events are not sent again.`,
    returns: { 202: dataOf(WebhookReplay) },
    refuses: [refusals.webhook_subscription_disabled_on_request],
    handle: async (ctx, { located }) => data(await resume(ctx, located)),
  }),
]
