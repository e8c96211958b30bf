import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx, WriteScope } from '../../../runtime/ctx.ts'
import type { Page } from '../../../kernel/pages.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { isStaleIn } from '../../../security/key-age.ts'
import type { DisabledReason } from './schemas.ts'

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

const secrets_found = statement(
  'webhooks.findSecrets',
  `select secret_sealed, case when former_secret_until > :real_now then former_secret_sealed end as former_secret_sealed
     from webhook_subscriptions where id = :id and organization_id = :organization_id`,
)

/** The secret of a subscription, and the former ones while the last of them signs too. */
export const findSecrets = (ctx: Ctx, { id, organization_id }: SubscriptionState) =>
  secrets_found.row<Omit<SealedSecrets, 'id'>>(ctx, { id, organization_id })

const secret_saved = statement(
  'webhooks.saveSecret',
  `update webhook_subscriptions
      set former_secret_sealed = :former_secret_sealed, former_secret_until = :former_secret_until,
          secret_sealed = :secret_sealed, updated_at = :real_now
    where id = :id and organization_id = :organization_id`,
)

/** Replaces the secret; the last of the former ones signs too until then. */
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
