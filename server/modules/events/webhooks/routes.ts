import { Paging } from '../../../kernel/pages.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { changed, data, dataOf, endpoint, made, partner, for_operators } from '../../../http/endpoint.ts'
import { administering } from '../../../runtime/permissions.ts'
import { generic, Refusal } from '../../../kernel/refusal.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import { changeSubscription, rotateSecret, subscribe, unsubscribe, whyNotSendTo, type Issued } from './actions.ts'
import { findEvent, followEvents, listEvents, locateEvent } from './event-queries.ts'
import {
  findSubscription,
  listSubscriptions,
  locateSubscription,
  countByDay,
  listEventsAt,
  listOperatedSubscriptions,
} from './queries.ts'
import { isFollowing, refusals } from './rules.ts'
import {
  EventDayFilter,
  EventsByDay,
  NewWebhookSubscription,
  OperatedEventFilter,
  OperatedSubscriptionFilter,
  WebhookEvent,
  WebhookEventFilter,
  WebhookEventPage,
  WebhookSubscription,
  WebhookSubscriptionChanges,
  WebhookSubscriptionPage,
  WebhookSubscriptionWithSecret,
} from './schemas.ts'
import { refusals as platform_refusals } from '../../../http/refusals.ts'

const tag = 'Webhooks'

const all = { tag, allows: partner, organization: 'needed' } as const
const subscriptions = { ...all, path: '/v1/webhook-subscriptions' } as const
const one_subscription = {
  tag,
  allows: partner,
  path: '/v1/webhook-subscriptions/{webhook_subscription_id}',
  locate: locateSubscription,
} as const

const no_such_event = { field: 'after', message: 'must be the id of an event of this organization' }

/** Follows the events of one organization, because only these have a common order. */
async function follow(ctx: ReadCtx, filter: WebhookEventFilter, seen: number | undefined): Promise<string> {
  const { organization_ids } = ctx.caller.reach
  if (organization_ids?.length !== 1) throw new Refusal(platform_refusals.organization_required)
  const page = await followEvents(ctx, organization_ids[0]!, filter, seen)
  if (page === undefined) throw new Refusal(generic.invalid_request, [no_such_event])
  return page
}

/** The subscription with its secret, which is shown only in this response. */
async function shownWithSecret(ctx: Ctx, { id, secret }: Issued): Promise<string> {
  const shown = (await findSubscription(ctx, { webhook_subscription_id: id }))!
  return `${shown.slice(0, -1)},"secret":${JSON.stringify(secret)}}`
}

export const endpoints = [
  endpoint({
    ...subscriptions,
    operation: 'webhook_subscriptions_create',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'POST',
    summary: 'Subscribe to events',
    description:
      "Sends the organization's future events to a URL, signed with the secret in this response, which is shown " +
      'only once. Create a subscription for each receiver. An organization can have at most 50.',
    body: NewWebhookSubscription,
    precheck: whyNotSendTo,
    returns: { 201: dataOf(WebhookSubscriptionWithSecret) },
    refuses: [refusals.too_many_webhook_subscriptions, refusals.webhook_url_not_allowed],
    repeats: 'briefly',
    example: { url: 'https://example.com/hooks', event_names: ['employee.created', 'enrollment.elected'] },
    handle: async (ctx, { body }) => {
      const issued = await subscribe(ctx, body)
      return made(issued.id, () => shownWithSecret(ctx, issued))
    },
  }),
  endpoint({
    ...subscriptions,
    operation: 'webhook_subscriptions_list',
    roles: administering,
    scopes: ['read', 'webhooks'],
    method: 'GET',
    summary: 'List webhook subscriptions',
    query: Paging,
    returns: { 200: WebhookSubscriptionPage },
    handle: (ctx, { query }) => listSubscriptions(ctx, {}, query),
  }),
  endpoint({
    ...one_subscription,
    operation: 'webhook_subscriptions_get',
    roles: administering,
    scopes: ['read', 'webhooks'],
    method: 'GET',
    summary: 'Get a webhook subscription',
    returns: { 200: dataOf(WebhookSubscription) },
    handle: async (ctx, { params }) => data(await findSubscription(ctx, params)),
  }),
  endpoint({
    ...one_subscription,
    operation: 'webhook_subscriptions_update',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'PATCH',
    summary: 'Change a webhook subscription',
    description:
      'Waiting deliveries go to the new URL. `enabled: true` enables a disabled subscription for future events. To ' +
      'send the missed events, replay them.',
    body: WebhookSubscriptionChanges,
    precheck: whyNotSendTo,
    returns: { 200: dataOf(WebhookSubscription) },
    refuses: [refusals.webhook_url_not_allowed],
    example: { description: 'Payroll' },
    handle: (ctx, { located, body }) =>
      changed(changeSubscription(ctx, located, body), () => findSubscription(ctx, located)),
  }),
  endpoint({
    ...one_subscription,
    operation: 'webhook_subscriptions_delete',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'DELETE',
    summary: 'Delete a webhook subscription',
    description: 'Returns the deleted subscription. Waiting deliveries are not sent.',
    returns: { 200: dataOf(WebhookSubscription) },
    handle: async (ctx, { located }) => {
      const shown = await findSubscription(ctx, located)
      await unsubscribe(ctx, located)
      return data(shown)
    },
  }),
  endpoint({
    ...one_subscription,
    operation: 'webhook_subscriptions_rotate_secret',
    roles: administering,
    scopes: ['write', 'webhooks'],
    method: 'POST',
    path: '/v1/webhook-subscriptions/{webhook_subscription_id}/rotate-secret',
    summary: 'Rotate the secret of a webhook subscription',
    description:
      'For 24 hours, deliveries are also signed with the previous secret, so that receivers can switch in the ' +
      'meantime. After several rotations, up to 4 previous secrets sign.',
    returns: { 200: dataOf(WebhookSubscriptionWithSecret) },
    refuses: [refusals.too_many_webhook_secrets],
    repeats: 'briefly',
    handle: async (ctx, { located }) => data(await shownWithSecret(ctx, await rotateSecret(ctx, located))),
  }),
  endpoint({
    ...all,
    operation: 'webhook_events_list',
    roles: administering,
    scopes: ['read', 'webhooks'],
    method: 'GET',
    path: '/v1/webhook-events',
    summary: 'List events',
    description:
      'Returns the events of the organization, newest first. To follow them, send the last event you have as ' +
      '`after`, and `wait` for new ones. Each request counts as one for the rate limit. A credential can wait in ' +
      '5 requests at a time.',
    query: WebhookEventFilter,
    returns: { 200: WebhookEventPage },
    waits: (query) => (isFollowing(query) ? (query.page === 1 && query.wait) || 0 : undefined),
    handle: (ctx, { query, seen }) => (isFollowing(query) ? follow(ctx, query, seen) : listEvents(ctx, query)),
  }),
  endpoint({
    operation: 'webhook_events_get',
    method: 'GET',
    path: '/v1/webhook-events/{webhook_event_id}',
    tag,
    summary: 'Get an event',
    allows: partner,
    roles: administering,
    scopes: ['read', 'webhooks'],
    locate: locateEvent,
    returns: { 200: dataOf(WebhookEvent) },
    handle: async (ctx, { params }) => data(await findEvent(ctx, params)),
  }),
  endpoint({
    operation: 'operator_list_webhook_subscriptions',
    sdk: 'webhookSubscriptions.list',
    ...for_operators.read,
    path: '/operator/v1/webhook-subscriptions',
    tag,
    summary: 'List webhook subscriptions',
    description:
      'Returns the subscriptions of one organization or all, newest first, at most 1,000, optionally by health. ' +
      'Disabled ones are sorted by when they were disabled, latest first.',
    query: OperatedSubscriptionFilter,
    returns: { 200: WebhookSubscriptionPage },
    handle: (ctx, { query }) => listOperatedSubscriptions(ctx, query),
  }),
  endpoint({
    operation: 'operator_list_webhook_events',
    sdk: 'webhookEvents.list',
    ...for_operators.read,
    path: '/operator/v1/organizations/{organization_id}/webhook-events',
    tag,
    summary: 'List the events of an organization',
    description: 'Returns the events, newest first. You can filter by name, related ids and time.',
    locate: locateOrganization,
    query: OperatedEventFilter,
    returns: { 200: WebhookEventPage },
    handle: (ctx, { params, query }) => listEventsAt(ctx, params.organization_id, query),
  }),
  endpoint({
    operation: 'operator_count_webhook_events',
    sdk: 'webhookEvents.countByDay',
    ...for_operators.read,
    path: '/operator/v1/organizations/{organization_id}/webhook-events/by-day',
    tag,
    summary: 'Count the events of an organization by day',
    description: 'Returns the number of events per day, for example after a test clock was moved.',
    locate: locateOrganization,
    query: EventDayFilter,
    returns: { 200: dataOf(EventsByDay) },
    handle: async (ctx, { params, query }) =>
      data(await countByDay(ctx, { organization_id: params.organization_id, from: query.from })),
  }),
]
