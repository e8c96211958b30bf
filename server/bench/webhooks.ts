import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf } from '../modules/events/webhook-deliveries/rules.ts'
import { newSecret } from '../modules/events/webhooks/rules.ts'
import { newId } from '../kernel/ids.ts'
import { line, ratios } from './figures.ts'
import { openWriter, percentile, startReceivers, until, type Receivers, type Writer } from './hooks.ts'
import type { Posted, Posts } from './posts.ts'
import { sized } from './sizes.ts'
import { answerOf, startHelper, startService, type Options } from './stage.ts'

const burst = sized(2000, 20)
const calm = sized(200, 5)
const calm_every_ms = 25

/**
 * Deliveries to 5 receivers, beside a bare loop that signs and posts to the same: how many a second when much happens
 * at once, and how long from the commit of an event to its receipt when little does.
 */
export async function webhooks({ rounds }: Options): Promise<void> {
  const service = await startService({ ALLOW_PRIVATE_WEBHOOKS: 'true' })
  const receivers = await startReceivers(service, ['sound', 'sound', 'sound', 'sound', 'sound'])
  const writer = openWriter(service)
  const post = startPosting(receivers)
  await writer.write(burst)
  await until(receivers, (receipts) => receipts.every((got) => got.length >= burst), 120, 200)

  const figures = { delivered: [], posted: [], median: [], p99: [], bare_median: [], bare_p99: [] } as Record<
    string,
    number[]
  >
  for (let round = 0; round < rounds; round++) {
    figures.delivered!.push(await deliverBurst(receivers, writer))
    figures.posted!.push((burst * receivers.urls.length) / (await post(burst, 0)).seconds)
    const calm_ones = await deliverCalmly(receivers, writer)
    figures.median!.push(percentile(calm_ones, 0.5))
    figures.p99!.push(percentile(calm_ones, 0.99))
    const bare = await postCalmly(receivers, post)
    figures.bare_median!.push(percentile(bare, 0.5))
    figures.bare_p99!.push(percentile(bare, 0.99))
  }
  console.log(line('deliveries', figures.delivered!, 'a second'))
  console.log(line('bare posts', figures.posted!, 'a second'))
  console.log(line('ratio', ratios(figures.delivered!, figures.posted!), 'of deliveries to bare posts'))
  console.log(line('median', figures.median!, 'ms from commit to receipt'))
  console.log(line('99th', figures.p99!, 'ms, 99th percentile'))
  console.log(line('bare median', figures.bare_median!, 'ms from signing to receipt'))
  console.log(line('bare 99th', figures.bare_p99!, 'ms, 99th percentile'))
}

async function deliverBurst(receivers: Receivers, writer: Writer): Promise<number> {
  await receivers.ask('forget')
  const committed = await writer.write(burst)
  const receipts = await until(receivers, (receipts) => receipts.every((got) => got.length >= burst), 120, 50)
  const last = Math.max(...receipts.flat().map(({ at }) => at))
  return (burst * receipts.length * 1000) / (last - committed)
}

async function deliverCalmly(receivers: Receivers, writer: Writer): Promise<number[]> {
  await receivers.ask('forget')
  const committed: number[] = []
  const started = Date.now()
  for (let count = 0; count < calm; count++) {
    await sleep(Math.max(0, started + count * calm_every_ms - Date.now()))
    committed.push(await writer.write(1))
  }
  const receipts = await until(receivers, (receipts) => receipts.every((got) => got.length >= calm), 30, 50)
  // One event at a time was written, and ids sort by the moment they were made.
  return receipts.flatMap((got) =>
    got.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ at }, index) => at - committed[index]!),
  )
}

type Post = (count: number, every: number) => Promise<Posted>

function startPosting({ urls }: Receivers): Post {
  const helper = startHelper('posts.ts')
  const secret = newSecret()
  return (count, every) => {
    const ids = Array.from({ length: count }, () => newId('wevt'))
    const [event_id, resource_id, organization_id] = [ids[0]!, newId('empl'), newId('org')]
    const named = { event_id, event_name: 'employee.updated', resource_type: 'employee', resource_id, organization_id }
    const body = bodyOf({ ...named, created_at: new Date().toISOString(), sequence: 1 })
    helper.send({ urls, ids, body, secret, at_once: 10, every } satisfies Posts)
    return answerOf<Posted>(helper)
  }
}

async function postCalmly({ ask }: Receivers, post: Post): Promise<number[]> {
  await ask('forget')
  const { begun } = await post(calm, calm_every_ms)
  return (await ask('receipts')).flat().map(({ id, at }) => at - begun[id]!)
}
