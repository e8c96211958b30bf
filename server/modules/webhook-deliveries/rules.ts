import { Webhook } from 'standardwebhooks'
import { refusal, Refusal, type RefusalKind } from '../../kernel/refusal.ts'
import type { OutboundReply } from '../../integrations/outbound/outbound.ts'

export const webhook_subscription_is_disabled = refusal(
  409,
  'webhook_subscription_is_disabled',
  'Nothing is sent to a subscription that is disabled or deleted: enable it first.',
)
export const replay_too_far_back = refusal(422, 'replay_too_far_back', 'A replay goes back 60 days at most.')

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Pauses after the first attempts that failed, then 12 hours each (decisions.md, section 8). */
const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]
const later_pause = 12 * hour
const most_attempts = 14

/** How long nothing more is sent to a subscription that is to be disabled. That is done in a job, which may have to wait. */
const pause_before_disabling = 5 * second

/** A receiver may ask us to wait, but not for ever. */
const longest_retry_after = day

/** For how long a subscription may fail before it is disabled. */
const patience = 5 * day

/** Whether a subscription has failed for so long that it is to be given up. */
export const isHopeless = (failing_since: string | null, now: number): boolean =>
  failing_since !== null && now - Date.parse(failing_since) >= patience

/** For how long a claim holds, in milliseconds: twice what an attempt may take. After it a killed worker's is taken over. */
export const lease_ms = 30 * second

/** How long deliveries are kept once they are over. Longer than a replay goes back, or it would not know what was delivered. */
export const kept_ms = 90 * day
const replayable_ms = 60 * day

/** Attempts at the same time of one worker: for one subscription, and in all. */
const most_at_once = 10
export const most_in_flight = 1000

/** So many failures in a row make a receiver one that is likely dead: it gets one attempt at a time, and ties up nothing. */
const failures_of_the_dead = 10

/** What a worker remembers of a subscription: how much is under way, how often it failed in a row, until when it asked to be left alone. */
export type Receiver = { in_flight: number; failures: number; held_until: number }

/** What is remembered of a subscription that nothing is known of. */
export const newReceiver = (): Receiver => ({ in_flight: 0, failures: 0, held_until: 0 })

/** How many more attempts may begin for a subscription now. */
export function roomOf({ in_flight, failures, held_until }: Receiver, now: number): number {
  if (held_until > now) return 0
  return Math.max(0, (failures < failures_of_the_dead ? most_at_once : 1) - in_flight)
}

/** The room of a subscription of which nothing is remembered. */
export const usual_room = most_at_once

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

/** The headers of Standard Webhooks 1.0: the id is that of the event, whoever gets it and however often. Each secret signs. */
export function headersOf(event_id: string, body: string, secrets: string[], now: number): Record<string, string> {
  const at = new Date(now)
  return {
    'content-type': 'application/json',
    'user-agent': 'OpenBenefits-Webhooks/1',
    'webhook-id': event_id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(event_id, at, body)).join(' '),
  }
}

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
 * What follows from the answer to an attempt. `attempts`: how many ended before; `chance`, from 0 to 1, makes a pause up to
 * a fifth longer, so that what failed together is not tried again together.
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

/** Why events can't be sent again from an instant on. */
export const whyNotReplay = (since: string, now: string): RefusalKind | undefined =>
  Date.parse(now) - Date.parse(since) > replayable_ms ? replay_too_far_back : undefined

/** Why nothing can be sent to a subscription; undefined when it is there and enabled. */
export const whyNotSend = (subscription: { disabled_at: string | null } | undefined): Refusal | undefined =>
  subscription && subscription.disabled_at === null ? undefined : new Refusal(webhook_subscription_is_disabled)
