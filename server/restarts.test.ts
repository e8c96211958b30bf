import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { caseCount } from './test/case-count.ts'
import { aGroupMember, aPerson, anEmployer } from './test/fixtures.ts'
import { sure, only } from './test/pick.ts'
import type { DataOf } from './test/response.ts'
import { useStartedService } from './test/service/started-service.ts'

/** The service as an operator starts it, while its processes are killed. */
const { data_dir, drop_dir, startShared, ensureStarted, endShared, sandbox, call } = useStartedService('restarts')

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
    const path = join(drop_dir, `${id}-${file_count}.csv`)
    writeFileSync(`${path}.part`, files[file_count++ % 2]!)
    utimesSync(`${path}.part`, Date.now() / 1000 - 60, Date.now() / 1000 - 60)
    renameSync(`${path}.part`, path)
    await operate('POST', `/hris-connections/${id}/sync`)
  }
  mkdirSync(drop_dir, { recursive: true })
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
      while (readdirSync(join(drop_dir, 'working')).length > 0) await pause(50)
      expect(readdirSync(join(drop_dir, 'done')).sort()).toEqual(
        ended.map((run, at) => `${run.id}-${id}-${at}.csv`).sort(),
      )
      for (const { id: run_id } of ended) {
        const { outcome } = await operate('GET', `/hris-runs/${run_id}`)
        expect(await eventsOf(`${outcome?.census_sync_id}`)).toEqual(['census_sync.completed'])
      }
    },
  }
}

describe('the service', () => {
  it(
    `recovers from ${kills} kill -9 during censuses, member syncs and HRIS syncs, each completed once`,
    { timeout: 900_000 },
    async () => {
      await ensureStarted()
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
    },
  )

  it('exits when its database ends, and has all data after a restart', async () => {
    const server = await ensureStarted()
    const { id } = (await call('POST', '/v1/employers', anEmployer())).body.data
    const postmaster = Number(readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(postmaster, 'SIGKILL')
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain('PostgreSQL is no longer running')
    await startShared()
    expect((await call('GET', `/v1/employers/${id}`)).status).toBe(200)
  })

  it('stops with its database although a request never ends', async () => {
    const url = new URL((await ensureStarted()).url)
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => undefined)
    const head = `POST /v1/employers HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${sandbox().api_key}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`)
    await once(socket, 'connect')
    await endShared('SIGTERM')
    expect(existsSync(join(data_dir, 'postgres', 'postmaster.pid'))).toBe(false)
    socket.destroy()
  })
})
