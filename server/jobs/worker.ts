import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Logger,
  run,
  runOnce,
  type Job,
  type JobHelpers,
  type Runner,
  type RunnerOptions,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import pg from 'pg'
import type { z } from 'zod'
import { isDatabaseError, type Db } from '../database/query/database.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { onceMore, sessionOf, SteadyPool, type Password } from '../database/query/session.ts'
import { statement } from '../database/sql/statement.ts'
import { within } from '../kernel/deadline.ts'
import { takeTurns } from './fair-order.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** What happens later: parse the payload, call one action. Must bear being run again after a crash. */
export type Task = (runtime: Runtime, payload: unknown) => Promise<void>

export const task =
  <Shape extends z.ZodType>(shape: Shape, work: (runtime: Runtime, payload: z.output<Shape>) => Promise<void>): Task =>
  (runtime, payload) =>
    work(runtime, shape.parse(payload))

export type WorkerOptions = {
  tasks: Record<string, Task>
  /** lines of graphile-worker's crontab, in UTC */
  crontab: string
  concurrency: number
  /** told of every run of a job */
  onRun?: OnRun
  /** false behind a pooler that can't keep named statements */
  prepared_statements?: boolean
  /** where the one in the address may be replaced */
  password?: Password | undefined
}

/** How a run of a job ended. What went wrong is in the log. */
export type OnRun = (task: string, outcome: 'done' | 'failed', seconds: number) => void

/** What jobs run with: their transactions have sessions of their own. */
const ofJobs = ({ database, ...runtime }: Runtime): Runtime => ({
  ...runtime,
  database: { ...database, transaction: database.transactionOfJob },
})

const taskListOf = (runtime: Runtime, tasks: Record<string, Task>, onRun: OnRun = () => undefined): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, work]) => [
      name,
      async (payload: unknown, { job }: JobHelpers) => {
        const started = performance.now()
        const seconds = () => (performance.now() - started) / 1000
        try {
          await work(ofJobs(runtime), payload)
        } catch (error) {
          onRun(name, 'failed', seconds())
          // Where that can't be asked, what went wrong first is what the job failed with.
          const is_over = await isSuperseded(runtime, job).catch(() => false)
          if (is_over) return tellSuperseded(runtime, job, error)
          if (isDatabaseError(error) && error.code === '55P03') await forgiveAttempt(runtime, job)
          throw error
        }
        onRun(name, 'done', seconds())
        tellRun(runtime, job, seconds())
      },
    ]),
  )

/** A line for each job that is done. Its payload holds ids, of which the organization's is told. */
function tellRun({ log }: Runtime, { id, task_identifier, attempts, payload }: Job, seconds: number): void {
  const { organization_id } = (payload ?? {}) as { organization_id?: string }
  const ms = Math.round(seconds * 10_000) / 10
  log.info({ task: task_identifier, job_id: id, attempt: attempts, ms, organization_id }, 'a job is done')
}

const key_read = statement('worker.readKey', 'select key from graphile_worker._private_jobs where id = :id for share')

/**
 * Whether the key of a job that runs went to a newer one, which does its work. This one has its last attempt then:
 * where it fails it is over, or it would stand among those that were given up, or do all of it again hours later.
 */
const isSuperseded = async ({ database }: Runtime, { id, key }: Job): Promise<boolean> => {
  // Former versions added jobs without one.
  if (key === null) return false
  const row = await database.transaction(no_organization, (db) => key_read.row<{ key: string | null }>({ db }, { id }))
  return row?.key === null
}

function tellSuperseded({ log }: Runtime, { id, task_identifier }: Job, err: unknown): void {
  log.info({ task: task_identifier, job_id: id, err }, 'a job failed, and a newer one does its work')
}

const forgiven = statement(
  'worker.forgiveAttempt',
  `update graphile_worker._private_jobs set attempts = attempts - 1
    where id = :id and key is not distinct from :key`,
)

/**
 * Has a job that waited too long for a lock be tried again in a second, and not after a growing pause: it gave back its
 * place, and nothing is wrong with it.
 */
const forgiveAttempt = ({ database }: Runtime, { id, key }: Job) =>
  database.transaction(no_organization, (db) => forgiven.rows({ db }, { id, key }))

/**
 * graphile-worker's messages in our log: its chatter as debug, its trouble as it is. Only what it says and not of what,
 * since it puts whole errors into its words, and PostgreSQL's quote people's data: our log writes those itself,
 * without.
 */
const loggerOf = ({ log }: Runtime) =>
  new Logger(() => (level, message, meta) => {
    const { job, error } = (meta ?? {}) as { job?: Job; error?: unknown }
    const said = /^[^:'"(\d]*/.exec(message)![0].trim()
    const about = {
      ...(job && { job_id: job.id, task: job.task_identifier }),
      ...(error instanceof Error && { err: error }),
    }
    if (level === 'error' || level === 'warning') log.warn({ worker: level, ...about }, said)
    else log.debug(about, said)
  })

export type Worker = {
  /** Resolves when it begins to take jobs: at once, unless the database cannot be written yet. */
  begun: Promise<void>
  /** Whether it runs jobs, or has lately been able to ask for some. */
  isWorking(): boolean
  /** Ends soon after so many milliseconds, whether its jobs have ended or not. */
  stop(patience_ms?: number): Promise<void>
}

/** The database takes no writes, is shutting down or starting, or the connection to it broke: all of it passes. */
const passing = /^(25006|57P0|08|ECONN)/

/**
 * Runs jobs until stopped. When the database goes away the worker ends; it is started anew, every second until that
 * works. So is one that starts while the database is switched to another server, or to read-only.
 */
export async function startWorker(runtime: Runtime, url: string, options: WorkerOptions): Promise<Worker> {
  const stopping = new AbortController()
  const begun = Promise.withResolvers<void>()
  const open = () => openWorker(runtime, url, options)
  let worker = await onceMore(open).catch((error: Error & { code?: string }) => {
    if (!passing.test(error.code ?? '')) throw error
    runtime.log.warn({ err: error }, cannot_start)
    return undefined
  })
  const keepUp = async () => {
    for (;;) {
      if (worker) {
        begun.resolve()
        await worker.ended
        if (stopping.signal.aborted) return
        runtime.log.warn('the worker ended and is started anew')
        await worker.stop(patience_once_broken_ms)
      }
      worker = await reopen(open, runtime, stopping.signal)
      // It may have been stopped while the new one was on its way.
      if (stopping.signal.aborted) return worker.stop(patience_with_jobs_ms)
    }
  }
  const kept = keepUp().catch(
    (error) => stopping.signal.aborted || runtime.log.error({ err: error }, 'the worker is gone'),
  )
  return {
    begun: begun.promise,
    isWorking: () => worker?.isWorking() ?? false,
    async stop(patience_ms = patience_with_jobs_ms) {
      stopping.abort()
      await worker?.stop(patience_ms)
      await kept
    },
  }
}

const cannot_start = 'the worker cannot be started yet'

async function reopen<T>(open: () => Promise<T>, { log }: Runtime, signal: AbortSignal): Promise<T> {
  for (;;) {
    await pause(1000, undefined, { signal })
    try {
      return await open()
    } catch (error) {
      log.warn({ err: error }, cannot_start)
    }
  }
}

/** How long jobs may take to end when the service stops. */
export const patience_with_jobs_ms = 5000

/** The same when the worker's own session is gone: others may take its jobs already. */
const patience_once_broken_ms = 2000

/** How long a worker with nothing to do, which asks every second, may get no answer and still count as working. */
const silence_ms = 10_000

/**
 * How many jobs of one organization run at a time: most wait for one lock, and more of them would only hold places.
 */
const most_of_one = 2

/** No query of the worker's own takes long: one that does hangs on a connection that is gone without saying so. */
const timeouts = { connectionTimeoutMillis: 10_000, query_timeout: 60_000, statement_timeout: 60_000 }

type OpenWorker = { isWorking(): boolean; ended: Promise<unknown>; stop(patience_ms: number): Promise<void> }

/**
 * A worker that was killed leaves its jobs locked, for hours by graphile-worker's own rule. So every worker
 * holds an advisory lock for as long as its session lives, and whoever finds a job locked by a worker without
 * one frees it: at the start, then every ten seconds. A worker whose session breaks ends, since others may
 * free its jobs from then on.
 *
 * Its connections are its own: what waits in those of the service for a lock does not keep it from asking for jobs, and
 * they end with it. It never relies on graphile-worker coming to an end, which it does not always (decision 47).
 */
async function openWorker(runtime: Runtime, url: string, options: WorkerOptions): Promise<OpenWorker> {
  const address = { ...sessionOf({ url, password: options.password }), ...timeouts }
  const session = new pg.Client({ ...address, application_name: 'openbenefits worker' })
  session.on('error', (error) => runtime.log.warn({ err: error }, 'the session of the worker broke'))
  const broken = new Promise((resolve) => session.once('end', resolve))
  const pool = new SteadyPool({ ...address, application_name: 'openbenefits jobs', max: options.concurrency + 1 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const close = async () =>
    void (await Promise.all([pool.end(), session.end()].map((end) => within(1000, end).catch(() => undefined))))

  const events: WorkerEvents = new EventEmitter()
  const activity = watchActivity(events, options.concurrency)
  const closing = new Promise((resolve) => events.once('pool:gracefulShutdown', resolve))
  let claims: Promise<unknown> = Promise.resolve()
  // Jobs are locked in the name of the pool, not of one of its workers.
  events.on('pool:create', ({ workerPool }) => {
    claims = claims.then(() => session.query('select pg_advisory_lock(hashtextextended($1, 1))', [workerPool.id]))
    claims.catch(() => undefined)
  })
  const { guarded, abandon } = abandonable(taskListOf(runtime, options.tasks, options.onRun))
  let runner: Runner | undefined
  const end = async (patience_ms: number) => {
    const over = Promise.allSettled([runner?.stop(), runner?.promise])
    await within(patience_ms, over).catch(() => abandon())
    await close()
  }
  try {
    await session.connect()
    await freeAbandonedJobs(pool)
    runner = await run({
      pgPool: pool,
      taskList: guarded,
      crontab: options.crontab,
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      forbiddenFlags: takeTurns(events, Math.min(most_of_one, Math.ceil(options.concurrency / 2))),
      gracefulShutdownAbortTimeout: patience_with_jobs_ms,
      logger: loggerOf(runtime),
      noPreparedStatements: options.prepared_statements === false,
      preset: outcomes_in_batches,
      events,
    })
    await claims
  } catch (error) {
    await end(patience_once_broken_ms)
    throw error
  }
  const freeing = setInterval(() => freeAbandonedJobs(pool).catch(() => undefined), 10_000)
  let open = true
  let stopped: Promise<void> | undefined
  return {
    isWorking: () => open && activity.isWorking(),
    ended: Promise.race([runner.promise.catch(() => undefined), closing, broken]).then(() => void (open = false)),
    stop(patience_ms) {
      open = false
      clearInterval(freeing)
      return (stopped ??= end(patience_ms))
    },
  }
}

/** Whether a worker runs as many jobs as it may, or has asked for one lately and been answered. */
function watchActivity(events: WorkerEvents, concurrency: number): { isWorking(): boolean } {
  let running = 0
  let answered_at = Date.now()
  const answered = () => (answered_at = Date.now())
  events.on('job:start', () => (running++, answered()))
  events.on('job:complete', () => (running--, answered()))
  events.on('worker:getJob:empty', answered)
  return { isWorking: () => running >= concurrency || Date.now() - answered_at < silence_ms }
}

/**
 * Tasks that can be given up: what ends afterwards never ends for graphile-worker, which would fail to note it and
 * take the process along by a rejection that nobody handles.
 */
function abandonable(tasks: TaskList): { guarded: TaskList; abandon(): void } {
  let abandoned = false
  const unlessAbandoned = () => (abandoned ? new Promise<never>(() => undefined) : undefined)
  const guard =
    (work: NonNullable<TaskList[string]>): NonNullable<TaskList[string]> =>
    (payload, helpers) =>
      Promise.resolve(work(payload, helpers)).finally(unlessAbandoned)
  return {
    guarded: Object.fromEntries(Object.entries(tasks).map(([name, work]) => [name, guard(work!)])),
    abandon: () => void (abandoned = true),
  }
}

/** Unless it writes outcomes in batches, graphile-worker does not wait for them to be written. */
const outcomes_in_batches = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/**
 * Frees the jobs of workers that died. One whose key went to a newer job meanwhile was set by graphile-worker to never
 * run again, since that one does its work: it is taken away, or it would stand among those that were given up.
 *
 * Not over the worker's own session: to a session its own locks are always free.
 */
async function freeAbandonedJobs(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with dead as materialized (
      select array_agg(locked_by) as workers
        from (select distinct locked_by from graphile_worker.jobs where locked_by is not null offset 0) as holders
       where pg_try_advisory_xact_lock(hashtextextended(locked_by, 1)) having count(*) > 0
    ), superseded as materialized (
      select array_agg(job.id) as ids from dead join graphile_worker.jobs as job on job.locked_by = any(dead.workers)
       where job.key is null and job.attempts = job.max_attempts
    ), freed as materialized (
      select graphile_worker.force_unlock_workers(workers) from dead
    )
    select graphile_worker.complete_jobs(superseded.ids) from freed cross join superseded`)
}

/**
 * Works off everything that is waiting, then returns: for tests. graphile-worker may overlook a job while the
 * outcome of the one before it is on its way, so it is asked again while anything is due.
 */
export async function workOff(runtime: Runtime, tasks: Record<string, Task>): Promise<void> {
  const options: RunnerOptions = {
    pgPool: runtime.database.pool,
    taskList: taskListOf(runtime, tasks),
    noHandleSignals: true,
    logger: loggerOf(runtime),
    preset: outcomes_in_batches,
  }
  do await runOnce(options)
  while (await isAnyDue(runtime.database.reads(no_organization), Object.keys(tasks)))
}

const due = statement(
  'worker.isAnyDue',
  `select 1 as found from graphile_worker.jobs
    where task_identifier = any(:tasks) and run_at <= now() and locked_at is null and attempts < max_attempts limit 1`,
)

const isAnyDue = async (db: Db, tasks: string[]): Promise<boolean> => (await due.row({ db }, { tasks })) !== undefined
