import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { lockHolderPriority } from './kernel/concurrency/background-thread.ts'
import { readPidFile } from '../packages/embedded-postgres/process.ts'
import { caseCount } from './test/case-count.ts'
import { aGroupMember, aPerson, anEmployer } from './test/fixtures.ts'
import { dataFolder } from './test/postgres/data-folder.ts'
import { sure, only } from './test/pick.ts'
import { ApiResponse, type BodyOf, type DataOf } from './test/response.ts'

/** The service as an operator starts it: a separate process with its own data directory. */
const data_dir = dataFolder('main')
const HRIS_DROP_DIR = join(data_dir, 'drop')
const running = new Set<ChildProcess>()

/** The secrets that a service with its own database needs. */
function newSecrets() {
  const [key, other] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const OPERATOR_KEY = `obop_${randomBytes(30).toString('base64url')}`
  return { ENCRYPTION_KEYS: `k1:${key}`, HASH_KEY: key, TOKEN_KEY: other, OPERATOR_KEY }
}

function start(env: Record<string, string> = {}) {
  const { DATABASE_URL: _, ...own } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...own, NODE_ENV: 'production', PORT: '0', DATA_DIR: data_dir, HRIS_DROP_DIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) =>
    child.on('exit', (code) => (running.delete(child), resolve(code))),
  )
  const ready = async () => {
    for (;;) {
      const url = / {2}try {6}curl -s (http:\S+)\/v1/.exec(output)?.[1]
      if (url) return url
      if (child.exitCode !== null) throw new Error(output)
      await pause(20)
    }
  }
  return { child, ready, ended, output: () => output }
}

/**
 * The service that the tests share. A start takes seconds, so each test leaves the service running for the next one.
 */
let shared: (ReturnType<typeof start> & { url: string }) | undefined

async function startShared() {
  const started = start()
  return (shared = { ...started, url: await started.ready() })
}

async function endShared(signal: NodeJS.Signals): Promise<number | null> {
  const { child, ended } = shared!
  shared = undefined
  child.kill(signal)
  return ended
}

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  shared = undefined
  for (const child of running) child.kill('SIGKILL')
})
afterAll(async () => {
  // The database of a killed service keeps running, and the next start adopts it.
  if (existsSync(join(data_dir, 'postgres', 'postmaster.pid'))) {
    if (!shared) await startShared()
    await endShared('SIGTERM')
  }
  rmSync(data_dir, { recursive: true, force: true })
}, 60_000)

const sandbox = () => JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8'))

/** Sends a request to the shared service. */
async function call<Method extends string, Path extends string>(
  method: Method,
  path: Path,
  body?: unknown,
  key: string = sandbox().api_key,
) {
  const response = await fetch(shared!.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return new ApiResponse<BodyOf<Method, Path>>(`${method} ${path}`, response, await response.text())
}

/** People as a CSV file. */
const csvOf = (rows: ReturnType<typeof aPerson>[]) => {
  const columns = ['first_name', 'last_name', 'email', 'date_of_birth', 'start_date'] as const
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((cells) => cells.join(',')).join('\n')
}

/** The events of a resource, read from the database of the running service. */
async function eventsOf(resource_id: string): Promise<string[]> {
  const { database_password } = JSON.parse(readFileSync(join(data_dir, 'secrets.json'), 'utf8'))
  const client = new pg.Client({ host: join(data_dir, 'postgres'), user: 'openbenefits', password: database_password })
  await client.connect()
  const { rows } = await client.query(
    'select event_name from webhook_events where resource_id = $1 order by sequence',
    [resource_id],
  )
  await client.end()
  return rows.map((row) => row.event_name)
}

/** `KILLS=20` kills the service more often. */
const kills = Number(process.env.KILLS ?? caseCount(3))

/** Work during which the service is killed repeatedly. */
type Work = {
  /** Makes sure that some work is in progress, or about to be. */
  ensureProgress(): Promise<void>
  /** Checks the work after a restart. */
  readAgain?(): Promise<void>
  /** Waits for the end of the work, and checks its results. */
  finish(): Promise<void>
}

/**
 * Consecutive censuses of the same 10,000 people, of whom 3,000 change. Each person exists once, and no change is lost.
 */
async function censuses(): Promise<Work> {
  const employer_id = (await call('POST', '/v1/employers', anEmployer())).body.data.id
  const path = `/v1/employers/${employer_id}/census-sync` as const
  const people = Array.from({ length: 10_000 }, (_, index) => aPerson({ reference_id: `K-${index}` }))
  const ids: string[] = []
  const submit = async () => {
    const employee_class = ['Full Time', 'Part Time'][ids.length % 2]!
    const employees = people.map((person, at) => ({
      ...person,
      employee_class: at < 3_000 ? employee_class : 'Full Time',
    }))
    ids.push(sure((await call('POST', path, { employees })).body.data.census_sync_id))
  }
  const outcomeOf = async (id: string) => (await call('GET', `${path}/${id}`)).body.data
  const newest = () => outcomeOf(ids.at(-1)!)
  let processed = 0
  await submit()
  return {
    async ensureProgress() {
      const { state, processed_count } = await newest()
      processed = state === 'completed' ? 0 : processed_count
      if (state === 'completed') await submit()
    },
    readAgain: async () => expect((await newest()).processed_count).toBeGreaterThanOrEqual(processed),
    async finish() {
      while ((await newest()).state !== 'completed') await pause(50)
      const counts = await Promise.all(ids.map(async (id) => (await outcomeOf(id)).counts))
      const changed = { created: 0, updated: 3_000, unchanged: 7_000, rehired: 0, terminated: 0, failed: 0 }
      const created = { ...changed, created: 10_000, updated: 0, unchanged: 0 }
      expect(counts).toEqual(counts.map((_, at) => (at === 0 ? created : changed)))
      const roster = `/v1/employers/${employer_id}/employees` as const
      expect((await call('GET', `${roster}?limit=1`)).body.pagination.total).toBe(10_000)
      const { id } = only((await call('GET', `${roster}?search=${people[0]?.email}`)).body.data)
      const events = await eventsOf(id)
      expect(events).toEqual(['employee.created', ...ids.slice(1).map(() => 'employee.updated')])
    },
  }
}

/** Member syncs, several of which may be queued. Each sync is completed once and in order, with correct results. */
async function memberSyncs(): Promise<Work> {
  const { id: plan_id } = only((await call('GET', '/v1/plans?limit=1')).body.data)
  const group = { external_reference_id: 'killed', name: 'Killed' }
  const group_id = (await call('POST', '/v1/groups', group)).body.data.id
  const path = `/v1/groups/${group_id}/members` as const
  const members = Array.from({ length: 1_800 }, () => aGroupMember(plan_id))
  const halves = [members.slice(0, 1_200), members.slice(600)]
  const requests: string[] = []
  const resultsOf = async (id: string) => (await call('GET', `${path}/sync/${id}`)).body.data.results
  const submit = async () => {
    const body = { members: halves[requests.length % 2] }
    requests.push((await call('POST', `${path}/sync`, body)).body.data.request_id)
  }
  await submit()
  return {
    ensureProgress: submit,
    async finish() {
      while (!(await resultsOf(requests.at(-1)!))) await pause(50)
      const results = (await Promise.all(requests.map(resultsOf))).map(sure)
      const counts = results.map(({ added_group_member_ids, removed_group_member_ids, failures }) =>
        [added_group_member_ids, removed_group_member_ids, failures].map((each) => each.length),
      )
      expect(counts).toEqual(counts.map((_, at) => (at === 0 ? [1_200, 0, 0] : [600, 600, 0])))
      const added = results.flatMap((each) => each.added_group_member_ids)
      expect(new Set(added).size).toBe(added.length)
      for (const id of requests) expect(await eventsOf(id)).toEqual(['group_member_sync.completed'])
      expect((await call('GET', `${path}?limit=1`)).body.pagination.total).toBe(1_200)
    },
  }
}

/** HRIS syncs of files. Each is applied once, and its file is moved to `done`. */
async function fileSyncs(): Promise<Work> {
  const operate = async <Method extends string, Path extends string>(method: Method, path: Path, body?: unknown) => {
    const answer = await call(method, `/operator/v1${path}`, body, sandbox().operator_key)
    return (answer.body as { data: DataOf<Method, `/operator/v1${Path}`> }).data
  }
  const employer_id = (await call('POST', '/v1/employers', anEmployer())).body.data.id
  const { id } = await operate('POST', `/employers/${employer_id}/hris-connections`, { source: 'csv' })
  const people = Array.from({ length: 1_300 }, () => aPerson())
  const files = [people.slice(0, 1_260), people.slice(40)].map((rows) => csvOf(rows))
  const runs = () => operate('GET', `/hris-connections/${id}/runs?limit=100`)
  let file_count = 0
  /** Puts the next file into the folder, dated a minute ago, and requests a sync. */
  const next = async () => {
    const path = join(HRIS_DROP_DIR, `${id}-${file_count}.csv`)
    writeFileSync(`${path}.part`, files[file_count++ % 2]!)
    utimesSync(`${path}.part`, Date.now() / 1000 - 60, Date.now() / 1000 - 60)
    renameSync(`${path}.part`, path)
    await operate('POST', `/hris-connections/${id}/sync`)
  }
  mkdirSync(HRIS_DROP_DIR, { recursive: true })
  await next()
  return {
    async ensureProgress() {
      if ((await runs()).every(({ ended_at }) => ended_at)) await next()
    },
    async finish() {
      while ((await runs()).some(({ ended_at }) => !ended_at)) await pause(200)
      const ended = (await runs()).reverse()
      expect(ended.map(({ state }) => state)).toEqual(Array.from({ length: file_count }, () => 'completed'))
      const none = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 }
      expect(ended[0]?.counts).toEqual({ ...none, created: 1_260 })
      if (file_count > 1) expect(ended[1]?.counts).toEqual({ ...none, created: 40, terminated: 40, unchanged: 1_220 })
      while (readdirSync(join(HRIS_DROP_DIR, 'working')).length > 0) await pause(50)
      expect(readdirSync(join(HRIS_DROP_DIR, 'done')).sort()).toEqual(
        ended.map((run, at) => `${run.id}-${id}-${at}.csv`).sort(),
      )
      for (const { id: run_id } of ended) {
        const { outcome } = await operate('GET', `/hris-runs/${run_id}`)
        expect(await eventsOf(`${outcome?.census_sync_id}`)).toEqual(['census_sync.completed'])
      }
    },
  }
}

describe('the service', { timeout: 300_000 }, () => {
  it('starts without data, writes sandbox.json, refuses a second process and stops on SIGTERM', async () => {
    const { child, url } = await startShared()
    expect((await call('GET', '/v1/employers')).body.pagination.total).toBe(6)
    expect(statSync(join(data_dir, 'sandbox.json')).mode & 0o777).toBe(0o600)
    expect(Object.keys(sandbox())).toEqual(
      expect.arrayContaining([
        'base_url',
        'organization_id',
        'api_key',
        'multi_organization_api_key',
        'super_api_key',
        'rival_api_key',
        'operator_key',
      ]),
    )
    expect(sandbox().base_url).toBe(url)

    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(String(child.pid))
    expect((await call('GET', '/v1/employers')).status).toBe(200)

    const { api_key } = sandbox()
    expect(await endShared('SIGTERM')).toBe(0)
    await startShared()
    expect(sandbox().api_key).toBe(api_key)
  })

  it.runIf(process.platform === 'linux')('lowers the priority of PostgreSQL sessions of jobs', async () => {
    if (!shared) await startShared()
    const { pid } = readPidFile(join(data_dir, 'postgres'))!
    const nicenesses = () =>
      execFileSync('ps', ['--ppid', `${pid}`, '-o', 'ni='], { encoding: 'utf8' })
        .trim()
        .split(/\s+/)
    // Each start begins with the job of the daily run.
    await expect.poll(nicenesses).toContain(`${lockHolderPriority()}`)
    expect(nicenesses()).toContain(`${getPriority()}`)
  })

  it(`recovers from ${kills} kill -9 during censuses, member syncs and HRIS syncs, each completed once`, async () => {
    if (!shared) await startShared()
    const works = [await censuses(), await memberSyncs(), await fileSyncs()]
    for (let killed = 0; killed < kills; killed++) {
      for (const work of works) await work.ensureProgress()
      // At a random moment of the work, after the first chunk begins, possibly with queued work.
      await pause(Math.random() * 1000)
      await endShared('SIGKILL')
      await startShared()
      for (const work of works) await work.readAgain?.()
    }
    for (const work of works) await work.finish()
  })

  it('exits when its database ends, and has all data after a restart', async () => {
    const server = shared ?? (await startShared())
    const { id } = (await call('POST', '/v1/employers', anEmployer())).body.data
    const postmaster = Number(readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(postmaster, 'SIGKILL')
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain('PostgreSQL is no longer running')
    await startShared()
    expect((await call('GET', `/v1/employers/${id}`)).status).toBe(200)
  })

  it.concurrent('stops with its database although a request never ends', async () => {
    const url = new URL((shared ?? (await startShared())).url)
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => undefined)
    const head = `POST /v1/employers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${sandbox().api_key}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`)
    await once(socket, 'connect')
    await endShared('SIGTERM')
    expect(existsSync(join(data_dir, 'postgres', 'postmaster.pid'))).toBe(false)
    socket.destroy()
  })

  // Runs while the test above waits. A table in kernel/config.test.ts covers the other invalid settings.
  it.concurrent('refuses to start with an invalid setting, with one sentence', async () => {
    const server = start({ IDP_PROVIDER: 'external_idp' })
    expect(await server.ended).toBe(1)
    expect(server.output()).toBe(
      "OpenBenefits can't start: The setting KEYCLOAK_URL is required when IDP_PROVIDER is external_idp.\n",
    )
  })

  it('sends nothing to a database on another machine without TLS', async () => {
    const input: Buffer[] = []
    // A server that refuses PostgreSQL's TLS request.
    const plain = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (data: Buffer) => {
        input.push(data)
        socket.write('N')
      })
    }).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const { port } = plain.address() as { port: number }
    // This address means any machine, so it counts as another machine.
    const DATABASE_URL = `postgresql://benefits:secret@0.0.0.0:${port}/benefits`
    const server = start({ DATABASE_URL, ...newSecrets() })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain('the database of DATABASE_URL does not support TLS.')
    expect(Buffer.concat(input).toString('hex')).toMatch(/^(?:0000000804d2162f)+$/)
    plain.close()
  })

  it('reports that its port is in use, and leaves nothing running', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const server = start({ PORT: String(port) })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(`another program listens on 127.0.0.1:${port}`)
    other.close()
  })

  it('checks its port before it opens the database, so that a failed start seeds no sandbox', async () => {
    let connections = 0
    const database = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(database, 'listening')
    const { port } = database.address() as { port: number }
    const DATABASE_URL = `postgresql://benefits:secret@127.0.0.1:${port}/benefits`
    const server = start({ PORT: String(port), DATABASE_URL, ...newSecrets() })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(`another program listens on 127.0.0.1:${port}`)
    expect(connections).toBe(0)
    database.close()
  })
})
