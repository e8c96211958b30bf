import { inReach } from '../../platform/caller.ts'
import type { Ctx, ReadCtx, WriteScope } from '../../platform/ctx.ts'
import type { Page } from '../../kernel/pages.ts'
import { pageJson, pageValues } from '../../platform/database/pages.ts'
import { read, readVariants, statement } from '../../platform/database/statement.ts'
import { isStaleIn } from '../../platform/stale.ts'
import { namesOf } from './rules.ts'
import type { DisabledReason, WebhookEventFilter } from './schemas.ts'

/** SQL: the WebhookEvent of the interface, from a row `event`. */
const eventJson = `
  select row_to_json(shown) as item from (
    select event.id, event.event_name, event.resource_type, event.resource_id, event.organization_id, event.sequence,
           iso(event.created_at) as created_at) as shown`

const event_found = read(
  'webhooks.findEvent',
  `select shown.item::text as json from webhook_events as event cross join lateral (${eventJson}) as shown
    where event.id = :webhook_event_id and ${inReach('event.organization_id')}`,
)

/** One WebhookEvent as JSON, or undefined when it does not exist within reach. */
export const findEvent = (ctx: ReadCtx, { webhook_event_id }: { webhook_event_id: string }) =>
  event_found.json(ctx, { webhook_event_id })

const event_located = read(
  'webhooks.locateEvent',
  `select event.id as webhook_event_id, event.organization_id from webhook_events as event
    where event.id = :webhook_event_id and ${inReach('event.organization_id')}`,
)

/** An event within reach. */
export const locateEvent = (ctx: ReadCtx, { webhook_event_id }: { webhook_event_id: string }) =>
  event_located.row<{ webhook_event_id: string; organization_id: string }>(ctx, { webhook_event_id })

/** SQL: the organizations within reach, one by one, so that each is asked by its own indexes. */
const places = `
  (select unnest(:reach_organization_ids::text[]) as id
    where :reach_employer_id::text is null and :reach_employee_id::text is null
    union all
   select id from organizations
    where :reach_organization_ids::text[] is null and :reach_employer_id::text is null
      and :reach_employee_id::text is null) as place`

/** By what events are filtered, or not. */
const filters = {
  names: [false, true],
  created_after: [false, true],
  created_before: [false, true],
  /** what they are about, or come from, the narrowest that is asked for: each has an index */
  about: [null, 'resource_id', 'trace_id', 'employer_id'],
} as const
type EventsAbout = (typeof filters.about)[number]
type Filters = { names: boolean; created_after: boolean; created_before: boolean; about: EventsAbout }

/** SQL: what is asked of a row `event` by what it is about. No employer is called ''. */
const aboutThat = {
  resource_id:
    'event.resource_id = :resource_id and (:trace_id::text is null or event.trace_id = :trace_id)' +
    ' and (:employer_id::text is null or event.employer_id = :employer_id)',
  trace_id: 'event.trace_id = :trace_id and (:employer_id::text is null or event.employer_id = :employer_id)',
  employer_id: "event.employer_id = :employer_id and event.employer_id > ''",
}

/** SQL: what a filter asks of a row `event`, beside its name. */
const narrowerBy = ({ created_after, created_before, about }: Filters): string[] => [
  ...(created_after ? ['event.created_at > :created_after::timestamptz'] : []),
  ...(created_before ? ['event.created_at < :created_before::timestamptz'] : []),
  ...(about ? [aboutThat[about]] : []),
]

/** The values of a filter and its page, and by which of them is filtered. */
function readFilter(filter: WebhookEventFilter) {
  const { created_after = null, created_before = null } = filter
  const { resource_id = null, trace_id = null, employer_id = null } = filter
  const event_names = namesOf(filter) ?? null
  const asked = { resource_id, trace_id, employer_id }
  const chosen: Filters = {
    names: event_names !== null,
    created_after: Boolean(created_after),
    created_before: Boolean(created_before),
    about: filters.about.find((name) => name !== null && asked[name]) ?? null,
  }
  return { chosen, values: { event_names, created_after, created_before, ...asked, ...pageValues(filter) } }
}

const events_listed = readVariants('webhooks.listEvents', filters, (chosen) => {
  const { names, about } = chosen
  const narrower = narrowerBy(chosen)
  const conditions = ['event.organization_id = place.id', ...narrower]
  const by_name = names ? [...conditions, 'event.event_name = name'] : conditions
  const each_name = names && !about ? 'cross join unnest(:event_names::text[]) as name' : ''
  const matching = (about && names ? [...conditions, 'event.event_name = any(:event_names)'] : by_name).join(' and ')

  const keys = `
    select newest.id, newest.organization_id,
           row_number() over (order by newest.created_at desc, newest.id desc) as position
      from ${places} ${each_name}
     cross join lateral (
       select event.id, event.organization_id, event.created_at from webhook_events as event
        where ${matching}
        order by event.created_at desc, event.id desc limit :limit::bigint + :offset::bigint) as newest
     order by newest.created_at desc, newest.id desc limit :limit offset :offset`
  const rows = `
    select shown.item, keys.position from (${keys}) as keys
     cross join lateral (
       select * from webhook_events where id = keys.id and organization_id = keys.organization_id offset 0) as event
     cross join lateral (${eventJson}) as shown`
  const known = `
    select sum(event_count) from webhook_event_counts as counted
     where counted.organization_id = place.id ${names ? 'and counted.event_name = any(:event_names)' : ''} offset 0`
  const total =
    narrower.length === 0
      ? `(select coalesce(sum(known.sum), 0) from ${places} cross join lateral (${known}) as known)`
      : `(select coalesce(sum(found.count), 0) from ${places} ${each_name}
           cross join lateral (select count(*) from webhook_events as event where ${matching} offset 0) as found)`
  return pageJson(rows, total)
})

/**
 * A page of events as JSON, newest first. Of each organization and name the index gives the newest, up to the end of
 * the page. Without an instant or a resource to go by the total is known by name; else what matches is counted.
 */
export function listEvents(ctx: ReadCtx, filter: WebhookEventFilter): Promise<string | undefined> {
  const { chosen, values } = readFilter(filter)
  return events_listed(chosen).json(ctx, values)
}

const events_followed = readVariants('webhooks.followEvents', filters, (chosen) => {
  const narrower = [...(chosen.names ? ['event.event_name = any(:event_names::text[])'] : []), ...narrowerBy(chosen)]
  const matching = [
    'event.organization_id = :organization_id',
    '(event.position, event.created_at, event.id) > (former.position, former.created_at, former.id)',
    ...narrower,
  ].join(' and ')
  const rows = `
    select shown.item, event.place as position from former
     cross join lateral (
       select event.*, row_number() over (order by event.position, event.created_at, event.id) as place
         from webhook_events as event
        where ${matching}
        order by event.position, event.created_at, event.id limit :limit offset :offset) as event
     cross join lateral (${eventJson}) as shown`
  const count = (condition: string) => `(select count(*) from webhook_events as event where ${condition})`
  const newest = `
    coalesce((select last_position from webhook_event_positions where organization_id = :organization_id), 0)`
  const total =
    narrower.length > 0
      ? count(matching)
      : `${newest} - former.position
         + case when former.position = 0 then ${count(`${matching} and event.position = 0`)} else 0 end`
  return `
    with former as materialized (
      select * from (
        select position, created_at, id from webhook_events
         where organization_id = :organization_id and id = :after and :seen::bigint is null
         union all
        select 0, '-infinity', '' where :after::text is null and :seen::bigint is null
         union all
        select :seen, 'infinity', '' where :seen::bigint is not null) as known
       where ${inReach(':organization_id')})
    ${pageJson(rows, `(select ${total} from former)`)}`
})

/**
 * A page of the events of an organization as JSON, in the order in which they were committed, from the first or from
 * the one after `after`; undefined when the organization has no such event. Positions have no gaps, so that what is
 * left to read is counted by them, unless the filter says more. `seen`: the position up to which the filter lets
 * nothing through, so that a read that waits looks at each event once.
 */
export function followEvents(
  ctx: ReadCtx,
  organization_id: string,
  filter: WebhookEventFilter,
  seen?: number,
): Promise<string | undefined> {
  const { chosen, values } = readFilter(filter)
  const from = { after: filter.after ?? null, seen: seen ?? null }
  return events_followed(chosen).json(ctx, { organization_id, ...values, ...from })
}

/** SQL: the WebhookSubscription of the interface, from a row `subscription`. */
export const subscriptionJson = `
  select row_to_json(shown) as item from (
    select subscription.id, subscription.organization_id, subscription.url, subscription.event_names,
           subscription.description, subscription.disabled_at is null as enabled,
           iso(subscription.disabled_at) as disabled_at, subscription.disabled_reason,
           iso(subscription.failing_since) as failing_since,
           iso(subscription.former_secret_until) as former_secret_until,
           iso(subscription.created_at) as created_at, iso(subscription.updated_at) as updated_at) as shown`

export const inReachOfSubscription = `subscription.deleted_at is null and ${inReach('subscription.organization_id')}`

const subscription_found = read(
  'webhooks.findSubscription',
  `select shown.item::text as json from webhook_subscriptions as subscription
    cross join lateral (${subscriptionJson}) as shown
    where subscription.id = :webhook_subscription_id and ${inReachOfSubscription}`,
)

/** One WebhookSubscription as JSON, or undefined when it does not exist within reach. */
export const findSubscription = (ctx: ReadCtx, { webhook_subscription_id }: { webhook_subscription_id: string }) =>
  subscription_found.json(ctx, { webhook_subscription_id })

const subscription_located = read(
  'webhooks.locateSubscription',
  `select subscription.id as webhook_subscription_id, subscription.organization_id
     from webhook_subscriptions as subscription
    where subscription.id = :webhook_subscription_id and ${inReachOfSubscription}`,
)

/** A subscription and its organization. */
export type SubscriptionKey = { webhook_subscription_id: string; organization_id: string }

/** A subscription within reach. */
export const locateSubscription = (ctx: ReadCtx, { webhook_subscription_id }: { webhook_subscription_id: string }) =>
  subscription_located.row<SubscriptionKey>(ctx, { webhook_subscription_id })

const pageOf = (condition: string, order: string) =>
  pageJson(
    `select shown.item, keys.position from (
       select subscription.*, row_number() over (order by ${order}) as position
         from webhook_subscriptions as subscription
        where ${condition}
        order by ${order} limit :limit offset :offset) as keys
      cross join lateral (select keys.*) as subscription
      cross join lateral (${subscriptionJson}) as shown`,
    `(select count(*) from webhook_subscriptions as subscription where ${condition})`,
  )

const listed = read(
  'webhooks.listSubscriptions',
  pageOf(inReachOfSubscription, 'subscription.created_at desc, subscription.id desc'),
)

/** A page of subscriptions as JSON, newest first. */
export const listSubscriptions = (ctx: ReadCtx, page: Page) => listed.json(ctx, pageValues(page))

const counted = statement(
  'webhooks.countSubscriptions',
  `select count(*) as count from webhook_subscriptions
    where organization_id = :organization_id and deleted_at is null`,
)

export async function countSubscriptions(ctx: Ctx, organization_id: string): Promise<number> {
  const row = await counted.row<{ count: number }>(ctx, { organization_id })
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

const inserted = statement(
  'webhooks.insertSubscription',
  `insert into webhook_subscriptions
     (id, organization_id, url, event_names, description, secret_sealed, created_at, updated_at)
   values (:id, :organization_id, :url, :event_names, :description, :secret_sealed, :real_now, :real_now)`,
)

export const insertSubscription = (ctx: Ctx, row: SubscriptionRow) => inserted.rows(ctx, row)

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

const locked = statement(
  'webhooks.lockSubscription',
  `select id, organization_id, url, event_names, description, disabled_at, disabled_reason,
          iso(failing_since) as failing_since, iso(created_at) as created_at
     from webhook_subscriptions
    where id = :webhook_subscription_id and deleted_at is null for no key update`,
)

/** Locks a subscription that is not deleted; undefined when there is none. */
export const lockSubscription = (ctx: Ctx, webhook_subscription_id: string) =>
  locked.row<SubscriptionState>(ctx, { webhook_subscription_id })

const saved = statement(
  'webhooks.saveSubscription',
  `update webhook_subscriptions
      set url = :url, event_names = :event_names, description = :description, updated_at = :real_now,
          failing_since = case when url = :url then failing_since end
    where id = :id and organization_id = :organization_id`,
)

/** Changes a subscription; that it failed is not said of another address. */
export const saveSubscription = (ctx: Ctx, row: SubscriptionState) => saved.rows(ctx, row)

const secret_saved = statement(
  'webhooks.saveSecret',
  `update webhook_subscriptions
      set former_secret_sealed = secret_sealed, former_secret_until = :former_secret_until,
          secret_sealed = :secret_sealed, updated_at = :real_now
    where id = :id and organization_id = :organization_id`,
)

/** Replaces the secret; the former one signs too until then. */
export const saveSecret = (
  ctx: Ctx,
  { id, organization_id }: SubscriptionState,
  secret_sealed: Buffer,
  former_secret_until: string,
) => secret_saved.rows(ctx, { id, organization_id, secret_sealed, former_secret_until })

export type SealedSecrets = { id: string; secret_sealed: Buffer; former_secret_sealed: Buffer | null }

const stale_listed = statement(
  'webhooks.listStaleSecrets',
  `select id, secret_sealed, former_secret_sealed from webhook_subscriptions
    where organization_id = :organization_id and deleted_at is null
      and (${isStaleIn('secret_sealed')} or ${isStaleIn('former_secret_sealed')})
    limit :most`,
)

/** Secrets of an organization that a former key encrypted; `mark`: what begins those of the present one. */
export const listStaleSecrets = (scope: WriteScope, asked: { organization_id: string; mark: Buffer; most: number }) =>
  stale_listed.rows<SealedSecrets>(scope, asked)

const sealed_saved = statement(
  'webhooks.saveSealedSecrets',
  `update webhook_subscriptions as subscription
      set secret_sealed = fresh.secret_sealed, former_secret_sealed = fresh.former_secret_sealed
     from unnest(:ids::text[], :secrets::bytea[], :formers::bytea[])
            as fresh (id, secret_sealed, former_secret_sealed)
    where subscription.id = fresh.id and subscription.organization_id = :organization_id`,
)

/** Keeps the same secrets, encrypted anew. */
export const saveSealedSecrets = (scope: WriteScope, organization_id: string, fresh: SealedSecrets[]) =>
  sealed_saved.rows(scope, {
    organization_id,
    ids: fresh.map(({ id }) => id),
    secrets: fresh.map(({ secret_sealed }) => secret_sealed),
    formers: fresh.map(({ former_secret_sealed }) => former_secret_sealed),
  })

const disabling_saved = statement(
  'webhooks.saveDisabling',
  `update webhook_subscriptions
      set disabled_at = :real_now, disabled_reason = :disabled_reason, updated_at = :real_now
    where id = :id and organization_id = :organization_id`,
)

export const saveDisabling = (ctx: Ctx, { id, organization_id }: SubscriptionState, disabled_reason: DisabledReason) =>
  disabling_saved.rows(ctx, { id, organization_id, disabled_reason })

const enabling_saved = statement(
  'webhooks.saveEnabling',
  `update webhook_subscriptions
      set disabled_at = null, disabled_reason = null, failing_since = null, updated_at = :real_now
    where id = :id and organization_id = :organization_id`,
)

export const saveEnabling = (ctx: Ctx, { id, organization_id }: SubscriptionState) =>
  enabling_saved.rows(ctx, { id, organization_id })

const deletion_saved = statement(
  'webhooks.saveDeletion',
  `update webhook_subscriptions
      set deleted_at = :real_now, updated_at = :real_now, secret_sealed = null, former_secret_sealed = null,
          former_secret_until = null
    where id = :id and organization_id = :organization_id`,
)

/** Deletes a subscription: its secrets go, and what its deliveries refer to stays. */
export const saveDeletion = (ctx: Ctx, { id, organization_id }: SubscriptionState) =>
  deletion_saved.rows(ctx, { id, organization_id })

const health_saved = statement(
  'webhooks.saveHealth',
  `update webhook_subscriptions as subscription
      set failing_since = case when noted.failing_since is null then null
                               else coalesce(subscription.failing_since, noted.failing_since) end
     from unnest(:ids::text[], :failing_since::timestamptz[]) as noted (id, failing_since)
    where subscription.id = noted.id
      and (subscription.failing_since is null) <> (noted.failing_since is null)`,
)

/** Notes since when subscriptions fail, where that is new, and which do not fail any more. */
export const saveHealth = (ctx: Ctx, health: { id: string; failing_since: string | null }[]) =>
  health_saved.rows(ctx, {
    ids: health.map(({ id }) => id),
    failing_since: health.map(({ failing_since }) => failing_since),
  })
