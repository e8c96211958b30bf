import type { Db } from '../database/database.ts'
import { flagsOf } from './fair-order.ts'

export type JobOptions = {
  /** a waiting job with the same key is replaced; that of a job about an employer or a group begins with `what:its_id` */
  key?: string
  /** jobs of one queue run one after the other, over all workers */
  queue?: string
}

/** Adds a job in the transaction of the change that causes it. */
export type Enqueue = (task: string, payload: object, options?: JobOptions) => Promise<void>

export const enqueueIn =
  (db: Db): Enqueue =>
  async (task, payload, options = {}) => {
    await db.rows('select graphile_worker.add_job($1, $2::json, job_key := $3, queue_name := $4, flags := $5)', [
      task,
      JSON.stringify(payload),
      options.key ?? null,
      options.queue ?? null,
      flagsOf(payload, null),
    ])
  }

/**
 * Adds jobs of one task, each with a key of its own, at once: for when a daily run concerns thousands of employers.
 * Added one by one, each would look through all of those before it. Jobs of one queue run one after the other; those of
 * a higher priority number wait for all others.
 */
export const enqueueEach = (
  db: Db,
  task: string,
  jobs: { payload: object; key: string; queue?: string }[],
  priority: number | null = null,
) =>
  db.rows(
    `select count(*) from graphile_worker.add_jobs(array(
       select row($1::text, job.payload::json, job.queue, null, null, job.key, $3::int, job.flags)::graphile_worker.job_spec
         from jsonb_to_recordset($2::jsonb) as job (payload jsonb, key text, queue text, flags text[])))`,
    [task, JSON.stringify(jobs.map((job) => ({ ...job, flags: flagsOf(job.payload, priority) }))), priority],
  )

/** Whether a job about an employer or a group of an organization waits or runs; one that was given up on does not. */
export async function hasJobs(db: Db, organization_id: string): Promise<boolean> {
  const found = await db.row(
    `select 1 as found from graphile_worker._private_jobs as job
      where job.payload ->> 'organization_id' = $1 and split_part(job.key, ':', 2) ~ '^(empr|grp)_'
        and (job.attempts < job.max_attempts or job.locked_at is not null) limit 1`,
    [organization_id],
  )
  return found !== undefined
}

/** Has the jobs of an organization found by an index; made when graphile-worker has made its table. */
export const index_of_jobs = `
  create index if not exists openbenefits_jobs_of_organization
      on graphile_worker._private_jobs ((payload ->> 'organization_id'))`
