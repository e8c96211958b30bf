import { z } from 'zod'
import { runDays } from './daily-run.ts'
import type { DatabaseAddress } from './database/query/session.ts'
import { startWorker, task, type OnRun, type Task, type Worker } from './jobs/worker.ts'
import type { Config } from './kernel/config.ts'
import { modules } from './modules.ts'
import { serviceCaller } from './runtime/caller.ts'
import { inTransaction, type Runtime } from './runtime/runtime.ts'
import { waitAtMost, shutdown } from './runtime/process/shutdown.ts'

// The work of a worker process: jobs, recurring jobs, and the loops of modules.

export const tasks: Record<string, Task> = Object.assign(
  { run_days: task(z.unknown(), runDays) },
  ...modules.map((module) => module.tasks ?? {}),
)

/** Recurring jobs. `jobKey`: a job that still waits for its retry is replaced and not duplicated. */
export const crontab = [
  '1 * * * * run_days ?jobKey=run_days',
  ...modules.flatMap((module) => module.schedule ?? []),
].join('\n')

/** Starts the loops that run during the lifetime of a worker. */
function startBackground(runtime: Runtime): { stop(): Promise<void> } {
  const loops = modules.flatMap((module) => module.background?.(runtime) ?? [])
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) }
}

/** The maximum time for the worker to close its sessions after its jobs have finished or timed out. */
const closing_worker_ms = 1500

/** Runs jobs and the loops of modules, and requests the daily runs that were missed while no worker ran. */
export async function startWork(
  { runtime, address }: { runtime: Runtime; address: DatabaseAddress },
  config: Config,
  onRun: OnRun,
): Promise<Worker> {
  const worker = await startWorker(runtime, address.url, {
    password: address.password,
    tasks,
    crontab,
    concurrency: config.WORKER_CONCURRENCY,
    prepared_statements: config.PREPARED_STATEMENTS,
    onRun,
  })
  const background = startBackground(runtime)
  shutdown.drain(() => waitAtMost(shutdown.timeout_ms + closing_worker_ms, worker.stop(shutdown.timeout_ms)))
  shutdown.drain(() => waitAtMost(shutdown.timeout_ms, background.stop()))
  await requestDailyRuns(runtime)
  return worker
}

/** Requests missed days now instead of at the next hour. A failure is only logged, such as for a read-only database. */
const requestDailyRuns = (runtime: Runtime): Promise<void> =>
  inTransaction(runtime, serviceCaller(null), (ctx) => ctx.enqueue('run_days', {}, { key: 'run_days' })).catch(
    (error) => runtime.log.warn({ err: error }, 'could not request missed daily runs; they run within the hour'),
  )
