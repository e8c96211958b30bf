import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { offsetOf, type Page } from '../../kernel/pages.ts'
import { pageJson } from '../../platform/database/numbered-pages.ts'
import { namesOf } from './rules.ts'
import type { DisabledReason, WebhookEventFilter } from './schemas.ts'

/** SQL: the WebhookEvent of the interface, from a row `event`. */
const eventJson = `
  select row_to_json(shown) as item from (
    select event.id, event.event_name, event.resource_type, event.resource_id, event.organization_id, event.sequence,
           iso(event.created_at) as created_at) as shown`

/** One WebhookEvent as JSON, or undefined when it does not exist within reach. */
export const findEvent = (ctx: Ctx, { webhook_event_id }: { webhook_event_id: string }) =>
  ctx.db.json(
    `select shown.item::text as json from webhook_events as event cross join lateral (${eventJson}) as shown
      where event.id = $4 and ${inReachByNumber('event.organization_id')}`,
    [...reachOf(ctx.caller), webhook_event_id],
  )

/** An event within reach. */
export const locateEvent = (ctx: Ctx, { webhook_event_id }: { webhook_event_id: string }) =>
  ctx.db.row<{ webhook_event_id: string; organization_id: string }>(
    `select event.id as webhook_event_id, event.organization_id from webhook_events as event where event.id = $4 and ${inReachByNumber('event.organization_id')}`,
    [...reachOf(ctx.caller), webhook_event_id],
  )

/** SQL: the organizations within reach, one by one, so that each is asked by its own indexes. */
const places = `
  (select unnest($1::text[]) as id where $2::text is null and $3::text is null
    union all
   select id from organizations where $1::text[] is null and $2::text is null and $3::text is null) as place`

/**
 * A page of events as JSON, newest first. Of each organization and name the index gives the newest, up to the end of the
 * page. Without an instant or a resource to go by the total is known by name; else what matches is counted.
 */
export function listEvents(ctx: Ctx, filter: WebhookEventFilter): Promise<string | undefined> {
  const values: unknown[] = [...reachOf(ctx.caller), filter.limit, offsetOf(filter), filter.page]
  const given = (value: unknown) => `$${values.push(value)}`
  const names = namesOf(filter)
  const $names = names && given(names)
  const narrower = [
    ...(filter.created_after ? [`event.created_at > ${given(filter.created_after)}::timestamptz`] : []),
    ...(filter.created_before ? [`event.created_at < ${given(filter.created_before)}::timestamptz`] : []),
    ...(filter.resource_id ? [`event.resource_id = ${given(filter.resource_id)}`] : []),
  ]
  const conditions = ['event.organization_id = place.id', ...narrower]
  const by_name = $names ? [...conditions, 'event.event_name = name'] : conditions
  const each_name = $names && !filter.resource_id ? `cross join unnest(${$names}::text[]) as name` : ''
  const matching = (filter.resource_id && $names ? [...conditions, `event.event_name = any(${$names})`] : by_name).join(
    ' and ',
  )

  const keys = `
    select newest.id, newest.organization_id, row_number() over (order by newest.created_at desc, newest.id desc) as position
      from ${places} ${each_name}
     cross join lateral (
       select event.id, event.organization_id, event.created_at from webhook_events as event where ${matching}
        order by event.created_at desc, event.id desc limit $4::bigint + $5::bigint) as newest
     order by newest.created_at desc, newest.id desc limit $4 offset $5`
  const rows = `
    select shown.item, keys.position from (${keys}) as keys
     cross join lateral (
       select * from webhook_events where id = keys.id and organization_id = keys.organization_id offset 0) as event
     cross join lateral (${eventJson}) as shown`
  const known = `
    select sum(event_count) from webhook_event_counts as counted
     where counted.organization_id = place.id ${$names ? `and counted.event_name = any(${$names})` : ''} offset 0`
  const total =
    narrower.length === 0
      ? `(select coalesce(sum(known.sum), 0) from ${places} cross join lateral (${known}) as known)`
      : `(select coalesce(sum(found.count), 0) from ${places} ${each_name}
           cross join lateral (select count(*) from webhook_events as event where ${matching} offset 0) as found)`
  return ctx.db.json(pageJson(rows, total, '$4', '$6'), values)
}

/**
 * A page of the events of an organization as JSON, in the order in which they were committed, from the first or from the
 * one after `after`; undefined when the organization has no such event. Positions have no gaps, so that what is left to
 * read is counted by them, unless the filter says more. `seen`: the position up to which the filter lets nothing through,
 * so that a read that waits looks at each event once.
 */
export function followEvents(
  ctx: Ctx,
  organization_id: string,
  filter: WebhookEventFilter,
  seen?: number,
): Promise<string | undefined> {
  const page = [filter.limit, offsetOf(filter), filter.page]
  const values: unknown[] = [organization_id, filter.after ?? null, ...page, seen ?? null]
  const given = (value: unknown) => `$${values.push(value)}`
  const names = namesOf(filter)
  const narrower = [
    ...(names ? [`event.event_name = any(${given(names)}::text[])`] : []),
    ...(filter.created_after ? [`event.created_at > ${given(filter.created_after)}::timestamptz`] : []),
    ...(filter.created_before ? [`event.created_at < ${given(filter.created_before)}::timestamptz`] : []),
    ...(filter.resource_id ? [`event.resource_id = ${given(filter.resource_id)}`] : []),
  ]
  const matching = [
    'event.organization_id = $1',
    '(event.position, event.created_at, event.id) > (former.position, former.created_at, former.id)',
    ...narrower,
  ].join(' and ')
  const rows = `
    select shown.item, event.place as position from former
     cross join lateral (
       select event.*, row_number() over (order by event.position, event.created_at, event.id) as place
         from webhook_events as event where ${matching}
        order by event.position, event.created_at, event.id limit $3 offset $4) as event
     cross join lateral (${eventJson}) as shown`
  const count = (condition: string) => `(select count(*) from webhook_events as event where ${condition})`
  const newest = 'coalesce((select last_position from webhook_event_positions where organization_id = $1), 0)'
  const total =
    narrower.length > 0
      ? count(matching)
      : `${newest} - former.position + case when former.position = 0 then ${count(`${matching} and event.position = 0`)} else 0 end`
  return ctx.db.json(
    `with former as materialized (
       select position, created_at, id from webhook_events where organization_id = $1 and id = $2 and $6::bigint is null
        union all
       select 0, '-infinity', '' where $2::text is null and $6::bigint is null
        union all
       select $6, 'infinity', '' where $6::bigint is not null)
     ${pageJson(rows, `(select ${total} from former)`, '$3', '$5')}`,
    values,
  )
}

/** SQL: the WebhookSubscription of the interface, from a row `subscription`. */
const subscriptionJson = `
  select row_to_json(shown) as item from (
    select subscription.id, subscription.organization_id, subscription.url, subscription.event_names,
           subscription.description, subscription.disabled_at is null as enabled,
           iso(subscription.disabled_at) as disabled_at, subscription.disabled_reason,
           iso(subscription.failing_since) as failing_since,
           iso(subscription.former_secret_until) as former_secret_until,
           iso(subscription.created_at) as created_at, iso(subscription.updated_at) as updated_at) as shown`

const inReachOfSubscription = `subscription.deleted_at is null and ${inReachByNumber('subscription.organization_id')}`

/** One WebhookSubscription as JSON, or undefined when it does not exist within reach. */
export const findSubscription = (ctx: Ctx, { webhook_subscription_id }: { webhook_subscription_id: string }) =>
  ctx.db.json(
    `select shown.item::text as json from webhook_subscriptions as subscription
      cross join lateral (${subscriptionJson}) as shown
      where subscription.id = $4 and ${inReachOfSubscription}`,
    [...reachOf(ctx.caller), webhook_subscription_id],
  )

/** A subscription and its organization. */
export type SubscriptionKey = { webhook_subscription_id: string; organization_id: string }

/** A subscription within reach. */
export const locateSubscription = (ctx: Ctx, { webhook_subscription_id }: { webhook_subscription_id: string }) =>
  ctx.db.row<SubscriptionKey>(
    `select subscription.id as webhook_subscription_id, subscription.organization_id from webhook_subscriptions as subscription
      where subscription.id = $4 and ${inReachOfSubscription}`,
    [...reachOf(ctx.caller), webhook_subscription_id],
  )

const pageOf = (condition: string, order: string) =>
  pageJson(
    `select shown.item, keys.position from (
       select subscription.*, row_number() over (order by ${order}) as position
         from webhook_subscriptions as subscription where ${condition} order by ${order} limit $4 offset $5) as keys
      cross join lateral (select keys.*) as subscription
      cross join lateral (${subscriptionJson}) as shown`,
    `(select count(*) from webhook_subscriptions as subscription where ${condition})`,
    '$4',
    '$6',
  )

const listed = pageOf(inReachOfSubscription, 'subscription.created_at desc, subscription.id desc')
const disabled = pageOf(
  `subscription.disabled_at is not null and ${inReachOfSubscription}`,
  'subscription.disabled_at desc, subscription.id desc',
)

/** A page of subscriptions as JSON, newest first. */
export const listSubscriptions = (ctx: Ctx, page: Page) =>
  ctx.db.json(listed, [...reachOf(ctx.caller), page.limit, offsetOf(page), page.page])

/** A page of those that are disabled, the last first. */
export const listDisabledSubscriptions = (ctx: Ctx, page: Page) =>
  ctx.db.json(disabled, [...reachOf(ctx.caller), page.limit, offsetOf(page), page.page])

export async function countSubscriptions(ctx: Ctx, organization_id: string): Promise<number> {
  const row = await ctx.db.row<{ count: number }>(
    'select count(*) as count from webhook_subscriptions where organization_id = $1 and deleted_at is null',
    [organization_id],
  )
  return row!.count
}

export type SubscriptionRow = {
  id: string
  organization_id: string
  url: string
  event_names: string[]
  description: string | null
  secret_sealed: Buffer
}

export const insertSubscription = (ctx: Ctx, row: SubscriptionRow) =>
  ctx.db.rows(
    `insert into webhook_subscriptions (id, organization_id, url, event_names, description, secret_sealed, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [row.id, row.organization_id, row.url, row.event_names, row.description, row.secret_sealed, ctx.real_now],
  )

export type SubscriptionState = {
  id: string
  organization_id: string
  url: string
  event_names: string[]
  description: string | null
  disabled_at: string | null
  failing_since: string | null
}

/** Locks a subscription that is not deleted; undefined when there is none. */
export const lockSubscription = (ctx: Ctx, webhook_subscription_id: string) =>
  ctx.db.row<SubscriptionState>(
    `select id, organization_id, url, event_names, description, disabled_at, iso(failing_since) as failing_since
       from webhook_subscriptions
      where id = $1 and deleted_at is null for no key update`,
    [webhook_subscription_id],
  )

/** Changes a subscription; that it failed is not said of another address. */
export const saveSubscription = (ctx: Ctx, row: SubscriptionState) =>
  ctx.db.rows(
    `update webhook_subscriptions
        set url = $3, event_names = $4, description = $5, updated_at = $6,
            failing_since = case when url = $3 then failing_since end
      where id = $1 and organization_id = $2`,
    [row.id, row.organization_id, row.url, row.event_names, row.description, ctx.real_now],
  )

/** Replaces the secret; the former one signs too until then. */
export const saveSecret = (
  ctx: Ctx,
  { id, organization_id }: SubscriptionState,
  sealed: Buffer,
  former_until: string,
) =>
  ctx.db.rows(
    `update webhook_subscriptions
        set former_secret_sealed = secret_sealed, former_secret_until = $4, secret_sealed = $3, updated_at = $5
      where id = $1 and organization_id = $2`,
    [id, organization_id, sealed, former_until, ctx.real_now],
  )

export const saveDisabling = (ctx: Ctx, { id, organization_id }: SubscriptionState, reason: DisabledReason) =>
  ctx.db.rows(
    `update webhook_subscriptions set disabled_at = $4, disabled_reason = $3, updated_at = $4
      where id = $1 and organization_id = $2`,
    [id, organization_id, reason, ctx.real_now],
  )

export const saveEnabling = (ctx: Ctx, { id, organization_id }: SubscriptionState) =>
  ctx.db.rows(
    `update webhook_subscriptions set disabled_at = null, disabled_reason = null, failing_since = null, updated_at = $3
      where id = $1 and organization_id = $2`,
    [id, organization_id, ctx.real_now],
  )

/** Deletes a subscription: its secrets go, and what its deliveries refer to stays. */
export const saveDeletion = (ctx: Ctx, { id, organization_id }: SubscriptionState) =>
  ctx.db.rows(
    `update webhook_subscriptions
        set deleted_at = $3, updated_at = $3, secret_sealed = null, former_secret_sealed = null, former_secret_until = null
      where id = $1 and organization_id = $2`,
    [id, organization_id, ctx.real_now],
  )

/** Notes since when subscriptions fail, where that is new, and which do not fail any more. */
export const saveHealth = (ctx: Ctx, health: { id: string; failing_since: string | null }[]) =>
  ctx.db.rows(
    `update webhook_subscriptions as subscription
        set failing_since = case when noted.failing_since is null then null
                                 else coalesce(subscription.failing_since, noted.failing_since) end
       from unnest($1::text[], $2::timestamptz[]) as noted (id, failing_since)
      where subscription.id = noted.id
        and (subscription.failing_since is null) <> (noted.failing_since is null)`,
    [health.map(({ id }) => id), health.map(({ failing_since }) => failing_since)],
  )
