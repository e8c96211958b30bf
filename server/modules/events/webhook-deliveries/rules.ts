import { replay_days } from './schemas.ts'
import { createHmac } from 'node:crypto'
import { declareRefusals, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { OutboundReply } from '../../../integrations/outbound/outbound.ts'

export const refusals = declareRefusals({
  webhook_subscription_is_disabled: [
    409,
    'The subscription is disabled or deleted, so nothing can be sent to it.',
    'Enable it with `enabled: true`, then replay missed events.',
  ],
  event_never_occurred: [
    409,
    'No event of this name has occurred in the organization.',
    'Cause such an event, for example create an employee for `employee.created`, or test with another event name.',
  ],
  webhook_subscription_disabled_on_request: [
    409,
    'The partner has disabled this subscription, and can enable it again.',
    'Contact the partner. Missed events can be replayed.',
  ],
  replay_too_far_back: [
    422,
    `A replay can go back at most ${replay_days} days.`,
    `Start within the last ${replay_days} days. Older events are available from \`GET /v1/webhook-events\`.`,
    'since',
  ],
})

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The delays after the first failed attempts. Later ones are 12 hours (docs/design/api/webhooks.md). */
const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]
const later_pause = 12 * hour
const max_attempts = 14

/** How long a subscription that is about to be disabled receives nothing. The job that disables it may have to wait. */
const pause_before_disabling = 5 * second

/** The longest Retry-After that is followed. */
const max_retry_after = day

/** A subscription that fails for this long is disabled. */
const retry_period = 5 * day

export const isUndeliverable = (failing_since: string | null, now: number): boolean =>
  failing_since !== null && now - Date.parse(failing_since) >= retry_period

export const max_attempt_ms = 15 * second

/** How long a worker owns a delivery. Then another one takes over the deliveries of a killed worker. */
export const lease_ms = 2 * max_attempt_ms

/** Finished deliveries are kept longer than a replay can go back, because a replay skips delivered events. */
export const kept_ms = 90 * day

/** How many events one round creates deliveries for. */
export const max_published = 500

/**
 * How long an event may wait in the outbox for room at a receiver, in milliseconds. Then its deliveries are created and
 * wait instead.
 */
export const event_timeout_ms = 30 * second

/** The remaining room after some deliveries were claimed. */
export function leftOf<Claim extends { rooms: Map<string, number>; default_room: number; most: number }>(
  claim: Claim,
  taken: { subscription_id: string }[],
): Claim {
  const rooms = new Map(claim.rooms)
  for (const { subscription_id } of taken)
    rooms.set(subscription_id, (rooms.get(subscription_id) ?? claim.default_room) - 1)
  return { ...claim, rooms, most: claim.most - taken.length }
}

/** The work found in a round. `was_partial`: it did not start with the first subscription or organization. */
export type RoundFindings = { noted: number; published: number; claimed: number; was_partial: boolean }

/**
 * The event at the end of a round. A partial round has not seen all subscriptions or organizations, so there may be
 * more work.
 */
export function roundEnd({ noted, published, claimed, was_partial }: RoundFindings) {
  if (was_partial || published === max_published) return 'round_was_partial'
  return noted + published + claimed > 0 ? 'round_found_work' : 'round_found_nothing'
}

/** The id after which the next round continues: the last one, if the round claimed as many as allowed. */
export const nextAfter = (taken_of: string[], most: number): string =>
  taken_of.length < most ? '' : taken_of.reduce((last, id) => (id > last ? id : last), '')

/*
 * The dispatcher works in rounds of one transaction each: it saves outcomes, claims due deliveries, and creates
 * deliveries of new events. Attempts run concurrently with rounds. Requests during a phase are kept until the
 * dispatcher is idle, when the request with the highest priority selects the next phase:
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

/** The requests to the dispatcher, in ascending priority. Stopping takes precedence over delivering. */
const requests = ['nothing', 'deliver', 'stop'] as const
type DispatcherRequest = (typeof requests)[number]

/** The events that the dispatcher receives, each with the request that it causes. */
const request_of = {
  woken: 'deliver',
  attempt_ended: 'deliver',
  round_found_nothing: 'nothing',
  // The round claimed as much as there was room for. Attempts make their own requests when they end.
  round_found_work: 'nothing',
  round_was_partial: 'deliver',
  round_failed: 'deliver',
  backed_off: 'nothing',
  stop_requested: 'stop',
  attempts_over: 'nothing',
} as const satisfies Record<string, DispatcherRequest>
export type DispatcherEvent = keyof typeof request_of

const from_idle = { nothing: 'idle', deliver: 'delivering', stop: 'finishing' } as const

export type DispatcherPhase = (typeof from_idle)[DispatcherRequest] | 'backing_off' | 'noting' | 'stopped'

const phaseAfterRound = (done: DispatcherPhase, failed: DispatcherPhase) => ({
  round_found_nothing: done,
  round_found_work: done,
  round_was_partial: done,
  round_failed: failed,
})

/** The events that end a phase, with the next phase. Other events only make requests. */
const transitions: Record<DispatcherPhase, Partial<Record<DispatcherEvent, DispatcherPhase>>> = {
  idle: {},
  delivering: phaseAfterRound('idle', 'backing_off'),
  backing_off: { backed_off: 'idle' },
  finishing: { attempts_over: 'noting' },
  noting: phaseAfterRound('stopped', 'stopped'),
  stopped: {},
}

export type DispatcherState = { phase: DispatcherPhase; request: DispatcherRequest }

/** The state after an event, and the phase that starts with it, which may be the same one again. */
export function afterEvent(
  { phase, request: before }: DispatcherState,
  event: DispatcherEvent,
): { state: DispatcherState; begins?: DispatcherPhase } {
  const request = requests[Math.max(requests.indexOf(before), requests.indexOf(request_of[event]))]!
  const next = phase === 'idle' ? 'idle' : transitions[phase][event]
  if (!next) return { state: { phase, request } }
  if (next !== 'idle') return { state: { phase: next, request }, begins: next }
  return { state: { phase: from_idle[request], request: 'nothing' }, begins: from_idle[request] }
}

/** An event as it is sent. It contains no data: receivers read the data that they may access. */
export type Message = {
  event_id: string
  event_name: string
  resource_type: string
  resource_id: string
  organization_id: string
  created_at: string
  sequence: number
}

/** The body of a delivery, which is the same in every attempt. */
export const bodyOf = (message: Message): string =>
  JSON.stringify({ type: message.event_name, timestamp: message.created_at, data: message })

/** The Standard Webhooks 1.0 headers. The id is the id of the event in all deliveries, and each secret signs. */
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

/**
 * Uses Node's crypto, because the Standard Webhooks library hashes in JavaScript. The tests verify with that library.
 */
const signatureOf = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(signed)
    .digest('base64')

export type Outcome = {
  attempts: number
  delivered_at: string | null
  failed_at: string | null
  due_at: string | null
  response_status: number | null
  response_body: string | null
  failure_reason: string
  /** The reason to disable the subscription, unless it turns out to be healthy. */
  disables: 'gone' | 'failing' | undefined
  /**
   * Until when nothing more is sent to the receiver, because it requested a pause or its subscription is about to be
   * disabled. 0 otherwise.
   */
  held_until: number
}

/** The instant before which `Retry-After`, in either format, forbids a retry. 0 if the header is missing or past. */
function retryAfter(header: string | undefined, now: number): number {
  if (!header) return 0
  const at = /^\d+$/.test(header.trim()) ? now + Number(header) * second : Date.parse(header)
  return at > now ? Math.min(at, now + max_retry_after) : 0
}

const textOf = (at: number): string => new Date(at).toISOString()

/**
 * The outcome of an attempt by its response. `attempts`: the number of earlier attempts. `chance`, from 0 to 1, extends
 * a delay by up to a fifth, so that deliveries that failed together are not retried together.
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
  const failure_reason = reply.status === null ? reply.failure : `The receiver responded with status ${reply.status}.`
  const disables = reply.status === 410 ? 'gone' : isUndeliverable(failing_since, now) ? 'failing' : undefined
  const retry_after_at = reply.status === null ? 0 : retryAfter(reply.retry_after, now)
  const held_until = disables ? Math.max(now + pause_before_disabling, retry_after_at) : retry_after_at
  const failed = { ...answer, delivered_at: null, failure_reason, disables, held_until } as const
  if (disables === 'gone' || ended >= max_attempts) return { ...failed, failed_at: textOf(now), due_at: null }
  const pause = (pauses[ended - 1] ?? later_pause) * (1 + chance / 5)
  return { ...failed, failed_at: null, due_at: textOf(Math.max(now + pause, held_until)) }
}

/** The outcome if the subscription has a new URL: it does not count as a failure and is retried immediately. */
export const afterUrlChange = (outcome: Outcome, now: number): Outcome => ({
  ...outcome,
  failed_at: null,
  due_at: textOf(now),
  disables: undefined,
})

/** Refuses a replay that goes too far back. */
export const whyNotReplay = (since: string, now: string): RefusalKind | undefined =>
  Date.parse(now) - Date.parse(since) > replay_days * day ? refusals.replay_too_far_back : undefined

/** Refuses the operator to resume a subscription that its partner disabled. */
export const whyNotResume = ({ disabled_reason }: { disabled_reason: string | null }): RefusalKind | undefined =>
  disabled_reason === 'requested' ? refusals.webhook_subscription_disabled_on_request : undefined

/** The longest time from the creation of a delivery until it fails permanently. */
const max_tried_ms = 8 * day

/**
 * The earliest time of events that a subscription may have missed. The first failed delivery may be some days older
 * than its failure. Limited by the replay period and the creation of the subscription.
 */
export function firstMissedDay(
  { created_at, failing_since }: { created_at: string; failing_since: string | null },
  first_failed_at: string | null,
  now: string,
): string {
  const first = Math.min(...[first_failed_at, failing_since, now].flatMap((at) => (at === null ? [] : Date.parse(at))))
  const since = Math.max(first - max_tried_ms, Date.parse(created_at), Date.parse(now) - replay_days * day)
  return textOf(Math.min(since, Date.parse(now)))
}

/** Refuses to send to a subscription that is disabled or deleted. */
export const whyNotSend = (subscription: { disabled_at: string | null } | undefined): Refusal | undefined =>
  subscription && subscription.disabled_at === null ? undefined : new Refusal(refusals.webhook_subscription_is_disabled)
