import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Logger,
  run,
  runOnce,
  type Runner,
  type RunnerOptions,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import pg from 'pg'
import type { z } from 'zod'
import type { Database, Db } from './db.ts'
import type { World } from './world.ts'

/** What happens later: parse the payload, call one action. Must bear being run again after a crash. */
export type Task = (world: World, payload: unknown) => Promise<void>

export const task =
  <Shape extends z.ZodType>(shape: Shape, work: (world: World, payload: z.output<Shape>) => Promise<void>): Task =>
  (world, payload) =>
    work(world, shape.parse(payload))

export type WorkerOptions = {
  tasks: Record<string, Task>
  /** lines of graphile-worker's crontab, in UTC */
  crontab: string
  concurrency: number
  /** false behind a pooler that can't keep named statements */
  prepared_statements?: boolean
}

const taskListOf = (world: World, tasks: Record<string, Task>): TaskList =>
  Object.fromEntries(Object.entries(tasks).map(([name, work]) => [name, (payload: unknown) => work(world, payload)]))

/** graphile-worker's messages in our log: its chatter as debug, its trouble as it is. */
const loggerOf = (world: World) =>
  new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') world.log.warn({ worker: level }, message)
    else world.log.debug(message)
  })

export type Worker = { stop(): Promise<void> }

/**
 * Runs jobs until stopped. When the database goes away the worker ends; it is started anew, every second until
 * that works.
 */
export async function startWorker(world: World, url: string, options: WorkerOptions): Promise<Worker> {
  const stopping = new AbortController()
  let worker = await openWorker(world, url, options)
  const keepUp = async () => {
    for (;;) {
      await worker.ended
      if (stopping.signal.aborted) return
      world.log.warn('the worker ended and is started anew')
      worker = await reopen(() => openWorker(world, url, options), stopping.signal)
    }
  }
  const kept = keepUp().catch(
    (error) => stopping.signal.aborted || world.log.error({ err: error }, 'the worker is gone'),
  )
  return {
    async stop() {
      stopping.abort()
      await worker.stop()
      await kept
    },
  }
}

async function reopen<T>(open: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    await pause(1000, undefined, { signal })
    try {
      return await open()
    } catch {
      // The database is still away.
    }
  }
}

/**
 * A worker that was killed leaves its jobs locked, for hours by graphile-worker's own rule. So every worker
 * holds an advisory lock for as long as its session lives, and whoever finds a job locked by a worker without
 * one frees it: at the start, then every ten seconds. A worker whose session breaks ends, since others may
 * free its jobs from then on.
 */
async function openWorker(
  world: World,
  url: string,
  options: WorkerOptions,
): Promise<Worker & { ended: Promise<unknown> }> {
  const session = new pg.Client({ connectionString: url, application_name: 'openbenefits worker' })
  session.on('error', (error) => world.log.warn({ err: error }, 'the session of the worker broke'))
  const broken = new Promise((resolve) => session.once('end', resolve))
  await session.connect()

  const events: WorkerEvents = new EventEmitter()
  let claims: Promise<unknown> = Promise.resolve()
  // Jobs are locked in the name of the pool, not of one of its workers.
  events.on('pool:create', ({ workerPool }) => {
    claims = claims.then(() => session.query('select pg_advisory_lock(hashtextextended($1, 1))', [workerPool.id]))
    claims.catch(() => undefined)
  })
  let runner: Runner | undefined
  try {
    await freeAbandonedJobs(world.database)
    runner = await run({
      pgPool: world.database.pool,
      taskList: taskListOf(world, options.tasks),
      crontab: options.crontab,
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      gracefulShutdownAbortTimeout: 5000,
      logger: loggerOf(world),
      noPreparedStatements: options.prepared_statements === false,
      preset: outcomes_in_batches,
      events,
    })
    await claims
    const freeing = setInterval(() => freeAbandonedJobs(world.database).catch(() => undefined), 10_000)
    const over = runner.promise.catch((error) => world.log.warn({ err: error }, 'the worker failed'))
    const stop = async () => {
      clearInterval(freeing)
      await runner!.stop().catch(() => undefined)
      await session.end().catch(() => undefined)
    }
    const ended = Promise.race([over, broken]).finally(stop)
    return { ended, stop }
  } catch (error) {
    await runner?.stop().catch(() => undefined)
    await session.end().catch(() => undefined)
    throw error
  }
}

/** Unless it writes outcomes in batches, graphile-worker does not wait for them to be written. */
const outcomes_in_batches = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/** Not over the worker's own session: to a session its own locks are always free. */
async function freeAbandonedJobs({ pool }: Database): Promise<void> {
  await pool.query(`
    select graphile_worker.force_unlock_workers(array_agg(locked_by))
      from (select distinct locked_by from graphile_worker.jobs where locked_by is not null offset 0) as holders
     where pg_try_advisory_xact_lock(hashtextextended(locked_by, 1)) having count(*) > 0`)
}

/**
 * Works off everything that is waiting, then returns: for tests. graphile-worker may overlook a job while the
 * outcome of the one before it is on its way, so it is asked again while anything is due.
 */
export async function workOff(world: World, tasks: Record<string, Task>): Promise<void> {
  const options: RunnerOptions = {
    pgPool: world.database.pool,
    taskList: taskListOf(world, tasks),
    noHandleSignals: true,
    logger: loggerOf(world),
    preset: outcomes_in_batches,
  }
  do await runOnce(options)
  while (await isAnyDue(world.database.reads, Object.keys(tasks)))
}

const isAnyDue = async (db: Db, tasks: string[]): Promise<boolean> =>
  (await db.row(
    `select 1 as found from graphile_worker.jobs
      where task_identifier = any($1) and run_at <= now() and locked_at is null and attempts < max_attempts limit 1`,
    [tasks],
  )) !== undefined
