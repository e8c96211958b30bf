import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvent, takeOutboxEvents, type OutboxClaim, type OutboxEvent } from '../../../runtime/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { commitWith } from '../../../database/query/transactions.ts'
import type { TransactionEnd } from '../../../database/query/database.ts'
import { inOrganization, inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import { openTasks } from '../../directory/tasks/actions.ts'
import {
  closeSubscriptionTasks,
  enable,
  disableByService,
  lockedSubscription,
  requestEnd,
} from '../webhooks/actions.ts'
import { claimDeliveries, makeDeliveries, type Claim, type ClaimedDelivery } from './claim-queries.ts'
import { lockSubscription, saveHealth, type SubscriptionKey } from '../webhooks/queries.ts'
import { parseFormerSecrets } from '../webhooks/rules.ts'
import {
  committingLater,
  locateDelivery,
  findFirstFailure,
  findNewestEvent,
  findOrphaned,
  deleteOldDeliveries,
  releaseDeliveries,
  insertDelivery,
  insertMissed,
  listSentToFormerUrl,
  lockActiveSubscriptions,
  saveEnd,
  saveOutcomes,
  type DeliveryKey,
  type ReleasedDelivery,
} from './queries.ts'
import {
  bodyOf,
  headersOf,
  isUndeliverable,
  kept_ms,
  leftOf,
  firstMissedDay,
  afterUrlChange,
  outcomeOf,
  refusals,
  whyNotReplay,
  whyNotResume,
  whyNotSend,
  type Outcome,
} from './rules.ts'
import { type NewWebhookReplay, type WebhookReplay, ReplayStep, DisableRequest } from './schemas.ts'

/** Creates a delivery of an event to one subscription, in addition to others. Returns the id of the delivery. */
async function send(ctx: Ctx, { organization_id, subscription_id, webhook_event_id }: DeliveryKey): Promise<string> {
  const id = newId('wdlv')
  await insertDelivery(ctx, { id, organization_id, subscription_id, webhook_event_id })
  return id
}

const test_event = 'webhook_subscription.test'

/** Sends a test event to a subscription, or the latest event of a name. Returns the id of the delivery. */
export async function testSubscription(
  ctx: Ctx,
  key: SubscriptionKey,
  event_name: EventName = test_event,
): Promise<string> {
  const subscription = await lockedSubscription(ctx, key)
  refuse(whyNotSend(subscription))
  const { organization_id, id: subscription_id } = subscription
  const webhook_event_id =
    event_name === test_event
      ? await recordEvent(ctx, { event_name, organization_id, resource_id: subscription_id })
      : await findNewestEvent(ctx, organization_id, event_name)
  if (webhook_event_id === undefined) throw new Refusal(refusals.event_never_occurred)
  return send(ctx, { organization_id, subscription_id, webhook_event_id })
}

/**
 * Delivers an event again to the subscription of a delivery, regardless of its outcome. Returns the id of the new
 * delivery.
 */
export async function redeliver(ctx: Ctx, path: { webhook_delivery_id: string }): Promise<string> {
  // It may have been purged while the request waited for the lock.
  const delivery = await locateDelivery(ctx, path)
  if (!delivery) throw new Refusal(generic.not_found)
  refuse(whyNotSend(await lockSubscription(ctx, { webhook_subscription_id: delivery.subscription_id })))
  return send(ctx, delivery)
}

/**
 * Replays events to a subscription in a chain of jobs: those between two instants (by default until now) that it has
 * not received.
 */
export async function replay(
  ctx: Ctx,
  key: SubscriptionKey,
  { since, until = ctx.now }: NewWebhookReplay,
): Promise<WebhookReplay> {
  const subscription = await lockedSubscription(ctx, key)
  refuse(whyNotSend(subscription))
  refuse(whyNotReplay(since, ctx.now))
  const { organization_id, id: subscription_id } = subscription
  const from = new Date(since).toISOString()
  const to = new Date(Math.min(Date.parse(until), Date.parse(ctx.now))).toISOString()
  await closeSubscriptionTasks(ctx, subscription)
  await requestReplay(ctx, { organization_id, subscription_id, until: to, after: { created_at: from, id: '' } })
  return { subscription_id, since: from, until: to }
}

/**
 * Replays missed events to a subscription whose receiver works again, and enables it if it was disabled after failures.
 * Refuses with 409 if its partner disabled it.
 */
export async function resume(ctx: Ctx, key: SubscriptionKey): Promise<WebhookReplay> {
  const subscription = await lockedSubscription(ctx, key)
  refuse(whyNotResume(subscription))
  await enable(ctx, subscription)
  const since = firstMissedDay(subscription, await findFirstFailure(ctx, subscription), ctx.now)
  return replay(ctx, key, { since })
}

const requestReplay = (ctx: Ctx, step: ReplayStep) => ctx.enqueue('replay_webhook_events', step)

/** Runs one step of a replay, and enqueues the next. If it repeats after a crash, existing deliveries are skipped. */
export const replayStep = (runtime: Runtime, step: ReplayStep): Promise<void> =>
  inOrganization(runtime, step.organization_id, async (ctx) => {
    const last = await insertMissed(ctx, step)
    if (last) await requestReplay(ctx, { ...step, after: last })
  })

/** Ends the waiting deliveries of a subscription that was disabled or deleted. */
export const endDeliveries = (runtime: Runtime, organization_id: string, subscription_id: string): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) => void (await saveEnd(ctx, { subscription_id })))

/**
 * Deletes old finished deliveries. Also ends deliveries that a worker created for a subscription after it was disabled,
 * before the worker noticed. Returns whether more may remain.
 */
export async function cleanUpDeliveries(ctx: Ctx): Promise<boolean> {
  const before = new Date(Date.parse(ctx.real_now) - kept_ms).toISOString()
  if ((await deleteOldDeliveries(ctx, before)) > 0) return true
  for (const subscription of await findOrphaned(ctx, { ended_after: before })) await requestEnd(ctx, subscription)
  return false
}

/** Decrypts the secrets of each subscription once for a batch of its deliveries. */
export function openSecretsOf(runtime: Runtime): (delivery: ClaimedDelivery) => string[] {
  const opened = new Map<string, string[]>()
  return ({ subscription_id, secret_sealed, former_secret_sealed }) => {
    const known = opened.get(subscription_id)
    if (known) return known
    const { decrypt } = runtime.secrets
    const former_secrets = former_secret_sealed
      ? parseFormerSecrets(decrypt(former_secret_sealed), runtime.clock())
      : []
    const secrets = [decrypt(secret_sealed), ...former_secrets.map(({ secret }) => secret)]
    opened.set(subscription_id, secrets)
    return secrets
  }
}

/** Makes one attempt. Any behavior of the receiver is an outcome, not an error. */
export async function attemptDelivery(
  runtime: Runtime,
  delivery: ClaimedDelivery,
  secrets: () => string[],
): Promise<Outcome> {
  const { event_id, event_name, resource_type, resource_id, organization_id, created_at, sequence } = delivery
  const body = bodyOf({ event_id, event_name, resource_type, resource_id, organization_id, created_at, sequence })
  const headers = headersOf(event_id, body, secrets(), runtime.clock())
  const reply = await runtime.outbound.post(delivery.url, headers, body)
  return outcomeOf(delivery, reply, runtime.clock(), Math.random())
}

/** A finished attempt whose outcome is not saved. */
export type Ended = { delivery: ClaimedDelivery; outcome: Outcome }

/**
 * Saves the outcomes of attempts, and since when their subscriptions have failed if that changed. Sends both at once,
 * so that a claim that is sent after them does not find a delivery whose outcome arrives late. `former`: see
 * `findSentToFormerUrl`.
 */
async function note(ctx: Ctx, as_ended: Ended[], former: Set<string>): Promise<void> {
  if (as_ended.length === 0) return
  const ended = as_ended.map((one) =>
    former.has(one.delivery.id) ? { ...one, outcome: afterUrlChange(one.outcome, Date.parse(ctx.real_now)) } : one,
  )
  const present = ended.filter(({ delivery }) => !former.has(delivery.id))
  const by_subscription = Map.groupBy(present, ({ delivery }) => delivery.subscription_id)
  const health = [...by_subscription].flatMap(([id, outcomes]) => {
    const is_sound = outcomes.some(({ outcome }) => outcome.delivered_at)
    const is_known = outcomes.every(({ delivery }) => (delivery.failing_since === null) === is_sound)
    return is_known ? [] : { id, failing_since: is_sound ? null : ctx.real_now }
  })
  const outcomes = ended.map(({ delivery: { id, organization_id }, outcome }) => ({ id, organization_id, outcome }))
  await Promise.all([health.length > 0 && saveHealth(ctx, health), saveOutcomes(ctx, outcomes)])
  await openTasksForFailed(ctx, ended)
  await requestDisabling(ctx, ended)
}

/**
 * For attempts that would disable a subscription, finds those whose subscription has changed its URL in the meantime.
 */
async function findSentToFormerUrl(ctx: Ctx, ended: Ended[]): Promise<Set<string>> {
  const undeliverable = ended.filter(({ outcome }) => outcome.disables).map(({ delivery }) => delivery)
  return new Set(undeliverable.length === 0 ? [] : await listSentToFormerUrl(ctx, undeliverable))
}

/** Opens tasks for active subscriptions with events that could not be delivered. */
async function openTasksForFailed(ctx: Ctx, ended: Ended[]): Promise<void> {
  const given_up = ended.filter(({ outcome }) => outcome.failed_at !== null && !outcome.disables)
  if (given_up.length === 0) return
  const organization_by_subscription = new Map(
    given_up.map(({ delivery }) => [delivery.subscription_id, delivery.organization_id]),
  )
  const urls = new Map(given_up.map(({ delivery }) => [delivery.subscription_id, delivery.url]))
  const subscriptions = [...organization_by_subscription].map(([id, organization_id]) => ({ id, organization_id }))
  // Disabling or deleting a subscription closes its tasks. Lock the active ones, so that no task is opened after that.
  const active_subscriptions = await lockActiveSubscriptions(ctx, subscriptions)
  await openTasks(
    ctx,
    active_subscriptions.map(({ id: resource_id, organization_id }) => ({
      kind: 'webhook_deliveries_failed',
      organization_id,
      employer_id: null,
      resource_id,
      details: { url: urls.get(resource_id) ?? null },
    })),
  )
}

/**
 * Enqueues jobs to disable the subscriptions whose outcomes require it. A job, so that an organization with a long lock
 * does not block deliveries to others.
 */
async function requestDisabling(ctx: Ctx, ended: Ended[]): Promise<void> {
  const undeliverable = ended.filter(({ outcome }) => outcome.disables)
  for (const [subscription_id, undelivered] of Map.groupBy(undeliverable, ({ delivery }) => delivery.subscription_id)) {
    const request: DisableRequest = {
      organization_id: undelivered[0]!.delivery.organization_id,
      subscription_id,
      url: undelivered[0]!.delivery.url,
      reason: undelivered.some(({ outcome }) => outcome.disables === 'gone') ? 'gone' : 'failing',
    }
    await ctx.enqueue('give_up_webhook_subscription', request, {
      key: `give_up_webhook_subscription:${subscription_id}`,
    })
  }
}

/** The claim of a round: due deliveries, and with the remaining room, events in the outbox. */
export type RoundClaim = { due: Claim; outbox: Omit<OutboxClaim, 'rooms' | 'default_room'> }

/** The result of a claim. `made`: new deliveries that were claimed when they were created. */
export type TakenInRound = { due: ClaimedDelivery[]; published: OutboxEvent[]; made: ClaimedDelivery[] }

/** The work of a round. The claim is calculated when the round starts, from the state at that time. */
export type Round = { ended: Ended[]; released: ReleasedDelivery[]; claim?: () => RoundClaim }

/**
 * The transaction of a round. Saves outcomes, releases deliveries that were not attempted, claims due ones, and creates
 * deliveries of events, claiming them if there is room. It takes only three messages: while attempts keep the event
 * loop busy, each further message would wait for its turn, with PostgreSQL idle.
 */
export const commitRound = (runtime: Runtime, { ended, released, claim }: Round): Promise<TakenInRound> =>
  inTransaction(runtime, serviceCaller(null), async (ctx) => {
    const former = await findSentToFormerUrl(ctx, ended)
    await ctx.db.send([
      committingLater(ctx),
      note(ctx, ended, former),
      released.length > 0 && releaseDeliveries(ctx, released),
    ])
    return claim ? claimAndTake(ctx, claim()) : commitWith<TakenInRound>({ due: [], published: [], made: [] })
  })

/** Claims deliveries and takes events. Creates the deliveries of these events together with the commit. */
async function claimAndTake(ctx: Ctx, claim: RoundClaim): Promise<TransactionEnd<TakenInRound>> {
  const due = await claimDeliveries(ctx, claim.due)
  const claim_left = leftOf(claim.due, due)
  const published = await takeOutboxEvents(ctx.db, {
    ...claim.outbox,
    rooms: claim_left.rooms,
    default_room: claim_left.default_room,
  })
  const taken: TakenInRound = { due, published, made: [] }
  if (published.length === 0) return commitWith(taken)
  const make = async () => void (taken.made = await makeDeliveries(ctx, published, claim_left))
  return commitWith(taken, make)
}

/**
 * Disables a subscription whose receiver is gone or still fails. It stays enabled if another attempt has succeeded in
 * the meantime.
 */
export const abandonDeliveries = (
  runtime: Runtime,
  { organization_id, subscription_id, url, reason }: DisableRequest,
): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) => {
    const subscription = await lockSubscription(ctx, { webhook_subscription_id: subscription_id })
    if (subscription?.url !== url) return
    const fails = subscription && isUndeliverable(subscription.failing_since, Date.parse(ctx.real_now))
    if (reason === 'gone' || fails) await disableByService(ctx, subscription_id, reason)
  })

export const tasks = {
  replay_webhook_events: task(ReplayStep, replayStep),
  give_up_webhook_subscription: task(DisableRequest, abandonDeliveries),
  end_webhook_deliveries: task(
    z.object({ organization_id: z.string(), subscription_id: z.string() }),
    (runtime, { organization_id, subscription_id }) => endDeliveries(runtime, organization_id, subscription_id),
  ),
}
