import { data, dataOf, endpoint, made, partner, roles_to } from '../../../http/endpoint.ts'
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
  WebhookDeliveryPaging,
  WebhookReplay,
  WebhookTest,
} from './schemas.ts'

const here = { tag: 'Webhooks', allows: partner, organization: 'path' } as const
const operated = { tag: 'Webhooks', allows: ['operator'], organization: 'none' } as const
const a_webhook = { params: { webhook_subscription_id: 'wsub' }, locate: locateSubscription } as const
const of_a_webhook = {
  ...a_webhook,
  method: 'GET',
  summary: 'List the deliveries of a webhook subscription',
  description: 'With what the receiver answered last.',
  query: WebhookDeliveryFilter,
  returns: { 200: WebhookDeliveryPage },
} as const

export const endpoints = [
  endpoint({
    ...here,
    operation: 'webhook_events_list_deliveries',
    roles: administering,
    scopes: ['read', 'webhooks'],
    method: 'GET',
    path: '/v1/webhook-events/{webhook_event_id}/deliveries',
    summary: 'List the deliveries of an event',
    description: 'One for each subscription that took it, and one for each redelivery and replay, newest first.',
    params: { webhook_event_id: 'wevt' },
    locate: locateEvent,
    query: WebhookDeliveryPaging,
    returns: { 200: WebhookDeliveryPage },
    handle: (ctx, { params, query }) => listDeliveries(ctx, params.webhook_event_id, query),
  }),
  endpoint({
    ...here,
    operation: 'webhook_deliveries_redeliver',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'POST',
    path: '/v1/webhook-deliveries/{webhook_delivery_id}/redeliver',
    summary: 'Deliver an event again',
    description:
      'To the subscription of that delivery, however it ended, as a delivery of its own with the same `webhook-id`.',
    params: { webhook_delivery_id: 'wdlv' },
    locate: locateDelivery,
    returns: { 202: dataOf(WebhookDelivery) },
    refuses: [refusals.webhook_subscription_is_disabled],
    handle: async (ctx, { located }) => made(await redeliver(ctx, located), (id) => findDelivery(ctx, id)),
  }),
  endpoint({
    ...here,
    ...a_webhook,
    operation: 'webhook_subscriptions_test',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'POST',
    path: '/v1/webhook-subscriptions/{webhook_subscription_id}/test',
    summary: 'Test a webhook subscription',
    description:
      'Sends it, and no other, an event `webhook_subscription.test`, or the newest event of a name, whichever ' +
      'names it takes.',
    query: WebhookTest,
    returns: { 202: dataOf(WebhookDelivery) },
    refuses: [refusals.webhook_subscription_is_disabled, refusals.no_event_of_this_name],
    handle: async (ctx, { located, query }) =>
      made(await testSubscription(ctx, located, query.event_name), (id) => findDelivery(ctx, id)),
  }),
  endpoint({
    ...here,
    ...a_webhook,
    operation: 'webhook_subscriptions_replay',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'POST',
    path: '/v1/webhook-subscriptions/{webhook_subscription_id}/replay',
    summary: 'Replay events to a webhook subscription',
    description:
      'Sends the events of a time that the subscription takes and has not got: those that failed for good, and those ' +
      'of while it was disabled or not there. What was delivered, or waits, is not sent again.',
    body: NewWebhookReplay,
    returns: { 202: dataOf(WebhookReplay) },
    refuses: [refusals.webhook_subscription_is_disabled, refusals.replay_too_far_back],
    example: { since: '2026-03-01T00:00:00Z' },
    handle: async (ctx, { located, body }) => data(JSON.stringify(await replay(ctx, located, body))),
  }),
  endpoint({
    ...here,
    ...of_a_webhook,
    operation: 'webhook_subscriptions_list_deliveries',
    roles: administering,
    scopes: ['read', 'webhooks'],
    path: '/v1/webhook-subscriptions/{webhook_subscription_id}/deliveries',
    handle: (ctx, { params, query }) => listOfSubscription(ctx, params.webhook_subscription_id, query),
  }),
  endpoint({
    ...operated,
    ...of_a_webhook,
    operation: 'operator_list_webhook_deliveries',
    sdk: 'webhookSubscriptions.listDeliveries',
    roles: roles_to.read,
    path: '/operator/v1/webhook-subscriptions/{webhook_subscription_id}/deliveries',
    handle: (ctx, { params, query }) => listOfSubscription(ctx, params.webhook_subscription_id, query),
  }),
  endpoint({
    ...operated,
    ...a_webhook,
    operation: 'operator_resume_webhook_subscription',
    sdk: 'webhookSubscriptions.resume',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/webhook-subscriptions/{webhook_subscription_id}/resume',
    summary: 'Send a webhook subscription what it missed',
    description:
      'Once its receiver is there again: one that was given up is enabled, and what could not be delivered, or ' +
      'happened meanwhile, is sent, up to 60 days back. What was delivered is not sent again.',
    returns: { 202: dataOf(WebhookReplay) },
    refuses: [refusals.webhook_subscription_disabled_on_request],
    handle: async (ctx, { located }) => data(JSON.stringify(await resume(ctx, located))),
  }),
  endpoint({
    ...operated,
    operation: 'operator_list_webhook_event_deliveries',
    sdk: 'webhookEvents.listDeliveries',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/webhook-events/{webhook_event_id}/deliveries',
    summary: 'List the deliveries of an event',
    description: 'One for each subscription that took it, and one for each redelivery and replay, newest first.',
    params: { webhook_event_id: 'wevt' },
    locate: locateEvent,
    query: WebhookDeliveryPaging,
    returns: { 200: WebhookDeliveryPage },
    handle: (ctx, { params, query }) => listDeliveries(ctx, params.webhook_event_id, query),
  }),
]
