import { setTimeout as sleep } from 'node:timers/promises'
import { median, secondsOf } from './figures.ts'

/** Milliseconds. */
export type Latency = { median: number; p99: number }

/**
 * What is asked, and how many milliseconds lie between two requests, however long the one before takes: waiting counts.
 */
export type Probe = { ask: () => Promise<unknown>; every: number }

/**
 * Makes requests of several kinds, each at a steady pace, until something is over, or so many seconds have passed, and
 * tells how long those of each kind took. Throws when one of them fails.
 */
export async function latenciesOf<Name extends string>(
  kinds: Record<Name, Probe>,
  seconds: number,
  over?: Promise<unknown>,
): Promise<Record<Name, Latency>> {
  const ended = new AbortController()
  void over?.finally(() => ended.abort())
  const until = performance.now() + seconds * 1000
  const isGoing = () => !ended.signal.aborted && performance.now() < until
  const measured = await Promise.all(
    Object.entries<Probe>(kinds).map(async ([name, asked]) => [name, latencyOf(await take(asked, isGoing))]),
  )
  return Object.fromEntries(measured) as Record<Name, Latency>
}

async function take({ ask, every }: Probe, isGoing: () => boolean): Promise<number[]> {
  const taken: Promise<number | Error>[] = []
  do {
    taken.push(
      secondsOf(ask).then(
        (seconds) => seconds * 1000,
        (error: Error) => error,
      ),
    )
    await sleep(every)
  } while (isGoing())
  return (await Promise.all(taken)).map((one) => {
    if (one instanceof Error) throw one
    return one
  })
}

function latencyOf(values: number[]): Latency {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: median(sorted), p99: sorted[Math.ceil(sorted.length * 0.99) - 1]! }
}
