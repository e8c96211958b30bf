import { z } from 'zod'
import { flag, many, type SentBody } from '../../../http/endpoint.ts'
import { hris_fields, hris_sources, sandbox_faults, max_people } from '../../../integrations/payroll/provider.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { ResponseDay, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { CensusCounts, CensusDifferences, CensusOutcome } from '../census/schemas.ts'
import { HrisStatus } from '../../directory/employers/schemas.ts'

const provider = {
  provider: z
    .string()
    .meta({ description: 'The value for the filter `hris_provider` of the employer book.', example: 'gusto' }),
  provider_label: z.string().meta({ description: 'The display name.', example: 'Gusto' }),
}

const RunState = z.enum(['waiting', 'queued', 'processing', 'completed', 'held', 'failed']).meta({
  id: 'HrisRunState',
  description: '`waiting`: to be fetched or retried. The others are the states of the census.',
})

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
        status: HrisStatus,
        last_sync_on: ResponseDay.nullable().meta({ description: 'The day of the last successful sync, in New York.' }),
        synced_row_count: z.int().nullable().meta({ description: 'The number of usable rows in that sync.' }),
        recent_runs: z.array(RecentRun).meta({ description: 'The last 10 syncs, newest first.' }),
      })
      .nullable()
      .meta({ description: 'The connection. Null if the employer is not connected.' }),
  })
  .meta({ id: 'EmployerHris' })

export const HrisProviderList = z.object({ data: z.array(z.object(provider)) }).meta({ id: 'HrisProviderList' })

const Source = z.enum(hris_sources).meta({ id: 'HrisSource' })

const access_token = text(4096).meta({
  description: 'The access token of the payroll system. It is stored encrypted and never shown.',
})

const HrisField = z.enum(hris_fields).meta({ id: 'HrisField' })

const Columns = z.partialRecord(HrisField, text()).meta({
  description:
    'The column of each field, as named in the header line. Only needed for files with unusual column names.',
})

export const NewHrisConnection = z
  .object({
    source: Source.meta({
      description:
        'The source of the data: `finch`; `csv` for files that are uploaded or put in the drop folder; ' +
        '`sandbox` for a fake payroll.',
    }),
    // Filters use commas to separate values.
    provider: optional(
      text()
        .toLowerCase()
        .refine((name) => !name.includes(','), 'must not contain commas'),
    ).meta({ description: 'The payroll system behind the source, such as `gusto`. Default: the source.' }),
    provider_label: optional(text()).meta({ description: 'The display name of `provider`. Only with `provider`.' }),
    access_token: optional(access_token).meta({
      description:
        'The access token of the payroll system, required for finch. It is stored encrypted and never shown.',
    }),
    columns: optional(Columns).meta({
      description: 'The column of each field. Only needed for files with unusual column names.',
    }),
  })
  .meta({ id: 'NewHrisConnection' })
export type NewHrisConnection = z.output<typeof NewHrisConnection>

export const HrisAccess = z.object({ access_token }).meta({ id: 'HrisAccess' })

const Problem = z
  .object({ code: z.string(), message: z.string() })
  .nullable()
  .meta({ description: 'Why the latest run did not succeed. Null after a success.' })

const columns = z
  .record(z.string(), z.string())
  .meta({ description: 'The column names of uploaded files that differ from the usual ones, by field.' })

export const HrisConnection = z
  .object({
    id: Id('hris'),
    organization_id: Id('org'),
    employer_id: Id('empr'),
    source: Source.meta({ description: 'The source of the data.' }),
    ...provider,
    status: HrisStatus.nullable().meta({
      description: 'The status of the connection. Null after it was disconnected.',
    }),
    columns,
    connected_at: Timestamp,
    paused_at: Timestamp.nullable(),
    disconnected_at: Timestamp.nullable(),
    last_attempt_at: Timestamp.nullable(),
    last_synced_at: Timestamp.nullable(),
    synced_row_count: z.int().nullable(),
    last_error: Problem,
    next_sync_on: ResponseDay.nullable().meta({
      description: 'The night of the next sync. Null if none is scheduled.',
    }),
  })
  .meta({ id: 'HrisConnection' })

export const HrisConnectionList = z.object({ data: z.array(HrisConnection) }).meta({ id: 'HrisConnectionList' })

const rows = <Row extends z.ZodType>(row: Row) =>
  z.array(row).min(1, 'must contain at least one row').max(max_people, `must contain at most ${max_people} rows`)

const HrisUpload = z.object({ rows: rows(z.record(z.string().toLowerCase(), z.string().nullable())) }).meta({
  id: 'HrisUpload',
  description: 'The whole roster. Columns are recognized by most of the names that payroll systems use.',
})

export const sent_roster = {
  body: HrisUpload,
  rows: { field: 'rows', most: max_people },
  csv: 'any',
  body_limit: 16 * 1024 * 1024,
} as const satisfies SentBody

const HrisPerson = z.partialRecord(HrisField, z.string().max(1000).nullable()).meta({ id: 'HrisPerson' })

const max_sandbox_people = 2000

export const SandboxPayroll = z
  .object({
    people: optional(
      z.array(HrisPerson).max(max_sandbox_people, `must contain at most ${max_sandbox_people} people`),
    ).meta({
      description: 'The people it employs from now on. Default: unchanged.',
    }),
    fault: optional(z.enum(sandbox_faults).meta({ id: 'SandboxFault' })).meta({
      description: 'The simulated fault. Default: none.',
    }),
    times: optional(z.int().min(1).max(1000)).meta({
      description: 'The number of attempts of each run with the fault. Default: all.',
    }),
  })
  .meta({ id: 'SandboxPayroll' })
export type SandboxPayroll = z.output<typeof SandboxPayroll>

export const sent_sandbox_payroll = {
  body: SandboxPayroll,
  rows: { field: 'people', most: max_sandbox_people },
  body_limit: 4 * 1024 * 1024,
} as const satisfies SentBody

const run = z.object({
  id: Id('hrun'),
  hris_connection_id: Id('hris'),
  employer_id: Id('empr'),
  cause: z
    .enum(['schedule', 'operator', 'upload', 'drop'])
    .meta({ id: 'HrisRunCause' })
    .meta({ description: 'Why it ran.' }),
  state: RunState,
  requested_at: Timestamp,
  attempt_count: z.int(),
  fetched_at: Timestamp.nullable().meta({
    description: 'The time at which all people were fetched and submitted as a census.',
  }),
  ended_at: Timestamp.nullable(),
  error: Problem,
})

export const HrisRun = run
  .extend({
    outcome: CensusOutcome.nullable().meta({ description: 'The outcome of its census, with each row that failed.' }),
  })
  .meta({ id: 'HrisRun' })

const HrisRunRow = run
  .extend({
    row_count: z
      .int()
      .nullable()
      .meta({ description: 'The number of people that the run fetched. Null until all people are fetched.' }),
    counts: CensusCounts.nullable(),
  })
  .meta({ id: 'HrisRunRow' })
export const HrisRunPage = pageOf('HrisRunPage', HrisRunRow)

const run_outcomes = ['created', 'rehired', 'reinstated', 'terminated', 'updated'] as const

const RunOutcome = z.enum(run_outcomes).meta({
  id: 'HrisRunPersonOutcome',
  description:
    'If several apply, the first of: `created` (hired), `rehired` (hired again), `reinstated` (a ' +
    'termination was reversed), `terminated` (a last day was reported, or the person was missing), ' +
    '`updated` (another change).',
})

const HrisRunPerson = z
  .object({
    employee_id: Id('empl'),
    reference_id: z.string().nullable(),
    first_name: z.string(),
    last_name: z.string(),
    outcome: RunOutcome,
    changed_at: Timestamp.meta({ description: 'The time of the last change to the person.' }),
    differences: CensusDifferences.nullable().meta({
      description:
        'The changes by field: all reported fields of a new person, the last day of a missing one. Null if ' +
        'the census changed no field.',
    }),
  })
  .meta({ id: 'HrisRunPerson', description: 'A person changed by a run.' })
export const HrisRunPersonPage = pageOf('HrisRunPersonPage', HrisRunPerson)
export const HrisRunPersonFilter = z.object({
  outcome: many(RunOutcome).meta({ description: 'Only people with one of these outcomes.' }),
  ...pageQuery,
})
export type HrisRunPersonFilter = z.output<typeof HrisRunPersonFilter>

export const HrisConnectionPage = pageOf('HrisConnectionPage', HrisConnection)

export const HrisConnectionFilter = z.object({
  failing: flag.meta({ description: 'Only connections whose last sync did not succeed.' }),
  organization_id: Id('org').optional().meta({ description: 'Only connections of this organization.' }),
  ...pageQuery,
})
export type HrisConnectionFilter = z.output<typeof HrisConnectionFilter>
