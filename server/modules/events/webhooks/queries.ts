import { columnsOf } from '../../../database/sql/fragments.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { foundPageJson, rowPageJson, pageList, pageValues } from '../../../database/sql/pages.ts'
import { read, statement, readVariants } from '../../../database/sql/statement.ts'
import { type DisabledReason, max_by_day, type OperatedSubscriptionFilter, type WebhookEventFilter } from './schemas.ts'
import { listEvents } from './event-queries.ts'

const subscriptionJson = `
  select row_to_json(shown) as item from (
    select subscription.id, subscription.organization_id, subscription.url, subscription.event_names,
           subscription.description, subscription.disabled_at is null as enabled,
           iso(subscription.disabled_at) as disabled_at, subscription.disabled_reason,
           iso(subscription.failing_since) as failing_since,
           iso(subscription.former_secret_until) as former_secret_until,
           iso(subscription.created_at) as created_at, iso(subscription.updated_at) as updated_at) as shown`

export const inReachOfSubscription = `subscription.deleted_at is null and ${inReach('subscription.organization_id')}`

export const findSubscription = read(
  'webhooks.findSubscription',
  `select shown.item::text as json from webhook_subscriptions as subscription
    cross join lateral (${subscriptionJson}) as shown
    where subscription.id = :webhook_subscription_id and ${inReachOfSubscription}`,
).json

export const locateSubscription = read(
  'webhooks.locateSubscription',
  `select subscription.id as webhook_subscription_id, subscription.organization_id
     from webhook_subscriptions as subscription
    where subscription.id = :webhook_subscription_id and ${inReachOfSubscription}`,
).row<SubscriptionKey>

export type SubscriptionKey = { webhook_subscription_id: string; organization_id: string }

/** A page of subscriptions as JSON, newest first. */
export const listSubscriptions = pageList(
  'webhooks.listSubscriptions',
  rowPageJson({
    from: `webhook_subscriptions as subscription where ${inReachOfSubscription}`,
    row: 'subscription',
    order: 'subscription.created_at desc, subscription.id desc',
    item: `(${subscriptionJson})`,
  }),
)

export const countSubscriptions = statement(
  'webhooks.countSubscriptions',
  `select count(*) as count from webhook_subscriptions
    where organization_id = :organization_id and deleted_at is null`,
).value

export const insertSubscription = statement(
  'webhooks.insertSubscription',
  `insert into webhook_subscriptions
     (id, organization_id, url, event_names, description, secret_sealed, created_at, updated_at)
   values (:id, :organization_id, :url, :event_names, :description, :secret_sealed, :real_now, :real_now)`,
).rows

export type SubscriptionState = {
  id: string
  organization_id: string
  url: string
  event_names: string[]
  description: string | null
  disabled_at: string | null
  disabled_reason: DisabledReason | null
  failing_since: string | null
  created_at: string
}

/** Locks a subscription that is not deleted. Undefined if not found. */
export const lockSubscription = statement(
  'webhooks.lockSubscription',
  `select id, organization_id, url, event_names, description, disabled_at, disabled_reason,
          iso(failing_since) as failing_since, iso(created_at) as created_at
     from webhook_subscriptions
    where id = :webhook_subscription_id and deleted_at is null for no key update`,
).row<SubscriptionState>

/** Saves a subscription. A new URL clears its failures. */
export const saveSubscription = statement(
  'webhooks.saveSubscription',
  `update webhook_subscriptions
      set url = :url, event_names = :event_names, description = :description, updated_at = :real_now,
          failing_since = case when url = :url then failing_since end
    where id = :id and organization_id = :organization_id`,
).rows

/** The secret of a subscription, and the previous ones while any of them is still signing. */
export const findSecrets = statement(
  'webhooks.findSecrets',
  `select secret_sealed, case when former_secret_until > :real_now then former_secret_sealed end as former_secret_sealed
     from webhook_subscriptions where id = :id and organization_id = :organization_id`,
).row<{ secret_sealed: Buffer; former_secret_sealed: Buffer | null }>

const secret_saved = statement(
  'webhooks.saveSecret',
  `update webhook_subscriptions
      set former_secret_sealed = :former_secret_sealed, former_secret_until = :former_secret_until,
          secret_sealed = :secret_sealed, updated_at = :real_now
    where id = :id and organization_id = :organization_id`,
)

/** Replaces the secret. The latest previous secret keeps signing until the given instant. */
export const saveSecret = (
  ctx: Ctx,
  { id, organization_id }: SubscriptionState,
  secret_sealed: Buffer,
  former: { sealed: Buffer; until: string },
) =>
  secret_saved.rows(ctx, {
    id,
    organization_id,
    secret_sealed,
    former_secret_sealed: former.sealed,
    former_secret_until: former.until,
  })

export const saveDisabling = statement(
  'webhooks.saveDisabling',
  `update webhook_subscriptions
      set disabled_at = :real_now, disabled_reason = :disabled_reason, updated_at = :real_now
    where id = :id and organization_id = :organization_id`,
).rows

export const saveEnabling = statement(
  'webhooks.saveEnabling',
  `update webhook_subscriptions
      set disabled_at = null, disabled_reason = null, failing_since = null, updated_at = :real_now
    where id = :id and organization_id = :organization_id`,
).rows

/** Deletes a subscription and its secrets. The row stays, because deliveries reference it. */
export const saveDeletion = statement(
  'webhooks.saveDeletion',
  `update webhook_subscriptions
      set deleted_at = :real_now, updated_at = :real_now, secret_sealed = null, former_secret_sealed = null,
          former_secret_until = null
    where id = :id and organization_id = :organization_id`,
).rows

const health_saved = statement(
  'webhooks.saveHealth',
  `update webhook_subscriptions as subscription
      set failing_since = case when noted.failing_since is null then null
                               else coalesce(subscription.failing_since, noted.failing_since) end
     from unnest(:id::text[], :failing_since::timestamptz[]) as noted (id, failing_since)
    where subscription.id = noted.id
      and (subscription.failing_since is null) <> (noted.failing_since is null)`,
)

/** Saves since when subscriptions have failed, if that changed, and which ones recovered. */
export const saveHealth = (ctx: Ctx, health: { id: string; failing_since: string | null }[]) =>
  health_saved.rows(ctx, {
    ...columnsOf(health, ['id', 'failing_since']),
  })

// The following statements are for operators.

/** The number of events of each name at one organization, for each day starting on a day, as JSON. */
export const countByDay = read(
  'webhooks.countByDay',
  `with earliest as materialized (
     select event.event_name, event.created_at from webhook_events as event
      where event.organization_id = :organization_id and ${inReach('event.organization_id')}
        and event.created_at >= :from::date::timestamp at time zone 'America/New_York'
      order by event.created_at, event.id limit ${max_by_day + 1}
   ), counted as (
     select (created_at at time zone 'America/New_York')::date as day, event_name, count(*) as event_count
       from (select * from earliest limit ${max_by_day}) as earliest group by 1, 2
   ), by_day as (
     select day, json_agg(json_build_object('event_name', event_name, 'event_count', event_count)
                          order by event_count desc, event_name) as event_counts
       from counted group by day)
   select row_to_json(shown)::text as json from (
     select coalesce((select json_agg(by_day order by day) from by_day), '[]') as days,
            (select count(*) from earliest) <= ${max_by_day} as is_complete) as shown`,
).json

/** A page of the events of one organization, newest first. */
export function listEventsAt(ctx: ReadCtx, organization_id: string, filter: WebhookEventFilter) {
  const reach = { ...ctx.caller.reach, organization_ids: [organization_id] }
  return listEvents({ ...ctx, caller: { ...ctx.caller, reach } }, filter)
}

const fares = {
  failing: 'subscription.failing_since is not null and subscription.disabled_at is null',
  disabled: 'subscription.disabled_at is not null',
}

const operated_listed = readVariants(
  'webhooks.listOperatedSubscriptions',
  { health: [null, 'failing', 'disabled'], of_organization: [false, true] },
  ({ health, of_organization }) => {
    const conditions = [
      inReachOfSubscription,
      ...(health ? [fares[health]] : []),
      ...(of_organization ? ['subscription.organization_id = :organization_id'] : []),
    ]
    return foundPageJson(
      `webhook_subscriptions as subscription where ${conditions.join(' and ')}`,
      'subscription',
      `subscription.${health === 'disabled' ? 'disabled_at' : 'created_at'} desc, subscription.id desc`,
      subscriptionJson,
    )
  },
)

/** A page of the subscriptions of one organization or all, by health. Newest first, or latest disabled first. */
export function listOperatedSubscriptions(ctx: ReadCtx, filter: OperatedSubscriptionFilter) {
  const { health = null, organization_id = null, ...page } = filter
  return operated_listed({ health, of_organization: organization_id !== null }).json(ctx, {
    organization_id,
    ...pageValues(page),
  })
}
