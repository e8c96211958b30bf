import { runOnce, type RunnerOptions } from 'graphile-worker'
import { no_organization } from '../../database/query/rows-of.ts'
import { loggerOf, outcomes_in_batches, taskListOf, type Task } from '../../jobs/worker.ts'
import type { Runtime } from '../../runtime/runtime.ts'

/**
 * Runs all waiting jobs, then returns. graphile-worker may miss a job while the outcome of the previous one is being
 * written, so this repeats while any job is due. Each run checks the schema of the queue first, so it runs only if a
 * job is due.
 */
export async function runWaitingJobs(runtime: Runtime, tasks: Record<string, Task>): Promise<void> {
  const options: RunnerOptions = {
    pgPool: runtime.database.pool,
    taskList: taskListOf(runtime, tasks),
    noHandleSignals: true,
    logger: loggerOf(runtime),
    preset: outcomes_in_batches,
  }
  const db = runtime.database.reads(no_organization)
  while ((await db.rows(due, [Object.keys(tasks)])).length > 0) await runOnce(options)
}

const due = `
  select from graphile_worker.jobs
   where task_identifier = any($1) and run_at <= now() and locked_at is null and attempts < max_attempts limit 1`
