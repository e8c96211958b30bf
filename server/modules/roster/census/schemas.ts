import { z } from 'zod'
import { flag, type SentBody } from '../../../http/endpoint.ts'
import { pageOf } from '../../../kernel/pages.ts'
import {
  clearable,
  DayText,
  Email,
  Id,
  NewResidence,
  optional,
  Phone,
  text,
  Timestamp,
  Gender,
} from '../../../kernel/fields.ts'
import { settling } from '../employees/schemas.ts'
import { repetitionFinder } from '../../directory/identities/rules.ts'
import { EmployeeClass, CompensationType } from '../../directory/catalog/schemas.ts'
import { CensusMode } from '../../directory/employers/schemas.ts'

export const CensusRow = z
  .object({
    first_name: text(),
    last_name: text(),
    email: Email,
    phone: Phone,
    date_of_birth: DayText,
    address: optional(NewResidence),
    compensation_type: optional(CompensationType),
    bargaining_unit: clearable(text()),
    employee_class: optional(EmployeeClass),
    reference_id: optional(text()),
    start_date: optional(DayText),
    termination_date: optional(DayText),
    suffix: optional(text()),
    gender: optional(Gender),
    ...settling,
  })
  .meta({ id: 'CensusRow' })
export type CensusRow = z.output<typeof CensusRow>

/** A row of a roster from a payroll system, which may lack the phone number. */
export const RosterRow = CensusRow.extend({ phone: optional(Phone) }).meta({ id: 'RosterRow' })
export type RosterRow = z.output<typeof RosterRow>

const max_rows = 10_000

export const CensusSubmission = z
  .object({
    employees: z
      .array(CensusRow)
      .min(1, 'must contain at least one row')
      .max(max_rows, `must contain at most ${max_rows} rows`),
  })
  .meta({ id: 'CensusSubmission' })

/**
 * The number of rows in one transaction of the worker: short enough to let other work in between, long enough for
 * set-based statements.
 */
export const chunk_size = 1000

export const sent_census = {
  body: CensusSubmission,
  rows: { field: 'employees', most: max_rows, staged: { size: chunk_size, faultFinder: repetitionFinder } },
  body_limit: 16 * 1024 * 1024,
} as const satisfies SentBody

/** The origin of a census: submitted by a partner, or fetched over an HRIS connection. */
export const CensusOrigin = z
  .enum(['api', 'hris'])
  .meta({ id: 'CensusOrigin', description: 'api: sent by the partner. hris: fetched from a payroll system.' })
export type CensusOrigin = z.output<typeof CensusOrigin>

export const CensusOptions = z.strictObject({
  mode: CensusMode.optional().meta({ description: "Overrides the employer's `census_mode`." }),
  dry_run: flag.meta({ description: 'If true, returns the outcome and changes nothing.' }),
})

export const CensusAcceptance = z
  .object({ accepted_at: Timestamp, employer_id: Id('empr'), census_sync_id: Id('csyn') })
  .meta({ id: 'CensusAcceptance' })

const CensusFailure = z
  .object({
    index: z.int().meta({ description: 'The position in the submission, from 0.' }),
    reference_id: z.string().nullable(),
    field: z.string().nullable(),
    reason: z.string().meta({ description: 'The error or warning, without personal data.' }),
  })
  .meta({ id: 'CensusFailure' })
export type CensusFailure = z.output<typeof CensusFailure>

const CensusWarning = z.object(CensusFailure.shape).meta({
  id: 'CensusWarning',
  description:
    'A row that was processed, and a field of it to check: corrected, not adopted, or unknown (an unknown ' +
    'class counts as Full Time).',
})
export type CensusWarning = z.output<typeof CensusWarning>

export const CensusCounts = z
  .object({
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    rehired: z.int(),
    terminated: z.int(),
    failed: z.int(),
  })
  .meta({ id: 'CensusCounts' })
export type CensusCounts = z.output<typeof CensusCounts>

/** The maximum number of rows whose changes a dry run lists. */
export const max_planned_rows = 1000

export const CensusDifferences = z.array(
  z.object({
    field: z.string().meta({ description: 'The name of the field.' }),
    before: z.string().nullable().meta({ description: 'The value before the change. Null if the field had no value.' }),
    after: z.string().nullable().meta({ description: 'The value after the change. Null if the field has no value.' }),
  }),
)

const CensusPlannedRow = z
  .object({
    index: z.int().meta({ description: 'The position in the submission, from 0.' }),
    outcome: z
      .enum(['created', 'updated', 'rehired', 'terminated'])
      .meta({ id: 'CensusRowOutcome', description: 'The planned action on the employment.' }),
    employee_id: Id('empl').nullable().meta({ description: 'The employment. Null for a new one.' }),
    differences: CensusDifferences.meta({ description: 'The planned changes.' }),
  })
  .meta({ id: 'CensusPlannedRow', description: 'The planned changes of a row.' })
export type CensusPlannedRow = z.output<typeof CensusPlannedRow>

/** The maximum number of missing people that an outcome lists. */
export const max_missing = 1000

const CensusMissing = z
  .object({
    employee_id: Id('empl'),
    first_name: z.string(),
    last_name: z.string(),
    reference_id: z.string().nullable(),
  })
  .meta({ id: 'CensusMissing', description: 'A person who is missing from a replacing census.' })
export type CensusMissing = z.output<typeof CensusMissing>

const CensusSyncState = z.enum(['queued', 'processing', 'completed', 'held', 'failed']).meta({
  id: 'CensusSyncState',
  description:
    '`queued`: waits for its turn. `processing`: rows are being processed. `completed`: all rows are processed. ' +
    '`held`: waits for a confirmation before people are terminated. `failed`: stopped by an error.',
})

export const CensusOutcome = z
  .object({
    census_sync_id: Id('csyn').nullable().meta({ description: 'The census. Null for a dry run, which is not stored.' }),
    employer_id: Id('empr'),
    origin: CensusOrigin,
    mode: CensusMode,
    dry_run: z.boolean(),
    state: CensusSyncState,
    row_count: z.int(),
    processed_count: z.int().meta({ description: 'The number of rows processed so far.' }),
    counts: CensusCounts,
    missing_count: z.int().nullable().meta({ description: 'How many people a confirmation would terminate.' }),
    missing: z
      .array(CensusMissing)
      .nullable()
      .meta({
        description:
          `The first ${max_missing} people, by name, who are missing and would be terminated. ` +
          'Null unless the census is held or a dry run.',
      }),
    failures: z.array(CensusFailure),
    warnings: z.array(CensusWarning),
    planned: z
      .array(CensusPlannedRow)
      .nullable()
      .meta({
        description: `The first ${max_planned_rows} rows that would change something. Null unless this is a dry run.`,
      }),
    accepted_at: Timestamp,
    completed_at: Timestamp.nullable(),
  })
  .meta({ id: 'CensusOutcome' })
export type CensusOutcome = z.output<typeof CensusOutcome>

const CensusSync = z.object({
  census_sync_id: Id('csyn'),
  origin: CensusOrigin,
  mode: CensusMode,
  state: CensusOutcome.shape.state,
  row_count: z.int(),
  counts: CensusCounts,
  missing_count: CensusOutcome.shape.missing_count,
  accepted_at: Timestamp,
  completed_at: Timestamp.nullable(),
})

export const CensusSyncPage = pageOf('CensusSyncPage', CensusSync.meta({ id: 'CensusSync' }))
