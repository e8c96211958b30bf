import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readPidFile } from '../../packages/embedded-postgres/process.ts'
import { startCluster } from '../../packages/embedded-postgres/cluster.ts'
import { ensureDatabase } from '../../packages/embedded-postgres/roles.ts'
import { newSecretKeys } from '../security/secrets.ts'
import { startServiceProcess, type ServiceProcess } from './service.ts'

/** How PostgreSQL is told to restart: by ending its sessions, or by dropping everything at once. */
const manners = ['SIGINT', 'SIGQUIT'] as const

/** Longer than that nothing recovers by itself: openWorker tries every second. */
const patience_ms = 40_000

export type Recovery = { manner: (typeof manners)[number]; ms: number }

/**
 * Runs a worker in a process of its own under load while its PostgreSQL is restarted again and again, fast and
 * immediately in turns; tells after each how long it took until a new job was done. Throws when the worker's process
 * ends, or a job is not done. `data_dir`: an empty folder. Returns what the worker's metrics are then.
 */
export async function restartUnderLoad(
  data_dir: string,
  restarts: number,
  tell: (recovery: Recovery) => void,
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
      tell({ manner, ms: await untilDone(running.url, worker.child) })
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

/** What the worker tells of itself, beside a job that is late since nobody knows its task. */
async function scrape({ metrics_url }: ServiceProcess, database_url: string): Promise<string> {
  await withClient(database_url, (client) => client.query(addUnknown))
  return (await fetch(metrics_url!)).text()
}

const addUnknown = `select graphile_worker.add_job('unknown', run_at := now() - interval '1000 seconds')`

/** Jobs that run a transaction and find nothing: what matters is that some are under way at every moment. */
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

/** An employer of an organization of jobs, without which they fail. */
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

/** No more than a few wait, on whatever machine. */
const addJob = `select graphile_worker.add_job('recalculate_employer', $1::json) where (select count(*)
    from graphile_worker.jobs) < 50`

/** Before all others. */
const addMarker = `select graphile_worker.add_job('recalculate_employer', $1::json, job_key := 'marker',
    priority := -1)`

/** Adds a job as soon as the database takes it, and waits until it is done; returns after how many milliseconds. */
async function untilDone(url: string, worker: ServiceProcess['child']): Promise<number> {
  const started = performance.now()
  const isLate = () => performance.now() - started > patience_ms
  for (let added = false; ; await pause(20)) {
    if (worker.exitCode !== null) throw new Error(`The worker ended by itself, with exit code ${worker.exitCode}.`)
    const waiting = await withClient(url, async (client) => {
      if (!added) await client.query(addMarker, [payload])
      added = true
      return (await client.query(`select from graphile_worker.jobs where key = 'marker'`)).rowCount
    }).catch(() => 1)
    if (added && waiting === 0) return performance.now() - started
    if (isLate()) throw new Error(`A job was not taken within ${patience_ms} ms: the worker is stuck.`)
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
