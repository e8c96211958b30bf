import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { foundPageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import type { JobFilter } from './schemas.ts'

const organization = "(job.payload ->> 'organization_id')"
const in_reach = inReach(organization)

/** SQL: the Job of the API, from a row `job`. Excludes the error, which may contain personal data. */
const jobJson = `
  select row_to_json(shown) as item from (
    select job.id::text as id,
           (select task.identifier from graphile_worker._private_tasks as task where task.id = job.task_id) as task,
           job.key, ${organization} as organization_id,
           case when job.locked_at is not null then 'running' when job.attempts >= job.max_attempts then 'failed'
                else 'waiting' end as state,
           job.attempts, job.max_attempts, job.last_error is not null as has_failed, iso(job.run_at) as run_at,
           iso(job.locked_at) as started_at, iso(job.created_at) as created_at) as shown`

/** SQL: the jobs in a state, in the order of an index that contains only them. */
const states = {
  waiting: { holds: 'job.is_available', order: 'job.priority, job.run_at' },
  running: { holds: 'not job.is_available and job.locked_at is not null', order: 'job.id' },
  failed: { holds: 'not job.is_available and job.locked_at is null', order: 'job.id' },
}

const listed = readVariants(
  'jobs.listJobs',
  { state: ['waiting', 'running', 'failed'], of_organization: [false, true] },
  ({ state, of_organization }) => {
    const { holds, order } = states[state]
    // PostgreSQL finds the jobs of an organization by its index and then sorts them, regardless of how many other jobs
    // there are.
    const jobs = of_organization
      ? `(select * from graphile_worker._private_jobs as job where ${organization} = :organization_id offset 0)`
      : 'graphile_worker._private_jobs'
    return foundPageJson(`${jobs} as job where ${holds} and ${in_reach}`, 'job', order, jobJson)
  },
)

/** A page of the first 1,000 jobs in a state, in the order in which they run or were added. */
export const listJobs = (ctx: ReadCtx, { state, organization_id, ...page }: JobFilter) =>
  listed({ state, of_organization: organization_id !== undefined }).json(ctx, {
    organization_id: organization_id ?? null,
    ...pageValues(page),
  })

const named = "job.id = case when :job_id::text ~ '^[0-9]{1,18}$' then :job_id::bigint end"

/** One Job as JSON. Undefined if it is done. */
export const findJob = read(
  'jobs.findJob',
  `select shown.item::text as json from graphile_worker._private_jobs as job cross join lateral (${jobJson}) as shown
    where ${named} and ${in_reach}`,
).json

/** A job that is not done, with its organization. */
export const locateJob = read(
  'jobs.locateJob',
  `select job.id::text as job_id, ${organization} as organization_id from graphile_worker._private_jobs as job
    where ${named} and ${in_reach}`,
).row<{ job_id: string; organization_id: string | null }>

/** Schedules a job to run now and resets its attempts. Undefined while it runs. */
export const saveRun = statement(
  'jobs.saveRun',
  `select id::text as id
     from graphile_worker.reschedule_jobs(array[:job_id::bigint], run_at := now(), attempts := 0)`,
).row<{ id: string }>
