import type { ReadCtx } from '../../platform/ctx.ts'
import { foundPageJson, pageValues } from '../../platform/database/pages.ts'
import { readVariants } from '../../platform/database/statement.ts'
import { inReachOfSubscription, listEvents, subscriptionJson } from './queries.ts'
import type { OperatedSubscriptionFilter, WebhookEventFilter } from './schemas.ts'

// What operators look at.

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
      'subscription.created_at desc, subscription.id desc',
      subscriptionJson,
    )
  },
)

/** A page of the subscriptions of all organizations or of one, by how they fare: the newest 1,000. */
export function listOperatedSubscriptions(ctx: ReadCtx, filter: OperatedSubscriptionFilter) {
  const { health = null, organization_id = null, ...page } = filter
  return operated_listed({ health, of_organization: organization_id !== null }).json(ctx, {
    organization_id,
    ...pageValues(page),
  })
}
