import type { WebhookEventsListQuery, WebhookSubscriptionsListDeliveriesQuery } from 'openbenefits'
import { ob } from '../../api.ts'
import { pagedList, resourceQuery } from '../../queries.ts'

/** The queries of webhooks, events and API keys. */

export type EventFilter = Omit<WebhookEventsListQuery, 'limit' | 'page'>
export const events = (filter: EventFilter) =>
  pagedList(['events', filter], (paging, options) => ob.webhookEvents.list({ ...filter, ...paging }, options))
export const eventOf = (id: string) => resourceQuery(['events', id], (options) => ob.webhookEvents.get(id, options))
export const deliveriesOf = (event_id: string) =>
  pagedList(['events', event_id, 'deliveries'], (paging, options) =>
    ob.webhookEvents.listDeliveries(event_id, paging, options),
  )
export type DeliveryOutcome = NonNullable<WebhookSubscriptionsListDeliveriesQuery['outcome']>
export const deliveriesTo = (subscription_id: string, outcome: DeliveryOutcome) =>
  pagedList(['subscriptions', subscription_id, 'deliveries', outcome], (paging, options) =>
    ob.webhookSubscriptions.listDeliveries(subscription_id, { outcome, ...paging }, options),
  )
export const subscriptions = () =>
  pagedList(['subscriptions'], (paging, options) => ob.webhookSubscriptions.list(paging, options))
export const subscription = (id: string) =>
  resourceQuery(['subscriptions', id], (options) => ob.webhookSubscriptions.get(id, options))
export const keys = () => pagedList(['keys'], (paging, options) => ob.apiKeys.list(paging, options))
export const keyOf = (id: string) => resourceQuery(['keys', id], (options) => ob.apiKeys.get(id, options))
