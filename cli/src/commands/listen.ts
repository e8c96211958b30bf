import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import type { OpenBenefits, WebhookEvent } from 'openbenefits'
import { address, clientOf, connected, connectionOf, type ConnectionOptions } from '../connection.ts'
import { forward, newSecret } from '../forwarding.ts'
import type { Io } from '../io.ts'
import { say } from '../output.ts'

export type Listening = {
  ob: OpenBenefits
  /** names, comma separated; all unless said */
  events?: string | undefined
  forward_to: string
  secret: string
}

/** What became of an event. */
export type Forwarded = WebhookEvent & { outcome: string }

/** Whom to tell: that it listens, of each event, and of what goes wrong meanwhile. */
export type Telling = { ready(): void; forwarded(event: Forwarded): void; failed(message: string): void }

const page_size = 100
const wait_seconds = 20
const retry_after_ms = 2000

/** `listen`: events as webhooks on this machine. */
export function addListen(program: Command, io: Io): void {
  type Options = ConnectionOptions & { forwardTo: string; events?: string; secret?: string }
  connected(program.command('listen'))
    .description('Forwards live events, signed like webhooks, to a server on this machine while you develop it.')
    .requiredOption('--forward-to <address>', 'where to post them, such as http://localhost:3000/hooks', address)
    .option('--events <names>', 'only these, such as employee.created,invoice.issued')
    .option('--secret <whsec_…>', 'the secret that signs; a new one unless said')
    .addHelpText(
      'after',
      '\nExamples:\n  $ openbenefits listen --forward-to http://localhost:3000/hooks\n' +
        '  $ openbenefits listen --forward-to http://localhost:3000/hooks --events enrollment.elected',
    )
    .action(async ({ forwardTo: forward_to, events, secret = newSecret(), ...options }: Options) => {
      const connection = connectionOf(options, io.env)
      const telling = options.json ? toPrograms(io) : toPeople(io)
      if (!options.json) {
        say(io, `Forwarding events of ${connection.url} to ${forward_to}`)
        say(io, `Signing secret: ${secret}`)
      } else sayLine(io, { url: connection.url, forward_to, secret })
      await listen({ ob: clientOf(connection), events, forward_to, secret }, telling, io.signal)
    })
}

const sayLine = (io: Io, value: unknown) => say(io, JSON.stringify(value))

const toPrograms = (io: Io): Telling => ({
  ready: () => sayLine(io, { ready: true }),
  forwarded: (event) => sayLine(io, event),
  failed: (message) => sayLine(io, { error: { message } }),
})

export const toPeople = (io: Io): Telling => ({
  ready: () => say(io, 'Ready.'),
  forwarded: ({ created_at, event_name, resource_id, outcome }) =>
    say(io, `${created_at}  ${event_name.padEnd(32)} ${resource_id}  ${outcome}`),
  failed: (message) => say(io, `! ${message}`),
})

/**
 * Forwards the events of an organization that happen from now on to another server, as webhooks signed with the secret,
 * until the signal comes. Each once and in the order in which they were committed; one that can't be forwarded is told
 * of and left. Those of other names are read too: what came last is where the next question goes on.
 */
export async function listen(listening: Listening, telling: Telling, signal: AbortSignal): Promise<void> {
  const { ob, forward_to, secret } = listening
  const names = listening.events?.split(',').map((name) => name.trim().toLowerCase())
  let last = await findLast(ob)
  telling.ready()
  while (!signal.aborted) {
    try {
      for (const event of await readAfter(ob, last, wait_seconds, signal)) {
        last = event.id
        if (names && !names.includes(event.event_name)) continue
        telling.forwarded({ ...event, outcome: await forward(event, forward_to, secret) })
      }
    } catch (error) {
      if (signal.aborted) return
      telling.failed((error as Error).message)
      await pause(retry_after_ms, undefined, { signal }).catch(() => undefined)
    }
  }
}

/**
 * The event that was committed last; undefined when there is none. The newest by its time may have others behind it.
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

/** The next events after one, or from the first: waits for so many seconds when there are none yet. */
async function readAfter(
  ob: OpenBenefits,
  after: string | undefined,
  wait: number,
  signal?: AbortSignal,
): Promise<WebhookEvent[]> {
  const query = { limit: page_size, wait, ...(after !== undefined && { after }) }
  return (await ob.webhookEvents.list(query, { ...(signal && { signal }) })).data
}
