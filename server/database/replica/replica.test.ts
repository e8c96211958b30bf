import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../app.ts'
import { examine } from '../../cli/doctor.ts'
import { tasks } from '../../modules.ts'
import { plantOrganizations, type Story } from '../../sandbox/story.ts'
import { anEmployer, aPerson } from '../../test/cast.ts'
import { dataFolder } from '../../test/folders.ts'
import { noon, testRuntime } from '../../test/runtime.ts'
import { startStandby, type Standby } from '../../test/standby.ts'
import { workOff } from '../../jobs/worker.ts'
import { startCluster, type Cluster } from '../../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../../packages/embedded-postgres/roles.ts'
import { saveTold } from '../../runtime/processes.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { newSecretKeys } from '../../security/secrets.ts'
import { openDatabase } from '../query/database.ts'
import { keepPartitions } from '../schema/partitions.ts'
import { openReplica, type Replica } from './replica.ts'
import { makeReady } from '../schema/roles.ts'
import { no_organization } from '../query/rows-of.ts'

/**
 * Two processes over one primary, which they reach by an address that leads elsewhere when another takes its place, and
 * one replica of it, from which both read.
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

/** An address that leads to where a server listens, and can be led elsewhere. */
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
  openReplica({ url: at(host, 5432), database, log, now: () => performance.now() + clock, patience_ms: 300 })

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

/** Looks until the replica is read from, or no longer. */
async function lookUntil(is_used: boolean): Promise<void> {
  for (const { replica } of processes)
    do await replica.look()
    while ((replica.standing().why_not === undefined) !== is_used)
}

/** What a superuser does at the primary, of which nobody is told. */
async function unnoted(text: string, values: unknown[] = []) {
  const client = new pg.Client(new URL(`/openbenefits${new URL(cluster.url).search}`, cluster.url).href)
  await client.connect()
  const result = await client.query(text, values)
  await client.end()
  return result
}

/** Waits until the replica has all that the primary has. */
async function caughtUp() {
  const { rows } = await unnoted('select pg_current_wal_insert_lsn()::text as position')
  for (;;) {
    const found = await standby.run(`select pg_last_wal_replay_lsn() >= '${rows[0].position}' as there`)
    if (found.rows[0].there) return
  }
}

/** What `doctor` finds of the replica. */
async function diagnosis() {
  const secrets = Object.entries(keys).map(([name, key]) => [name.toUpperCase(), key])
  const env = { ...Object.fromEntries(secrets), DATABASE_URL: url, READ_DATABASE_URL: at(standby.host, 5432) }
  return (await examine(env)).find(({ check }) => check === 'replica')
}

const answered = ({ replica }: { replica: Replica }) => replica.standing().answered
const fallen = ({ replica }: { replica: Replica }) => ({ ...replica.standing().fallen })

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
  story = await plantOrganizations(runtime)
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

it('reads from a replica that follows', async () => {
  const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]]
  const made = await one.call('POST', '/v1/employers', anEmployer({ name: 'Corner Bakery' }))
  employer_id = made.body.data.id
  // Nobody has looked yet.
  expect((await other.get(`/v1/employers/${employer_id}`)).status).toBe(200)
  expect([answered(one), answered(other)]).toEqual([0, 0])
  await lookUntil(true)
  await caughtUp()
  expect((await other.get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery')
  expect(answered(other)).toBeGreaterThan(0)
  // What somebody else did behind everybody's back may be late, which shows who answers.
  await standby.run('select pg_wal_replay_pause()')
  await unnoted(`update employers set name = 'Behind our back' where id = $1`, [employer_id])
  expect((await other.get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery')
})

it('shows an organization what it wrote, by whichever process, while the replica stands still', async () => {
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

it('shows what jobs wrote, and lets nobody in who was put out', async () => {
  const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]]
  const sync = await one.call('POST', `/v1/employers/${employer_id}/census-sync`, { employees: [aPerson()] })
  expect(sync.status).toBe(202)
  await workOff(one.runtime, tasks)
  const path = `/v1/employers/${employer_id}/census-sync/${sync.body.data.census_sync_id}`
  expect((await other.get(path)).body.data.state).toBe('completed')
  const key = await one.call('POST', '/v1/api-keys', { name: 'Soon gone' })
  expect((await one.get('/v1/employers', key.body.data.api_key)).status).toBe(200)
  expect((await one.call('DELETE', `/v1/api-keys/${key.body.data.id}`)).status).toBeLessThan(300)
  expect((await one.get('/v1/employers', key.body.data.api_key)).status).toBe(401)
})

it('reads nothing that is older than a few seconds, and from the replica again when it has caught up', async () => {
  const [one] = processes as [(typeof processes)[0], (typeof processes)[0]]
  clock += 5000
  await lookUntil(false)
  const before = answered(one)
  expect((await one.get('/v1/employers', story.rival_api_key)).status).toBe(200)
  expect([answered(one), one.replica.standing().why_not]).toEqual([before, expect.stringContaining('too far behind')])
  await standby.run('select pg_wal_replay_resume()')
  await lookUntil(true)
  await caughtUp()
  expect((await one.get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery and Cafe')
  expect(answered(one)).toBeGreaterThan(before)
})

it('reads from the primary when it is not known who has written, or somebody does not say so', async () => {
  const [one] = processes as [(typeof processes)[0], (typeof processes)[0]]
  const before = answered(one)
  // As a crash of the primary leaves it.
  await unnoted('truncate write_positions')
  expect((await one.get('/v1/employers')).status).toBe(200)
  expect(answered(one)).toBe(before)
  await lookUntil(true)
  const { database } = one.runtime
  const silent = { id: 'former', role: 'api', notes_writes: false, known_keys: [], used_keys: [] }
  await database.transaction(no_organization, (db) => saveTold(db, silent))
  await lookUntil(false)
  expect(one.replica.standing().why_not).toContain('READ_DATABASE_URL')
  expect(await diagnosis()).toMatchObject({
    state: 'look',
    found: 'not read from: 1 of 1 processes do not have READ_DATABASE_URL',
  })
  await unnoted('delete from service_processes')
  await lookUntil(true)
  expect(await diagnosis()).toMatchObject({ state: 'ok' })
})

// Which processes a server has is looked up in /proc.
const ends = process.platform === 'linux' ? ['that stands still', 'that is killed'] : ['that is killed']

it.each(ends)('answers from the primary in place of a replica %s', async (how) => {
  const [one] = processes as [(typeof processes)[0], (typeof processes)[0]]
  await caughtUp()
  await one.get('/v1/employers')
  const before = fallen(one).gone
  const paths = ['/v1/employers', `/v1/employers/${employer_id}`, '/v1/groups']
  if (how === 'that is killed') await standby.kill()
  else standby.freeze()
  const reads = Promise.all(paths.map((path) => one.get(path)))
  // Who waits for one that says nothing is let go by who looks after it.
  if (how === 'that stands still') await lookUntil(false)
  expect((await reads).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(fallen(one).gone).toBeGreaterThan(before)
  await lookUntil(false)
  if (how === 'that is killed') await standby.start()
  else standby.thaw()
  await lookUntil(true)
  await caughtUp()
  const answers = answered(one)
  expect((await one.get('/v1/employers')).status).toBe(200)
  expect(answered(one)).toBeGreaterThan(answers)
})

it('follows a primary whose place is taken: writes are done there, and reads come from it', async () => {
  const [one, other] = processes as [(typeof processes)[0], (typeof processes)[0]]
  await one.call('PUT', `/v1/employers/${employer_id}`, { name: 'Corner Bakery, as it was' })
  await caughtUp()
  await standby.run('select pg_promote()')
  // Before anybody has looked: the former primary answers, and the other server is a replica no more.
  expect((await one.get(`/v1/employers/${employer_id}`)).body.data.name).toBe('Corner Bakery, as it was')
  await lookUntil(false)
  expect(one.replica.standing().why_not).toContain('no replica')
  address.lead(standby.host)
  await unnoted('alter system set default_transaction_read_only = on')
  await unnoted('select pg_reload_conf()')
  while ((await unnoted('show default_transaction_read_only')).rows[0].default_transaction_read_only === 'off');
  const writes = [anEmployer(), anEmployer(), anEmployer()].map((body) => one.call('POST', '/v1/employers', body))
  const made = await Promise.all(writes)
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
  expect((await other.call('PUT', `/v1/employers/${employer_id}`, { name: 'At the new place' })).status).toBe(200)
  for (const { get } of processes) {
    expect((await get(`/v1/employers/${employer_id}`)).body.data.name).toBe('At the new place')
    expect((await get(`/v1/employers/${made[0]!.body.data.id}`)).status).toBe(200)
  }
  // The former primary is nobody's replica, though it answers.
  const former = openReplicaAt(new URL(url).searchParams.get('host')!, one.runtime)
  await former.look()
  expect(former.standing().why_not).toBeDefined()
  await former.close()
})
