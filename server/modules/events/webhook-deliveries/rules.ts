import { createHmac } from 'node:crypto'
import { declareRefusals, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { OutboundReply } from '../../../integrations/outbound/outbound.ts'

export const refusals = declareRefusals({
  webhook_subscription_is_disabled: [
    409,
    'Nothing is sent to a subscription that is disabled or deleted: enable it first.',
    'Send `enabled: true` to it first, then replay what was missed.',
  ],
  no_event_of_this_name: [
    409,
    'No event of this name has happened in the organization yet.',
    'Do what it tells of, such as hiring somebody for `employee.created`, or test with an event of another name.',
  ],
  webhook_subscription_disabled_on_request: [
    409,
    'Its partner has disabled this subscription, and can enable it again.',
    'Ask the partner; what was missed in between can be replayed.',
  ],
  replay_too_far_back: [
    422,
    'A replay goes back 60 days at most.',
    'Begin within the last 60 days; read older events by `GET /v1/webhook-events`.',
  ],
})

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Pauses after the first attempts that failed, then 12 hours each (decisions.md, section 8). */
const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]
const later_pause = 12 * hour
const most_attempts = 14

/** How long nothing is sent to a subscription that is to be disabled. That is done in a job, which may have to wait. */
const pause_before_disabling = 5 * second

/** A receiver may ask us to wait, but not for ever. */
const longest_retry_after = day

/** For how long a subscription may fail before it is disabled. */
const patience = 5 * day

/** Whether a subscription has failed for so long that it is to be given up. */
export const isHopeless = (failing_since: string | null, now: number): boolean =>
  failing_since !== null && now - Date.parse(failing_since) >= patience

/** How long an attempt may take, in milliseconds (decisions.md, section 8). */
const longest_attempt_ms = 15 * second

/** How long a claim holds, in milliseconds: twice what an attempt may take. Then a killed worker's is taken over. */
export const lease_ms = 2 * longest_attempt_ms

/** How long deliveries are kept once they are over: longer than a replay, which asks what was delivered, goes back. */
export const kept_ms = 90 * day
const replayable_ms = 60 * day

/** Attempts at the same time for one subscription. */
export const most_at_once = 10

/** How many deliveries one worker has taken, and has not attempted yet. */
export const most_taken = 1000

/** After so many failures in a row a receiver is likely dead: it gets one attempt at a time, and ties up nothing. */
const failures_of_the_dead = 10

/**
 * How many deliveries are taken ahead, so that a round takes many at once: of a subscription, and of all. The other
 * places are left for those of which nothing is under way, however busy some are.
 */
const most_ahead_of_one = 90
const most_ahead = 500

/** How long what is taken ahead may wait for its turn, as far as that can be told. */
const ahead_ms = second

/**
 * What a worker remembers of the receiver of a subscription: how much is taken and not noted yet, how often it failed
 * in a row, until when it asked to be left alone, and how long it took to answer of late, null until it has.
 */
export type Receiver = { taken: number; failures: number; held_until: number; answered_in_ms: number | null }

/** What is remembered of a receiver that nothing is known of. */
export const newReceiver = (): Receiver => ({ taken: 0, failures: 0, held_until: 0, answered_in_ms: null })

/** Notes with a receiver how an attempt ended, and after how long. It stays taken until that is committed. */
export const afterAttempt = (
  receiver: Receiver,
  { delivered_at, held_until }: Pick<Outcome, 'delivered_at' | 'held_until'>,
  took_ms: number,
): Receiver => ({
  ...receiver,
  failures: delivered_at ? 0 : receiver.failures + 1,
  held_until: Math.max(receiver.held_until, held_until),
  // What grows counts at once, and what shrinks bit by bit: who hesitates once is not overrun.
  answered_in_ms: Math.max(took_ms, 0.9 * (receiver.answered_in_ms ?? 0)),
})

/** Whether a receiver is like any other: nothing of it is taken, and its last attempt did not fail. */
export const isForgettable = ({ taken, failures }: Receiver): boolean => taken === 0 && failures === 0

/** How many attempts may be under way for a subscription now. */
export function attemptsOf({ failures, held_until }: Receiver, now: number): number {
  if (held_until > now) return 0
  return failures < failures_of_the_dead ? most_at_once : 1
}

/**
 * How many more deliveries may be taken of a subscription now, one of so many of which some are taken: besides what may
 * be attempted at the same time, of a sound receiver what it is likely to answer within a second.
 */
export function roomOf(receiver: Receiver, receivers: number, now: number): number {
  const { taken, failures, answered_in_ms } = receiver
  const at_once = attemptsOf(receiver, now)
  const quick = at_once > 0 && failures === 0 && answered_in_ms !== null
  const soon = quick ? Math.floor((at_once * ahead_ms) / Math.max(1, answered_in_ms)) : 0
  const ahead = Math.min(soon, most_ahead_of_one, Math.floor(most_ahead / receivers))
  return Math.max(0, at_once + ahead - taken)
}

/**
 * Whether what was taken can't be attempted any more: its receiver wants to be left alone, or an attempt might last
 * beyond the claim (`until`, epoch milliseconds), when another worker makes it too. It is given back.
 */
export const isToGiveBack = (receiver: Receiver, until: number, now: number): boolean =>
  attemptsOf(receiver, now) === 0 || now + longest_attempt_ms > until

/** How many events one round makes deliveries of. */
export const most_published = 500

/**
 * How long an event may wait in the outbox for a receiver that has room, in milliseconds. Then its deliveries are made
 * all the same, and wait instead.
 */
export const patience_of_events_ms = 30 * second

/** What room is left where some of what there was room for is taken. */
export function leftOf<Claim extends { rooms: Map<string, number>; usual_room: number; most: number }>(
  claim: Claim,
  taken: { subscription_id: string }[],
): Claim {
  const rooms = new Map(claim.rooms)
  for (const { subscription_id } of taken)
    rooms.set(subscription_id, (rooms.get(subscription_id) ?? claim.usual_room) - 1)
  return { ...claim, rooms, most: claim.most - taken.length }
}

/** What there was to do in a round. `was_partial`: it did not begin with the first subscription or organization. */
export type RoundFindings = { noted: number; published: number; claimed: number; was_partial: boolean }

/** How a round ended. One that was partial has not seen all subscriptions or organizations, so there may be more. */
export function roundEnd({ noted, published, claimed, was_partial }: RoundFindings) {
  if (was_partial || published === most_published) return 'round_was_partial'
  return noted + published + claimed > 0 ? 'round_found_work' : 'round_found_nothing'
}

/** Behind whom the next round takes up, by their ids: the last one, if the round took as many as it might. */
export const nextAfter = (taken_of: string[], most: number): string =>
  taken_of.length < most ? '' : taken_of.reduce((last, id) => (id > last ? id : last), '')

/*
 * The dispatcher works in rounds, each one transaction: note what has ended, take what is due, and make deliveries of
 * new events. Attempts go on beside the rounds. What is asked for during a phase is kept until it is idle, where the
 * most pressing request decides what begins:
 *
 *   ┌──────┐    deliver     ┌────────────┐  round_failed   ┌─────────────┐
 *   │      │ ─────────────▶ │ delivering │ ──────────────▶ │ backing_off │
 *   │ idle │ ◀───────────── │            │                 │             │
 *   │      │    round_…     └────────────┘                 │             │
 *   │      │ ◀──────────────────────────────────────────── │             │
 *   └──────┘                  backed_off                   └─────────────┘
 *       │ stop
 *       ▼
 *   ┌───────────┐ attempts_over ┌────────┐ round_… ┌─────────┐
 *   │ finishing │ ────────────▶ │ noting │ ──────▶ │ stopped │
 *   └───────────┘               └────────┘         └─────────┘
 */

/** What may be asked of it, the most pressing last: who stops delivers no more. */
const requests = ['nothing', 'deliver', 'stop'] as const
type DispatcherRequest = (typeof requests)[number]

/** What happens to it, and what that asks for. */
const asks = {
  woken: 'deliver',
  attempt_ended: 'deliver',
  round_found_nothing: 'nothing',
  // It has taken what there was room for; what ends meanwhile asks by itself.
  round_found_work: 'nothing',
  round_was_partial: 'deliver',
  round_failed: 'deliver',
  backed_off: 'nothing',
  stop_requested: 'stop',
  attempts_over: 'nothing',
} as const satisfies Record<string, DispatcherRequest>
export type DispatcherEvent = keyof typeof asks

const from_idle = { nothing: 'idle', deliver: 'delivering', stop: 'finishing' } as const

export type DispatcherPhase = (typeof from_idle)[DispatcherRequest] | 'backing_off' | 'noting' | 'stopped'

const afterRound = (done: DispatcherPhase, failed: DispatcherPhase) => ({
  round_found_nothing: done,
  round_found_work: done,
  round_was_partial: done,
  round_failed: failed,
})

/** Which events end a phase, and which phase follows. Any other event only asks. */
const transitions: Record<DispatcherPhase, Partial<Record<DispatcherEvent, DispatcherPhase>>> = {
  idle: {},
  delivering: afterRound('idle', 'backing_off'),
  backing_off: { backed_off: 'idle' },
  finishing: { attempts_over: 'noting' },
  noting: afterRound('stopped', 'stopped'),
  stopped: {},
}

export type DispatcherState = { phase: DispatcherPhase; asked: DispatcherRequest }

/** The state after an event, and the phase that begins by it, which may be the same once more. */
export function afterEvent(
  { phase, asked: before }: DispatcherState,
  event: DispatcherEvent,
): { state: DispatcherState; begins?: DispatcherPhase } {
  const asked = requests[Math.max(requests.indexOf(before), requests.indexOf(asks[event]))]!
  const next = phase === 'idle' ? 'idle' : transitions[phase][event]
  if (!next) return { state: { phase, asked } }
  if (next !== 'idle') return { state: { phase: next, asked }, begins: next }
  return { state: { phase: from_idle[asked], asked: 'nothing' }, begins: from_idle[asked] }
}

/** An event as it is sent. Thin: what the receiver may know, it reads. */
export type Message = {
  event_id: string
  event_name: string
  resource_type: string
  resource_id: string
  organization_id: string
  created_at: string
  sequence: number
}

/** The body of a delivery, the same in every attempt. */
export const bodyOf = (message: Message): string =>
  JSON.stringify({ type: message.event_name, timestamp: message.created_at, data: message })

/** The headers of Standard Webhooks 1.0. The id is the event's in every attempt to everyone, and each secret signs. */
export function headersOf(event_id: string, body: string, secrets: string[], now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const signed = `${event_id}.${timestamp}.${body}`
  return {
    'content-type': 'application/json',
    'user-agent': 'OpenBenefits-Webhooks/1',
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(secret, signed)}`).join(' '),
  }
}

/** By Node itself: the library of Standard Webhooks, which the tests verify with, hashes in JavaScript. */
const signatureOf = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(signed)
    .digest('base64')

/** What is to be noted of an attempt that has ended. */
export type Outcome = {
  attempts: number
  delivered_at: string | null
  failed_at: string | null
  due_at: string | null
  response_status: number | null
  response_body: string | null
  failure_reason: string
  /** Why the subscription is to be disabled, unless it turns out to be sound. */
  disables: 'gone' | 'failing' | undefined
  /** Until when nothing more is sent to the receiver: it asked for that, or is to be given up. 0: neither. */
  held_until: number
}

/** The instant that `Retry-After` asks to wait for, in either of its forms; 0 when it asks for nothing. */
function retryAfter(header: string | undefined, now: number): number {
  if (!header) return 0
  const at = /^\d+$/.test(header.trim()) ? now + Number(header) * second : Date.parse(header)
  return at > now ? Math.min(at, now + longest_retry_after) : 0
}

const textOf = (at: number): string => new Date(at).toISOString()

/**
 * What follows from the answer to an attempt. `attempts`: how many ended before; `chance`, from 0 to 1, makes a pause
 * up to a fifth longer, so that what failed together is not tried again together.
 */
export function outcomeOf(
  { attempts, failing_since }: { attempts: number; failing_since: string | null },
  reply: OutboundReply,
  now: number,
  chance: number,
): Outcome {
  const ended = attempts + 1
  const answer = {
    attempts: ended,
    response_status: reply.status,
    response_body: reply.status === null ? null : reply.body,
    disables: undefined,
    held_until: 0,
  }
  if (reply.status !== null && reply.status >= 200 && reply.status < 300) {
    return { ...answer, delivered_at: textOf(now), failed_at: null, due_at: null, failure_reason: '' }
  }
  const failure_reason = reply.status === null ? reply.failure : `The receiver answered ${reply.status}.`
  const disables = reply.status === 410 ? 'gone' : isHopeless(failing_since, now) ? 'failing' : undefined
  const asked_until = reply.status === null ? 0 : retryAfter(reply.retry_after, now)
  const held_until = disables ? Math.max(now + pause_before_disabling, asked_until) : asked_until
  const failed = { ...answer, delivered_at: null, failure_reason, disables, held_until } as const
  if (disables === 'gone' || ended >= most_attempts) return { ...failed, failed_at: textOf(now), due_at: null }
  const pause = (pauses[ended - 1] ?? later_pause) * (1 + chance / 5)
  return { ...failed, failed_at: null, due_at: textOf(Math.max(now + pause, held_until)) }
}

/** What follows where the subscription has another address by now: of that nothing is said, and it is tried at once. */
export const ofFormerAddress = (outcome: Outcome, now: number): Outcome => ({
  ...outcome,
  failed_at: null,
  due_at: textOf(now),
  disables: undefined,
})

/** Why events can't be sent again from an instant on. */
export const whyNotReplay = (since: string, now: string): RefusalKind | undefined =>
  Date.parse(now) - Date.parse(since) > replayable_ms ? refusals.replay_too_far_back : undefined

/** Why the operator does not take a subscription up again: whoever disabled it themselves knows why. */
export const whyNotResume = ({ disabled_reason }: { disabled_reason: string | null }): RefusalKind | undefined =>
  disabled_reason === 'requested' ? refusals.webhook_subscription_disabled_on_request : undefined

/** How long a delivery may have been tried when it is given up. */
const longest_tried_ms = 8 * day

/**
 * From when on a subscription may not have got something: what was given up first was made some days before. As far
 * back as a replay goes, and never before the subscription was there.
 */
export function missedSince(
  { created_at, failing_since }: { created_at: string; failing_since: string | null },
  first_failed_at: string | null,
  now: string,
): string {
  const first = Math.min(...[first_failed_at, failing_since, now].flatMap((at) => (at === null ? [] : Date.parse(at))))
  const since = Math.max(first - longest_tried_ms, Date.parse(created_at), Date.parse(now) - replayable_ms)
  return textOf(Math.min(since, Date.parse(now)))
}

/** Why nothing can be sent to a subscription; undefined when it is there and enabled. */
export const whyNotSend = (subscription: { disabled_at: string | null } | undefined): Refusal | undefined =>
  subscription && subscription.disabled_at === null ? undefined : new Refusal(refusals.webhook_subscription_is_disabled)
