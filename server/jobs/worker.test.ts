import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { z } from 'zod'
import { urlOf, useApi } from '../test/harness.ts'
import { lockOrganization } from '../runtime/locks.ts'
import { openLog } from '../runtime/process/log.ts'
import { startWorker, task } from './worker.ts'
import { inOrganization } from '../runtime/runtime.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'

const api = useApi()

const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await pause(10)
}

it('takes over the jobs of a killed worker, but not those of a running one', async () => {
  const ran: number[] = []
  const tasks = { note: task(z.object({ number: z.int() }), async (_, { number }) => void ran.push(number)) }
  await api.act(async (ctx) => {
    await ctx.enqueue('note', { number: 1 })
    await ctx.enqueue('note', { number: 2 })
  })
  const lock = `update graphile_worker._private_jobs set locked_by = $1, locked_at = now(), attempts = 1
      where payload->>'number' = $2`
  await api.database.pool.query(lock, ['worker-killed', '1'])
  await api.database.pool.query(lock, ['worker-alive', '2'])
  const alive = await api.database.pool.connect()
  await alive.query(`select pg_advisory_lock(hashtextextended('worker-alive', 1))`)

  const worker = await startWorker(api.runtime, await urlOf(api), { tasks, crontab: '', concurrency: 2 })
  await until(() => ran.length > 0)
  await worker.stop()
  alive.release(true)
  expect(ran).toEqual([1])
})

it.each([
  ['', null],
  [', which had failed before', 'broken'],
])('discards a job of a killed worker when a newer job has the same key%s', async (_, last_error) => {
  const ran: number[] = []
  const tasks = { replaced: task(z.object({ number: z.int() }), async (_, { number }) => void ran.push(number)) }
  const jobs = `select from graphile_worker.jobs where task_identifier = 'replaced'`
  await api.act((ctx) => ctx.enqueue('replaced', { number: 1 }, { key: 'one at a time' }))
  await api.database.pool.query(
    `update graphile_worker._private_jobs
        set locked_by = 'worker-replaced', locked_at = now(), attempts = 1, last_error = $1
      where key = 'one at a time'`,
    [last_error],
  )
  await api.act((ctx) => ctx.enqueue('replaced', { number: 2 }, { key: 'one at a time' }))
  expect((await api.database.pool.query(jobs)).rowCount).toBe(2)

  const worker = await startWorker(api.runtime, await urlOf(api), { tasks, crontab: '', concurrency: 2 })
  await until(() => ran.length > 0)
  await worker.stop()
  expect(ran).toEqual([2])
  expect((await api.database.pool.query(jobs)).rowCount).toBe(0)
})

it.each([
  ['failed', new Error('broken')],
  ['could not get a lock', new pg.DatabaseError('canceling statement due to lock timeout', 0, 'error')],
])('discards a job that %s when a newer job has the same key', async (_, error) => {
  if (error instanceof pg.DatabaseError) error.code = '55P03'
  const ran: number[] = []
  const key = 'one at a time'
  const enqueue = (number: number) => api.act((ctx) => ctx.enqueue('replaced', { number }, { key }))
  const tasks = {
    replaced: task(z.object({ number: z.int() }), async (_, { number }) => {
      ran.push(number)
      if (number === 2) return
      await enqueue(2)
      throw error
    }),
  }
  await enqueue(1)
  const worker = await startWorker(api.runtime, await urlOf(api), { tasks, crontab: '', concurrency: 1 })
  await until(() => ran.length === 2)
  await worker.stop()
  expect(ran).toEqual([1, 2])
  const jobs = `select from graphile_worker.jobs where task_identifier = 'replaced'`
  expect((await api.database.pool.query(jobs)).rowCount).toBe(0)
})

it('resumes after the database has ended all its sessions', async () => {
  const ran: number[] = []
  const tasks = { after: task(z.unknown(), async () => void ran.push(1)) }
  const worker = await startWorker(api.runtime, await urlOf(api), { tasks, crontab: '', concurrency: 1 })
  await api.database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await until(() =>
    api
      .act((ctx) => ctx.enqueue('after', {}))
      .then(
        () => true,
        () => false,
      ),
  )
  await until(() => ran.length > 0)
  await worker.stop()
})

it('stops even while it reconnects', async () => {
  const worker = await startWorker(api.runtime, await urlOf(api), { tasks: {}, crontab: '', concurrency: 1 })
  const sessions = (condition: string) =>
    api.database.pool
      .query(`select pid from pg_stat_activity where datname = current_database() and ${condition}`)
      .then(({ rowCount }) => rowCount)
  const holder = await api.database.pool.connect()
  await holder.query('begin; lock table graphile_worker._private_jobs in access exclusive mode')
  await holder.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and application_name = 'openbenefits worker'`,
  )
  const waits = `application_name = 'openbenefits jobs' and wait_event_type = 'Lock' and query like '%dead as%'`
  await until(async () => (await sessions(waits)) === 1)
  const stopped = worker.stop()
  await holder.query('commit')
  holder.release()
  await stopped
  expect(worker.isWorking()).toBe(false)
  await until(async () => (await sessions(`application_name in ('openbenefits worker', 'openbenefits jobs')`)) === 0)
})

it('never runs a job twice at the same time, regardless of how many workers start', async () => {
  let runs = 0
  const over = Promise.withResolvers<void>()
  const tasks = { long: task(z.unknown(), async () => (runs++, over.promise)) }
  await api.act((ctx) => ctx.enqueue('long', {}))
  const first = await startWorker(api.runtime, await urlOf(api), { tasks, crontab: '', concurrency: 1 })
  await until(() => runs > 0)
  const second = await startWorker(api.runtime, await urlOf(api), { tasks, crontab: '', concurrency: 1 })
  await api.act((ctx) => ctx.enqueue('long', {}))
  await until(() => runs > 1)
  const { rows } = await api.database.pool.query(
    `select attempts from graphile_worker.jobs where task_identifier = 'long'`,
  )
  over.resolve()
  await first.stop()
  await second.stop()
  expect(rows).toEqual([{ attempts: 1 }, { attempts: 1 }])
})

it('adds many jobs at once, each replacing the waiting job with its key', async () => {
  const add = (...jobs: [key: string, number: number][]) =>
    api.act((ctx) =>
      ctx.enqueueEach(
        'many',
        jobs.map(([key, number]) => ({ key, payload: { number } })),
      ),
    )
  await add(['many:a', 1], ['many:b', 2])
  await add(['many:b', 3], ['many:c', 4])
  const { rows } = await api.database.pool.query(
    `select key, payload->>'number' as number from graphile_worker._private_jobs where key like 'many:%' order by key`,
  )
  expect(rows).toEqual([
    { key: 'many:a', number: '1' },
    { key: 'many:b', number: '3' },
    { key: 'many:c', number: '4' },
  ])
})

/** Starts a worker whose jobs record their start and end when they are released. */
async function noting(concurrency: number) {
  const began: string[] = []
  const held = new Map<string, Promise<void>>()
  const named = z.object({ organization_id: z.string(), name: z.string() })
  const tasks = { named: task(named, async (_, { name }) => (began.push(name), held.get(name))) }
  const add = (organization_id: string, name: string) =>
    api.act((ctx) => ctx.enqueue('named', { organization_id, name }))
  const start = async () => startWorker(api.runtime, await urlOf(api), { tasks, crontab: '', concurrency })
  return { began, held, add, start }
}

it('serves organizations round-robin, regardless of how many jobs one has', async () => {
  const { began, add, start } = await noting(1)
  for (let at = 1; at <= 6; at++) await add('org_a', `a${at}`)
  for (const name of ['b1', 'b2']) await add('org_b', name)
  await add('org_c', 'c1')
  const worker = await start()
  await until(() => began.length === 9)
  await worker.stop()
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'a5', 'a6'])
})

it('leaves room for other organizations while jobs of one wait for each other', async () => {
  const { began, held, add, start } = await noting(4)
  const over = Promise.withResolvers<void>()
  for (let at = 1; at <= 10; at++) {
    held.set(`a${at}`, over.promise)
    await add('org_a', `a${at}`)
  }
  const worker = await start()
  await until(() => began.length === 2)
  await add('org_b', 'b1')
  await until(() => began.includes('b1'))
  expect(began).toEqual(['a1', 'a2', 'b1'])
  over.resolve()
  await until(() => began.length === 11)
  await worker.stop()
})

/** Adds background jobs named by number. */
const addBackground = (count: number, organization_id = 'org_z') =>
  api.act((ctx) =>
    ctx.enqueueEach(
      'named',
      Array.from({ length: count }, (_, at) => ({
        payload: { organization_id, name: `background${at + 1}` },
        key: `background:${at + 1}`,
      })),
      10,
    ),
  )

it.each([1, 4])(
  'runs background jobs while other organizations always have jobs, but after them, with %i slots',
  async (concurrency) => {
    const { began, add, start } = await noting(concurrency)
    await addBackground(3)
    for (let at = 1; at <= 20; at++) for (const name of ['a', 'b']) await add(`org_${name}`, `${name}${at}`)
    const worker = await start()
    await until(() => began.length === 43)
    await worker.stop()
    const positions = [1, 2, 3].map((at) => began.indexOf(`background${at}`))
    expect(positions[0]).toBeGreaterThanOrEqual(3)
    expect(positions[2]).toBeLessThanOrEqual(4 * 4 + concurrency)
  },
)

it('runs background jobs of an organization whose other jobs could use all of its slots', async () => {
  const { began, add, start } = await noting(4)
  await addBackground(3, 'org_a')
  for (let at = 1; at <= 40; at++) await add('org_a', `a${at}`)
  const worker = await start()
  await until(() => began.length === 43)
  await worker.stop()
  expect(began.indexOf('background3')).toBeLessThan(40)
})

it('runs all waiting background jobs when no other jobs wait', async () => {
  const { began, start } = await noting(1)
  await addBackground(8)
  const worker = await start()
  await until(() => began.length === 8)
  await worker.stop()
})

it('releases a job if its organization stays locked, and retries it soon without counting the attempt', async () => {
  const runs: string[] = []
  const tasks = {
    enter: task(z.object({ organization_id: z.string() }), async (runtime, { organization_id }) => {
      runs.push('tried')
      await inOrganization(runtime, organization_id, async () => void runs.push('done'))
    }),
  }
  const runtime = { ...api.runtime, database: { ...api.database, timeout_ms: 50 } }
  const { organization_id } = api.story
  const worker = await api.database.transaction(every_organization, async (db) => {
    await lockOrganization(db, organization_id)
    await api.act((ctx) => ctx.enqueue('enter', { organization_id }))
    const started = await startWorker(runtime, await urlOf(api), { tasks, crontab: '', concurrency: 1 })
    await until(() => runs.length === 3)
    const job = `select attempts <= 1 as uncounted from graphile_worker.jobs where task_identifier = 'enter'`
    expect((await api.database.pool.query(job)).rows).toEqual([{ uncounted: true }])
    return started
  })
  await until(() => runs.includes('done'))
  await worker.stop()
})

it('logs no personal data from PostgreSQL errors in a job', async () => {
  let written = ''
  const log = openLog('debug', new Writable({ write: (chunk, _, done) => ((written += chunk), done()) }))
  const tasks = {
    odd: task(z.unknown(), async ({ database }) => {
      await database.transaction(no_organization, (db) => db.rows(`select $1::date`, ['ada-was-born']))
    }),
    wrapped: task(z.unknown(), async ({ database }) => {
      const cause = await database
        .reads(no_organization)
        .rows(`select $1::date`, ['ada-was-born'])
        .catch((error: Error) => error)
      throw new Error('The job failed.', { cause })
    }),
  }
  const runtime = { ...api.runtime, log }
  await api.act((ctx) => ctx.enqueue('odd', {}))
  await api.act((ctx) => ctx.enqueue('wrapped', {}))
  const worker = await startWorker(runtime, await urlOf(api), { tasks, crontab: '', concurrency: 1 })
  await until(() => written.includes('"task":"odd"') && written.includes('"task":"wrapped","err"'))
  await worker.stop()
  expect(written).toContain('"code":"22007"')
  expect(written).not.toMatch(/ada@example|ada-was/)
})

it('reports that it cannot work while its database is unavailable, and that it can afterwards', async () => {
  const name = (await api.database.reads.row<{ name: string }>('select current_database() as name'))!.name
  const maintenance = new pg.Client({ connectionString: inject('maintenance_url') })
  await maintenance.connect()
  const worker = await startWorker(api.runtime, await urlOf(api), { tasks: {}, crontab: '', concurrency: 1 })
  expect(worker.isWorking()).toBe(true)
  await maintenance.query(`alter database ${name} allow_connections false`)
  await maintenance.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await until(() => !worker.isWorking())
  await maintenance.query(`alter database ${name} allow_connections true`)
  await until(() => worker.isWorking())
  await worker.stop()
  expect(worker.isWorking()).toBe(false)
  await maintenance.end()
})
