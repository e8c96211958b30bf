import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../app.ts'
import { examine } from '../../cli/doctor.ts'
import { tasks } from '../../worker-tasks.ts'
import { seedOrganizations, type Story } from '../../sandbox/story.ts'
import { anEmployer, aPerson } from '../../test/fixtures.ts'
import { dataFolder } from '../../test/postgres/data-folder.ts'
import { noon, testRuntime } from '../../test/runtime.ts'
import { startStandby, type Standby } from '../../test/postgres/standby.ts'
import { runWaitingJobs } from '../../test/service/waiting-jobs.ts'
import { startCluster, type Cluster } from '../../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../../packages/embedded-postgres/roles.ts'
import { saveProcess } from '../../runtime/process/processes.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { newSecretKeys } from '../../security/secrets.ts'
import { openDatabase } from '../query/open-database.ts'
import { keepPartitions } from '../schema/partitions.ts'
import { openReplica, type Replica } from './replica.ts'
import { makeReady } from '../schema/roles.ts'
import { no_organization } from '../query/rows-of.ts'

/**
 * Two processes share a primary and one replica. They reach the primary by an address that can be redirected to another
 * server.
 */
let cluster: Cluster
let standby: Standby
let address: Awaited<ReturnType<typeof startAddress>>
let url: string
let story: Story
let processes: Awaited<ReturnType<typeof openProcess>>[]
let clock = 0
const closing: (() => unknown)[] = []
const keys = newSecretKeys()

/** An address that forwards to a server and can be redirected. */
async function startAddress(host: string) {
  let socket_folder = host
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(join(socket_folder, '.s.PGSQL.5432'))
    from.pipe(to).pipe(from)
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.on('error', () => void (from.destroy(), to.destroy()))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    lead: (elsewhere: string) => void (socket_folder = elsewhere),
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The same database and role at another host. */
function at(host: string, port: number): string {
  const there = new URL(url)
  there.port = String(port)
  there.searchParams.set('host', host)
  return there.href
}

const openReplicaAt = (host: string, { database, log }: Pick<Runtime, 'database' | 'log'>) =>
  openReplica({ url: at(host, 5432), database, log, now: () => performance.now() + clock, timeout_ms: 300 })

async function openProcess() {
  const database = openDatabase({ url: at('127.0.0.1', address.port) })
  const runtime = testRuntime(database, keys, () => noon('2026-03-10'))
  const replica = openReplicaAt(standby.host, runtime)
  const app = await buildApp({ ...runtime, replica }, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
  closing.push(
    () => app.close(),
    () => replica.close(),
    () => database.close(),
  )
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
    key = story.api_key,
    organization_id?: string,
  ) => {
    const headers = { authorization: `Bearer ${key}`, 'x-service-organization': organization_id }
    if (organization_id === undefined) delete headers['x-service-organization']
    const answer = await app.inject({ method, url: path, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
  }
  return {
    runtime: { ...runtime, replica },
    replica,
    call,
    get: async (path: string, key?: string, organization_id?: string) =>
      call('GET', path, undefined, key, organization_id),
  }
}

/** Checks until the replica is used, or not. */
async function readUntil(is_used: boolean): Promise<void> {
  for (const { replica } of processes)
    do await replica.check()
    while ((replica.health().why_not === undefined) !== is_used)
}

/** A write at the primary whose position no process saves. */
async function runUnnoted(text: string, values: unknown[] = []) {
  const client = new pg.Client(new URL(`/openbenefits${new URL(cluster.url).search}`, cluster.url).href)
  await client.connect()
  const result = await client.query(text, values)
  await client.end()
  return result
}

/** Waits until the replica has replayed everything of the primary. */
async function caughtUp() {
  const { rows } = await runUnnoted('select pg_current_wal_insert_lsn()::text as position')
  for (;;) {
    const found = await standby.run(`select pg_last_wal_replay_lsn() >= '${rows[0].position}' as there`)
    if (found.rows[0].there) return
  }
}

/** The result of `doctor` for the replica. */
async function diagnosis() {
  const secrets = Object.entries(keys).map(([name, key]) => [name.toUpperCase(), key])
  const env = { ...Object.fromEntries(secrets), DATABASE_URL: url, READ_DATABASE_URL: at(standby.host, 5432) }
  return (await examine(env)).find(({ check }) => check === 'replica')
}

const answered = ({ replica }: { replica: Replica }) => replica.health().answered
const fallen = ({ replica }: { replica: Replica }) => ({ ...replica.health().fallen })

beforeAll(async () => {
  const data_dir = dataFolder('primary')
  cluster = await startCluster({ data_dir, password: 'replica', durable: false })
  closing.push(async () => {
    await cluster.stop()
    rmSync(data_dir, { recursive: true, force: true })
  })
  const addresses = await ensureRoles(cluster, 'replica', 'openbenefits')
  url = addresses.url
  await makeReady(addresses)
  const database = openDatabase({ url })
  const runtime = testRuntime(database, keys, () => noon('2026-03-10'))
  await keepPartitions(runtime, 6)
  story = await seedOrganizations(runtime)
  await database.close()
  standby = await startStandby(cluster.url)
  closing.push(() => standby.stop())
  address = await startAddress(new URL(url).searchParams.get('host')!)
  closing.push(() => address.close())
  processes = [await openProcess(), await openProcess()]
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

let employer_id: string

it('reads from a replica that is up to date', async () => {
  const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]]
  const made = await one.call('POST', '/v1/employers', anEmployer({ name: 'Corner Bakery' }))
  employer_id = made.body.data.id
  // The replica is not checked yet.
  expect((await other.get(`/v1/employers/${employer_id}`)).status).toBe(200)
  expect([answered(one), answered(other)]).toEqual([0, 0])
  await readUntil(true)
  await caughtUp()
  expect((await other.get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery')
  expect(answered(other)).toBeGreaterThan(0)
  // Nothing waits for a write without a saved position. The stale name shows that the read ran on the replica.
  await standby.run('select pg_wal_replay_pause()')
  await runUnnoted(`update employers set name = 'Changed elsewhere' where id = $1`, [employer_id])
  expect((await other.get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery')
})

it('shows an organization its own writes in every process while the replica is paused', async () => {
  const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]]
  const before = answered(other)
  const changed = await one.call('PUT', `/v1/employers/${employer_id}`, { name: 'Corner Bakery and Cafe' })
  expect(changed.status).toBe(200)
  for (const { get } of processes)
    expect((await get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery and Cafe')
  const names = (await other.get('/v1/employers', story.multi_organization_api_key, story.organization_id)).body.data
  expect(names).toMatchObject([{ name: 'Corner Bakery and Cafe' }])
  expect(fallen(other).behind).toBeGreaterThan(0)
  expect(answered(other)).toBe(before)
  const rival = await other.get('/v1/employers', story.rival_api_key)
  expect(rival.body.data).toEqual([])
  expect(answered(other)).toBeGreaterThan(before)
})

it('shows writes of jobs, and refuses revoked keys', async () => {
  const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]]
  const sync = await one.call('POST', `/v1/employers/${employer_id}/census-sync`, { employees: [aPerson()] })
  expect(sync.status).toBe(202)
  await runWaitingJobs(one.runtime, tasks)
  const path = `/v1/employers/${employer_id}/census-sync/${sync.body.data.census_sync_id}`
  expect((await other.get(path)).body.data.state).toBe('completed')
  const key = await one.call('POST', '/v1/api-keys', { name: 'Soon gone' })
  expect((await one.get('/v1/employers', key.body.data.api_key)).status).toBe(200)
  expect((await one.call('DELETE', `/v1/api-keys/${key.body.data.id}`)).status).toBeLessThan(300)
  expect((await one.get('/v1/employers', key.body.data.api_key)).status).toBe(401)
})

it('does not read data older than a few seconds, and returns to the replica when it has caught up', async () => {
  const [one] = processes as [(typeof processes)[0], (typeof processes)[0]]
  clock += 5000
  await readUntil(false)
  const before = answered(one)
  expect((await one.get('/v1/employers', story.rival_api_key)).status).toBe(200)
  expect([answered(one), one.replica.health().why_not]).toEqual([before, expect.stringContaining('too far behind')])
  await standby.run('select pg_wal_replay_resume()')
  await readUntil(true)
  await caughtUp()
  expect((await one.get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery and Cafe')
  expect(answered(one)).toBeGreaterThan(before)
})

it('reads from the primary if write positions are lost or a process does not record its writes', async () => {
  const [one] = processes as [(typeof processes)[0], (typeof processes)[0]]
  const before = answered(one)
  // A crash of the primary leaves the table empty.
  await runUnnoted('truncate write_positions')
  expect((await one.get('/v1/employers')).status).toBe(200)
  expect(answered(one)).toBe(before)
  await readUntil(true)
  const { database } = one.runtime
  const silent = { id: 'former', role: 'api', records_writes: false, known_keys: [], used_keys: [] }
  await database.transaction(no_organization, (db) => saveProcess({ db }, silent))
  await readUntil(false)
  expect(one.replica.health().why_not).toContain('READ_DATABASE_URL')
  expect(await diagnosis()).toMatchObject({
    state: 'warning',
    found: 'not read from: 1 of 1 processes do not have READ_DATABASE_URL',
  })
  await runUnnoted('delete from service_processes')
  await readUntil(true)
  expect(await diagnosis()).toMatchObject({ state: 'ok' })
})

// The processes of a server are listed in /proc.
const ends = process.platform === 'linux' ? ['that is frozen', 'that is killed'] : ['that is killed']

it.each(ends)('reads from the primary instead of a replica %s', async (state) => {
  const [one] = processes as [(typeof processes)[0], (typeof processes)[0]]
  await caughtUp()
  await one.get('/v1/employers')
  const before = fallen(one).gone
  const paths = ['/v1/employers', `/v1/employers/${employer_id}`, '/v1/groups']
  if (state === 'that is killed') await standby.kill()
  else standby.freeze()
  const reads = Promise.all(paths.map((path) => one.get(path)))
  // Reads that wait for a frozen replica are released by the check.
  if (state === 'that is frozen') await readUntil(false)
  expect((await reads).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(fallen(one).gone).toBeGreaterThan(before)
  await readUntil(false)
  if (state === 'that is killed') await standby.start()
  else standby.thaw()
  await readUntil(true)
  await caughtUp()
  const answers = answered(one)
  expect((await one.get('/v1/employers')).status).toBe(200)
  expect(answered(one)).toBeGreaterThan(answers)
})

it('follows a failover: writes and reads go to the new primary', async () => {
  const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]]
  await one.call('PUT', `/v1/employers/${employer_id}`, { name: 'Corner Bakery, before' })
  await caughtUp()
  await standby.run('select pg_promote()')
  // Before the next check, the former primary responds, and the other server is no longer a replica.
  expect((await one.get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery, before')
  await readUntil(false)
  expect(one.replica.health().why_not).toContain('not a replica')
  address.lead(standby.host)
  await runUnnoted('alter system set default_transaction_read_only = on')
  await runUnnoted('select pg_reload_conf()')
  while ((await runUnnoted('show default_transaction_read_only')).rows[0].default_transaction_read_only === 'off');
  const writes = [anEmployer(), anEmployer(), anEmployer()].map((body) => one.call('POST', '/v1/employers', body))
  const made = await Promise.all(writes)
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
  expect((await other.call('PUT', `/v1/employers/${employer_id}`, { name: 'On the new primary' })).status).toBe(200)
  for (const { get } of processes) {
    expect((await get(`/v1/employers/${employer_id}`)).body.data.name).toBe('On the new primary')
    expect((await get(`/v1/employers/${made[0]!.body.data.id}`)).status).toBe(200)
  }
  // The former primary responds, but is not a replica.
  const former = openReplicaAt(new URL(url).searchParams.get('host')!, one.runtime)
  await former.check()
  expect(former.health().why_not).toBeDefined()
  await former.close()
})
