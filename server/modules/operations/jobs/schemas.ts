import { z } from 'zod'
import { Id, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'

const JobState = z.enum(['waiting', 'running', 'gave_up']).meta({
  id: 'JobState',
  description: '`waiting`: for its time or its turn. `gave_up`: it failed as often as it may, and is tried no more.',
})

export const Job = z
  .object({
    id: z.string().meta({ description: 'Its number.' }),
    task: z.string().meta({ description: 'What it does.' }),
    key: z.string().nullable().meta({
      description: 'What it is about: a later job of the same key takes its place. Of its own where that is nothing.',
      on_null: 'null: a later one is in its place.',
    }),
    organization_id: Id('org').nullable(),
    state: JobState,
    attempts: z.int().meta({ description: 'How often it was begun.' }),
    max_attempts: z.int().meta({ description: 'How often it may be.' }),
    has_failed: z.boolean().meta({ description: 'Whether its last attempt failed; the log says how, by its number.' }),
    run_at: Timestamp.meta({ description: 'When it is begun at the earliest.' }),
    started_at: Timestamp.nullable().meta({ description: 'Since when it runs.', on_null: 'null: it does not.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Job', description: 'Work that is done beside requests. Done, it is gone.' })

export const JobPage = z.object({ data: z.array(Job), pagination: Pagination }).meta({ id: 'JobPage' })

export const JobFilter = z.object({
  state: JobState.default('gave_up').meta({ description: 'Those in this state; what was given up unless said.' }),
  organization_id: Id('org').optional().meta({ description: 'Only those of this organization.' }),
  ...pageQuery,
})
export type JobFilter = z.output<typeof JobFilter>
