import type { WebhookEventsListQuery, WebhookSubscriptionsListDeliveriesQuery } from 'openbenefits'
import { ob } from '../../api.ts'
import { pagedList, resourceQuery } from '../../queries.ts'

/** The queries of webhooks, events and API keys. */

export type EventFilter = Omit<WebhookEventsListQuery, 'limit' | 'page'>
export const eventsList = (filter: EventFilter) =>
  pagedList(['events', filter], (paging, options) => ob.webhookEvents.list({ ...filter, ...paging }, options))
export const eventQuery = (id: string) => resourceQuery(['events', id], (options) => ob.webhookEvents.get(id, options))
export const eventDeliveriesQuery = (event_id: string) =>
  pagedList(['events', event_id, 'deliveries'], (paging, options) =>
    ob.webhookEvents.listDeliveries(event_id, paging, options),
  )
export type DeliveryOutcome = NonNullable<WebhookSubscriptionsListDeliveriesQuery['outcome']>
export const subscriptionDeliveriesList = (subscription_id: string, outcome: DeliveryOutcome) =>
  pagedList(['subscriptions', subscription_id, 'deliveries', outcome], (paging, options) =>
    ob.webhookSubscriptions.listDeliveries(subscription_id, { outcome, ...paging }, options),
  )
export const subscriptionsQuery = () =>
  pagedList(['subscriptions'], (paging, options) => ob.webhookSubscriptions.list(paging, options))
export const subscriptionQuery = (id: string) =>
  resourceQuery(['subscriptions', id], (options) => ob.webhookSubscriptions.get(id, options))
export const apiKeysList = () => pagedList(['keys'], (paging, options) => ob.apiKeys.list(paging, options))
export const apiKeyQuery = (id: string) => resourceQuery(['keys', id], (options) => ob.apiKeys.get(id, options))
