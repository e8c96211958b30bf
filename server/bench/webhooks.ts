import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../kernel/ids.ts'
import { bodyOf } from '../modules/events/webhook-deliveries/rules.ts'
import { newSecret } from '../modules/events/webhooks/rules.ts'
import { recordEvents } from '../runtime/events.ts'
import { inOrganization } from '../runtime/runtime.ts'
import { compare } from './harness/figures.ts'
import { call } from './harness/partner.ts'
import { openBench } from './harness/seed.ts'
import { nextMessage, sized, startHelper, startService, type Options, type Service } from './harness/service.ts'
import type { Posts } from './processes/signed-posts.ts'

const receiver_count = 5
/** Enough events that the wait for the next check of the outbox, up to 0.2 s, has little weight. */
const burst = sized(5000, 5)

/**
 * Deliveries of a burst of events to 5 receivers, compared with a bare loop that signs and posts to the same receivers.
 */
export async function webhooks({ rounds }: Options): Promise<void> {
  const service = await startService({ ALLOW_PRIVATE_WEBHOOKS: 'true' })
  const receivers = await startReceivers(service)
  const write = await openWriter(service)
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
  compare(['deliveries', delivered], ['bare posts', posted], 'a second')
}

type Receivers = { urls: string[]; send: (message: 'receipts' | 'forget') => Promise<number[][]> }

async function startReceivers(service: Service): Promise<Receivers> {
  const helper = startHelper('webhook-receivers.ts', { RECEIVERS: String(receiver_count) })
  const urls = await nextMessage<string[]>(helper)
  for (const url of urls)
    await call(service, 'POST', '/v1/webhook-subscriptions', { url, event_names: ['employee.updated'] })
  const send = (message: 'receipts' | 'forget') => {
    helper.send(message)
    return nextMessage<number[][]>(helper)
  }
  return { urls, send }
}

/**
 * Returns a function that records the events of a burst in one transaction, as the service does, and returns the time
 * of the commit.
 */
async function openWriter(service: Service): Promise<() => Promise<number>> {
  const { runtime } = await openBench(service)
  const { organization_id } = service.sandbox
  return async () => {
    const fact = { event_name: 'employee.updated', organization_id, resource_id: newId('empl') } as const
    const facts = Array.from({ length: burst }, () => fact)
    await inOrganization(runtime, organization_id, (ctx) => recordEvents(ctx, facts))
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
    return nextMessage<number>(helper)
  }
}
