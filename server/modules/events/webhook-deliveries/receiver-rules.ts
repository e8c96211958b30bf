import { max_attempt_ms, type Outcome } from './rules.ts'

/** The maximum number of concurrent attempts per subscription. */
const max_running_per_subscription = 10

/** The maximum number of deliveries that one worker has claimed and not attempted yet. */
export const max_taken = 2000

/**
 * After this many consecutive failures, a receiver is probably dead. It gets one attempt at a time, so that it does not
 * occupy slots.
 */
const failures_until_dead = 10

/** How many deliveries of a subscription are claimed ahead, so that attempts continue during the next round. */
const max_ahead_of_one = 190

/** The longest expected wait of deliveries that are claimed ahead. */
const ahead_ms = 1000

/**
 * The state of the receiver of a subscription: its organization, the number of claimed deliveries without a saved
 * outcome, the number of consecutive failures, until when it requested a pause, and its recent response time. The
 * response time is null before the first response.
 */
export type Receiver = {
  organization_id: string
  taken: number
  failures: number
  held_until: number
  answered_in_ms: number | null
}

/** The initial state of a receiver. It gets one attempt at a time until the first one succeeds. */
export const newReceiver = (organization_id: string): Receiver => ({
  organization_id,
  taken: 0,
  failures: failures_until_dead,
  held_until: 0,
  answered_in_ms: null,
})

/**
 * The state of a receiver after an attempt with this outcome and duration. The delivery stays claimed until the outcome
 * is committed.
 */
export const afterAttempt = (
  receiver: Receiver,
  { delivered_at, held_until }: Pick<Outcome, 'delivered_at' | 'held_until'>,
  took_ms: number,
): Receiver => ({
  ...receiver,
  failures: delivered_at ? 0 : receiver.failures + 1,
  held_until: Math.max(receiver.held_until, held_until),
  // A slower response counts immediately, and faster ones gradually, so that a receiver with occasional delays is not
  // overloaded.
  answered_in_ms: Math.max(took_ms, 0.9 * (receiver.answered_in_ms ?? 0)),
})

/** Whether to forget a receiver: it has no claimed deliveries, and no pause to remember. */
export const isForgettable = ({ taken, held_until }: Receiver, now: number): boolean => taken === 0 && held_until <= now

/** How many attempts of a subscription may run now. */
export function attemptsOf(receiver: Receiver, now: number): number {
  if (receiver.held_until > now) return 0
  return isHealthy(receiver) ? max_running_per_subscription : 1
}

/** How many deliveries of a subscription without a remembered receiver may be claimed. */
export const default_room = 1

/**
 * How many more deliveries of each subscription may be claimed now. Organizations share the slots of a worker, and the
 * receivers of an organization share its slots, by the same rule.
 */
export function roomsOf(receivers: ReadonlyMap<string, Receiver>, now: number): Map<string, number> {
  const by_organization = Map.groupBy(receivers.values(), ({ organization_id }) => organization_id)
  const isActive = (receiver: Receiver) => attemptsOf(receiver, now) > 1
  const active_organizations = [...by_organization.values()].filter((of_organization) =>
    of_organization.some(isActive),
  ).length
  const all_taken = takenBy(receivers.values())
  const shares = new Map<string, (receiver: Receiver) => number>()
  for (const [organization_id, of_organization] of by_organization) {
    const taken = takenBy(of_organization)
    const slots = shareOf(max_taken, active_organizations, all_taken - taken)
    const active_receivers = of_organization.filter(isActive).length
    shares.set(organization_id, (receiver) => shareOf(slots, active_receivers, taken - receiver.taken))
  }
  const room = (receiver: Receiver) => {
    const share = shares.get(receiver.organization_id)!(receiver)
    return Math.max(0, Math.min(roomOf(receiver, now), Math.ceil(share - receiver.taken)))
  }
  return new Map([...receivers].map(([id, receiver]) => [id, room(receiver)]))
}

const takenBy = (receivers: Iterable<Receiver>): number => [...receivers].reduce((sum, { taken }) => sum + taken, 0)

const isHealthy = ({ failures }: Receiver): boolean => failures < failures_until_dead

/**
 * How many slots one of several may occupy: its equal share, with one more share for a newcomer, and at most half of
 * the slots that the others leave. So receivers that stop responding cannot occupy the slots of others. `active_count`:
 * those that may run more than one attempt. Others occupy few slots and need no share.
 */
const shareOf = (slots: number, active_count: number, taken_by_others: number): number =>
  Math.min(slots / (active_count + 1), (slots - taken_by_others) / 2)

/**
 * How many more deliveries of a subscription its receiver can be given now. In addition to its concurrent attempts, a
 * receiver without failures gets as many as it can probably handle within a second.
 */
export function roomOf(receiver: Receiver, now: number): number {
  const { taken, failures, answered_in_ms } = receiver
  const max_attempts_running = attemptsOf(receiver, now)
  const quick = max_attempts_running > 0 && failures === 0 && answered_in_ms !== null
  const soon = quick ? Math.floor((max_attempts_running * ahead_ms) / Math.max(1, answered_in_ms)) : 0
  return Math.max(0, max_attempts_running + Math.min(soon, max_ahead_of_one) - taken)
}

/**
 * Whether a claimed delivery must be released: its receiver requested a pause, or an attempt might outlast the claim
 * (`until`, in epoch milliseconds), and another worker would repeat it.
 */
export const mustRelease = (receiver: Receiver, until: number, now: number): boolean =>
  attemptsOf(receiver, now) === 0 || now + max_attempt_ms > until
