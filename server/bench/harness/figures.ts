import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The middle value, or the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[at]! : (sorted[at - 1]! + sorted[at]!) / 2
}

/** The value below which this share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

const figure = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 3 })

/** `name   median   (least – most) unit`, as one line of a report. */
export function line(name: string, values: number[], unit = ''): string {
  const spread = `(${figure(Math.min(...values))} – ${figure(Math.max(...values))})`
  return `    ${name.padEnd(12)} ${figure(median(values)).padStart(8)}  ${spread.padEnd(20)} ${unit}`.trimEnd()
}

/** Divides two series round by round, so that noise that lasts longer than a round cancels out. */
export const ratios = (values: number[], others: number[]): number[] => values.map((value, at) => value / others[at]!)

type Series = [name: string, values: number[]]

/** Prints a series, its control and their ratio. */
export function compare([name, values]: Series, [control, others]: Series, unit: string): void {
  console.log(line(name, values, unit))
  console.log(line(control, others, unit))
  console.log(line('ratio', ratios(values, others)))
}

/** Runs `work` and returns the seconds that it took. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/**
 * Milliseconds of processor time that all threads of a process have used, as Linux counts them. Unlike a rate, this
 * hardly depends on how busy the machine is.
 */
export function processorTimeOf(pid: number): number {
  const of_threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  })
  return of_threads.reduce((sum, ms) => sum + ms, 0)
}

/**
 * A request, and the interval in milliseconds at which it is sent, however long the earlier ones take. Measured times
 * include waiting time.
 */
export type Probe = { send: () => Promise<unknown>; every: number }

/**
 * Sends requests of several kinds, each at a steady pace, for at least the given number of seconds and until `work`
 * ends. Returns the milliseconds of each request. Throws if one fails.
 */
export async function latenciesOf<Name extends string>(
  probes: Record<Name, Probe>,
  seconds: number,
  work: Promise<unknown> = Promise.resolve(),
): Promise<Record<Name, number[]>> {
  const until = performance.now() + seconds * 1000
  let is_working = true
  const ended = work.finally(() => (is_working = false))
  const shouldContinue = () => is_working || performance.now() < until
  const [measured] = await Promise.all([
    Promise.all(
      Object.entries<Probe>(probes).map(async ([name, probe]) => [name, await latencyOf(probe, shouldContinue)]),
    ),
    ended,
  ])
  return Object.fromEntries(measured) as Record<Name, number[]>
}

async function latencyOf({ send, every }: Probe, shouldContinue: () => boolean): Promise<number[]> {
  const sent: Promise<number>[] = []
  do {
    const taken = secondsOf(send)
    taken.catch(() => undefined)
    sent.push(taken)
    await sleep(every)
  } while (shouldContinue())
  return (await Promise.all(sent)).map((seconds) => seconds * 1000)
}
