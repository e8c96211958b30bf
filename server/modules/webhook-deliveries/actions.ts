import { setTimeout as pause } from 'node:timers/promises'
import { serviceCaller } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { recordEvent, takeOutboxEvents } from '../../platform/events.ts'
import { newId } from '../../kernel/ids.ts'
import { generic, Refusal, refuse } from '../../kernel/refusal.ts'
import { inOrganization, inTransaction, type Runtime } from '../../platform/runtime.ts'
import { giveUpSubscription, lockedSubscription, requestEnd } from '../webhooks/actions.ts'
import { lockSubscription, saveHealth, type SubscriptionKey } from '../webhooks/queries.ts'
import {
  announceDeliveries,
  claimDeliveries,
  committingLater,
  locateDelivery,
  findStranded,
  forgetDeliveries,
  insertDeliveries,
  insertDelivery,
  insertMissed,
  saveEnd,
  saveOutcomes,
  type ClaimedDelivery,
  type DeliveryKey,
} from './queries.ts'
import {
  bodyOf,
  headersOf,
  isHopeless,
  kept_ms,
  lease_ms,
  most_in_flight,
  newReceiver,
  outcomeOf,
  roomOf,
  usual_room,
  whyNotReplay,
  whyNotSend,
  type Receiver,
  type Outcome,
} from './rules.ts'
import type { ReplayStep, DisableRequest, WebhookReplay } from './schemas.ts'

/** Sends an event to one subscription, beside what else it gets; returns the id of the delivery. */
async function send(ctx: Ctx, { organization_id, subscription_id, webhook_event_id }: DeliveryKey): Promise<string> {
  const id = newId('wdlv')
  await insertDelivery(ctx, { id, organization_id, subscription_id, webhook_event_id })
  await announceDeliveries(ctx)
  return id
}

/** Sends a subscription an event that says nothing, to try it out; returns the id of the delivery. */
export async function testSubscription(ctx: Ctx, key: SubscriptionKey): Promise<string> {
  const subscription = await lockedSubscription(ctx, key)
  refuse(whyNotSend(subscription))
  const { organization_id, id: subscription_id } = subscription
  const event_name = 'webhook_subscription.test'
  const webhook_event_id = await recordEvent(ctx, { event_name, organization_id, resource_id: subscription_id })
  return send(ctx, { organization_id, subscription_id, webhook_event_id })
}

/** Sends an event again to the subscription of a delivery, however that one ended; returns the id of the new delivery. */
export async function redeliver(ctx: Ctx, delivery: { webhook_delivery_id: string }): Promise<string> {
  // It may have been forgotten while the request waited for the organization.
  const place = await locateDelivery(ctx, delivery)
  if (!place) throw new Refusal(generic.not_found)
  refuse(whyNotSend(await lockSubscription(ctx, place.subscription_id)))
  return send(ctx, place)
}

/** Has a subscription sent, from an instant up to now, the events that it has not got. Worked off by a chain of jobs. */
export async function replay(ctx: Ctx, key: SubscriptionKey, since: string): Promise<WebhookReplay> {
  const subscription = await lockedSubscription(ctx, key)
  refuse(whyNotSend(subscription))
  refuse(whyNotReplay(since, ctx.now))
  const { organization_id, id: subscription_id } = subscription
  const from = new Date(since).toISOString()
  await requestReplay(ctx, { organization_id, subscription_id, until: ctx.now, after: { created_at: from, id: '' } })
  return { subscription_id, since: from, until: ctx.now }
}

const requestReplay = (ctx: Ctx, step: ReplayStep) => ctx.enqueue('replay_webhook_events', step)

/** One step of a replay, and the request for the next. Done again after a crash it finds its deliveries there already. */
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
 * Forgets deliveries that have been over for long. And has those end that came too late: made by a worker that had not seen
 * yet that their subscription was disabled, when the others had ended already. Tells whether there is more to forget.
 */
export async function cleanUpDeliveries(ctx: Ctx): Promise<boolean> {
  const before = new Date(Date.parse(ctx.real_now) - kept_ms).toISOString()
  const forgotten = await forgetDeliveries(ctx, before, forgotten_at_once)
  if (forgotten === forgotten_at_once) return true
  for (const subscription of await findStranded(ctx, before)) await requestEnd(ctx, subscription)
  return false
}

/** Deliveries forgotten in one transaction. */
const forgotten_at_once = 10_000

/** How many events are turned into deliveries in one transaction. */
const fan_out = 500

/** Makes deliveries of the events that wait in the outbox; returns how many those were. */
async function publishOutbox(ctx: Ctx): Promise<number> {
  const events = await takeOutboxEvents(ctx.db, fan_out)
  if (events.length > 0) await insertDeliveries(ctx, events)
  return events.length
}

/** One attempt. Never throws: whatever goes wrong is its outcome. */
async function attempt(runtime: Runtime, delivery: ClaimedDelivery): Promise<Outcome> {
  const { event_id, event_name, resource_type, resource_id, organization_id, created_at, sequence } = delivery
  const body = bodyOf({ event_id, event_name, resource_type, resource_id, organization_id, created_at, sequence })
  const sealed = [delivery.secret_sealed, delivery.former_secret_sealed].filter((secret) => secret !== null)
  const secrets = sealed.map((secret) => runtime.secrets.decrypt(secret))
  const reply = await runtime.outbound.post(delivery.url, headersOf(event_id, body, secrets, runtime.clock()), body)
  return outcomeOf(delivery, reply, runtime.clock(), Math.random())
}

type Ended = { delivery: ClaimedDelivery; outcome: Outcome }

/** Notes how attempts ended, and where that is news, since when their subscriptions fail. */
async function note(ctx: Ctx, ended: Ended[]): Promise<void> {
  if (ended.length === 0) return
  const by_subscription = Map.groupBy(ended, ({ delivery }) => delivery.subscription_id)
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
  await requestSurrender(ctx, ended)
}

/**
 * Has the subscriptions be given up for which the outcome of an attempt says so. In a job: an organization that is locked
 * for long must not hold up what goes to the others.
 */
async function requestSurrender(ctx: Ctx, ended: Ended[]): Promise<void> {
  const hopeless = ended.filter(({ outcome }) => outcome.disables)
  for (const [subscription_id, those] of Map.groupBy(hopeless, ({ delivery }) => delivery.subscription_id)) {
    const surrender: DisableRequest = {
      organization_id: those[0]!.delivery.organization_id,
      subscription_id,
      reason: those.some(({ outcome }) => outcome.disables === 'gone') ? 'gone' : 'failing',
    }
    await ctx.enqueue('give_up_webhook_subscription', surrender, {
      key: `give_up_webhook_subscription:${subscription_id}`,
    })
  }
}

/** Gives up a subscription that is gone, or fails still: another attempt may have been a good one meanwhile. */
export const giveUp = (runtime: Runtime, { organization_id, subscription_id, reason }: DisableRequest): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) => {
    const subscription = await lockSubscription(ctx, subscription_id)
    const fails = subscription && isHopeless(subscription.failing_since, Date.parse(ctx.real_now))
    if (reason === 'gone' || fails) await giveUpSubscription(ctx, subscription_id, reason)
  })

/** Deliveries at work in one process. */
export type Deliverer = {
  /** Says that there may be something to do. */
  wake(): void
  /** Works off all that is due, until nothing is under way. */
  drain(): Promise<void>
  /** Begins nothing new, and notes what ends within a moment. What doesn't is another worker's when its claim runs out. */
  stop(): Promise<void>
}

const patience_of_stop_ms = 3000

/**
 * Delivers, in rounds, each one transaction: note what has ended, turn new events into deliveries, take what is due. Then
 * begin it. What ends during a round waits for the next, so that each round notes many at once. A place of a subscription is
 * free again only when its attempt is noted: so no more than those few are repeated if we are killed.
 */
export function openDispatcher(runtime: Runtime): Deliverer {
  const receivers = new Map<string, Receiver>()
  const under_way = new Set<Promise<void>>()
  let ended: Ended[] = []
  let after = ''
  let stopping = false
  let draining = false
  let wanted = false
  /** Events may wait in the outbox. */
  let unpublished = false
  let working: Promise<void> | undefined

  const laneOf = (id: string): Receiver => receivers.getOrInsertComputed(id, newReceiver)

  const begin = (delivery: ClaimedDelivery) => {
    const receiver = laneOf(delivery.subscription_id)
    receiver.in_flight++
    const whole = attempt(runtime, delivery)
      .then((outcome) => {
        receiver.failures = outcome.delivered_at ? 0 : receiver.failures + 1
        receiver.held_until = Math.max(receiver.held_until, outcome.held_until)
        return void ended.push({ delivery, outcome })
      })
      .catch((error) => {
        // Ours, such as a key that is gone. It is tried again when the claim runs out.
        runtime.log.error({ err: error, webhook_delivery_id: delivery.id }, 'a webhook could not be attempted')
        receiver.in_flight--
      })
    under_way.add(whole)
    void whole.finally(() => {
      under_way.delete(whole)
      proceed()
    })
  }

  const claim = (ctx: Ctx, most: number): Promise<ClaimedDelivery[]> => {
    const now = runtime.clock()
    const rooms = new Map([...receivers].map(([id, receiver]) => [id, roomOf(receiver, now)]))
    const until = new Date(now + lease_ms).toISOString()
    return claimDeliveries(ctx, { rooms, usual_room, most, after, until })
  }

  /** Returns whether another round may find more to do. */
  const round = async (news: boolean): Promise<boolean> => {
    const noted = ended
    ended = []
    const place = (by: 1 | -1) => noted.forEach(({ delivery }) => (laneOf(delivery.subscription_id).in_flight += by))
    place(-1)
    const most = stopping ? 0 : most_in_flight - under_way.size
    try {
      const { told, claimed } = await inTransaction(runtime, serviceCaller(null), async (ctx) => {
        await committingLater(ctx)
        await note(ctx, noted)
        return { told: news ? await publishOutbox(ctx) : 0, claimed: await claim(ctx, most) }
      })
      claimed.forEach(begin)
      unpublished ||= told === fan_out
      // A round that was broken off, or began behind the first subscriptions, has not seen all of them.
      const was_partial = after !== ''
      after = claimed.length === most ? (claimed.at(-1)?.subscription_id ?? '') : ''
      for (const [id, receiver] of receivers)
        if (receiver.in_flight === 0 && receiver.failures === 0) receivers.delete(id)
      return noted.length + told + claimed.length > 0 || was_partial
    } catch (error) {
      ended.push(...noted)
      place(1)
      throw error
    }
  }

  const work = async () => {
    while (wanted) {
      if (stopping) return
      const news = unpublished
      wanted = unpublished = false
      try {
        if (await round(news)) wanted = true
      } catch (error) {
        runtime.log.warn({ err: error }, 'webhooks are not delivered for the moment')
        await pause(1000, undefined, { ref: false })
        wanted = unpublished = true
      }
    }
  }

  const wake = () => {
    unpublished = true
    proceed()
  }

  function proceed(): void {
    wanted = true
    if (draining || stopping) return
    working ??= work().finally(() => {
      working = undefined
      if (wanted) proceed()
    })
  }

  return {
    wake,
    async drain() {
      draining = true
      for (;;) {
        const busy = await round(true)
        if (under_way.size > 0) await Promise.race(under_way)
        else if (!busy) break
      }
      draining = false
    },
    async stop() {
      stopping = true
      await working
      await Promise.race([Promise.all(under_way), pause(patience_of_stop_ms, undefined, { ref: false })])
      await round(false).catch(() => undefined)
    },
  }
}
