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
import { line, percentile, ratios } from './harness/figures.ts'
import { call } from './harness/partner.ts'
import { answerOf, later, sized, startHelper, startService, type Options, type Service } from './harness/service.ts'
import type { Posted, Posts } from './processes/signed-posts.ts'
import type { Receipt } from './processes/webhook-receivers.ts'

const receiver_count = 5
const burst = sized(2000, 5)
const calm = sized(200, 2)
const calm_every_ms = 25

/**
 * Deliveries to 5 receivers beside a bare loop that signs and posts to the same ones: the rate in a burst, and the time
 * from the commit of an event to its receipt when there are few.
 */
export async function webhooks({ rounds }: Options): Promise<void> {
  const service = await startService({ ALLOW_PRIVATE_WEBHOOKS: 'true' })
  const receivers = await startReceivers(service)
  const write = openWriter(service)
  const post = startPosting(receivers)
  await deliverBurst(receivers, write)

  const figures = { delivered: [], posted: [], median: [], p99: [], bare_median: [], bare_p99: [] } as Record<
    'delivered' | 'posted' | 'median' | 'p99' | 'bare_median' | 'bare_p99',
    number[]
  >
  for (let round = 0; round < rounds; round++) {
    figures.delivered.push(await deliverBurst(receivers, write))
    figures.posted.push((burst * receiver_count) / (await post(burst, 0)).seconds)
    const delivered = await deliverCalmly(receivers, write)
    figures.median.push(percentile(delivered, 0.5))
    figures.p99.push(percentile(delivered, 0.99))
    const posted = await postCalmly(receivers, post)
    figures.bare_median.push(percentile(posted, 0.5))
    figures.bare_p99.push(percentile(posted, 0.99))
  }
  console.log(line('deliveries', figures.delivered, 'a second'))
  console.log(line('bare posts', figures.posted, 'a second'))
  console.log(line('ratio', ratios(figures.delivered, figures.posted), 'of deliveries to bare posts'))
  console.log(line('median', figures.median, 'ms from commit to receipt'))
  console.log(line('99th', figures.p99, 'ms, 99th percentile'))
  console.log(line('bare median', figures.bare_median, 'ms from signing to receipt'))
  console.log(line('bare 99th', figures.bare_p99, 'ms, 99th percentile'))
}

type Receivers = { urls: string[]; send: (message: 'receipts' | 'forget') => Promise<Receipt[][]> }

async function startReceivers(service: Service): Promise<Receivers> {
  const helper = startHelper('webhook-receivers.ts', { RECEIVERS: String(receiver_count) })
  const urls = await answerOf<string[]>(helper)
  for (const url of urls)
    await call(service, 'POST', '/v1/webhook-subscriptions', { url, event_names: ['employee.updated'] })
  const send = (message: 'receipts' | 'forget') => {
    helper.send(message)
    return answerOf<Receipt[][]>(helper)
  }
  return { urls, send }
}

/** Records a number of events of a new employee in one transaction. Returns the time of the commit. */
type Write = (count: number) => Promise<number>

/** Writes events like the service, within a transaction. */
function openWriter({ database_url, sandbox: { organization_id } }: Service): Write {
  const database = openDatabase({ url: database_url, read_connections: 1, write_connections: 2 })
  later(() => database.close())
  const integrations = new Map([[identity_provider, ownIdentityProvider]])
  const runtime = { database, clock: Date.now, queueIn, integrations } as Runtime
  return async (count) => {
    const fact = { event_name: 'employee.updated', organization_id, resource_id: newId('empl') } as const
    await database.transaction([organization_id], (db) =>
      recordEvents(
        contextOf(runtime, serviceCaller(organization_id), db),
        Array.from({ length: count }, () => fact),
      ),
    )
    return performance.timeOrigin + performance.now()
  }
}

/** Waits until each receiver has got a number of webhooks. Throws after two minutes. */
async function receiptsOf({ send }: Receivers, count: number): Promise<Receipt[][]> {
  for (const end = Date.now() + 120_000; ; await sleep(50)) {
    const receipts = await send('receipts')
    if (receipts.every((got) => got.length >= count)) return receipts
    if (Date.now() > end) throw new Error(`After 120 s there are ${receipts.map((got) => got.length)} receipts.`)
  }
}

async function deliverBurst(receivers: Receivers, write: Write): Promise<number> {
  await receivers.send('forget')
  const committed = await write(burst)
  const receipts = await receiptsOf(receivers, burst)
  const last = Math.max(...receipts.flat().map(({ at }) => at))
  return (burst * receipts.length * 1000) / (last - committed)
}

async function deliverCalmly(receivers: Receivers, write: Write): Promise<number[]> {
  await receivers.send('forget')
  const committed: number[] = []
  const started = Date.now()
  for (let count = 0; count < calm; count++) {
    await sleep(Math.max(0, started + count * calm_every_ms - Date.now()))
    committed.push(await write(1))
  }
  const receipts = await receiptsOf(receivers, calm)
  // Events were written one at a time, and ids sort by creation.
  return receipts.flatMap((got) =>
    got.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ at }, index) => at - committed[index]!),
  )
}

type Post = (count: number, every: number) => Promise<Posted>

function startPosting({ urls }: Receivers): Post {
  const helper = startHelper('signed-posts.ts')
  const secret = newSecret()
  return (count, every) => {
    const ids = Array.from({ length: count }, () => newId('wevt'))
    const [event_id, resource_id, organization_id] = [ids[0]!, newId('empl'), newId('org')]
    const named = { event_id, event_name: 'employee.updated', resource_type: 'employee', resource_id, organization_id }
    const body = bodyOf({ ...named, created_at: new Date().toISOString(), sequence: 1 })
    helper.send({ urls, ids, body, secret, every } satisfies Posts)
    return answerOf<Posted>(helper)
  }
}

async function postCalmly({ send }: Receivers, post: Post): Promise<number[]> {
  await send('forget')
  const { begun } = await post(calm, calm_every_ms)
  return (await send('receipts')).flat().map(({ id, at }) => at - begun[id]!)
}
