import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, run, type Job, type JobHelpers, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { z } from 'zod'
import { isDatabaseError } from '../database/query/database.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { retryWithNewPassword, sessionOf, SteadyPool, type Password } from '../database/query/session.ts'
import { statement } from '../database/sql/statement.ts'
import { withDeadline } from '../kernel/concurrency/deadline.ts'
import { takeTurns } from './fair-order.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** The work of a job: parses the payload and calls one action. It may run again after a crash. */
export type Task = (runtime: Runtime, payload: unknown) => Promise<void>

export const task =
  <Shape extends z.ZodType>(shape: Shape, work: (runtime: Runtime, payload: z.output<Shape>) => Promise<void>): Task =>
  (runtime, payload) =>
    work(runtime, shape.parse(payload))

export type WorkerOptions = {
  tasks: Record<string, Task>
  /** Lines of graphile-worker's crontab, in UTC. */
  crontab: string
  concurrency: number
  /** Called after each run of a job. */
  onRun?: OnRun
  /** False behind a pooler that cannot keep named statements. */
  prepared_statements?: boolean
  /** Replaces the password in the address, which may change. */
  password?: Password | undefined
}

/** Receives the outcome of a run. The log contains the error. */
export type OnRun = (task: string, outcome: 'done' | 'failed', seconds: number) => void

/** The runtime of jobs, whose transactions use separate sessions. */
const jobRuntime = ({ database, ...runtime }: Runtime): Runtime => ({
  ...runtime,
  database: { ...database, transaction: database.transactionOfJob },
})

export const taskListOf = (runtime: Runtime, tasks: Record<string, Task>, onRun: OnRun = () => undefined): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, work]) => [
      name,
      async (payload: unknown, { job }: JobHelpers) => {
        const started = performance.now()
        const seconds = () => (performance.now() - started) / 1000
        try {
          await work(jobRuntime(runtime), payload)
        } catch (error) {
          onRun(name, 'failed', seconds())
          // If this query fails, the job fails with the original error.
          const is_over = await isSuperseded(runtime, job).catch(() => false)
          if (is_over) return reportSuperseded(runtime, job, error)
          if (isDatabaseError(error) && error.code === '55P03') await restoreAttempt(runtime, job)
          throw error
        }
        onRun(name, 'done', seconds())
        recordRun(runtime, job, seconds())
      },
    ]),
  )

/** Logs each finished job. Of its payload only the organization's id is logged. */
function recordRun({ log }: Runtime, { id, task_identifier, attempts, payload }: Job, seconds: number): void {
  const { organization_id } = (payload ?? {}) as { organization_id?: string }
  const ms = Math.round(seconds * 10_000) / 10
  log.info({ task: task_identifier, job_id: id, attempt: attempts, ms, organization_id }, 'a job is done')
}

const key_read = statement('worker.readKey', 'select key from graphile_worker._private_jobs where id = :id for share')

/**
 * True if a newer job has replaced a running job by taking its key, and does its work. The running job is then on its
 * last attempt. Its failure is ignored, so that it neither counts as failed nor runs again hours later.
 */
const isSuperseded = async ({ database }: Runtime, { id }: Job): Promise<boolean> => {
  const row = await database.transaction(no_organization, (db) => key_read.row<{ key: string | null }>({ db }, { id }))
  return row?.key === null
}

function reportSuperseded({ log }: Runtime, { id, task_identifier }: Job, err: unknown): void {
  log.info({ task: task_identifier, job_id: id, err }, 'a job failed, but a newer job has replaced it')
}

const attempt_restored = statement(
  'worker.restoreAttempt',
  `update graphile_worker._private_jobs set attempts = attempts - 1
    where id = :id and key is not distinct from :key`,
)

/**
 * Does not count an attempt that waited too long for a lock, so that the job is retried after a second instead of a
 * growing delay.
 */
const restoreAttempt = ({ database }: Runtime, { id, key }: Job) =>
  database.transaction(no_organization, (db) => attempt_restored.rows({ db }, { id, key }))

/**
 * Passes messages of graphile-worker to our log. Only the fixed part of a message is logged, since it contains whole
 * errors, and those of PostgreSQL quote personal data. Our log serializes errors without it.
 */
export const loggerOf = ({ log }: Runtime) =>
  new Logger(() => (level, message, meta) => {
    const { job, error } = (meta ?? {}) as { job?: Job; error?: unknown }
    const text = /^[^:'"(\d]*/.exec(message)![0].trim()
    const about = {
      ...(job && { job_id: job.id, task: job.task_identifier }),
      ...(error instanceof Error && { err: error }),
    }
    if (level === 'error' || level === 'warning') log.warn({ worker: level, ...about }, text)
    else log.debug(about, text)
  })

export type Worker = {
  /** Resolves when the worker takes jobs: immediately, unless the database is read-only. */
  begun: Promise<void>
  /** True if it runs as many jobs as it may, or has lately polled for jobs. */
  isWorking(): boolean
  /** Stops after at most `timeout_ms`, even if jobs are still running. */
  stop(timeout_ms?: number): Promise<void>
}

/** SQLSTATEs and error codes of temporary failures: read-only, shutdown, start, broken connection. */
const passing = /^(25006|57P0|08|ECONN)/

/**
 * Runs jobs until stopped. If the database becomes unavailable, the worker ends and is restarted every second until
 * that works. The same holds for a start while the database fails over or is read-only.
 */
export async function startWorker(runtime: Runtime, url: string, options: WorkerOptions): Promise<Worker> {
  const stopping = new AbortController()
  const begun = Promise.withResolvers<void>()
  const open = () => openWorker(runtime, url, options)
  let worker = await retryWithNewPassword(open).catch((error: Error & { code?: string }) => {
    if (!passing.test(error.code ?? '')) throw error
    runtime.log.warn({ err: error }, cannot_start)
    return undefined
  })
  const superviseWorker = async () => {
    for (;;) {
      if (worker) {
        begun.resolve()
        await worker.ended
        if (stopping.signal.aborted) return
        runtime.log.warn('the worker ended and is being restarted')
        await worker.stop(reconnect_timeout_ms)
      }
      worker = await reopen(open, runtime, stopping.signal)
      // The worker may have been stopped while the new one was starting.
      if (stopping.signal.aborted) return worker.stop(stop_timeout_with_jobs_ms)
    }
  }
  const kept = superviseWorker().catch(
    (error) => stopping.signal.aborted || runtime.log.error({ err: error }, 'the worker ended and cannot be restarted'),
  )
  return {
    begun: begun.promise,
    isWorking: () => worker?.isWorking() ?? false,
    async stop(timeout_ms = stop_timeout_with_jobs_ms) {
      stopping.abort()
      await worker?.stop(timeout_ms)
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

/** Milliseconds for jobs to finish when the service stops. */
export const stop_timeout_with_jobs_ms = 5000

/** A shorter limit, for a worker that has lost its session, because other workers may already run its jobs. */
const reconnect_timeout_ms = 2000

/** An idle worker polls each second. If it gets no response for this long, it does not count as working. */
const silence_ms = 10_000

/** Jobs of one organization that run at a time. Most wait for the same lock, so more would only occupy slots. */
const max_per_key = 2

/** All queries of the worker itself are short. One that takes longer hangs on a dead connection. */
const timeouts = { connectionTimeoutMillis: 10_000, query_timeout: 60_000, statement_timeout: 60_000 }

type OpenWorker = { isWorking(): boolean; ended: Promise<unknown>; stop(timeout_ms: number): Promise<void> }

/** The session that holds the worker's lock, and the pool of its jobs. */
function openConnections(runtime: Runtime, url: string, options: WorkerOptions) {
  const address = { ...sessionOf({ url, password: options.password }), ...timeouts }
  const session = new pg.Client({ ...address, application_name: 'openbenefits worker' })
  session.on('error', (error) => runtime.log.warn({ err: error }, 'the session of the worker broke'))
  const broken = new Promise((resolve) => session.once('end', resolve))
  const pool = new SteadyPool({ ...address, application_name: 'openbenefits jobs', max: options.concurrency + 1 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const close = async () =>
    void (await Promise.all([pool.end(), session.end()].map((end) => withDeadline(1000, end).catch(() => undefined))))
  return { session, broken, pool, close }
}

/**
 * A killed worker leaves its jobs locked, which graphile-worker frees after hours. So every worker holds an advisory
 * lock while its session lives. At the start and every ten seconds, each worker frees the jobs of workers without such
 * a lock. A worker whose session breaks ends, since others may free its jobs from then on.
 *
 * A worker has its own connections, so that requests that wait for locks cannot keep it from polling. It does not rely
 * on graphile-worker to end, which does not always happen (docs/design/service/jobs.md).
 */
async function openWorker(runtime: Runtime, url: string, options: WorkerOptions): Promise<OpenWorker> {
  const { session, broken, pool, close } = openConnections(runtime, url, options)
  const events: WorkerEvents = new EventEmitter()
  const activity = watchActivity(events, options.concurrency)
  const closing = new Promise((resolve) => events.once('pool:gracefulShutdown', resolve))
  let claims: Promise<unknown> = Promise.resolve()
  // Jobs are locked under the name of the pool, not under that of one of its workers.
  events.on('pool:create', ({ workerPool }) => {
    claims = claims.then(() => session.query('select pg_advisory_lock(hashtextextended($1, 1))', [workerPool.id]))
    claims.catch(() => undefined)
  })
  const { guarded, abandon } = makeAbandonable(taskListOf(runtime, options.tasks, options.onRun))
  let runner: Runner | undefined
  const end = async (timeout_ms: number) => {
    const over = Promise.allSettled([runner?.stop(), runner?.promise])
    await withDeadline(timeout_ms, over).catch(() => abandon())
    await close()
  }
  try {
    await session.connect()
    await releaseAbandonedJobs(pool)
    runner = await run({
      pgPool: pool,
      taskList: guarded,
      crontab: options.crontab,
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      forbiddenFlags: takeTurns(events, Math.min(max_per_key, Math.ceil(options.concurrency / 2))),
      gracefulShutdownAbortTimeout: stop_timeout_with_jobs_ms,
      logger: loggerOf(runtime),
      noPreparedStatements: options.prepared_statements === false,
      preset: outcomes_in_batches,
      events,
    })
    await claims
  } catch (error) {
    await end(reconnect_timeout_ms)
    throw error
  }
  const freeing = setInterval(() => releaseAbandonedJobs(pool).catch(() => undefined), 10_000)
  let open = true
  let stopped: Promise<void> | undefined
  return {
    isWorking: () => open && activity.isWorking(),
    ended: Promise.race([runner.promise.catch(() => undefined), closing, broken]).then(() => void (open = false)),
    stop(timeout_ms) {
      open = false
      clearInterval(freeing)
      return (stopped ??= end(timeout_ms))
    },
  }
}

/** Tracks whether a worker runs as many jobs as it may, or has lately polled successfully. */
function watchActivity(events: WorkerEvents, concurrency: number): { isWorking(): boolean } {
  let running = 0
  let last_sign_at = Date.now()
  const noteSign = () => {
    last_sign_at = Date.now()
  }
  events.on('job:start', () => {
    running++
    noteSign()
  })
  events.on('job:complete', () => {
    running--
    noteSign()
  })
  events.on('worker:getJob:empty', noteSign)
  return { isWorking: () => running >= concurrency || Date.now() - last_sign_at < silence_ms }
}

/**
 * Tasks that can be abandoned. An abandoned task never settles for graphile-worker, which otherwise would fail to
 * record its end and crash the process by an unhandled rejection.
 */
function makeAbandonable(tasks: TaskList): { guarded: TaskList; abandon(): void } {
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
export const outcomes_in_batches = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/**
 * Frees the jobs of dead workers. A superseded job, whose key a newer job has taken, is completed, since the newer one
 * does its work; otherwise it would count as failed.
 *
 * Does not use the session of the worker, which could always acquire its own locks again.
 */
async function releaseAbandonedJobs(pool: pg.Pool): Promise<void> {
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
