import { setTimeout as sleep } from 'node:timers/promises'
import { median, percentile, secondsOf } from './figures.ts'

/** In milliseconds. */
export type Latency = { median: number; p99: number }

/** A request, and the milliseconds between two of them, however long the first one takes: waiting time counts. */
export type Probe = { send: () => Promise<unknown>; every: number }

/**
 * Sends requests of several kinds, each at a steady pace, for at least the given number of seconds and until `work`
 * ends. Returns how long they took. Throws if one fails.
 */
export async function latenciesOf<Name extends string>(
  probes: Record<Name, Probe>,
  seconds: number,
  work: Promise<unknown> = Promise.resolve(),
): Promise<Record<Name, Latency>> {
  const until = performance.now() + seconds * 1000
  let is_working = true
  const ended = work.finally(() => (is_working = false))
  const isGoing = () => is_working || performance.now() < until
  const [measured] = await Promise.all([
    Promise.all(Object.entries<Probe>(probes).map(async ([name, probe]) => [name, await latencyOf(probe, isGoing)])),
    ended,
  ])
  return Object.fromEntries(measured) as Record<Name, Latency>
}

async function latencyOf({ send, every }: Probe, isGoing: () => boolean): Promise<Latency> {
  const sent: Promise<number>[] = []
  do {
    const taken = secondsOf(send)
    taken.catch(() => undefined)
    sent.push(taken)
    await sleep(every)
  } while (isGoing())
  const milliseconds = (await Promise.all(sent)).map((seconds) => seconds * 1000)
  return { median: median(milliseconds), p99: percentile(milliseconds, 0.99) }
}
