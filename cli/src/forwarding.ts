import { randomBytes } from 'node:crypto'
import type { WebhookEvent } from 'openbenefits'
import { Webhook } from 'standardwebhooks'

/** A new webhook signing secret in the service's format. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Posts an event to a receiver like the service, signed with a secret (Standard Webhooks 1.0). Returns the response
 * status, or the reason for having none.
 */
export async function forward({ id: event_id, ...event }: WebhookEvent, to: string, secret: string): Promise<string> {
  const { event_name: type, created_at: timestamp } = event
  const body = JSON.stringify({ type, timestamp, data: { event_id, ...event } })
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'OpenBenefits-Webhooks/1',
    'webhook-id': event_id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(event_id, at, body),
  }
  const signal = AbortSignal.timeout(15_000)
  try {
    const answer = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    return `→ ${answer.status}`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return `→ ${cause?.code ?? message}`
  }
}
