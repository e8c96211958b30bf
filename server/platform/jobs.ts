import { EventEmitter } from 'node:events'
import { Logger, run, runOnce, type Runner, type RunnerOptions, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { z } from 'zod'
import type { Db } from './db.ts'
import type { World } from './world.ts'

export type JobOptions = {
  /** a waiting job with the same key is replaced */
  key?: string
}

/** Adds a job in the transaction of the change that causes it. */
export type Enqueue = (task: string, payload: object, options?: JobOptions) => Promise<void>

export const enqueueIn =
  (db: Db): Enqueue =>
  async (task, payload, options = {}) => {
    await db.rows('select graphile_worker.add_job($1, $2::json, job_key := $3)', [
      task,
      JSON.stringify(payload),
      options.key ?? null,
    ])
  }

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
}

const taskListOf = (world: World, tasks: Record<string, Task>): TaskList =>
  Object.fromEntries(Object.entries(tasks).map(([name, work]) => [name, (payload: unknown) => work(world, payload)]))

/** graphile-worker's messages in our log: its chatter as debug, its trouble as it is. */
const loggerOf = (world: World) =>
  new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') world.log.warn({ worker: level }, message)
    else world.log.debug(message)
  })

/**
 * Runs jobs until stopped. A worker that was killed leaves its jobs locked, for hours by graphile-worker's own
 * rule. So every worker holds an advisory lock for as long as its process lives, and whoever finds a job locked
 * by a worker without one frees it: at the start, then every ten seconds.
 */
export async function startWorker(world: World, url: string, options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const session = new pg.Client({ connectionString: url, application_name: 'openbenefits worker' })
  session.on('error', (error) => world.log.warn({ err: error }, 'the session of the worker broke'))
  await session.connect()

  const events: WorkerEvents = new EventEmitter()
  let claims: Promise<unknown> = Promise.resolve()
  events.on('worker:create', ({ worker }) => {
    claims = claims.then(() => session.query('select pg_advisory_lock(hashtextextended($1, 1))', [worker.workerId]))
  })
  const freeing = setInterval(() => freeAbandonedJobs(session).catch((error) => world.log.warn({ err: error }, 'freeing jobs failed')), 10_000)
  try {
    await freeAbandonedJobs(session)
    const runner: Runner = await run({
      pgPool: world.database.pool,
      taskList: taskListOf(world, options.tasks),
      crontab: options.crontab,
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      gracefulShutdownAbortTimeout: 5000,
      logger: loggerOf(world),
      events,
    })
    await claims
    return {
      async stop() {
        clearInterval(freeing)
        await runner.stop()
        await session.end()
      },
    }
  } catch (error) {
    clearInterval(freeing)
    await session.end()
    throw error
  }
}

async function freeAbandonedJobs(session: pg.Client): Promise<void> {
  await session.query(`
    with abandoned as materialized (
      select locked_by from (select distinct locked_by from graphile_worker.jobs where locked_by is not null) as holders
       where pg_try_advisory_lock(hashtextextended(locked_by, 1))
    ), released as (
      select locked_by from abandoned where pg_advisory_unlock(hashtextextended(locked_by, 1))
    )
    select graphile_worker.force_unlock_workers(array_agg(locked_by)) from released having count(*) > 0`)
}

/**
 * Works off everything that is waiting, then returns: for tests and for commands. Unless it writes outcomes in
 * batches, graphile-worker does not wait for the last of them to be written, and it overlooks the next job of a
 * queue while the outcome of the former is on its way; so it is asked again while anything is due.
 */
export async function workOff(world: World, tasks: Record<string, Task>): Promise<void> {
  const options: RunnerOptions = {
    pgPool: world.database.pool,
    taskList: taskListOf(world, tasks),
    noHandleSignals: true,
    logger: loggerOf(world),
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
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
