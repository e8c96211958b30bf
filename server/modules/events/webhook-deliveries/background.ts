import { setTimeout as pause } from 'node:timers/promises'
import type { Runtime } from '../../../runtime/runtime.ts'
import { attemptDelivery, commitRound, openSecretsOf, type Ended, type RoundClaim } from './actions.ts'
import type { ClaimedDelivery } from './claim-queries.ts'
import {
  afterAttempt,
  attemptsOf,
  isForgettable,
  mustRelease,
  max_taken,
  newReceiver,
  roomsOf,
  default_room,
  type Receiver,
} from './receiver-rules.ts'
import {
  afterEvent,
  lease_ms,
  nextAfter,
  event_timeout_ms,
  roundEnd,
  max_published,
  type DispatcherEvent,
  type DispatcherPhase,
  type DispatcherState,
} from './rules.ts'

/**
 * How often to check for new events and for retries that have become due, in milliseconds. PostgreSQL notifications
 * would slow down every write with an event, because a commit with a notification takes a lock of the whole server.
 */
const check_every_ms = 200

/**
 * Delivers webhooks during the lifetime of the worker, next to its jobs. It is not a job, because it runs attempts to
 * many receivers concurrently, and none may wait for another.
 */
export function deliverWebhooks(runtime: Runtime): { stop(): Promise<void> } {
  const dispatcher = openDispatcher(runtime)
  const checking = setInterval(dispatcher.wake, check_every_ms)
  return {
    stop() {
      clearInterval(checking)
      return dispatcher.stop()
    },
  }
}

export type Dispatcher = {
  /** Signals that there may be work. */
  wake(): void
  /**
   * Starts nothing new, and saves the outcomes of attempts that end shortly. Other workers take over the rest when the
   * claims expire.
   */
  stop(): Promise<void>
}

/** How long finished attempts wait for others, in milliseconds, so that a round saves many at once. */
const collecting_ms = 5

const back_off_ms = 1000
const stop_timeout_ms = 3000

/** Runs the state machine in rules.ts: performs the work of each phase until the event that ends it. */
export function openDispatcher(runtime: Runtime): Dispatcher {
  const rounds = openRounds(runtime, () => collect())
  const stopped = Promise.withResolvers<void>()
  let state: DispatcherState = { phase: 'idle', request: 'nothing' }

  const failed = (error: unknown): DispatcherEvent => {
    runtime.log.warn({ err: error }, 'webhook delivery failed and will be retried')
    return 'round_failed'
  }
  const sleep = (ms: number) => pause(ms, undefined, { ref: false })

  let is_collecting = false
  function collect(): void {
    if (is_collecting) return
    is_collecting = true
    const end = () => {
      is_collecting = false
      handle('attempt_ended')
    }
    setTimeout(end, collecting_ms).unref()
  }

  const work: Record<DispatcherPhase, () => Promise<DispatcherEvent> | void> = {
    idle: () => undefined,
    delivering: () => rounds.run('deliver').catch(failed),
    backing_off: () => sleep(back_off_ms).then(() => 'backed_off'),
    finishing() {
      rounds.finish()
      return Promise.race([Promise.all(rounds.under_way), sleep(stop_timeout_ms)]).then(() => 'attempts_over')
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

/** Whether a round only saves outcomes, or also claims more. */
type RoundKind = 'note' | 'deliver'

/** The rounds of one process, and their attempts. */
export type Rounds = {
  run(kind: RoundKind): Promise<DispatcherEvent>
  /** Stops starting attempts. The next round releases claimed deliveries that were not attempted. */
  finish(): void
  under_way: Set<Promise<void>>
}

/** A claimed delivery with the end of its claim, and its secrets. */
type TakenDelivery = { delivery: ClaimedDelivery; until: string; secrets: () => string[] }

/** The claimed deliveries of a subscription: those that are waiting, and the number of running attempts. */
type Lane = { waiting: TakenDelivery[]; attempted: number }

/**
 * Attempts that end during a round are saved by the next one, so that each round saves many at once. An attempt
 * occupies a slot of its subscription until its outcome is saved, which limits how many are repeated after a crash.
 */
export function openRounds(runtime: Runtime, onAttemptEnded = () => {}): Rounds {
  const receivers = openReceivers()
  const lanes = openLanes(runtime, receivers, onAttemptEnded)
  let after = { subscription: '', organization: '' }

  const claimOf = (most: number): RoundClaim => {
    const now = runtime.clock()
    const until = new Date(now + lease_ms).toISOString()
    const waited_since = new Date(now - event_timeout_ms).toISOString()
    return {
      due: {
        rooms: receivers.rooms(now),
        default_room,
        most,
        after: after.subscription,
        until,
      },
      outbox: { most: max_published, after: after.organization, waited_since },
    }
  }

  const run = async (kind: RoundKind) => {
    const { ended, released } = lanes.empty()
    const over = [...ended, ...released].map(({ delivery }) => delivery.subscription_id)
    const countRunning = (by: 1 | -1) => over.forEach((id) => receivers.countRunning(id, by))
    countRunning(-1)
    const most = max_taken - lanes.size()
    let until = ''
    const claim = () => {
      const claim_of_round = claimOf(most)
      until = claim_of_round.due.until
      return claim_of_round
    }
    const round = { ended, released, ...(kind === 'deliver' && { claim }) }
    const { due, published, made } = await commitRound(runtime, round).catch((error) => {
      lanes.putBack({ ended, released })
      countRunning(1)
      throw error
    })
    const claimed = [...due, ...made]
    lanes.take(claimed, until)
    receivers.forget(runtime.clock())
    const was_partial = after.subscription !== '' || after.organization !== ''
    after = {
      subscription: nextAfter(
        due.map(({ subscription_id }) => subscription_id),
        most,
      ),
      organization: nextAfter(
        published.map(({ organization_id }) => organization_id),
        max_published,
      ),
    }
    return roundEnd({ noted: over.length, published: published.length, claimed: claimed.length, was_partial })
  }
  return { run, finish: lanes.finish, under_way: lanes.under_way }
}

/** Outcomes that are not committed yet. */
type Over = { ended: Ended[]; released: TakenDelivery[] }

/** Attempts a delivery, and records the behavior of its receiver. Undefined if it failed on our side. */
async function attemptClaimed(
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
    // A failure on our side, for example a missing key. It is retried when the claim expires.
    runtime.log.error({ err: error, webhook_delivery_id: delivery.id }, 'could not attempt a webhook delivery')
    receivers.countRunning(delivery.subscription_id, -1)
    return undefined
  }
}

type Receivers = ReturnType<typeof openReceivers>

/** The claimed deliveries of each subscription: waiting, running and finished. */
function openLanes(runtime: Runtime, receivers: Receivers, onAttemptEnded: () => void) {
  const lanes = new Map<string, Lane>()
  const under_way = new Set<Promise<void>>()
  const over: Over = { ended: [], released: [] }
  let [waiting, finishing] = [0, false]

  const attempt = (subscription_id: string, lane: Lane, taken: TakenDelivery) => {
    lane.attempted++
    const whole = attemptClaimed(runtime, receivers, taken).then((ended) => void (ended && over.ended.push(ended)))
    under_way.add(whole)
    void whole.finally(() => {
      under_way.delete(whole)
      lane.attempted--
      startAttempts(subscription_id, lane)
      onAttemptEnded()
    })
  }

  /** Starts as many waiting attempts of a subscription as may run concurrently. */
  function startAttempts(subscription_id: string, lane: Lane): void {
    const now = runtime.clock()
    const receiver = receivers.receiverOf(subscription_id)
    for (let next = lane.waiting[0]; next; next = lane.waiting[0]) {
      const must_release = finishing || mustRelease(receiver, Date.parse(next.until), now)
      if (!must_release && lane.attempted >= attemptsOf(receiver, now)) return
      lane.waiting.shift()
      waiting--
      if (must_release) over.released.push(next)
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
        receivers.remember(delivery)
        receivers.countRunning(subscription_id, 1)
        lane.waiting.push({ delivery, until, secrets: () => secretsOf(delivery) })
      }
      for (const [subscription_id, lane] of lanes) startAttempts(subscription_id, lane)
    },
    empty: (): Over => ({ ended: over.ended.splice(0), released: over.released.splice(0) }),
    putBack({ ended, released }: Over) {
      over.ended.push(...ended)
      over.released.push(...released)
    },
    finish() {
      finishing = true
      for (const [subscription_id, lane] of lanes) startAttempts(subscription_id, lane)
    },
  }
}

/** The receivers with claimed deliveries or a pause, by subscription. */
function openReceivers() {
  const receivers = new Map<string, Receiver>()
  const receiverOf = (id: string) => receivers.get(id)!
  const change = (id: string, changed: (receiver: Receiver) => Receiver) =>
    void receivers.set(id, changed(receiverOf(id)))
  return {
    receiverOf,
    change,
    remember({ subscription_id, organization_id }: ClaimedDelivery) {
      if (!receivers.has(subscription_id)) receivers.set(subscription_id, newReceiver(organization_id))
    },
    countRunning: (id: string, by: 1 | -1) => change(id, (receiver) => ({ ...receiver, taken: receiver.taken + by })),
    rooms: (now: number) => roomsOf(receivers, now),
    forget(now: number) {
      for (const [id, receiver] of receivers) if (isForgettable(receiver, now)) receivers.delete(id)
    },
  }
}
