import { z } from 'zod'
import { Id, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'

const JobState = z.enum(['waiting', 'running', 'failed']).meta({
  id: 'JobState',
  description: '`waiting`: for its time or its turn. `failed`: it used all its attempts and is not retried.',
})

export const Job = z
  .object({
    id: z.string().meta({ description: 'The number of the job.' }),
    task: z.string().meta({ description: 'The name of the task.' }),
    key: z
      .string()
      .nullable()
      .meta({
        description:
          'The key of the job. A later job with the same key replaces it. Random for jobs without a subject. Null ' +
          'if a later job has replaced it.',
      }),
    organization_id: Id('org').nullable(),
    state: JobState,
    attempts: z.int().meta({ description: 'The number of attempts so far.' }),
    max_attempts: z.int().meta({ description: 'The maximum number of attempts.' }),
    has_failed: z
      .boolean()
      .meta({ description: 'Whether the last attempt failed. The log has the error, by the number of the job.' }),
    run_at: Timestamp.meta({ description: 'The earliest time to run.' }),
    started_at: Timestamp.nullable().meta({
      description: 'The time at which it started to run. Null if it is not running.',
    }),
    created_at: Timestamp,
  })
  .meta({ id: 'Job', description: 'Background work. Deleted when done.' })

export const JobPage = pageOf('JobPage', Job)

export const JobFilter = z.object({
  state: JobState.default('failed').meta({ description: 'The state of the jobs. Default: `failed`.' }),
  organization_id: Id('org').optional().meta({ description: 'Only jobs of this organization.' }),
  ...pageQuery,
})
export type JobFilter = z.output<typeof JobFilter>
