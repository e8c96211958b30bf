import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { line, ratios } from './figures.ts'
import type { Load, Loaded } from './load.ts'
import { answerOf, type Options, type Service } from './stage.ts'

/** Who is asked: a process that serves, and those whose processor time its answers cost, with all they started. */
export type Side = { url: string; pids: number[] }

/** What is asked, by its name, each time anew. */
export type Loads = Record<string, (round: number) => Omit<Load, 'url' | 'seconds'>>

/** The server process of the PostgreSQL of a service. */
export const postmasterOf = ({ env }: Service): number =>
  Number(readFileSync(join(env.DATA_DIR!, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** Has the same asked of several in turns: how much of it a second, and what of a processor each request takes. */
export async function compareCosts(
  loader: ChildProcess,
  title: string,
  load: Loads[string],
  sides: Record<string, Side>,
  { rounds, seconds }: Options,
): Promise<void> {
  const names = Object.keys(sides)
  const taken = new Map(names.map((name) => [name, { rates: [] as number[], costs: [] as number[] }]))
  for (let round = 0; round <= rounds; round++)
    for (const [at, name] of names.entries()) {
      const { rate, cost } = await measure(loader, sides[name]!, { ...load(round * names.length + at), seconds })
      // The first is to get warm.
      if (round === 0) continue
      taken.get(name)!.rates.push(rate)
      taken.get(name)!.costs.push(cost)
    }
  console.log(`  ${title}`)
  const [first] = [...taken.values()]
  for (const what of ['rates', 'costs'] as const)
    for (const [name, measured] of taken) {
      console.log(line(name, measured[what], what === 'rates' ? 'requests/s' : 'ms of a processor for a request'))
      if (measured !== first) console.log(line('ratio', ratios(measured[what], first![what])))
    }
}

/** Requests a second, and milliseconds of a processor for each. */
type Measured = { rate: number; cost: number }

async function measure(loader: ChildProcess, { url, pids }: Side, load: Omit<Load, 'url'>): Promise<Measured> {
  const before = processorMs(pids)
  const answer = answerOf<Loaded>(loader)
  loader.send({ ...load, url } satisfies Load)
  const { answered, seconds } = await answer
  return { rate: answered / seconds, cost: (processorMs(pids) - before) / answered }
}

/** Milliseconds of a processor that processes and all that they started have taken; Linux tells them by the 10. */
function processorMs(pids: number[]): number {
  const tree = pids.flatMap((pid) => [pid, ...childrenOf(pid)])
  return 10 * tree.reduce((sum, pid) => sum + ticksOf(pid), 0)
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Of itself and of those it has waited for, as `proc(5)` says: the 14th to the 17th, the second may hold blanks. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 15)
    return fields.reduce((sum, field) => sum + Number(field), 0)
  } catch {
    // It has ended meanwhile, and counts with who started it.
    return 0
  }
}
