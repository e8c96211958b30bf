import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { pooler_version, startPooler } from '../test/pooler.ts'
import { line, ratios } from './figures.ts'
import type { Load } from './load.ts'
import { call, createEmployer, fillRoster } from './partner.ts'
import { answerOf, later, startBeside, startHelper, startService, type Options, type Service } from './stage.ts'

const roster = 2000
const sessions = 10

/** Who is asked: a process that serves, and what it costs in processor time with all that stands behind it. */
type Side = { url: string; pids: number[] }

/**
 * The same requests over a process that goes to PostgreSQL itself and one that goes by PgBouncer in transaction mode, in
 * turns: how many a second, and how much of a processor each takes in all, PostgreSQL and PgBouncer included.
 */
export async function pooler(options: Options): Promise<void> {
  if (pooler_version === undefined) throw new Error('PgBouncer is not installed here.')
  const service = await startService({ })
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, roster)
  const { DATABASE_URL: direct_url } = service.env as { DATABASE_URL: string }
  const pooler = await startPooler(direct_url, sessions)
  later(() => pooler.stop())
  const direct = await startBeside(service)
  const pooled = await startBeside({
    ...service,
    env: {
      ...service.env,
      DATABASE_URL: pooler.url,
      DIRECT_DATABASE_URL: direct_url,
      PREPARED_STATEMENTS: 'false',
    },
  })
  const postmaster = Number(readFileSync(join(service.env.DATA_DIR!, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const sideOf = ({ sandbox, server }: Service, more: number[] = []): Side => ({
    url: sandbox.base_url,
    pids: [postmaster, server.pid!, ...more],
  })
  const sides = { direct: sideOf(direct), pooled: sideOf(pooled, [pooler.pid]) }
  const list = `/v1/employers/${employer_id}/employees`
  const data = await call<{ id: string }[]>(service, 'GET', `${list}?limit=100`)
  const loader = startHelper('load.ts')
  const authorization = `Bearer ${service.sandbox.api_key}`
  const employees = data.map(({ id }) => `/v1/employees/${id}`)
  const changed = (round: number) =>
    JSON.stringify({ address: { address_line_1: `${round} Post Rd`, city: 'Albany', state: 'NY', zipcode: '12207' } })
  const loads: Record<string, (round: number) => Omit<Load, 'url' | 'seconds'>> = {
    'one employee': () => ({ paths: employees, authorization }),
    'a page of 20': () => ({ paths: [list], authorization }),
    'a changed address': (round) => ({
      paths: employees.map((path) => `${path}/contact`),
      patches: employees.map(() => changed(round)),
      authorization,
    }),
  }
  for (const [title, load] of Object.entries(loads)) {
    const taken = { direct: startTally(), pooled: startTally() }
    for (let round = 0; round <= options.rounds; round++)
      for (const [at, name] of (['direct', 'pooled'] as const).entries()) {
        const measured = await measure(loader, sides[name], { ...load(2 * round + at), seconds: options.seconds })
        // The first is to get warm.
        if (round > 0) taken[name].add(measured)
      }
    const { direct, pooled } = taken
    console.log(`  ${title}`)
    console.log(line('direct', direct.rates, 'requests/s'))
    console.log(line('pooled', pooled.rates, 'requests/s'))
    console.log(line('ratio', ratios(pooled.rates, direct.rates)))
    console.log(line('direct', direct.costs, 'ms of a processor for a request'))
    console.log(line('pooled', pooled.costs, 'ms of a processor for a request'))
    console.log(line('ratio', ratios(pooled.costs, direct.costs)))
  }
}

function startTally() {
  const rates: number[] = []
  const costs: number[] = []
  return { rates, costs, add: ({ rate, cost }: Measured) => void (rates.push(rate), costs.push(cost)) }
}

/** Requests a second, and milliseconds of a processor for each. */
type Measured = { rate: number; cost: number }

async function measure(loader: ChildProcess, { url, pids }: Side, load: Omit<Load, 'url'>): Promise<Measured> {
  const before = processorMs(pids)
  const answer = answerOf<number>(loader)
  loader.send({ ...load, url } satisfies Load)
  const rate = await answer
  return { rate, cost: (processorMs(pids) - before) / (rate * load.seconds) }
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
