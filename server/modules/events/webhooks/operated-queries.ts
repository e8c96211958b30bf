import type { Day } from '../../../kernel/days.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { foundPageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { listEvents } from './event-queries.ts'
import { inReachOfSubscription, subscriptionJson } from './queries.ts'
import { most_by_day, type OperatedSubscriptionFilter, type WebhookEventFilter } from './schemas.ts'

// What operators look at.

const by_day = read(
  'webhooks.countByDay',
  `with earliest as materialized (
     select event.event_name, event.created_at from webhook_events as event
      where event.organization_id = :organization_id and ${inReach('event.organization_id')}
        and event.created_at >= :from::date::timestamp at time zone 'America/New_York'
      order by event.created_at, event.id limit ${most_by_day + 1}
   ), counted as (
     select (created_at at time zone 'America/New_York')::date as day, event_name, count(*) as event_count
       from (select * from earliest limit ${most_by_day}) as earliest group by 1, 2
   ), by_day as (
     select day, json_agg(json_build_object('event_name', event_name, 'event_count', event_count)
                          order by event_count desc, event_name) as happened
       from counted group by day)
   select row_to_json(shown)::text as json from (
     select coalesce((select json_agg(by_day order by day) from by_day), '[]') as days,
            (select count(*) from earliest) <= ${most_by_day} as is_whole) as shown`,
)

/** How many events there were of each name at one organization, on each day from one on, as JSON. */
export const countByDay = (ctx: ReadCtx, organization_id: string, from: Day) =>
  by_day.json(ctx, { organization_id, from })

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

/** A page of the subscriptions of all organizations or of one, by how they fare: the newest, or the last disabled. */
export function listOperatedSubscriptions(ctx: ReadCtx, filter: OperatedSubscriptionFilter) {
  const { health = null, organization_id = null, ...page } = filter
  return operated_listed({ health, of_organization: organization_id !== null }).json(ctx, {
    organization_id,
    ...pageValues(page),
  })
}
