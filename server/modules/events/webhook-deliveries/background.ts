import { setTimeout as pause } from 'node:timers/promises'
import { hearNotices } from '../../../database/query/notifications.ts'
import type { DatabaseAddress } from '../../../database/query/session.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { attemptDelivery, commitRound, openSecretsOf, type Ended, type RoundClaim } from './actions.ts'
import type { ClaimedDelivery } from './claim-queries.ts'
import {
  afterAttempt,
  afterEvent,
  attemptsOf,
  isForgettable,
  isToGiveBack,
  lease_ms,
  most_taken,
  newReceiver,
  nextAfter,
  patience_of_events_ms,
  roomOf,
  roundEnd,
  most_at_once,
  most_published,
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

/** How long what has ended waits for more, in milliseconds, so that a round notes many at once. */
const gathering_ms = 5

const back_off_ms = 1000
const patience_of_stop_ms = 3000

/** Delivers in the phases that rules.ts draws: here is what happens in each, until the event that ends it. */
export function openDispatcher(runtime: Runtime): Dispatcher {
  const rounds = openRounds(runtime, () => gather())
  const stopped = Promise.withResolvers<void>()
  let state: DispatcherState = { phase: 'idle', asked: 'nothing' }

  const failed = (error: unknown): DispatcherEvent => {
    runtime.log.warn({ err: error }, 'webhooks are not delivered for the moment')
    return 'round_failed'
  }
  const sleep = (ms: number) => pause(ms, undefined, { ref: false })

  let gathering = false
  function gather(): void {
    if (gathering) return
    gathering = true
    const end = () => {
      gathering = false
      handle('attempt_ended')
    }
    setTimeout(end, gathering_ms).unref()
  }

  const work: Record<DispatcherPhase, () => Promise<DispatcherEvent> | void> = {
    idle: () => undefined,
    delivering: () => rounds.run('deliver').catch(failed),
    backing_off: () => sleep(back_off_ms).then(() => 'backed_off'),
    finishing() {
      rounds.finish()
      return Promise.race([Promise.all(rounds.under_way), sleep(patience_of_stop_ms)]).then(() => 'attempts_over')
    },
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

/** Whether a round notes what has ended, or takes more as well. */
type RoundKind = 'note' | 'deliver'

/** The rounds of one process, and the attempts that they began. */
export type Rounds = {
  run(kind: RoundKind): Promise<DispatcherEvent>
  /** Begins no more attempts: what was taken and waits for its turn is given back in the next round. */
  finish(): void
  under_way: Set<Promise<void>>
}

/** A delivery that is ours until an instant, and its secrets. */
type TakenDelivery = { delivery: ClaimedDelivery; until: string; secrets: () => string[] }

/** What was taken of a subscription: what waits for its turn, and how much is attempted. */
type Lane = { waiting: TakenDelivery[]; attempted: number }

/**
 * What ends during a round waits for the next, so that each round notes many at once. A place of a subscription is free
 * again only when its attempt is noted: so no more than those few are repeated if we are killed.
 */
export function openRounds(runtime: Runtime, onAttemptEnded = () => {}): Rounds {
  const receivers = openReceivers()
  const lanes = openLanes(runtime, receivers, onAttemptEnded)
  let after = { subscription: '', organization: '' }

  const claimOf = (most: number): RoundClaim => {
    const now = runtime.clock()
    const until = new Date(now + lease_ms).toISOString()
    const waited_since = new Date(now - patience_of_events_ms).toISOString()
    return {
      due: { rooms: receivers.rooms(now), usual_room: most_at_once, most, after: after.subscription, until },
      outbox: { most: most_published, after: after.organization, waited_since },
    }
  }

  const run = async (kind: RoundKind) => {
    const { ended, given_back } = lanes.empty()
    const over = [...ended, ...given_back].map(({ delivery }) => delivery.subscription_id)
    const place = (by: 1 | -1) => over.forEach((id) => receivers.place(id, by))
    place(-1)
    const most = most_taken - lanes.size()
    let until = ''
    const claim = () => {
      const made_out = claimOf(most)
      until = made_out.due.until
      return made_out
    }
    const round = { ended, given_back, ...(kind === 'deliver' && { claim }) }
    const { due, published, made } = await commitRound(runtime, round).catch((error) => {
      lanes.putBack({ ended, given_back })
      place(1)
      throw error
    })
    const claimed = [...due, ...made]
    lanes.take(claimed, until)
    receivers.forget()
    const was_partial = after.subscription !== '' || after.organization !== ''
    after = {
      subscription: nextAfter(
        due.map(({ subscription_id }) => subscription_id),
        most,
      ),
      organization: nextAfter(
        published.map(({ organization_id }) => organization_id),
        most_published,
      ),
    }
    return roundEnd({ noted: over.length, published: published.length, claimed: claimed.length, was_partial })
  }
  return { run, finish: lanes.finish, under_way: lanes.under_way }
}

/** What is over, and is yet to be committed. */
type Over = { ended: Ended[]; given_back: TakenDelivery[] }

/** Attempts a delivery, and remembers how its receiver did; undefined when it failed by us. */
async function attemptTaken(
  runtime: Runtime,
  receivers: Receivers,
  { delivery, secrets }: TakenDelivery,
): Promise<Ended | undefined> {
  const began = runtime.clock()
  try {
    const outcome = await attemptDelivery(runtime, delivery, secrets)
    const took_ms = runtime.clock() - began
    receivers.change(delivery.subscription_id, (receiver) => afterAttempt(receiver, outcome, took_ms))
    return { delivery, outcome }
  } catch (error) {
    // Ours, such as a key that is gone. It is tried again when the claim runs out.
    runtime.log.error({ err: error, webhook_delivery_id: delivery.id }, 'a webhook could not be attempted')
    receivers.place(delivery.subscription_id, -1)
    return undefined
  }
}

type Receivers = ReturnType<typeof openReceivers>

/** What was taken, each subscription by itself: what waits for its turn, what is attempted, and what is over. */
function openLanes(runtime: Runtime, receivers: Receivers, onAttemptEnded: () => void) {
  const lanes = new Map<string, Lane>()
  const under_way = new Set<Promise<void>>()
  const over: Over = { ended: [], given_back: [] }
  let [waiting, finishing] = [0, false]

  const attempt = (subscription_id: string, lane: Lane, taken: TakenDelivery) => {
    lane.attempted++
    const whole = attemptTaken(runtime, receivers, taken).then((ended) => void (ended && over.ended.push(ended)))
    under_way.add(whole)
    void whole.finally(() => {
      under_way.delete(whole)
      lane.attempted--
      goOn(subscription_id, lane)
      onAttemptEnded()
    })
  }

  /** Attempts what waits of a subscription, as much as may be at the same time. */
  function goOn(subscription_id: string, lane: Lane): void {
    const now = runtime.clock()
    const receiver = receivers.of(subscription_id)
    for (let next = lane.waiting[0]; next; next = lane.waiting[0]) {
      const is_to_give_back = finishing || isToGiveBack(receiver, Date.parse(next.until), now)
      if (!is_to_give_back && lane.attempted >= attemptsOf(receiver, now)) return
      lane.waiting.shift()
      waiting--
      if (is_to_give_back) over.given_back.push(next)
      else attempt(subscription_id, lane, next)
    }
    if (lane.attempted === 0) lanes.delete(subscription_id)
  }

  return {
    under_way,
    size: () => under_way.size + waiting,
    take(claimed: ClaimedDelivery[], until: string) {
      const secretsOf = openSecretsOf(runtime)
      waiting += claimed.length
      for (const delivery of claimed) {
        const { subscription_id } = delivery
        const lane = lanes.get(subscription_id) ?? { waiting: [], attempted: 0 }
        lanes.set(subscription_id, lane)
        receivers.place(subscription_id, 1)
        lane.waiting.push({ delivery, until, secrets: () => secretsOf(delivery) })
      }
      for (const [subscription_id, lane] of lanes) goOn(subscription_id, lane)
    },
    empty: (): Over => ({ ended: over.ended.splice(0), given_back: over.given_back.splice(0) }),
    putBack({ ended, given_back }: Over) {
      over.ended.push(...ended)
      over.given_back.push(...given_back)
    },
    finish() {
      finishing = true
      for (const [subscription_id, lane] of lanes) goOn(subscription_id, lane)
    },
  }
}

/** What this process remembers of receivers, by their subscriptions. */
function openReceivers() {
  const receivers = new Map<string, Receiver>()
  const of = (id: string) => receivers.get(id) ?? newReceiver()
  const change = (id: string, changed: (receiver: Receiver) => Receiver) => void receivers.set(id, changed(of(id)))
  return {
    of,
    change,
    place: (id: string, by: 1 | -1) => change(id, (known) => ({ ...known, taken: known.taken + by })),
    rooms: (now: number) =>
      new Map([...receivers].map(([id, receiver]) => [id, roomOf(receiver, receivers.size, now)])),
    forget() {
      for (const [id, receiver] of receivers) if (isForgettable(receiver)) receivers.delete(id)
    },
  }
}
