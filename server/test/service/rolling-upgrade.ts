/**
 * Simulates an upgrade: two serving and two working processes are replaced one after the other, under load behind a
 * proxy that checks readiness. No request may fail.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startCluster } from '../../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../../packages/embedded-postgres/roles.ts'
import { newSecretKeys } from '../../security/secrets.ts'
import { startServiceProcess, type ServiceProcess } from './service-process.ts'

/**
 * The interval of the proxy's readiness checks, and the time for which a process keeps serving after it reports that it
 * is leaving. A busy machine delays checks by seconds.
 */
const check_every_ms = 200
const drain_seconds = '10'

const senders = 8

/**
 * The requests of the load, and the errors: every response that is not a success, since no request should be refused.
 */
export type Tally = { requests: number; writes: number; censuses: number; errors: string[]; longest_ms: number }

type Backend = { process: ServiceProcess; ready: boolean }

/** A proxy that sends each request to the next ready process. */
class Proxy {
  readonly #backends: Backend[] = []
  #turn = 0

  /** Adds a process, and waits until it is ready. */
  async add(process: ServiceProcess): Promise<void> {
    const backend = { process, ready: false }
    this.#backends.push(backend)
    void this.#check(backend)
    while (!backend.ready) await pause(50)
  }

  async #check(backend: Backend): Promise<void> {
    while (this.#backends.includes(backend)) {
      backend.ready = await isReady(backend.process.url!)
      await pause(check_every_ms)
    }
  }

  remove(process: ServiceProcess): void {
    this.#backends.splice(
      this.#backends.findIndex((each) => each.process === process),
      1,
    )
  }

  /** Like a proxy, waits while no process is ready. */
  async next(): Promise<string> {
    for (;;) {
      const ready = this.#backends.filter((each) => each.ready)
      const chosen = ready[this.#turn++ % ready.length]
      if (chosen) return chosen.process.url!
      if (this.#backends.length === 0) throw new Error('The proxy is closed.')
      await pause(check_every_ms)
    }
  }

  close(): void {
    this.#backends.length = 0
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    (answer) => answer.status === 200,
    () => false,
  )

type Answered = { data?: { id?: string; census_sync_id?: string; state?: string } }
type SendRequest = (method: string, path: string, body?: object) => Promise<{ status: number; body: Answered }>

/** Sends a request through the proxy and counts errors. */
const requestingBy =
  (proxy: Proxy, api_key: string, tally: Tally): SendRequest =>
  async (method, path, body) => {
    const started = performance.now()
    tally.requests++
    try {
      const answer = await fetch((await proxy.next()) + path, {
        method,
        headers: { authorization: `Bearer ${api_key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.status >= 400) tally.errors.push(`${method} ${path}: ${answer.status} ${text.slice(0, 120)}`)
      return { status: answer.status, body: JSON.parse(text) as Answered }
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error }
      tally.errors.push(`${method} ${path}: ${message} ${cause?.message ?? ''}`)
      return { status: 0, body: {} }
    } finally {
      tally.longest_ms = Math.max(tally.longest_ms, performance.now() - started)
    }
  }

let number = 0
const anEmployer = () => {
  const own = `${process.pid}-${++number}`
  return {
    name: `Rolling ${own}`,
    legal_name: `Rolling ${own} LLC`,
    ein: `20-${String(number).padStart(7, '0')}`,
    email: `r${own}@rolling.example`,
    address: { address_line_1: '1 Main St', city: 'Reno', state: 'NV', zipcode: '89501' },
  }
}

const a_person = (at: number, round: number) => ({
  first_name: `P${at}`,
  last_name: 'Rolling',
  email: `p${at}.${round}@rolling.example`,
  phone: `212555${String(1000 + at)}`,
  date_of_birth: '1988-03-09',
  start_date: '2026-01-05',
  reference_id: `R-${at}`,
})

/** Sends reads, writes and censuses through the proxy until stopped. */
function send(proxy: Proxy, api_key: string) {
  const tally: Tally = { requests: 0, writes: 0, censuses: 0, errors: [], longest_ms: 0 }
  const over = new AbortController()
  const query = requestingBy(proxy, api_key, tally)
  const make = async () => {
    const { status, body } = await query('POST', '/v1/employers', anEmployer())
    if (status === 201 || status === 200) tally.writes++
    return body
  }
  const readAndWrite = async () => {
    while (!over.signal.aborted) {
      await query('GET', '/v1/employers?limit=5')
      await make()
    }
  }
  const submit = async () => {
    const path = `/v1/employers/${(await make()).data?.id}/census-sync`
    for (let round = 0; !over.signal.aborted; round++) {
      const employees = Array.from({ length: 50 }, (_, at) => a_person(at, round))
      const { body: accepted } = await query('POST', path, { employees })
      const isDone = async () =>
        (await query('GET', `${path}/${accepted.data?.census_sync_id}`)).body.data?.state === 'completed'
      while (!over.signal.aborted && !(await isDone())) await pause(100)
      tally.censuses++
    }
  }
  const sending = Promise.all([...Array.from({ length: senders }, readAndWrite), submit()])
  return {
    async hasServed(requests: number) {
      while (tally.requests < requests) await pause(20)
    },
    async stop() {
      over.abort()
      await sending
      return tally
    },
  }
}

export type Stage = {
  /** The settings with which a process starts on this database. */
  settings: Record<string, string> & { DATABASE_URL: string }
  /** The superuser's address. */
  database_url: string
  api_key: string
  stop(): Promise<void>
}

/** Creates a sandbox on a separate PostgreSQL in a process that then ends. `DATA_DIR` is an empty folder. */
export async function openDemo(DATA_DIR: string): Promise<Stage> {
  const cluster = await startCluster({ data_dir: DATA_DIR, password: 'rolling', durable: false })
  const { url, migration_url } = await ensureRoles(cluster, 'rolling', 'openbenefits')
  const folder = join(DATA_DIR, 'secrets')
  mkdirSync(folder)
  const files = Object.entries(newSecretKeys()).map(([name, key]) => {
    writeFileSync(join(folder, name), key, { mode: 0o600 })
    return [`${name.toUpperCase()}_FILE`, join(folder, name)]
  })
  const settings = {
    DATA_DIR,
    DATABASE_URL: url,
    MIGRATION_DATABASE_URL: migration_url,
    ...(Object.fromEntries(files) as Record<string, string>),
    SANDBOX: 'true',
  }
  await (await startServiceProcess(settings)).end()
  const { api_key } = JSON.parse(readFileSync(join(DATA_DIR, 'sandbox.json'), 'utf8')) as { api_key: string }
  return { settings, database_url: cluster.url, api_key, stop: () => cluster.stop() }
}

/**
 * Replaces all processes under load, then runs another change that must not cause errors. Returns the results of the
 * load. `serving` has additional settings for the serving processes.
 */
export async function replaceUnderLoad(
  { settings, api_key }: Stage,
  serving: Record<string, string> = {},
  also: () => Promise<void> = async () => undefined,
): Promise<Tally> {
  const started: ServiceProcess[] = []
  const start = async (ROLE: 'api' | 'worker', more?: Record<string, string>) => {
    const process = await startServiceProcess({ ...settings, ROLE, DRAIN_SECONDS: drain_seconds, ...more })
    started.push(process)
    return process
  }
  const api = () => start('api', serving)
  const proxy = new Proxy()
  let load: ReturnType<typeof send> | undefined
  try {
    const serving_first = [await api(), await api()]
    const workers = [await start('worker'), await start('worker')]
    for (const process of serving_first) await proxy.add(process)
    load = send(proxy, api_key)
    await load.hasServed(100)
    for (const former of serving_first) {
      await proxy.add(await api())
      await endWell(former)
      proxy.remove(former)
    }
    for (const former of workers) {
      await start('worker')
      await endWell(former)
    }
    await also()
    return await load.stop()
  } finally {
    proxy.close()
    await load?.stop()
    for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL')
  }
}

async function endWell(process: ServiceProcess): Promise<void> {
  const code = await process.end()
  if (code !== 0) throw new Error(`A process that was stopped exited with ${code}.`)
}

/** The number of employers created by the load, and of jobs that failed permanently. */
export async function countMade({ database_url }: Stage): Promise<{ employers: number; given_up: number }> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  const { rows } = await client.query<{ employers: number; given_up: number }>(
    `select (select count(*)::int from employers where name like 'Rolling %') as employers,
            (select count(*)::int from graphile_worker.jobs where attempts >= max_attempts) as given_up`,
  )
  await client.end()
  return rows[0]!
}
