import { data, dataOf, endpoint, for_operators } from '../../../http/endpoint.ts'
import { declareRefusals, refuse } from '../../../kernel/refusal.ts'
import { findJob, listJobs, locateJob, saveRun } from './queries.ts'
import { Job, JobFilter, JobPage } from './schemas.ts'

const refusals = declareRefusals({
  job_is_running: [409, 'The job is already running.', 'Wait for it. If it fails, it is retried or can be run again.'],
})

const a_job = { tag: 'Jobs', locate: locateJob } as const

export const endpoints = [
  endpoint({
    tag: 'Jobs',
    operation: 'operator_list_jobs',
    ...for_operators.read,
    path: '/operator/v1/jobs',
    summary: 'List jobs',
    description:
      'Returns jobs that failed permanently, are running or are waiting, at most the first 1,000. A failing job is ' +
      'retried for ' +
      'some days with growing delays. Then it fails permanently and waits until an operator runs it.',
    query: JobFilter,
    returns: { 200: JobPage },
    handle: (ctx, { query }) => listJobs(ctx, query),
  }),
  endpoint({
    ...a_job,
    operation: 'operator_get_job',
    ...for_operators.read,
    path: '/operator/v1/jobs/{job_id}',
    summary: 'Get a job',
    description: 'Returns a job. It can be read until it is done.',
    returns: { 200: dataOf(Job) },
    handle: async (ctx, { params }) => data(await findJob(ctx, params)),
  }),
  endpoint({
    ...a_job,
    operation: 'operator_run_job',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/jobs/{job_id}/run',
    summary: 'Run a job now',
    description: 'Runs a waiting or permanently failed job as soon as a worker is free, and resets its attempts.',
    returns: { 200: dataOf(Job) },
    refuses: [refusals.job_is_running],
    handle: async (ctx, { located }) => {
      if (!(await saveRun(ctx, located))) refuse(refusals.job_is_running)
      return data(await findJob(ctx, located))
    },
  }),
]
