import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { targetList, targetPageJson, pageValues } from '../../../database/sql/pages.ts'
import type { Db } from '../../../database/query/database.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { locateSubscription } from '../webhooks/queries.ts'
import type { DeliveryFilter } from './schemas.ts'

export const deliveryJson = `
  select row_to_json(shown) as item from (
    select delivery.id, delivery.webhook_event_id, delivery.subscription_id,
           case when delivery.delivered_at is not null then 'Delivered'
                when delivery.failed_at is not null then 'Failed'
                when delivery.claimed_at is not null then 'In Progress' else 'Pending' end as status,
           delivery.attempts, delivery.response_status, delivery.response_body, iso(delivery.started_at) as started_at,
           iso(delivery.delivered_at) as delivered_at, iso(delivery.failed_at) as failed_at, delivery.failure_reason,
           case when delivery.claimed_at is null then iso(delivery.due_at) end as next_attempt_at,
           iso(delivery.created_at) as created_at) as shown`

/** A page of an event's deliveries as JSON, newest first. Undefined if the event is out of reach. */
export const listDeliveries = targetList('webhook-deliveries.listDeliveries', {
  target: `select event.id, event.organization_id from webhook_events as event
            where event.id = :webhook_event_id and ${inReach('event.organization_id')}`,
  from: `webhook_deliveries as delivery
    where delivery.webhook_event_id = target.id and delivery.organization_id = target.organization_id`,
  row: 'delivery',
  order: 'delivery.created_at desc, delivery.id desc',
  item: `(${deliveryJson})`,
})

const by_outcome = {
  failed: { holds: 'delivery.failed_at is not null', order: 'delivery.failed_at desc, delivery.id desc' },
  waiting: { holds: 'delivery.due_at is not null', order: 'delivery.due_at, delivery.id' },
}

/** How many deliveries of a subscription are searched for an event name. */
const max_rows_scanned = 10_000

/** The maximum number of events, latest first, for which deliveries of any outcome are listed. */
const max_events = 500

type DeliveryOutcome = keyof typeof by_outcome

/** SQL: the latest events that match a condition, optionally of one name. */
const newestEvents = (condition: string, is_named: boolean): string => `
  select event.id from webhook_events as event
   where ${condition} ${is_named ? 'and event.event_name = :event_name' : ''}
   order by event.created_at desc, event.id desc limit ${max_events}`

/** SQL: the deliveries of the subscription `target`. */
const deliveriesOf = (outcome: DeliveryOutcome): string => `
  webhook_deliveries as delivery
  where delivery.subscription_id = target.id and delivery.organization_id = target.organization_id
    and ${by_outcome[outcome].holds}`

/** SQL: the deliveries that are searched for an event name. */
const firstOf = (outcome: DeliveryOutcome): string => `
  (select * from ${deliveriesOf(outcome)} order by ${by_outcome[outcome].order} limit ${max_rows_scanned}) as delivery`

const target = `
  select subscription.id, subscription.organization_id from webhook_subscriptions as subscription
   where subscription.id = :webhook_subscription_id and ${inReach('subscription.organization_id')}`

const pageOfSubscription = (from: string, order: string): string =>
  targetPageJson({ target, from, row: 'delivery', order, item: `(${deliveryJson})` })

const of_subscription_listed = readVariants(
  'webhook-deliveries.listOfSubscription',
  { outcome: ['failed', 'waiting', 'any'], of: [null, 'name', 'events'] },
  ({ outcome, of }) => {
    const of_scope = 'event.organization_id = target.organization_id'
    const newest = of === 'events' ? ':event_ids::text[]' : `array(${newestEvents(of_scope, of === 'name')})`
    if (outcome === 'any')
      return pageOfSubscription(
        `webhook_deliveries as delivery
          where delivery.subscription_id = target.id and delivery.organization_id = target.organization_id
            and delivery.webhook_event_id = any(${newest})`,
        'delivery.created_at desc, delivery.id desc',
      )
    const from = {
      name: `${firstOf(outcome)}
        where (select event.event_name from webhook_events as event
                where event.id = delivery.webhook_event_id and event.organization_id = delivery.organization_id)
              = :event_name`,
      events: `${firstOf(outcome)} where delivery.webhook_event_id = any(:event_ids::text[])`,
      all: deliveriesOf(outcome),
    }[of ?? 'all']
    return pageOfSubscription(from, by_outcome[outcome].order)
  },
)

const events_of_first = readVariants(
  'webhook-deliveries.listEventsOfFirst',
  { outcome: ['failed', 'waiting'] },
  ({ outcome }) => `
    with target as materialized (${target})
    select array_agg(delivery.webhook_event_id) as ids from target cross join lateral ${firstOf(outcome)}`,
)

const events_named = read(
  'webhook-deliveries.listEventsNamed',
  `select event.id from webhook_events as event
    where event.id = any(:ids::text[]) and event.event_name = :event_name and ${inReach('event.organization_id')}`,
)

const newest_events = readVariants('webhook-deliveries.listNewestEvents', { of: [null, 'name'] }, ({ of }) =>
  newestEvents(`event.organization_id = :organization_id and ${inReach('event.organization_id')}`, of !== null),
)

type EventFilter = Pick<DeliveryFilter, 'outcome' | 'event_name'>

/** A distributed database stores deliveries and events on different servers, so they are read one after the other. */
async function listEventIds(ctx: ReadCtx, webhook_subscription_id: string, { outcome, event_name }: EventFilter) {
  if (outcome === 'any') {
    const scope = await locateSubscription(ctx, { webhook_subscription_id })
    if (!scope) return []
    const of = event_name === undefined ? null : 'name'
    const newest = await newest_events({ of }).rows<{ id: string }>(ctx, { ...scope, event_name: event_name ?? '' })
    return newest.map(({ id }) => id)
  }
  if (event_name === undefined) return []
  const first = await events_of_first({ outcome }).row<{ ids: string[] | null }>(ctx, { webhook_subscription_id })
  const named = await events_named.rows<{ id: string }>(ctx, { ids: first?.ids ?? [], event_name })
  return named.map(({ id }) => id)
}

/**
 * A page of a subscription's deliveries. Failed ones are listed last first, and waiting ones next first; an event name
 * filters the first 10,000 of them. `any` lists all deliveries of the latest 500 events, optionally of one name.
 */
export async function listOfSubscription(
  ctx: ReadCtx,
  webhook_subscription_id: string,
  { outcome, event_name, ...page }: DeliveryFilter,
) {
  const is_distributed = (ctx.db as Db).distribution !== undefined
  const values = { webhook_subscription_id, event_name: event_name ?? null, ...pageValues(page) }
  const event_ids = is_distributed ? await listEventIds(ctx, webhook_subscription_id, { outcome, event_name }) : []
  const is_by_events = is_distributed && (outcome === 'any' || event_name !== undefined)
  const of = is_by_events ? 'events' : event_name === undefined ? null : 'name'
  return of_subscription_listed({ outcome, of }).json(ctx, { ...values, event_ids })
}
