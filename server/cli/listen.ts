import { setTimeout as pause } from 'node:timers/promises'
import { bodyOf, headersOf, type Message } from '../modules/webhook-deliveries/rules.ts'

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

const page_size = 100
const wait_seconds = 20
const retry_after_ms = 2000

/**
 * Forwards the events of an organization that happen from now on to another server, as webhooks signed with the secret,
 * until the signal comes. Each once and in the order in which they were committed; one that can't be forwarded is told
 * of and left. Those of other names are read too: what came last is where the next question goes on.
 */
export async function listen(listening: Listening, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const names = listening.events?.split(',').map((name) => name.trim().toLowerCase())
  let last = await findLast(listening)
  say('Ready.')
  while (!signal.aborted) {
    try {
      for (const event of await readAfter(listening, last, wait_seconds, signal)) {
        last = event.id
        if (names && !names.includes(event.event_name)) continue
        const outcome = await forward(listening, event)
        say(`${event.created_at}  ${event.event_name.padEnd(32)} ${event.resource_id}  ${outcome}`)
      }
    } catch (error) {
      if (signal.aborted) return
      say(`! ${(error as Error).message}`)
      await pause(retry_after_ms, undefined, { signal }).catch(() => undefined)
    }
  }
}

/**
 * The event that was committed last; undefined when there is none. The newest by its time may have others behind it.
 */
async function findLast(listening: Listening): Promise<string | undefined> {
  let last = (await readPage(listening, { limit: '1' }))[0]?.id
  while (last !== undefined) {
    const later = await readAfter(listening, last, 0)
    if (later.length === 0) break
    last = later.at(-1)!.id
  }
  return last
}

/** The next events after one, or from the first: waits for so many seconds when there are none yet. */
const readAfter = (listening: Listening, last: string | undefined, wait: number, signal?: AbortSignal) =>
  readPage(
    listening,
    { limit: String(page_size), wait: String(wait), ...(last !== undefined && { after: last }) },
    signal,
  )

async function readPage(
  { url, api_key, organization_id }: Listening,
  query: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<Event[]> {
  const answer = await fetch(`${url.replace(/\/$/, '')}/v1/webhook-events?${new URLSearchParams(query)}`, {
    headers: {
      authorization: `Bearer ${api_key}`,
      ...(organization_id && { 'x-service-organization': organization_id }),
    },
    signal,
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
