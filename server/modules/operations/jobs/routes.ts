import { data, dataOf, endpoint, roles_to } from '../../../http/endpoint.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { findJob, listJobs, locateJob, saveRun } from './queries.ts'
import { refusals } from './rules.ts'
import { Job, JobFilter, JobPage } from './schemas.ts'

const operators = { tag: 'Jobs', allows: ['operator'], organization: 'none' } as const
const a_job = { ...operators, params: { job_id: 'text' }, locate: locateJob } as const

export const endpoints = [
  endpoint({
    ...operators,
    operation: 'operator_list_jobs',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/jobs',
    summary: 'List jobs',
    description:
      'What was given up, what runs or what waits, at most the first 1,000. A job that fails is tried again for some ' +
      'days, after growing pauses; then it is given up and waits for somebody to run it.',
    query: JobFilter,
    returns: { 200: JobPage },
    handle: (ctx, { query }) => listJobs(ctx, query),
  }),
  endpoint({
    ...a_job,
    operation: 'operator_get_job',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/jobs/{job_id}',
    summary: 'Get a job',
    description: 'While it is not done.',
    returns: { 200: dataOf(Job) },
    handle: async (ctx, { params }) => data(await findJob(ctx, params)),
  }),
  endpoint({
    ...a_job,
    operation: 'operator_run_job',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/jobs/{job_id}/run',
    summary: 'Run a job now',
    description: 'One that waits or was given up begins at the next free place, with all of its attempts before it.',
    returns: { 200: dataOf(Job) },
    refuses: [refusals.job_is_running],
    handle: async (ctx, { located }) => {
      if (!(await saveRun(ctx, located.job_id))) refuse(refusals.job_is_running)
      return data(await findJob(ctx, located))
    },
  }),
]
