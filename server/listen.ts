import { setTimeout as pause } from 'node:timers/promises'
import { bodyOf, headersOf, type Message } from './modules/webhook-deliveries/rules.ts'

export type Listening = {
  /** of the service */
  url: string
  api_key: string
  organization_id?: string | undefined
  /** names, comma separated; all unless said */
  events?: string | undefined
  forward_to: string
  secret: string
}

type Event = Omit<Message, 'event_id'> & { id: string }

const poll_every_ms = 500
const page_size = 100

/** An event may be committed some time after it was made, and is read by when it was made: so far back we look again. */
const overlap_ms = 60_000

/**
 * Forwards the events of an organization that happen from now on to another server, as webhooks signed with the secret,
 * until the signal comes. Each once and in the order of their making; one that can't be forwarded is told of and left.
 * Times are those of the events and not of a clock here, since a sandbox may live ahead.
 */
export async function listen(listening: Listening, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const [newest] = await readPage(listening, new URLSearchParams({ limit: '1' }))
  let latest = newest ? Date.parse(newest.created_at) : 0
  const seen = new Map((await readSince(listening, latest)).map((event) => [event.id, Date.parse(event.created_at)]))
  say('Ready.')
  while (!signal.aborted) {
    const events = await readSince(listening, latest).catch((error: Error) => {
      say(`! ${error.message}`)
      return []
    })
    for (const event of events.toReversed()) {
      if (seen.has(event.id)) continue
      const made_at = Date.parse(event.created_at)
      seen.set(event.id, made_at)
      latest = Math.max(latest, made_at)
      say(
        `${event.created_at}  ${event.event_name.padEnd(32)} ${event.resource_id}  ${await forward(listening, event)}`,
      )
    }
    for (const [id, made_at] of seen) if (made_at < latest - overlap_ms) seen.delete(id)
    await pause(poll_every_ms, undefined, { signal }).catch(() => undefined)
  }
}

/** All events made since a minute before an instant, newest first. */
async function readSince(listening: Listening, latest: number): Promise<Event[]> {
  const query = new URLSearchParams({ limit: String(page_size) })
  if (latest > 0) query.set('created_after', new Date(latest - overlap_ms).toISOString())
  if (listening.events) query.set('event_name', listening.events)
  const events: Event[] = []
  for (let page = 1; ; page++) {
    query.set('page', String(page))
    const found = await readPage(listening, query)
    events.push(...found)
    if (found.length < page_size) return events
  }
}

async function readPage({ url, api_key, organization_id }: Listening, query: URLSearchParams): Promise<Event[]> {
  const answer = await fetch(`${url.replace(/\/$/, '')}/v1/webhook-events?${query}`, {
    headers: {
      authorization: `Bearer ${api_key}`,
      ...(organization_id && { 'x-service-organization': organization_id }),
    },
  })
  const body = (await answer.json()) as { data: Event[]; message?: string }
  if (!answer.ok) throw new Error(`The service answered ${answer.status}: ${body.message}`)
  return body.data
}

async function forward({ forward_to, secret }: Listening, { id, ...event }: Event): Promise<string> {
  const body = bodyOf({
    event_id: id,
    event_name: event.event_name,
    resource_type: event.resource_type,
    resource_id: event.resource_id,
    organization_id: event.organization_id,
    created_at: event.created_at,
    sequence: event.sequence,
  })
  try {
    const headers = headersOf(id, body, [secret], Date.now())
    const answer = await fetch(forward_to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    })
    await answer.body?.cancel()
    return `→ ${answer.status}`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return `→ ${cause?.code ?? message}`
  }
}
