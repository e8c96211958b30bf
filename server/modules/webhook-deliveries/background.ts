import { setTimeout as pause } from 'node:timers/promises'
import { hearNotices } from '../../platform/database/notifications.ts'
import type { DatabaseAddress } from '../../platform/database/session.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { attemptDelivery, commitRound, type Ended } from './actions.ts'
import type { Claim, ClaimedDelivery } from './queries.ts'
import {
  afterAttempt,
  afterEvent,
  isForgettable,
  lease_ms,
  most_in_flight,
  newReceiver,
  nextAfter,
  roomOf,
  roundEnd,
  usual_room,
  type DispatcherEvent,
  type DispatcherPhase,
  type DispatcherState,
  type Receiver,
} from './rules.ts'

/** How often what became due by time alone is looked for, in milliseconds: the first retry is after 5 seconds. */
const look_every_ms = 500

/**
 * Delivers for as long as the worker lives, beside its jobs: woken by a notice when events are committed, and by time
 * for retries. Not a job itself, since attempts of many receivers are under way at once and none may wait for another.
 */
export function deliverWebhooks(runtime: Runtime, address: DatabaseAddress): { stop(): Promise<void> } {
  const dispatcher = openDispatcher(runtime)
  const notices = hearNotices(address, 'webhook_outbox', dispatcher.wake)
  const looking = setInterval(dispatcher.wake, look_every_ms)
  return {
    async stop() {
      clearInterval(looking)
      await Promise.all([notices.stop(), dispatcher.stop()])
    },
  }
}

export type Dispatcher = {
  /** Says that there may be something to do. */
  wake(): void
  /** Begins nothing new, and notes what ends within a moment. The rest is another worker's when its claim runs out. */
  stop(): Promise<void>
}

const back_off_ms = 1000
const patience_of_stop_ms = 3000

/** Delivers in the phases that rules.ts draws: here is what happens in each, until the event that ends it. */
export function openDispatcher(runtime: Runtime): Dispatcher {
  const rounds = openRounds(runtime, () => handle('attempt_ended'))
  const stopped = Promise.withResolvers<void>()
  let state: DispatcherState = { phase: 'idle', asked: 'nothing' }

  const failed = (error: unknown): DispatcherEvent => {
    runtime.log.warn({ err: error }, 'webhooks are not delivered for the moment')
    return 'round_failed'
  }
  const sleep = (ms: number) => pause(ms, undefined, { ref: false })

  const work: Record<DispatcherPhase, () => Promise<DispatcherEvent> | void> = {
    idle: () => undefined,
    delivering: () => rounds.run('deliver').catch(failed),
    fanning_out: () => rounds.run('fan_out').catch(failed),
    backing_off: () => sleep(back_off_ms).then(() => 'backed_off'),
    finishing: () =>
      Promise.race([Promise.all(rounds.under_way), sleep(patience_of_stop_ms)]).then(() => 'attempts_over'),
    noting: () => rounds.run('note').catch(() => 'round_failed'),
    stopped: stopped.resolve,
  }

  function handle(event: DispatcherEvent): void {
    const step = afterEvent(state, event)
    state = step.state
    if (step.begins) void work[step.begins]()?.then(handle)
  }

  return {
    wake: () => handle('woken'),
    stop() {
      handle('stop_requested')
      return stopped.promise
    },
  }
}

/** What a round does, each more than those before. */
type RoundKind = 'note' | 'deliver' | 'fan_out'

/** The rounds of one process, and the attempts that they began. */
export type Rounds = {
  run(kind: RoundKind): Promise<DispatcherEvent>
  under_way: Set<Promise<void>>
}

/**
 * What ends during a round waits for the next, so that each round notes many at once. A place of a subscription is free
 * again only when its attempt is noted: so no more than those few are repeated if we are killed.
 */
export function openRounds(runtime: Runtime, onAttemptEnded = () => {}): Rounds {
  const receivers = openReceivers()
  const under_way = new Set<Promise<void>>()
  let ended: Ended[] = []
  let after = ''

  const begin = (delivery: ClaimedDelivery) => {
    const { subscription_id } = delivery
    receivers.place(subscription_id, 1)
    const whole = attemptDelivery(runtime, delivery)
      .then((outcome) => {
        receivers.change(subscription_id, (receiver) => afterAttempt(receiver, outcome))
        return void ended.push({ delivery, outcome })
      })
      .catch((error) => {
        // Ours, such as a key that is gone. It is tried again when the claim runs out.
        runtime.log.error({ err: error, webhook_delivery_id: delivery.id }, 'a webhook could not be attempted')
        receivers.place(subscription_id, -1)
      })
    under_way.add(whole)
    void whole.finally(() => {
      under_way.delete(whole)
      onAttemptEnded()
    })
  }

  const claimOf = (most: number): Claim => {
    const now = runtime.clock()
    return { rooms: receivers.rooms(now), usual_room, most, after, until: new Date(now + lease_ms).toISOString() }
  }

  const run = async (kind: RoundKind) => {
    const noted = ended
    ended = []
    const place = (by: 1 | -1) => noted.forEach(({ delivery }) => receivers.place(delivery.subscription_id, by))
    place(-1)
    const most = kind === 'note' ? 0 : most_in_flight - under_way.size
    const round = { ended: noted, fans_out: kind === 'fan_out', claim: () => claimOf(most) }
    const { published, claimed } = await commitRound(runtime, round).catch((error) => {
      ended.push(...noted)
      place(1)
      throw error
    })
    claimed.forEach(begin)
    receivers.forget()
    const was_partial = after !== ''
    after = nextAfter(claimed, most)
    return roundEnd({ noted: noted.length, published, claimed: claimed.length, was_partial })
  }
  return { run, under_way }
}

/** What this process remembers of receivers, by their subscriptions. */
function openReceivers() {
  const receivers = new Map<string, Receiver>()
  const change = (id: string, changed: (receiver: Receiver) => Receiver) =>
    void receivers.set(id, changed(receivers.get(id) ?? newReceiver()))
  return {
    change,
    place: (id: string, by: 1 | -1) => change(id, (known) => ({ ...known, in_flight: known.in_flight + by })),
    rooms: (now: number) => new Map([...receivers].map(([id, receiver]) => [id, roomOf(receiver, now)])),
    forget() {
      for (const [id, receiver] of receivers) if (isForgettable(receiver)) receivers.delete(id)
    },
  }
}
