import { columnsOf } from '../../../database/sql/fragments.ts'
import type { ClaimedDelivery } from './claim-queries.ts'
import { deliveryJson } from './listing-queries.ts'
import type { Outcome } from './rules.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { ReplayStep } from './schemas.ts'

export const findDelivery = statement(
  'webhook-deliveries.findDelivery',
  `select shown.item::text as json from webhook_deliveries as delivery cross join lateral (${deliveryJson}) as shown
    where delivery.id = :webhook_delivery_id and ${inReach('delivery.organization_id')}`,
).json

export type DeliveryKey = { organization_id: string; subscription_id: string; webhook_event_id: string }

export const locateDelivery = read(
  'webhook-deliveries.locateDelivery',
  `select delivery.id as webhook_delivery_id, delivery.organization_id, delivery.subscription_id,
          delivery.webhook_event_id
     from webhook_deliveries as delivery
    where delivery.id = :webhook_delivery_id and ${inReach('delivery.organization_id')}`,
).row<DeliveryKey & { webhook_delivery_id: string }>

const newest_event = statement(
  'webhook-deliveries.findNewestEvent',
  `select event.id from webhook_events as event
    where event.organization_id = :organization_id and event.event_name = :event_name
    order by event.created_at desc, event.id desc limit 1`,
)

export const findNewestEvent = async (ctx: Ctx, organization_id: string, event_name: string) =>
  (await newest_event.row<{ id: string }>(ctx, { organization_id, event_name }))?.id

const first_failure_found = statement(
  'webhook-deliveries.findFirstFailure',
  `select iso(failed_at) as failed_at from webhook_deliveries
    where subscription_id = :id and organization_id = :organization_id and failed_at is not null
    order by failed_at, id limit 1`,
)

/** When a delivery of a subscription first failed permanently, among those still stored. */
export const findFirstFailure = async (ctx: Ctx, subscription: { id: string; organization_id: string }) =>
  (await first_failure_found.row<{ failed_at: string }>(ctx, subscription))?.failed_at ?? null

/** Adds a delivery that is due immediately. */
export const insertDelivery = statement(
  'webhook-deliveries.insertDelivery',
  `insert into webhook_deliveries (id, organization_id, subscription_id, webhook_event_id, due_at, created_at)
   values (:id, :organization_id, :subscription_id, :webhook_event_id, :real_now, :real_now)`,
).rows

/**
 * Starts all waiting deliveries of one organization, for callers that save the outcomes themselves. An ordinary claim
 * would also take deliveries of other organizations if one PostgreSQL role both owns and serves the database.
 */
export const beginDeliveries = statement(
  'webhook-deliveries.beginDeliveries',
  `with begun as (
     update webhook_deliveries as delivery set started_at = :real_now
       from webhook_subscriptions as subscription
      where subscription.organization_id = :organization_id and delivery.subscription_id = subscription.id
        and delivery.organization_id = :organization_id and delivery.due_at is not null
     returning delivery.id, delivery.subscription_id, delivery.webhook_event_id, delivery.attempts)
   select id, subscription_id, attempts from begun order by subscription_id, webhook_event_id`,
).rows<{ id: string; subscription_id: string; attempts: number }>

/**
 * Commits the transaction without waiting for the disk, because its work can be repeated. If PostgreSQL crashes, the
 * last moments are lost as a whole, and their deliveries are sent again.
 */
export const committingLater = statement(
  'webhook-deliveries.committingLater',
  'set local synchronous_commit = off',
).rows

export type EndedAttempt = { id: string; organization_id: string; outcome: Outcome }

const outcomes_saved = statement(
  'webhook-deliveries.saveOutcomes',
  `update webhook_deliveries as delivery
      set attempts = noted.attempts, due_at = noted.due_at, claimed_at = null, delivered_at = noted.delivered_at,
          failed_at = noted.failed_at, response_status = noted.response_status, response_body = noted.response_body,
          failure_reason = noted.failure_reason
     from unnest(:id::text[], :organization_id::text[], :attempts::int[], :due_at::timestamptz[],
                 :delivered_at::timestamptz[], :failed_at::timestamptz[], :response_status::int[],
                 :response_body::text[], :failure_reason::text[])
          as noted (id, organization_id, attempts, due_at, delivered_at, failed_at, response_status, response_body,
                    failure_reason)
    where delivery.id = noted.id and delivery.organization_id = noted.organization_id and delivery.delivered_at is null
      and (delivery.failed_at is null or noted.delivered_at is not null)`,
)

/**
 * Saves the outcomes of attempts. A delivered one stays delivered, even if another worker repeated it because it
 * assumed that this one was dead. A delivery that failed permanently but was then delivered counts as delivered.
 */
export const saveOutcomes = (ctx: Ctx, ended: EndedAttempt[]) =>
  outcomes_saved.rows(ctx, {
    ...columnsOf(ended, ['id', 'organization_id']),
    ...columnsOf(
      ended.map(({ outcome }) => outcome),
      ['attempts', 'due_at', 'delivered_at', 'failed_at', 'response_status', 'response_body', 'failure_reason'],
    ),
  })

/** A claimed delivery without an attempt. */
export type ReleasedDelivery = { delivery: Pick<ClaimedDelivery, 'id' | 'organization_id'>; until: string }

const released = statement(
  'webhook-deliveries.releaseDeliveries',
  `update webhook_deliveries as delivery set due_at = :real_now, claimed_at = null
     from unnest(:id::text[], :organization_id::text[], :until::timestamptz[]) as taken (id, organization_id, until)
    where delivery.id = taken.id and delivery.organization_id = taken.organization_id
      and delivery.due_at = taken.until`,
)

/** Makes deliveries due again, unless another worker has claimed or ended them. */
export const releaseDeliveries = (ctx: Ctx, taken: ReleasedDelivery[]) =>
  released.rows(ctx, {
    ...columnsOf(taken, ['until']),
    ...columnsOf(
      taken.map(({ delivery }) => delivery),
      ['id', 'organization_id'],
    ),
  })

/** Ends the waiting deliveries of a subscription, unless it was enabled again. */
export const saveEnd = statement(
  'webhook-deliveries.saveEnd',
  `update webhook_deliveries as delivery
      set due_at = null, claimed_at = null, failed_at = :real_now,
          failure_reason = case when subscription.deleted_at is null then 'The subscription was disabled.'
                                else 'The subscription was deleted.' end
     from webhook_subscriptions as subscription
    where subscription.id = :subscription_id
      and (subscription.disabled_at is not null or subscription.deleted_at is not null)
      and delivery.subscription_id = subscription.id and delivery.due_at is not null`,
).rows

const left = statement(
  'webhook-deliveries.listSentToFormerUrl',
  `select request.delivery_id as id
     from unnest(:id::text[], :subscription_id::text[], :organization_id::text[], :url::text[])
            as request (delivery_id, id, organization_id, url)
     join webhook_subscriptions as subscription
       on subscription.id = request.id and subscription.organization_id = request.organization_id
    where subscription.url <> request.url`,
)

/** Which of these deliveries were sent to a URL that their subscription has since changed. */
export const listSentToFormerUrl = (ctx: Ctx, deliveries: ClaimedDelivery[]) =>
  left.column(ctx, columnsOf(deliveries, ['id', 'subscription_id', 'organization_id', 'url']))

const active_subscriptions = statement(
  'webhook-deliveries.lockActiveSubscriptions',
  `select subscription.id, subscription.organization_id
     from unnest(:id::text[], :organization_id::text[]) as request (id, organization_id)
     join webhook_subscriptions as subscription
       on subscription.id = request.id and subscription.organization_id = request.organization_id
    where subscription.disabled_at is null and subscription.deleted_at is null
      for share of subscription`,
)

/**
 * Locks and returns the active ones among these subscriptions, so that they are not disabled or deleted before the
 * transaction ends.
 */
export const lockActiveSubscriptions = (ctx: Ctx, subscriptions: { id: string; organization_id: string }[]) =>
  active_subscriptions.rows<{ id: string; organization_id: string }>(
    ctx,
    columnsOf(subscriptions, ['id', 'organization_id']),
  )

/**
 * Subscriptions that were disabled or deleted after an instant and still have waiting deliveries, which were created at
 * about the same time.
 */
export const findOrphaned = statement(
  'webhook-deliveries.findOrphaned',
  `select subscription.id, subscription.organization_id from webhook_subscriptions as subscription
    where (subscription.disabled_at is not null or subscription.deleted_at is not null)
      and greatest(subscription.disabled_at, subscription.deleted_at) >= :ended_after
      and exists (select from webhook_deliveries as delivery
                   where delivery.subscription_id = subscription.id and delivery.due_at is not null offset 0)`,
).rows<{ id: string; organization_id: string }>

const missed_inserted = statement(
  'webhook-deliveries.insertMissed',
  `with checked as materialized (
     select event.id, event.event_name, event.created_at from webhook_events as event
      where event.organization_id = :organization_id
        and (event.created_at, event.id) > (:after_created_at::timestamptz, :after_id::text)
        and event.created_at <= :until
      order by event.created_at, event.id limit 1000
   ), made as (
     insert into webhook_deliveries (id, organization_id, subscription_id, webhook_event_id, due_at, created_at)
     select new_id('wdlv'), :organization_id, subscription.id, checked.id, :real_now, :real_now
       from webhook_subscriptions as subscription cross join checked
      where subscription.id = :subscription_id and subscription.organization_id = :organization_id
        and subscription.disabled_at is null and subscription.deleted_at is null
        and (subscription.event_names = '{}' or checked.event_name = any(subscription.event_names))
        and checked.event_name <> 'webhook_subscription.test'
        and not exists (
          select from webhook_deliveries as delivery
           where delivery.webhook_event_id = checked.id and delivery.subscription_id = subscription.id
             and delivery.organization_id = :organization_id and delivery.failed_at is null offset 0)
        and not exists (
          select from webhook_outbox as unpublished
           where unpublished.webhook_event_id = checked.id
             and unpublished.organization_id = :organization_id offset 0)
   )
   select created_at, id from checked order by created_at desc, id desc limit 1`,
)

/**
 * Creates deliveries of the next events that a subscription should receive and has not received or waiting. Returns the
 * last event that was checked. Undefined if there was none.
 */
export const insertMissed = (ctx: Ctx, { organization_id, subscription_id, until, after }: ReplayStep) =>
  missed_inserted.row<{ created_at: string; id: string }>(ctx, {
    organization_id,
    subscription_id,
    after_created_at: after.created_at,
    after_id: after.id,
    until,
  })

/** How many deliveries are checked and deleted per transaction. */
const max_forgotten = 1000

const forgotten = statement(
  'webhook-deliveries.deleteOldDeliveries',
  `with gone as (
     delete from webhook_deliveries
      where id = any(array(
              select oldest.id
                from (select id, created_at, due_at from webhook_deliveries
                       order by id limit ${max_forgotten}) as oldest
               where oldest.created_at < :before and oldest.due_at is null))
     returning id)
   select count(*) as count from gone`,
)

/**
 * Checks the 1,000 oldest deliveries, and deletes those that ended and were created before an instant. Returns how many
 * were deleted. Ids sort by creation, and no delivery waits as long as the retention.
 */
export async function deleteOldDeliveries(ctx: Ctx, before: string): Promise<number> {
  const row = await forgotten.row<{ count: number }>(ctx, { before })
  return row!.count
}
