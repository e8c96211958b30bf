import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { openDatabase } from '../database/query/database.ts'
import { every_organization } from '../database/query/rows-of.ts'
import { databaseUrl, startCluster } from '../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../packages/embedded-postgres/roles.ts'
import { fuzz as fire, type Target } from '../test/fuzz/fuzz.ts'
import { tableOf, undoneIn, type Report } from '../test/fuzz/report.ts'
import type { Done, Greeting, Request } from './fuzz-service.ts'
import { answerOf, later, startHelper, stop, temporaryFolder, type Options } from './stage.ts'

/**
 * So many requests are fired at one database, then a new one takes its place and the next seed: what grows does not
 * slow down the rest, and what was found is found again by so many requests of its own seed.
 */
const most_of_a_seed = 10_000

/** Fires generated requests at the service, and tells what was wrong with the answers: test/fuzz/fuzz.ts says how. */
export async function fuzz({ requests, seed }: Options): Promise<void> {
  const cluster = await openCluster()
  const progress = new Progress(requests)
  const reports: Report[] = []
  for (let left = requests, at = seed; left > 0; left -= most_of_a_seed, at++) {
    const of_seed = Math.min(left, most_of_a_seed)
    const database = `fuzz_${at}`
    const { target, close } = await openTarget(cluster, database)
    progress.begin(at)
    const onRound = (report: Report) => progress.tell(report)
    const report = await fire(target, { requests: of_seed, seed: at, onRound })
    reports.push(report)
    await close()
    progress.end(report, `npm run bench -- fuzz --requests ${of_seed} --seed ${at}`)
  }
  tellAll(reports)
}

/** What is told while it goes on: how far it is, and each fault when it is found. */
class Progress {
  readonly #requests: number
  readonly #begun = performance.now()
  #seed = 0
  #before = 0
  #found_before = 0
  #reported_at = 0
  #told_faults = 0

  constructor(requests: number) {
    this.#requests = requests
  }

  begin(seed: number): void {
    this.#seed = seed
    this.#told_faults = 0
  }

  tell({ requests, faults }: Report): void {
    for (const { operation, fault, curl } of faults.slice(this.#told_faults))
      this.#line(`! ${operation} ${fault}\n  ${curl.slice(0, 3000)}`)
    this.#told_faults = faults.length
    const now = performance.now()
    if (now - this.#reported_at < (process.stdout.isTTY ? 500 : 10_000)) return
    this.#reported_at = now
    const done = this.#before + requests
    const rate = done / ((now - this.#begun) / 1000)
    const minutes = Math.ceil((this.#requests - done) / rate / 60)
    const found = this.#found_before + faults.length
    const so_far = `${done} of ${this.#requests} requests, ${Math.round(rate)}/s, ${found} wrong`
    const line = `  ${so_far}, seed ${this.#seed}, ${minutes} min to go`
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line}`)
    else console.log(line)
  }

  end(report: Report, again: string): void {
    this.tell(report)
    const { requests, faults, spent, longest_hold } = report
    this.#before += requests
    this.#found_before += faults.length
    const times = [...spent].map(([what, ms]) => `${what} ${Math.round(ms / 1000)} s`).join(', ')
    this.#line(`  seed ${this.#seed}: ${requests} requests, ${faults.length} wrong; ${times}; again by: ${again}`)
    this.#line(`  longest hold of the event loop: ${Math.round(longest_hold.ms)} ms, during ${longest_hold.during}`)
    for (const { ms, operation } of report.slowest()) this.#line(`  slow: ${Math.round(ms)} ms, ${operation}`)
    for (const { operation, fault, times: count } of faults) this.#line(`! ${operation} ${fault} (${count} times)`)
  }

  /** A line that stays. */
  #line(text: string): void {
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[K')
    console.log(text)
  }
}

function tellAll(reports: Report[]): void {
  const answers: Report['answers'] = new Map()
  for (const report of reports)
    for (const [operation, statuses] of report.answers) {
      const all = answers.getOrInsertComputed(operation, () => new Map<number, number>())
      for (const [status, times] of statuses) all.set(status, (all.get(status) ?? 0) + times)
    }
  for (const line of tableOf(answers)) console.log(line)
  console.log(`  never done: ${undoneIn(answers).join(', ') || 'nothing'}`)
  const requests = reports.reduce((sum, report) => sum + report.requests, 0)
  const wrong = reports.reduce((sum, report) => sum + report.faults.length, 0)
  console.log(`  ${requests} requests: ${wrong === 0 ? 'nothing' : wrong} wrong`)
}

type Cluster = Awaited<ReturnType<typeof startCluster>>

async function openCluster(): Promise<Cluster> {
  const starting = startCluster({ data_dir: temporaryFolder(), password: 'bench', durable: false })
  later(() => starting.then((cluster) => cluster.stop()).catch(() => undefined))
  return starting
}

/** The service with the sandbox's story on a database of its own, in another process. */
async function openTarget(cluster: Cluster, name: string): Promise<{ target: Target; close: () => Promise<void> }> {
  const { url, migration_url } = await ensureRoles(cluster, 'bench', name)
  const database = openDatabase({ url: databaseUrl(cluster, name), read_connections: 1 })
  const helper = startHelper('fuzz-service.ts', {
    DATABASE_URL: url,
    MIGRATION_DATABASE_URL: migration_url,
    LOG_LEVEL: 'error',
  })
  let closing: Promise<void> | undefined
  const close = () =>
    (closing ??= stop(helper)
      .then(() => database.close())
      .then(() => dropDatabase(cluster, name)))
  later(close)
  const greeting = await answerOf<Greeting>(helper)
  return { target: { ...greeting, db: database.reads(every_organization), ...asksOf(helper) }, close }
}

/** What is asked of the service's process, and not over HTTP. */
function asksOf(helper: ChildProcess): Pick<Target, 'work' | 'pass' | 'today' | 'hold'> {
  let today = '2026-03-10'
  let number = 0
  const waiting = new Map<number, PromiseWithResolvers<Done>>()
  helper.on('message', (done: Done) => waiting.get(done.number)?.resolve(done))
  helper.on('exit', () => waiting.forEach(({ reject }) => reject(new Error('The service ended unexpectedly.'))))
  const ask = async (request: Pick<Request, 'do' | 'ms'>): Promise<Done> => {
    const asked = ++number
    const answer = Promise.withResolvers<Done>()
    waiting.set(asked, answer)
    // Said here and not as an event of its own: it may be gone since we are ending it.
    helper.send({ ...request, number: asked } satisfies Request, (error) => error && answer.reject(error))
    const done = await answer.promise
    waiting.delete(asked)
    today = done.today
    return done
  }
  return {
    work: async () => void (await ask({ do: 'work' })),
    pass: async (ms: number) => void (await ask({ do: 'pass', ms })),
    today: () => today,
    hold: async () => (await ask({ do: 'hold' })).hold_ms,
  }
}

async function dropDatabase(cluster: Cluster, name: string): Promise<void> {
  // The database of a service is not there: each seed has its own.
  const client = new pg.Client({ connectionString: databaseUrl(cluster, 'postgres') })
  await client.connect()
  await client.query(`drop database ${name} with (force)`).finally(() => client.end())
}
