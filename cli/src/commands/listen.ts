import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import type { OpenBenefits, WebhookEvent } from 'openbenefits'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { address, clientOf, connected, connectionOf, type ConnectionOptions, examples } from '../connection.ts'
import { type Io, print } from '../output.ts'
import type { Profile } from '../profiles.ts'

export type Listening = {
  ob: OpenBenefits
  /** Comma-separated names. All events by default. */
  events?: string | undefined
  forward_to: string
  secret: string
}

/** The result of forwarding an event. */
export type Forwarded = WebhookEvent & { outcome: string }

/** Callbacks: ready, each event, and errors in between. */
export type Listener = { ready(): void; forwarded(event: Forwarded): void; failed(message: string): void }

const page_size = 100
const wait_seconds = 20
const retry_after_ms = 2000

/** `listen`: forwards events as webhooks to this machine. */
export function addListen(program: Command, io: Io): void {
  type Options = ConnectionOptions & { forwardTo: string; events?: string; secret?: string }
  connected(program.command('listen'))
    .description('Forward live events, signed like webhooks, to your local server.')
    .requiredOption('--forward-to <address>', 'the URL of your server, such as http://localhost:3000/hooks', address)
    .option('--events <names>', 'only these events, such as employee.created,invoice.issued')
    .option('--secret <whsec_…>', 'the signing secret (default: derived from your API key)')
    .addHelpText(
      'after',
      examples(
        'listen --forward-to http://localhost:3000/hooks',
        'listen --forward-to http://localhost:3000/hooks --events enrollment.elected',
      ),
    )
    .action(async ({ forwardTo: forward_to, events, secret: given, ...options }: Options) => {
      const connection = connectionOf(options, io.env)
      const secret = given ?? signingSecretOf(connection)
      const listener = options.json ? printForPrograms(io) : printForPeople(io)
      if (!options.json) {
        print(io, `Forwarding events of ${connection.url} to ${forward_to}`)
        print(io, `Signing secret: ${secret}`)
      } else printLine(io, { url: connection.url, forward_to, secret })
      await listen({ ob: clientOf(connection), events, forward_to, secret }, listener, io.signal)
    })
}

const printLine = (io: Io, value: unknown) => print(io, JSON.stringify(value))

const printForPrograms = (io: Io): Listener => ({
  ready: () => printLine(io, { ready: true }),
  forwarded: (event) => printLine(io, event),
  failed: (message) => printLine(io, { error: { message } }),
})

export const printForPeople = (io: Io): Listener => ({
  ready: () => print(io, 'Ready.'),
  forwarded: ({ created_at, event_name, resource_id, outcome }) =>
    print(io, `${created_at}  ${event_name.padEnd(32)} ${resource_id}  ${outcome}`),
  failed: (message) => print(io, `! ${message}`),
})

/**
 * Forwards new events of an organization to another server, as webhooks signed with the secret, until the signal
 * aborts. Each event is forwarded once, in commit order. Failures are reported and not retried. Events of other names
 * are read too, because the last event read is the cursor of the next request.
 */
export async function listen(listening: Listening, listener: Listener, signal: AbortSignal): Promise<void> {
  const { ob, forward_to, secret } = listening
  const names = listening.events?.split(',').map((name) => name.trim().toLowerCase())
  let last = await findLast(ob)
  listener.ready()
  while (!signal.aborted) {
    try {
      for (const event of await readAfter(ob, last, wait_seconds, signal)) {
        last = event.id
        if (names && !names.includes(event.event_name)) continue
        listener.forwarded({ ...event, outcome: await forward(event, forward_to, secret) })
      }
    } catch (error) {
      if (signal.aborted) return
      listener.failed((error as Error).message)
      await pause(retry_after_ms, undefined, { signal }).catch(() => undefined)
    }
  }
}

/**
 * The last committed event, or undefined. The event with the newest time is not necessarily the last one committed.
 */
async function findLast(ob: OpenBenefits): Promise<string | undefined> {
  const { data } = await ob.webhookEvents.list({ limit: 1 })
  let last = data[0]?.id
  while (last !== undefined) {
    const later = await readAfter(ob, last, 0)
    if (later.length === 0) break
    last = later.at(-1)!.id
  }
  return last
}

/** The events after the given one, or all events. If there are none yet, waits up to the given number of seconds. */
async function readAfter(
  ob: OpenBenefits,
  after: string | undefined,
  wait: number,
  signal?: AbortSignal,
): Promise<WebhookEvent[]> {
  const query = { limit: page_size, wait, ...(after !== undefined && { after }) }
  return (await ob.webhookEvents.list(query, { ...(signal && { signal }) })).data
}

/** The signing secret of forwarded events. It is derived from the API key, so a local server keeps one secret. */
export const signingSecretOf = ({ api_key }: Pick<Profile, 'api_key'>): string =>
  `whsec_${createHmac('sha256', api_key).update('openbenefits listen').digest('base64')}`

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
    const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return `→ ${response.status}`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return `→ ${cause?.code ?? message}`
  }
}
