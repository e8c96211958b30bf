import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../database/query/open-database.ts'
import { identity_provider, ownIdentityProvider } from '../integrations/identity/provider.ts'
import { queueIn } from '../jobs/enqueue.ts'
import { newId } from '../kernel/ids.ts'
import { bodyOf } from '../modules/events/webhook-deliveries/rules.ts'
import { newSecret } from '../modules/events/webhooks/rules.ts'
import { serviceCaller } from '../runtime/caller.ts'
import { recordEvents } from '../runtime/events.ts'
import { contextOf, type Runtime } from '../runtime/runtime.ts'
import { line, ratios } from './harness/figures.ts'
import { call } from './harness/partner.ts'
import { answerOf, later, sized, startHelper, startService, type Options, type Service } from './harness/service.ts'
import type { Posts } from './processes/signed-posts.ts'

const receiver_count = 5
const burst = sized(2000, 5)

/**
 * Deliveries of a burst of events to 5 receivers, compared with a bare loop that signs and posts to the same receivers.
 */
export async function webhooks({ rounds }: Options): Promise<void> {
  const service = await startService({ ALLOW_PRIVATE_WEBHOOKS: 'true' })
  const receivers = await startReceivers(service)
  const write = openWriter(service)
  const post = startPosting(receivers)
  const delivered: number[] = []
  const posted: number[] = []
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    const rates = [await deliver(receivers, write), (burst * receiver_count) / (await post())] as const
    if (round === 0) continue
    delivered.push(rates[0])
    posted.push(rates[1])
  }
  console.log(line('deliveries', delivered, 'a second'))
  console.log(line('bare posts', posted, 'a second'))
  console.log(line('ratio', ratios(delivered, posted), 'of deliveries to bare posts'))
}

type Receivers = { urls: string[]; send: (message: 'receipts' | 'forget') => Promise<number[][]> }

async function startReceivers(service: Service): Promise<Receivers> {
  const helper = startHelper('webhook-receivers.ts', { RECEIVERS: String(receiver_count) })
  const urls = await answerOf<string[]>(helper)
  for (const url of urls)
    await call(service, 'POST', '/v1/webhook-subscriptions', { url, event_names: ['employee.updated'] })
  const send = (message: 'receipts' | 'forget') => {
    helper.send(message)
    return answerOf<number[][]>(helper)
  }
  return { urls, send }
}

/**
 * Returns a function that records the events of a burst in one transaction, as the service does, and returns the time
 * of the commit.
 */
function openWriter({ database_url, sandbox: { organization_id } }: Service): () => Promise<number> {
  const database = openDatabase({ url: database_url, read_connections: 1, write_connections: 2 })
  later(() => database.close())
  const integrations = new Map([[identity_provider, ownIdentityProvider]])
  const runtime = { database, clock: Date.now, queueIn, integrations } as Runtime
  return async () => {
    const fact = { event_name: 'employee.updated', organization_id, resource_id: newId('empl') } as const
    await database.transaction([organization_id], (db) =>
      recordEvents(
        contextOf(runtime, serviceCaller(organization_id), db),
        Array.from({ length: burst }, () => fact),
      ),
    )
    return performance.timeOrigin + performance.now()
  }
}

/** Writes a burst of events. Returns the deliveries per second until each receiver has all. */
async function deliver({ send }: Receivers, write: () => Promise<number>): Promise<number> {
  await send('forget')
  const committed = await write()
  for (const end = Date.now() + 120_000; ; await sleep(50)) {
    const receipts = await send('receipts')
    if (receipts.every((got) => got.length >= burst))
      return (burst * receipts.length * 1000) / (Math.max(...receipts.flat()) - committed)
    if (Date.now() > end) throw new Error(`After 120 s there are ${receipts.map((got) => got.length)} receipts.`)
  }
}

/** Starts the bare loop. Returns a function that posts a burst to each receiver and returns its seconds. */
function startPosting({ urls }: Receivers): () => Promise<number> {
  const helper = startHelper('signed-posts.ts')
  const [event_id, resource_id, organization_id] = [newId('wevt'), newId('empl'), newId('org')]
  const named = { event_id, event_name: 'employee.updated', resource_type: 'employee', resource_id, organization_id }
  const body = bodyOf({ ...named, created_at: new Date().toISOString(), sequence: 1 })
  const secret = newSecret()
  return () => {
    helper.send({ urls, count: burst, body, secret } satisfies Posts)
    return answerOf<number>(helper)
  }
}
