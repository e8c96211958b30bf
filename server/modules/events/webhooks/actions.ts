import { actingOrganization } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { reEncryptionOf } from '../../../security/re-encryption.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Outbound } from '../../../integrations/outbound/outbound.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import {
  countSubscriptions,
  findSecrets,
  insertSubscription,
  lockSubscription,
  saveDeletion,
  saveDisabling,
  saveEnabling,
  saveSecret,
  saveSubscription,
  type SubscriptionKey,
  type SubscriptionState,
} from './queries.ts'
import {
  parseFormerSecrets,
  newSecret,
  overlap_ms,
  refusals,
  whyNotRotate,
  whyNotSubscribe,
  serializeFormerSecrets,
} from './rules.ts'
import type { DisabledReason, NewWebhookSubscription, WebhookSubscriptionChanges } from './schemas.ts'

/**
 * Refuses a URL to which nothing may be sent, by its form and its current DNS addresses. The address is checked again
 * when connecting.
 */
export async function whyNotSendTo(
  outbound: Outbound,
  { url }: { url?: string | undefined },
): Promise<Refusal | undefined> {
  const why = url && (await outbound.whyNotPostTo(url))
  return why ? new Refusal(refusals.webhook_url_not_allowed, [{ field: 'url', message: why }]) : undefined
}

/** The id of a subscription with its secret, which is shown only once. */
export type Issued = { id: string; secret: string }

/** Subscribes the organization that the caller acts as to events, by default to all names. */
export async function subscribe(ctx: Ctx, wanted: NewWebhookSubscription): Promise<Issued> {
  const organization_id = actingOrganization(ctx.caller)
  refuse(whyNotSubscribe(await countSubscriptions(ctx, { organization_id })))
  const issued = { id: newId('wsub'), secret: newSecret() }
  await insertSubscription(ctx, {
    id: issued.id,
    organization_id,
    url: wanted.url,
    event_names: wanted.event_names ?? [],
    description: wanted.description || null,
    secret_sealed: ctx.secrets.encrypt(issued.secret),
  })
  return issued
}

/** Changes a subscription. Enabling it clears its failures. Missed events need a replay. */
export async function changeSubscription(
  ctx: Ctx,
  key: SubscriptionKey,
  changes: WebhookSubscriptionChanges,
): Promise<void> {
  const subscription = await lockedSubscription(ctx, key)
  await saveSubscription(ctx, {
    ...subscription,
    url: changes.url ?? subscription.url,
    event_names: changes.event_names ?? subscription.event_names,
    description: (changes.description ?? subscription.description) || null,
  })
  if (changes.enabled === false) await disable(ctx, subscription, 'requested')
  if (changes.enabled === true) await enable(ctx, subscription)
}

/** Enables a subscription. If it is already enabled, nothing changes. */
export async function enable(ctx: Ctx, subscription: SubscriptionState): Promise<void> {
  if (subscription.disabled_at === null) return
  await saveEnabling(ctx, subscription)
  await closeSubscriptionTasks(ctx, subscription)
}

/** Rotates the secret. Previous secrets keep signing for 24 hours. Refuses with 409 if too many are in use. */
export async function rotateSecret(ctx: Ctx, key: SubscriptionKey): Promise<Issued> {
  const subscription = await lockedSubscription(ctx, key)
  const { secret_sealed, former_secret_sealed: sealed } = (await findSecrets(ctx, subscription))!
  const former_secrets = sealed ? parseFormerSecrets(ctx.secrets.decrypt(sealed), Date.parse(ctx.real_now)) : []
  refuse(whyNotRotate(former_secrets))
  const secret = newSecret()
  const until = new Date(Date.parse(ctx.real_now) + overlap_ms).toISOString()
  const words = serializeFormerSecrets([{ secret: ctx.secrets.decrypt(secret_sealed), until }, ...former_secrets])
  await saveSecret(ctx, subscription, ctx.secrets.encrypt(secret), { sealed: ctx.secrets.encrypt(words), until })
  return { id: subscription.id, secret }
}

/** Deletes a subscription. Nothing is sent to it from then on. */
export async function unsubscribe(ctx: Ctx, key: SubscriptionKey): Promise<void> {
  const subscription = await lockedSubscription(ctx, key)
  await saveDeletion(ctx, subscription)
  await closeSubscriptionTasks(ctx, subscription)
  await requestEnd(ctx, subscription)
}

/** Closes the tasks of a subscription that was enabled or deleted. */
export async function closeSubscriptionTasks(
  ctx: Ctx,
  { organization_id, id }: Pick<SubscriptionState, 'organization_id' | 'id'>,
): Promise<void> {
  await closeTasks(ctx, { organization_id, kinds: ['webhook_disabled', 'webhook_deliveries_failed'] }, [id])
}

/** Disables a subscription because of its receiver. Publishes an event, opens a task for the operator, and logs it. */
export async function disableByService(ctx: Ctx, id: string, reason: 'gone' | 'failing'): Promise<void> {
  const subscription = await lockSubscription(ctx, { webhook_subscription_id: id })
  if (!subscription || subscription.disabled_at !== null) return
  await disable(ctx, subscription, reason)
  const { organization_id, url } = subscription
  await recordEvents(ctx, [{ event_name: 'webhook_subscription.disabled', organization_id, resource_id: id }])
  await openTasks(ctx, [
    { kind: 'webhook_disabled', organization_id, employer_id: null, resource_id: id, details: { url, reason } },
  ])
  ctx.log.warn({ organization_id, webhook_subscription_id: id, reason }, 'disabled a webhook subscription')
}

async function disable(ctx: Ctx, subscription: SubscriptionState, reason: DisabledReason): Promise<void> {
  if (subscription.disabled_at !== null) return
  await saveDisabling(ctx, { ...subscription, disabled_reason: reason })
  await closeSubscriptionTasks(ctx, subscription)
  await requestEnd(ctx, subscription)
}

/** Enqueues a job that ends the waiting deliveries of a subscription, because there may be many. */
export const requestEnd = (ctx: Ctx, { id, organization_id }: Pick<SubscriptionState, 'id' | 'organization_id'>) =>
  ctx.enqueue(
    'end_webhook_deliveries',
    { organization_id, subscription_id: id },
    { key: `end_webhook_deliveries:${id}` },
  )

/** Locks a subscription. Refuses with 404 if it was deleted while the request waited for the lock. */
export async function lockedSubscription(
  ctx: Ctx,
  { webhook_subscription_id }: SubscriptionKey,
): Promise<SubscriptionState> {
  const subscription = await lockSubscription(ctx, { webhook_subscription_id })
  if (!subscription) throw new Refusal(generic.not_found)
  return subscription
}

/** Re-encrypts the secrets of an organization's subscriptions with the current key. */
export const reEncryptSecrets = reEncryptionOf({
  table: 'webhook_subscriptions',
  key: ['id'],
  sealed: ['secret_sealed', 'former_secret_sealed'],
  where: 'deleted_at is null',
})
