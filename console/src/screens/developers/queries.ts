import type { WebhookEventsListQuery, WebhookSubscriptionsListDeliveriesQuery } from 'openbenefits'
import { ob } from '../../api.ts'
import { listing, one } from '../../queries.ts'

/** The queries of webhooks, events and API keys. */

export type EventFilter = Omit<WebhookEventsListQuery, 'limit' | 'page'>
export const events = (filter: EventFilter) =>
  listing(['events', filter], (paging, options) => ob.webhookEvents.list({ ...filter, ...paging }, options))
export const eventOf = (id: string) => one(['events', id], (options) => ob.webhookEvents.get(id, options))
export const deliveriesOf = (event_id: string) =>
  listing(['events', event_id, 'deliveries'], (paging, options) =>
    ob.webhookEvents.listDeliveries(event_id, paging, options),
  )
export type DeliveryOutcome = NonNullable<WebhookSubscriptionsListDeliveriesQuery['outcome']>
export const deliveriesTo = (subscription_id: string, outcome: DeliveryOutcome) =>
  listing(['subscriptions', subscription_id, 'deliveries', outcome], (paging, options) =>
    ob.webhookSubscriptions.listDeliveries(subscription_id, { outcome, ...paging }, options),
  )
export const subscriptions = () =>
  listing(['subscriptions'], (paging, options) => ob.webhookSubscriptions.list(paging, options))
export const subscription = (id: string) =>
  one(['subscriptions', id], (options) => ob.webhookSubscriptions.get(id, options))
export const keys = () => listing(['keys'], (paging, options) => ob.apiKeys.list(paging, options))
export const keyOf = (id: string) => one(['keys', id], (options) => ob.apiKeys.get(id, options))
