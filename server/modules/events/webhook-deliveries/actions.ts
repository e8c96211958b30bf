import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvent, takeOutboxEvents, type OutboxClaim, type OutboxEvent } from '../../../runtime/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { inOrganization, inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import { openTasks } from '../../directory/tasks/actions.ts'
import {
  closeSubscriptionTasks,
  enable,
  giveUpSubscription,
  lockedSubscription,
  requestEnd,
} from '../webhooks/actions.ts'
import { claimDeliveries, makeDeliveries, type Claim, type ClaimedDelivery } from './claim-queries.ts'
import { lockSubscription, saveHealth, type SubscriptionKey } from '../webhooks/queries.ts'
import { formerOf } from '../webhooks/rules.ts'
import {
  announceDeliveries,
  committingLater,
  locateDelivery,
  findFirstFailure,
  findNewestEvent,
  findStranded,
  forgetDeliveries,
  giveBackDeliveries,
  insertDelivery,
  insertMissed,
  listToFormerAddress,
  lockGoingOn,
  saveEnd,
  saveOutcomes,
  type DeliveryKey,
  type GivenBack,
} from './queries.ts'
import {
  bodyOf,
  headersOf,
  isHopeless,
  kept_ms,
  leftOf,
  missedSince,
  ofFormerAddress,
  outcomeOf,
  refusals,
  whyNotReplay,
  whyNotResume,
  whyNotSend,
  type Outcome,
} from './rules.ts'
import type { DisableRequest, NewWebhookReplay, ReplayStep, WebhookReplay } from './schemas.ts'

/** Sends an event to one subscription, beside what else it gets; returns the id of the delivery. */
async function send(ctx: Ctx, { organization_id, subscription_id, webhook_event_id }: DeliveryKey): Promise<string> {
  const id = newId('wdlv')
  await insertDelivery(ctx, { id, organization_id, subscription_id, webhook_event_id })
  await announceDeliveries(ctx)
  return id
}

const test_event = 'webhook_subscription.test'

/**
 * Sends a subscription an event that says nothing, to try it out, or the newest event of a name as it was; returns the
 * id of the delivery.
 */
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
  if (webhook_event_id === undefined) throw new Refusal(refusals.no_event_of_this_name)
  return send(ctx, { organization_id, subscription_id, webhook_event_id })
}

/** Sends an event again to the subscription of a delivery, however that ended; returns the id of the new delivery. */
export async function redeliver(ctx: Ctx, path: { webhook_delivery_id: string }): Promise<string> {
  // It may have been forgotten while the request waited for the organization.
  const delivery = await locateDelivery(ctx, path)
  if (!delivery) throw new Refusal(generic.not_found)
  refuse(whyNotSend(await lockSubscription(ctx, delivery.subscription_id)))
  return send(ctx, delivery)
}

/** Sends a subscription, in a chain of jobs, the events from an instant up to another, or now, that it has not got. */
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
 * Sends a subscription what it has not got, once its receiver is there again: one that was given up is enabled first.
 * 409 for one that its partner disabled.
 */
export async function resume(ctx: Ctx, key: SubscriptionKey): Promise<WebhookReplay> {
  const subscription = await lockedSubscription(ctx, key)
  refuse(whyNotResume(subscription))
  await enable(ctx, subscription)
  const since = missedSince(subscription, await findFirstFailure(ctx, subscription), ctx.now)
  return replay(ctx, key, { since })
}

const requestReplay = (ctx: Ctx, step: ReplayStep) => ctx.enqueue('replay_webhook_events', step)

/** One step of a replay, and the request for the next. Done again after a crash, it finds its deliveries there. */
export const replayStep = (runtime: Runtime, step: ReplayStep): Promise<void> =>
  inOrganization(runtime, step.organization_id, async (ctx) => {
    const last = await insertMissed(ctx, step)
    await announceDeliveries(ctx)
    if (last) await requestReplay(ctx, { ...step, after: last })
  })

/** Ends what waits for a subscription that was disabled or deleted. */
export const endDeliveries = (runtime: Runtime, organization_id: string, subscription_id: string): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) => void (await saveEnd(ctx, subscription_id)))

/**
 * Forgets deliveries that have been over for long. And has those end that came too late: made by a worker that had not
 * seen yet that their subscription was disabled, when the others had ended already. Returns whether there is more to
 * forget.
 */
export async function cleanUpDeliveries(ctx: Ctx): Promise<boolean> {
  const before = new Date(Date.parse(ctx.real_now) - kept_ms).toISOString()
  if ((await forgetDeliveries(ctx, before)) > 0) return true
  for (const subscription of await findStranded(ctx, before)) await requestEnd(ctx, subscription)
  return false
}

/** The secrets of subscriptions, each opened once for all that was taken of it at the same time. */
export function openSecretsOf(runtime: Runtime): (delivery: ClaimedDelivery) => string[] {
  const opened = new Map<string, string[]>()
  return ({ subscription_id, secret_sealed, former_secret_sealed }) => {
    const known = opened.get(subscription_id)
    if (known) return known
    const { decrypt } = runtime.secrets
    const formers = former_secret_sealed ? formerOf(decrypt(former_secret_sealed), runtime.clock()) : []
    const secrets = [decrypt(secret_sealed), ...formers.map(({ secret }) => secret)]
    opened.set(subscription_id, secrets)
    return secrets
  }
}

/** One attempt: whatever the receiver does is its outcome. */
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

/** An attempt that has ended, and is yet to be noted. */
export type Ended = { delivery: ClaimedDelivery; outcome: Outcome }

/** Notes how attempts ended, and where that is news, since when their subscriptions fail. */
async function note(ctx: Ctx, as_ended: Ended[]): Promise<void> {
  if (as_ended.length === 0) return
  const former = await findThoseToFormerAddress(ctx, as_ended)
  const ended = as_ended.map((one) =>
    former.has(one.delivery.id) ? { ...one, outcome: ofFormerAddress(one.outcome, Date.parse(ctx.real_now)) } : one,
  )
  const present = ended.filter(({ delivery }) => !former.has(delivery.id))
  const by_subscription = Map.groupBy(present, ({ delivery }) => delivery.subscription_id)
  const health = [...by_subscription].flatMap(([id, those]) => {
    const is_sound = those.some(({ outcome }) => outcome.delivered_at)
    const is_known = those.every(({ delivery }) => (delivery.failing_since === null) === is_sound)
    return is_known ? [] : { id, failing_since: is_sound ? null : ctx.real_now }
  })
  if (health.length > 0) await saveHealth(ctx, health)
  await saveOutcomes(
    ctx,
    ended.map(({ delivery: { id, organization_id }, outcome }) => ({ id, organization_id, outcome })),
  )
  await tellGivenUp(ctx, ended)
  await requestDisabling(ctx, ended)
}

/** Of those for which a subscription would be given up: who may have moved while an answer was on its way. */
async function findThoseToFormerAddress(ctx: Ctx, ended: Ended[]): Promise<Set<string>> {
  const hopeless = ended.filter(({ outcome }) => outcome.disables).map(({ delivery }) => delivery)
  return new Set(hopeless.length === 0 ? [] : await listToFormerAddress(ctx, hopeless))
}

/** Tells the operator of subscriptions that did not get something and go on. */
async function tellGivenUp(ctx: Ctx, ended: Ended[]): Promise<void> {
  const given_up = ended.filter(({ outcome }) => outcome.failed_at !== null && !outcome.disables)
  if (given_up.length === 0) return
  const whose = new Map(given_up.map(({ delivery }) => [delivery.subscription_id, delivery.organization_id]))
  const urls = new Map(given_up.map(({ delivery }) => [delivery.subscription_id, delivery.url]))
  const subscriptions = [...whose].map(([id, organization_id]) => ({ id, organization_id }))
  // Who ended it while the last attempt was under way closed its tasks then: nobody could close another.
  const going_on = await lockGoingOn(ctx, subscriptions)
  await openTasks(
    ctx,
    going_on.map(({ id: resource_id, organization_id }) => ({
      kind: 'webhook_deliveries_failed',
      organization_id,
      employer_id: null,
      resource_id,
      details: { url: urls.get(resource_id) ?? null },
    })),
  )
}

/**
 * Has the subscriptions be disabled for which the outcome of an attempt says so. In a job: an organization that is
 * locked for long must not hold up what goes to the others.
 */
async function requestDisabling(ctx: Ctx, ended: Ended[]): Promise<void> {
  const hopeless = ended.filter(({ outcome }) => outcome.disables)
  for (const [subscription_id, those] of Map.groupBy(hopeless, ({ delivery }) => delivery.subscription_id)) {
    const request: DisableRequest = {
      organization_id: those[0]!.delivery.organization_id,
      subscription_id,
      url: those[0]!.delivery.url,
      reason: those.some(({ outcome }) => outcome.disables === 'gone') ? 'gone' : 'failing',
    }
    await ctx.enqueue('give_up_webhook_subscription', request, {
      key: `give_up_webhook_subscription:${subscription_id}`,
    })
  }
}

/** What a round takes: of deliveries that are due, and, with the room that they leave, of events in the outbox. */
export type RoundClaim = { due: Claim; outbox: Omit<OutboxClaim, 'rooms' | 'usual_room'> }

/** What a round took. `made`: deliveries that were taken as they were made. */
export type TakenInRound = { due: ClaimedDelivery[]; published: OutboxEvent[]; made: ClaimedDelivery[] }

/** What a round of the dispatcher is to do; the claim is made out when its turn comes, to what is known then. */
export type Round = { ended: Ended[]; given_back: GivenBack[]; claim?: () => RoundClaim }

/**
 * The transaction of a round: notes what has ended, gives back what was not attempted, takes what is due, and makes
 * deliveries of events, which it takes too as far as there is room.
 */
export const commitRound = (runtime: Runtime, { ended, given_back, claim }: Round): Promise<TakenInRound> =>
  inTransaction(runtime, serviceCaller(null), async (ctx) => {
    await committingLater(ctx)
    await note(ctx, ended)
    if (given_back.length > 0) await giveBackDeliveries(ctx, given_back)
    return claim ? take(ctx, claim()) : { due: [], published: [], made: [] }
  })

async function take(ctx: Ctx, claim: RoundClaim): Promise<TakenInRound> {
  const due = await claimDeliveries(ctx, claim.due)
  const left = leftOf(claim.due, due)
  const published = await takeOutboxEvents(ctx.db, { ...claim.outbox, rooms: left.rooms, usual_room: left.usual_room })
  return { due, published, made: published.length === 0 ? [] : await makeDeliveries(ctx, published, left) }
}

/** Gives up a subscription that is gone, or fails still: another attempt may have been a good one meanwhile. */
export const giveUp = (
  runtime: Runtime,
  { organization_id, subscription_id, url, reason }: DisableRequest,
): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) => {
    const subscription = await lockSubscription(ctx, subscription_id)
    if (url !== undefined && subscription?.url !== url) return
    const fails = subscription && isHopeless(subscription.failing_since, Date.parse(ctx.real_now))
    if (reason === 'gone' || fails) await giveUpSubscription(ctx, subscription_id, reason)
  })
