import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readPidFile } from '../../../packages/embedded-postgres/process.ts'
import { startCluster } from '../../../packages/embedded-postgres/cluster.ts'
import { ensureDatabase } from '../../../packages/embedded-postgres/roles.ts'
import { newSecretKeys } from '../../security/secrets.ts'
import { startServiceProcess, type ServiceProcess } from './service-process.ts'

/** The signals that restart PostgreSQL: SIGINT ends its sessions, SIGQUIT drops everything immediately. */
const manners = ['SIGINT', 'SIGQUIT'] as const

/** openWorker retries every second, so recovery must be much faster than this. */
const timeout_ms = 40_000

export type Recovery = { manner: (typeof manners)[number]; ms: number }

/**
 * Runs a worker in a separate process under load while its PostgreSQL is restarted repeatedly, alternating between fast
 * and immediate shutdown. Reports after each restart how long it took until a new job was done. Throws if the worker's
 * process ends or a job is not done. `data_dir` is an empty folder. Returns the worker's metrics at the end.
 */
export async function restartUnderLoad(
  data_dir: string,
  restarts: number,
  report: (recovery: Recovery) => void,
): Promise<string> {
  const cluster = { data_dir, password: 'restarts', durable: false }
  let running = await startCluster(cluster)
  await ensureDatabase(running, 'openbenefits')
  const over = new AbortController()
  let worker: ServiceProcess | undefined
  try {
    worker = await startWorkerProcess(data_dir, running.url)
    await withClient(running.url, (client) => client.query(employer_added))
    const load = Promise.all([1, 2, 3].map(() => keepAdding(running.url, over.signal)))
    for (let at = 0; at < restarts; at++) {
      const manner = manners[at % 2]!
      await pause(100 + ((at * 37) % 400))
      process.kill(readPidFile(join(data_dir, 'postgres'))!.pid, manner)
      await running.ended
      await running.stop()
      running = await startCluster(cluster)
      report({ manner, ms: await untilDone(running.url, worker.child) })
    }
    over.abort()
    await load
    return await scrape(worker, running.url)
  } finally {
    over.abort()
    await worker?.end('SIGKILL')
    await running.stop()
  }
}

function startWorkerProcess(DATA_DIR: string, DATABASE_URL: string): Promise<ServiceProcess> {
  const keys = Object.entries(newSecretKeys()).map(([name, key]) => [name.toUpperCase(), key])
  const settings = { DATA_DIR, DATABASE_URL, ROLE: 'worker', METRICS_PORT: '0' }
  return startServiceProcess({ ...settings, ...Object.fromEntries(keys) })
}

/** The worker's metrics while a job with an unknown task is overdue. */
async function scrape({ metrics_url }: ServiceProcess, database_url: string): Promise<string> {
  await withClient(database_url, (client) => client.query(addUnknown))
  return (await fetch(metrics_url!)).text()
}

const addUnknown = `select graphile_worker.add_job('unknown', run_at := now() - interval '1000 seconds')`

/** Keeps adding jobs that only run a transaction, so that some are in progress at every moment. */
async function keepAdding(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await withClient(url, async (client) => {
      while (!signal.aborted) {
        await client.query(addJob, [payload])
        await pause(3)
      }
    }).catch(() => undefined)
    await pause(50)
  }
}

/** Creates an organization and employer for the jobs, which fail without them. */
const employer_added = `
  with organization as (
    insert into organizations (id, name, type, idp_provider, idp_org_id, super_in, sandbox, created_at, updated_at)
    values ('org_x', 'Harbor', 'BROKERAGE', 'service', 'org_x', false, true, now(), now()))
  insert into employers
    (id, organization_id, name, legal_name, ein_sealed, ein_hash, ein_last_four, email, address_line_1, city, state,
     zipcode, created_at, updated_at)
  values ('empr_x', 'org_x', 'Pier', 'Pier Inc', '', '', '6789', 'pier@example.com', '1 Pier', 'Salem', 'MA', '01970',
          now(), now())`

const payload = JSON.stringify({ organization_id: 'org_x', employer_id: 'empr_x' })

/** Keeps only a few jobs waiting, on any machine. */
const addJob = `select graphile_worker.add_job('recalculate_employer', $1::json) where (select count(*)
    from graphile_worker.jobs) < 50`

/** This job has priority over all other jobs. */
const addMarker = `select graphile_worker.add_job('recalculate_employer', $1::json, job_key := 'marker',
    priority := -1)`

/** Adds a job as soon as the database accepts it, and waits until it is done. Returns the milliseconds. */
async function untilDone(url: string, worker: ServiceProcess['child']): Promise<number> {
  const started = performance.now()
  const isLate = () => performance.now() - started > timeout_ms
  for (let added = false; ; await pause(20)) {
    if (worker.exitCode !== null) throw new Error(`The worker ended by itself, with exit code ${worker.exitCode}.`)
    const waiting = await withClient(url, async (client) => {
      if (!added) await client.query(addMarker, [payload])
      added = true
      return (await client.query(`select from graphile_worker.jobs where key = 'marker'`)).rowCount
    }).catch(() => 1)
    if (added && waiting === 0) return performance.now() - started
    if (isLate()) throw new Error(`A job was not done within ${timeout_ms} ms. The worker is stuck.`)
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
