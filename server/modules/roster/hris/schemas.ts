import { z } from 'zod'
import { flag, several, type SentBody } from '../../../http/endpoint.ts'
import { hris_fields, hris_sources, misbehaviours, most_people } from '../../../integrations/payroll/provider.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { DayAnswer, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { CensusCounts, CensusDifferences, CensusOutcome } from '../census/schemas.ts'
import { hris_statuses } from '../../directory/employers/schemas.ts'

const Status = z.enum(hris_statuses).meta({ id: 'HrisStatus' })

const provider = {
  provider: z.string().meta({ description: 'Take it as a filter value of the employer book.', example: 'gusto' }),
  provider_label: z.string().meta({ description: 'For people to read.', example: 'Gusto' }),
}

const RunState = z
  .enum(['waiting', 'queued', 'processing', 'completed', 'held', 'failed'])
  .meta({ id: 'HrisRunState', description: '`waiting` to be fetched, or to be tried again; then as its census.' })

const RecentRun = z.object({
  state: RunState,
  requested_at: Timestamp,
  counts: CensusCounts.nullable(),
})

export const EmployerHris = z
  .object({
    hris: z
      .object({
        ...provider,
        status: Status,
        last_sync_on: DayAnswer.nullable().meta({ description: 'The day of the last successful sync, in New York.' }),
        synced_row_count: z.int().nullable().meta({ description: 'Rows of that sync that could be used.' }),
        recent_runs: z.array(RecentRun).meta({ description: 'The last 10 syncs, newest first.' }),
      })
      .nullable()
      .meta({ description: 'Null when there is no connection.' }),
  })
  .meta({ id: 'EmployerHris' })

export const HrisProviderList = z.object({ data: z.array(z.object(provider)) }).meta({ id: 'HrisProviderList' })

const Source = z.enum(hris_sources).meta({ id: 'HrisSource' })

const access_token = text(4096).meta({ description: 'Stored encrypted and never shown.' })

const Columns = z.partialRecord(z.enum(hris_fields), text()).meta({
  description:
    'For files whose columns are called otherwise than usual: the column of each field, by the name in its ' +
    'header line.',
})

export const NewHrisConnection = z
  .object({
    source: Source.meta({
      description:
        'Who is asked: `finch`; `csv`, files that are uploaded or laid down in a folder; `sandbox`, a fake payroll.',
    }),
    // A comma stands between the values of a filter.
    provider: optional(
      text()
        .toLowerCase()
        .refine((name) => !name.includes(','), 'must not contain commas'),
    ).meta({ description: 'The payroll system behind it, such as `gusto`; the source unless said.' }),
    provider_label: optional(text()).meta({ description: 'Its name for people; with `provider` only.' }),
    access_token: optional(access_token).meta({ description: 'Required for finch. Stored encrypted, never shown.' }),
    columns: optional(Columns).meta({
      description: 'The column of each field, for files whose columns are called otherwise than usual.',
    }),
  })
  .meta({ id: 'NewHrisConnection' })
export type NewHrisConnection = z.output<typeof NewHrisConnection>

export const HrisAccess = z.object({ access_token }).meta({ id: 'HrisAccess' })

const Problem = z
  .object({ code: z.string(), message: z.string() })
  .nullable()
  .meta({ description: 'Why the latest run did not succeed; null once one has.' })

const columns = z
  .record(z.string(), z.string())
  .meta({ description: 'The columns of files that are called otherwise than usual, by field.' })

export const HrisConnection = z
  .object({
    id: Id('hris'),
    organization_id: Id('org'),
    employer_id: Id('empr'),
    source: Source.meta({ description: 'Who is asked.' }),
    ...provider,
    status: Status.nullable().meta({ description: 'Null when disconnected.' }),
    columns,
    connected_at: Timestamp,
    paused_at: Timestamp.nullable(),
    disconnected_at: Timestamp.nullable(),
    last_attempt_at: Timestamp.nullable(),
    last_synced_at: Timestamp.nullable(),
    synced_row_count: z.int().nullable(),
    last_error: Problem,
    next_sync_on: DayAnswer.nullable().meta({ description: 'The night of the next sync; null: none by itself.' }),
  })
  .meta({ id: 'HrisConnection' })

export const HrisConnectionList = z.object({ data: z.array(HrisConnection) }).meta({ id: 'HrisConnectionList' })

const rows = <Row extends z.ZodType>(row: Row) =>
  z.array(row).min(1, 'must hold at least one row').max(most_people, `must hold at most ${most_people} rows`)

const HrisUpload = z.object({ rows: rows(z.record(z.string().toLowerCase(), z.string().nullable())) }).meta({
  id: 'HrisUpload',
  description:
    'The whole roster. Columns are found by their names, in most of the ways in which payroll systems call them.',
})

export const sent_roster = {
  body: HrisUpload,
  rows: { field: 'rows', most: most_people },
  csv: 'any',
  body_limit: 16 * 1024 * 1024,
} as const satisfies SentBody

const HrisPerson = z.partialRecord(z.enum(hris_fields), z.string().max(1000).nullable()).meta({ id: 'HrisPerson' })

const most_sandbox_people = 2000

export const SandboxPayroll = z
  .object({
    people: optional(
      z.array(HrisPerson).max(most_sandbox_people, `must hold at most ${most_sandbox_people} people`),
    ).meta({
      description: 'Whom it employs from now on; as before unless said.',
    }),
    misbehaviour: optional(z.enum(misbehaviours)).meta({ description: 'None unless said.' }),
    times: optional(z.int().min(1).max(1000)).meta({
      description: 'It misbehaves in so many attempts of each run; always unless said.',
    }),
  })
  .meta({ id: 'SandboxPayroll' })
export type SandboxPayroll = z.output<typeof SandboxPayroll>

export const sent_sandbox_payroll = {
  body: SandboxPayroll,
  rows: { field: 'people', most: most_sandbox_people },
  body_limit: 4 * 1024 * 1024,
} as const satisfies SentBody

const run = z.object({
  id: Id('hrun'),
  hris_connection_id: Id('hris'),
  employer_id: Id('empr'),
  cause: z
    .enum(['schedule', 'operator', 'upload', 'drop'])
    .meta({ id: 'HrisRunCause' })
    .meta({ description: 'Why it was run.' }),
  state: RunState.meta({ description: 'How far it has come.' }),
  requested_at: Timestamp,
  attempt_count: z.int(),
  fetched_at: Timestamp.nullable().meta({ description: 'When everybody was there and handed to the census.' }),
  ended_at: Timestamp.nullable(),
  error: Problem,
})

export const HrisRun = run
  .extend({
    outcome: CensusOutcome.nullable().meta({ description: 'The census that it became, with each row that failed.' }),
  })
  .meta({ id: 'HrisRun' })

export const HrisRunPaging = z.object(pageQuery)
const HrisRunRow = run
  .extend({
    row_count: z.int().nullable().meta({ description: 'Null until everybody was fetched.' }),
    counts: CensusCounts.nullable(),
  })
  .meta({ id: 'HrisRunRow' })
export const HrisRunPage = z.object({ data: z.array(HrisRunRow), pagination: Pagination }).meta({ id: 'HrisRunPage' })

export const run_outcomes = ['created', 'rehired', 'reinstated', 'terminated', 'updated'] as const

const HrisRunPerson = z
  .object({
    employee_id: Id('empl'),
    reference_id: z.string().nullable(),
    first_name: z.string(),
    last_name: z.string(),
    outcome: z.enum(run_outcomes).meta({
      id: 'HrisRunPersonOutcome',
      description:
        'Of several the first counts. created: hired. rehired: hired again. reinstated: an end was taken back. ' +
        'terminated: a last day was told, or they were missing. updated: something else of them changed.',
    }),
    changed_at: Timestamp.meta({ description: 'When it last changed something of them.' }),
    differences: CensusDifferences.nullable().meta({
      description:
        'What the run changed, field by field: of who is new all that their row told, of who was missing their last ' +
        'day. null: the run was before this was kept.',
    }),
  })
  .meta({ id: 'HrisRunPerson', description: 'Somebody whom a run changed.' })
export const HrisRunPersonPage = z
  .object({ data: z.array(HrisRunPerson), pagination: Pagination })
  .meta({ id: 'HrisRunPersonPage' })
export const HrisRunPersonFilter = z.object({
  outcome: several(run_outcomes).meta({ description: 'Only those with one of these outcomes.' }),
  ...pageQuery,
})
export type HrisRunPersonFilter = z.output<typeof HrisRunPersonFilter>

export const HrisConnectionPage = z
  .object({ data: z.array(HrisConnection), pagination: Pagination })
  .meta({ id: 'HrisConnectionPage' })

export const HrisConnectionFilter = z.object({
  failing: flag.meta({ description: 'Only those whose last sync did not succeed.' }),
  organization_id: Id('org').optional().meta({ description: 'Only those of this organization.' }),
  ...pageQuery,
})
export type HrisConnectionFilter = z.output<typeof HrisConnectionFilter>
