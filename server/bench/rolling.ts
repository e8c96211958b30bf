/**
 * A Friday's upgrade: two processes that serve and two that work are replaced one after the other, under load behind a
 * proxy that asks for readiness; then every secret is, while they run. Nobody is to notice.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { startCluster } from '../platform/postgres/cluster.ts'
import { ensureRoles } from '../platform/postgres/roles.ts'
import { newSecretKeys } from '../platform/secrets.ts'
import { startServiceProcess, type ServiceProcess } from '../test/service.ts'
import { later, temporaryFolder } from './stage.ts'

/** How often the proxy asks, and how long a process serves on once it says that it leaves. */
const ask_every_ms = 200
const drain_seconds = '4'

const senders = 8

/** Answers that tell of the service; what is refused for good reason is none. */
type Tally = { requests: number; writes: number; censuses: number; errors: string[]; longest_ms: number }

type Backend = { process: ServiceProcess; ready: boolean }

/** What stands in front: sends each request to a process that is ready, in turns, and to no other. */
class Proxy {
  readonly backends: Backend[] = []
  #turn = 0
  #asking = setInterval(() => void this.ask(), ask_every_ms)

  async ask(): Promise<void> {
    await Promise.all(
      this.backends.map(async (backend) => {
        backend.ready = await isReady(backend.process.url!)
      }),
    )
  }

  next(): string {
    const ready = this.backends.filter((each) => each.ready)
    const chosen = ready[this.#turn++ % ready.length]
    if (!chosen) throw new Error('No process is ready.')
    return chosen.process.url!
  }

  close(): void {
    clearInterval(this.#asking)
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.status === 200,
    () => false,
  )

export async function rolling(): Promise<void> {
  const { settings, database_url, api_key } = await prepare()
  const api = () => startServiceProcess({ ...settings, ROLE: 'api', DRAIN_SECONDS: drain_seconds })
  const worker = () => startServiceProcess({ ...settings, ROLE: 'worker' })
  const proxy = new Proxy()
  for (let count = 0; count < 2; count++) proxy.backends.push({ process: await api(), ready: false })
  const workers = [await worker(), await worker()]
  later(() => proxy.close())
  later(
    async () =>
      void (await Promise.all([...proxy.backends.map(({ process }) => process), ...workers].map((each) => each.end()))),
  )
  await proxy.ask()

  const load = send(proxy, api_key)
  await pause(1000)
  for (const former of proxy.backends.slice()) {
    const fresh = { process: await api(), ready: false }
    proxy.backends.push(fresh)
    while (!fresh.ready) await pause(50)
    const code = await former.process.end()
    if (code !== 0) throw new Error(`A process that serves ended with ${code}.`)
    proxy.backends.splice(proxy.backends.indexOf(former), 1)
  }
  for (const at of [0, 1]) {
    const fresh = await worker()
    await workers[at]!.end()
    workers[at] = fresh
  }
  await replaceSecrets(settings)
  const tally = await load.stop()
  await tell(tally, database_url)
}

/** A sandbox on a PostgreSQL of its own, made by a process that then ends. */
async function prepare() {
  const DATA_DIR = temporaryFolder()
  const cluster = await startCluster({ data_dir: DATA_DIR, password: 'rolling', durable: false })
  later(() => cluster.stop())
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
  return { settings, database_url: cluster.url, api_key }
}

const cli = join(import.meta.dirname, '../cli/cli.ts')

/** Replaces the secrets as an operator does, and takes the former away at once. */
async function replaceSecrets(settings: Record<string, string>): Promise<void> {
  const started = performance.now()
  const line = [cli, 'secrets', 'rotate', '--now']
  const { stdout } = await promisify(execFile)(process.execPath, line, {
    env: { PATH: process.env.PATH, ...settings },
  })
  console.log(`    secrets were replaced in ${Math.round(performance.now() - started)} ms:`)
  for (const said of stdout.trim().split('\n')) console.log(`      ${said}`)
}

type Answered = { data?: { id?: string; census_sync_id?: string; state?: string } }
type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: Answered }>

/** Sends a request through the proxy, and counts what goes wrong. */
const askingBy =
  (proxy: Proxy, api_key: string, tally: Tally): Ask =>
  async (method, path, body) => {
    const started = performance.now()
    tally.requests++
    try {
      const answer = await fetch(proxy.next() + path, {
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

const somebody = (at: number, round: number) => ({
  first_name: `P${at}`,
  last_name: 'Rolling',
  email: `p${at}.${round}@rolling.example`,
  phone: `212555${String(1000 + at)}`,
  date_of_birth: '1988-03-09',
  start_date: '2026-01-05',
  reference_id: `R-${at}`,
})

/** Reads, writes and censuses through the proxy until told to stop. */
function send(proxy: Proxy, api_key: string) {
  const tally: Tally = { requests: 0, writes: 0, censuses: 0, errors: [], longest_ms: 0 }
  const over = new AbortController()
  const ask = askingBy(proxy, api_key, tally)
  const make = async () => {
    const { status, body } = await ask('POST', '/v1/employers', anEmployer())
    if (status === 201 || status === 200) tally.writes++
    return body
  }
  const readAndWrite = async () => {
    while (!over.signal.aborted) {
      await ask('GET', '/v1/employers?limit=5')
      await make()
    }
  }
  const submit = async () => {
    const path = `/v1/employers/${(await make()).data?.id}/census-sync`
    for (let round = 0; !over.signal.aborted; round++) {
      const employees = Array.from({ length: 50 }, (_, at) => somebody(at, round))
      const { body: accepted } = await ask('POST', path, { employees })
      const isDone = async () =>
        (await ask('GET', `${path}/${accepted.data?.census_sync_id}`)).body.data?.state === 'completed'
      while (!(await isDone())) await pause(100)
      tally.censuses++
    }
  }
  const sending = Promise.all([...Array.from({ length: senders }, readAndWrite), submit()])
  const stop = async () => {
    over.abort()
    await sending
    return tally
  }
  return { stop }
}

async function tell({ requests, writes, censuses, errors, longest_ms }: Tally, database_url: string): Promise<void> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  const { rows } = await client.query<{ employers: number; failed: number }>(
    `select (select count(*)::int from employers where name like 'Rolling %') as employers,
            (select count(*)::int from graphile_worker.jobs where attempts >= max_attempts) as failed`,
  )
  await client.end()
  const { employers, failed } = rows[0]!
  console.log(`    ${requests} requests; ${writes} employers were made, and ${employers} are there`)
  console.log(`    ${censuses} censuses were worked off; ${failed} jobs were given up`)
  console.log(`    ${errors.length} errors; the longest answer took ${Math.round(longest_ms)} ms`)
  for (const error of errors.slice(0, 10)) console.log(`    ! ${error}`)
}
