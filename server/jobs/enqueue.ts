import { randomUUID } from 'node:crypto'
import type { Database, Db } from '../database/query/database.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { statement } from '../database/sql/statement.ts'
import { flagsOf } from './fair-order.ts'

export type JobOptions = {
  /**
   * A waiting job with the same key is replaced. Keys of jobs about an employer or a group have the form `task:id`.
   * Default: a random key, so that a job without a key is always one that a newer job superseded.
   */
  key?: string
  /** Jobs of a queue run one after the other, across all workers. */
  queue?: string
}

/** Adds jobs in the transaction of the change that causes them. */
export type Queue = {
  enqueue(task: string, payload: object, options?: JobOptions): Promise<void>
  /**
   * Adds many jobs of one task, each with its own key, as for a daily run of thousands of employers. Added one by one,
   * each would scan the earlier ones. Jobs with a higher priority number wait for all others.
   */
  enqueueEach(task: string, jobs: KeyedJob[], priority?: number | null): Promise<void>
}

/** The priority of numerous jobs that are not urgent, such as daily runs. They yield to the jobs of requests. */
export const background_priority = 10

/** A job with its key. Without `run_at` it runs as soon as possible. */
export type KeyedJob = { payload: object; key: string; queue?: string; run_at?: string }

const added = statement(
  'enqueue.enqueue',
  `select graphile_worker.add_job(
     :task, :payload::json, job_key := :key, queue_name := :queue, flags := :flags)`,
)

const added_each = statement(
  'enqueue.enqueueEach',
  `select count(*) from graphile_worker.add_jobs(array(
     select row(
              :task::text, job.payload::json, job.queue, job.run_at, null, job.key, :priority::int, job.flags
            )::graphile_worker.job_spec
       from jsonb_to_recordset(:jobs::jsonb)
         as job (payload jsonb, key text, queue text, run_at timestamptz, flags text[])))`,
)

/** Wakes up to `count` idle job slots of each worker. */
const notified = statement(
  'enqueue.notifyWorkers',
  `select pg_notify('jobs:insert', json_build_object('count', :count::int)::text)`,
)

/**
 * Notifies the workers of new jobs. Transactions that commit during a notification share the next one. If the process
 * dies before it, the workers find the jobs when they poll, within a second. A write with a job reaches 0.37 of the
 * rate of the same write without one, and 0.16 if each transaction notifies (`docs/performance.md`).
 */
function openNotifications(database: Database): (jobs: number) => void {
  const db = database.reads(no_organization)
  let [count, is_running] = [0, false]
  const run = async () => {
    is_running = true
    while (count > 0) {
      const values = { count }
      count = 0
      await notified.rows({ db }, values).catch(() => undefined)
    }
    is_running = false
  }
  return (jobs) => {
    count += jobs
    if (!is_running) void run()
  }
}

/** The queue that workers take jobs from. */
export function openQueue(database: Database): (db: Db) => Queue {
  const notify = openNotifications(database)
  return (db) => ({
    async enqueue(task, payload, { key = randomUUID(), queue = null } = {}) {
      await added.rows({ db }, { task, payload: JSON.stringify(payload), key, queue, flags: flagsOf(payload, null) })
      db.afterCommit(() => notify(1))
    },
    async enqueueEach(task, jobs, priority = null) {
      const flagged = jobs.map((job) => ({ ...job, flags: flagsOf(job.payload, priority) }))
      await added_each.rows({ db }, { task, jobs: JSON.stringify(flagged), priority })
      db.afterCommit(() => notify(jobs.length))
    },
  })
}

/** SQL: the waiting or running jobs about an employer or a group of an organization. Failed jobs do not count. */
export const jobsOf = (organization_id: string): string => `
  select 1 as found from graphile_worker._private_jobs as job
   where job.payload ->> 'organization_id' = ${organization_id} and split_part(job.key, ':', 2) ~ '^(empr|grp)_'
     and (job.attempts < job.max_attempts or job.locked_at is not null)`

/** True if a job about an employer or a group of an organization waits or runs. Failed jobs do not count. */
export const hasJobs = statement('enqueue.hasJobs', `${jobsOf(':organization_id')} limit 1`).exists
