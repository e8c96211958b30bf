import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWriter, percentile, startReceivers, until, type Writer } from './hooks.ts'
import type { Manner, Receipt } from './receivers.ts'
import { sized } from './sizes.ts'
import { greetingOf, startNode, startService, type Service } from './stage.ts'

const event_count = sized(10_000, 40)
const per_transaction = 10
const kills = sized(20, 1)
const manners: Manner[] = ['sound', 'sound', 'rough', 'rough', 'rough', 'dead']

/**
 * 10,000 events to two sound receivers and three that misbehave in 30 % of attempts, beside a dead one, while the worker
 * is killed with SIGKILL 20 times: what was missed, and what was sent again after it had been accepted. Retries that
 * would wait for minutes and hours are brought forward; the claims of the killed run out by themselves.
 */
export async function storm(): Promise<void> {
  const service = await startService({ ALLOW_PRIVATE_WEBHOOKS: 'true', ROLE: 'api' })
  const receivers = await startReceivers(service, manners)
  const writer = openWriter(service)
  const started = performance.now()
  const over = new AbortController()
  const killing = keepKilling(service, over.signal)
  const hurrying = hurryRetries(writer, over.signal)
  for (let written = 0; written < event_count; written += per_transaction) {
    await writer.write(per_transaction)
    await sleep(5)
  }
  const written_seconds = (performance.now() - started) / 1000
  const kept = receivers.subscription_ids.slice(0, -1)
  const isOver = async () => {
    const waits = await writer.query(
      'select (select count(*) from webhook_outbox) + (select count(*) from webhook_deliveries where due_at is not null and subscription_id = any($1)) as count',
      [kept],
    )
    return waits.rows[0].count === '0'
  }
  const receipts = await until(receivers, isOver, 900, 1000)
  const killed = await killing.kills
  over.abort()
  await Promise.all([killing.over, hurrying])
  report(receipts, { killed, written_seconds, seconds: (performance.now() - started) / 1000 })
}

/** Runs a worker, and kills it again and again; the last one stays. */
function keepKilling(service: Service, over: AbortSignal) {
  const env = { ...service.env, ROLE: 'worker' }
  const start = async (): Promise<ChildProcess> => {
    const worker = startNode(['server/main.ts'], env, ['ignore', 'pipe', 'inherit'])
    await greetingOf(worker)
    return worker
  }
  const { promise, resolve } = Promise.withResolvers<number>()
  const work = async () => {
    let worker = await start()
    for (let killed = 0; killed < kills; killed++) {
      await sleep(500 + Math.random() * 2500)
      const ended = once(worker, 'exit')
      worker.kill('SIGKILL')
      await ended
      worker = await start()
    }
    resolve(kills)
    await once(over, 'abort')
  }
  return { kills: promise, over: work() }
}

/** Takes the waiting out of retries, but not out of claims. */
async function hurryRetries(writer: Writer, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sleep(2000)
    await writer
      .query(`update webhook_deliveries set due_at = now() where due_at > now() and claimed_at is null`)
      .catch(() => undefined)
  }
}

function report(receipts: Receipt[][], run: { killed: number; written_seconds: number; seconds: number }): void {
  const figure = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 })
  const { killed, written_seconds, seconds } = run
  console.log(
    `    ${figure(event_count)} events in ${figure(written_seconds)} s, ${killed} kills, all over after ${figure(seconds)} s`,
  )
  const first = Math.min(...receipts.flat().map(({ at }) => at))
  let all_repeats = 0
  let all_accepted = 0
  for (const [at, got] of receipts.entries()) {
    const accepted = new Set<string>()
    let repeats = 0
    for (const { id, accepted: is_good } of got) {
      if (accepted.has(id)) repeats++
      else if (is_good) accepted.add(id)
    }
    const manner = manners[at]!
    const last =
      percentile(
        got.map((receipt) => receipt.at),
        1,
      ) - first
    const facts = [
      `${figure(got.length)} attempts`,
      `${figure(accepted.size)} events accepted`,
      `${figure(manner === 'dead' ? 0 : event_count - accepted.size)} missed`,
      `${figure(repeats)} sent again though accepted (${figure((100 * repeats) / event_count)} %)`,
      `the last after ${figure(last / 1000)} s`,
    ]
    console.log(`    ${manner.padEnd(6)} ${facts.join(', ')}`)
    if (manner === 'dead') continue
    all_repeats += repeats
    all_accepted += accepted.size
  }
  console.log(`    in all ${figure(all_accepted)} accepted, ${figure((100 * all_repeats) / all_accepted)} % repeats`)
}
