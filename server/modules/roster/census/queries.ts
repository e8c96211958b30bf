import type { EmployerKey } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Chunk } from '../../../kernel/concurrency/chunks.ts'
import { sendChunks, sendStaged, type StagedRows } from '../../../kernel/concurrency/staged-rows.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { CensusPlan, StagedRow } from './rules.ts'
import { chunk_size, max_missing, type CensusMissing, type CensusOrigin } from './schemas.ts'
import { type CensusMode } from '../../directory/employers/schemas.ts'

export const findCensusMode = statement(
  'census.findCensusMode',
  'select census_mode from employers where id = :employer_id and organization_id = :organization_id',
).row<{ census_mode: CensusMode }>

export type CensusKey = EmployerKey & { census_sync_id: string }

export type CensusSync = CensusKey & {
  mode: CensusMode
  origin: CensusOrigin
  /** The job to enqueue when the census completes or is held. */
  completion_task: string | null
  row_count: number
}

const sync_inserted = statement(
  'census.insertCensusSync',
  `insert into census_syncs (id, organization_id, employer_id, mode, origin, completion_task, row_count, accepted_at)
   values (:census_sync_id, :organization_id, :employer_id, :mode, :origin, :completion_task, :row_count, :now)`,
)

/** Saves a census and its rows, in chunks that wait to be processed. */
export async function insertCensusSync(ctx: Ctx, sync: CensusSync, rows: StagedRows): Promise<void> {
  await Promise.all([
    sync_inserted.rows(ctx, sync),
    sendStaged(rows, chunk_size, (chunk) => chunk_inserted.rows(ctx, { ...sync, ...chunk })),
  ])
}

export type SyncState = CensusSync & {
  accepted_at: string
  roster_count: number | null
  started: boolean
  held: boolean
  confirmed: boolean
  /** Whether a refused row may refer to any person on the roster. */
  has_unmatched_rows: boolean
}

const held = 'sync.held_at is not null and sync.confirmed_at is null and sync.completed_at is null'

const sync_state = `
  select id as census_sync_id, organization_id, employer_id, mode, origin, completion_task, row_count, accepted_at,
         roster_count, has_unmatched_rows, started_at is not null as started, ${held} as held,
         confirmed_at is not null as confirmed
    from census_syncs as sync`

export const lockCensusSync = statement(
  'census.lockCensusSync',
  `${sync_state}
   where id = :census_sync_id and ${inReach('sync.organization_id', 'sync.employer_id')} for no key update`,
).row<SyncState>

/** Whether a census of the same employer was accepted after this one. */
export const hasLaterCensus = statement(
  'census.hasLaterCensus',
  `select 1 as found from census_syncs
    where employer_id = :employer_id and organization_id = :organization_id
      and (accepted_at, id) > (:accepted_at::timestamptz, :census_sync_id)
    limit 1`,
).exists

/** Locks and returns the next census of an employer, in order of acceptance. Held censuses are skipped. */
export const lockWaitingCensus = statement(
  'census.lockWaitingCensus',
  `${sync_state}
   where employer_id = :employer_id and organization_id = :organization_id
     and completed_at is null and failed_at is null and not (${held})
   order by accepted_at, id limit 1 for no key update`,
).row<SyncState>

/** The path parameters of a census. Operators omit the employer. */
export type CensusPath = { employer_id?: string; census_sync_id: string }

/** SQL: whether a row `sync` is the census in the path, within reach. */
export const of_path = `
  sync.id = :census_sync_id and (:employer_id::text is null or sync.employer_id = :employer_id)
  and ${inReach('sync.organization_id', 'sync.employer_id')}`

const located = read(
  'census.locateCensus',
  `select sync.id as census_sync_id, sync.employer_id, sync.organization_id from census_syncs as sync where ${of_path}`,
)

/** The census in an operation's path, within reach. */
export const locateCensus = (ctx: ReadCtx, { employer_id, census_sync_id }: CensusPath) =>
  located.row<CensusKey>(ctx, { employer_id: employer_id ?? null, census_sync_id })

/**
 * Rows of a census that wait to be processed. The range of `first_index` shows their stage. In the first stage, it is
 * the index of the first row. Rows that clash with another person's email or phone move to a later stage, which adds
 * `row_count` per stage, and carry their own index. Stage `exchange` holds known people who may exchange details and
 * combines many chunks. Stage `rest` holds the other clashes. Stage `last` holds failed exchanges and pieces of refused
 * chunks.
 */
export type CensusChunk = Chunk<StagedRow>

export const stages = { first: 0, exchange: 1, rest: 2, last: 3 } as const

const chunk_inserted = statement(
  'census.insertChunk',
  `insert into census_chunks (organization_id, census_sync_id, first_index, rows)
   values (:organization_id, :census_sync_id, :first_index, convert_from(:rows::bytea, 'UTF8')::json)`,
)

/** Inserts chunks, such as the halves of a refused one. */
export async function insertChunks(ctx: Ctx, sync: CensusSync, chunks: CensusChunk[]): Promise<void> {
  await sendChunks(chunks, (chunk) => chunk_inserted.rows(ctx, { ...sync, ...chunk }))
}

/**
 * The maximum number of rows that may exchange details in one transaction: every row of a census, but not of a large
 * payroll roster.
 */
const max_exchanging = 10_000

const chunks_taken = statement(
  'census.claimChunk',
  `with next as (
     select min(first_index) as first_index from census_chunks
      where census_sync_id = :census_sync_id and organization_id = :organization_id
   ), exchanging as (
     select first_index, sum(json_array_length(rows)) over (order by first_index) as total from census_chunks
      where census_sync_id = :census_sync_id and organization_id = :organization_id
        and first_index >= :row_count and first_index < 2 * :row_count
        and (select first_index from next) >= :row_count)
   delete from census_chunks as chunk
    where chunk.census_sync_id = :census_sync_id and chunk.organization_id = :organization_id
      and chunk.first_index in (select first_index from next
                                union select first_index from exchanging where total <= :max_exchanging)
   returning chunk.first_index, chunk.rows`,
)

/**
 * Removes and returns the next chunk. In the exchange stage, combines as many chunks as one transaction can process.
 * Undefined when no chunk is left.
 */
export async function claimChunk(ctx: Ctx, sync: CensusSync): Promise<CensusChunk | undefined> {
  const chunks = await chunks_taken.rows<CensusChunk>(ctx, { ...sync, max_exchanging })
  const [first, ...others] = chunks.sort((a, b) => a.first_index - b.first_index)
  return first && { ...first, rows: [first, ...others].flatMap(({ rows }) => rows) }
}

/** SQL: employed after today. People who leave today anyway count neither toward the roster nor as missing. */
const staying = '(employee.terminated_on is null or employee.terminated_on > :today::date)'

/** Counts the people employed at an employer after today. */
export const countRoster = statement(
  'census.countRoster',
  `select count(*) from employees as employee
    where employee.employer_id = :employer_id and employee.organization_id = :organization_id and ${staying}`,
).value

/** Counts the people whom rosters of the last 7 days omitted and who are still missing. */
export const countAbsentees = statement(
  'census.countAbsentees',
  `select count(*) from employees as employee
    where employee.employer_id = :employer_id and employee.organization_id = :organization_id
      and employee.terminated_on > :today::date - 7 and employee.absent_on > :today::date - 7`,
).value

export const saveStart = statement(
  'census.saveStart',
  `update census_syncs set started_at = :now, roster_count = :roster_count
    where id = :census_sync_id and organization_id = :organization_id`,
).rows

const progress_saved = statement(
  'census.saveProgress',
  `update census_syncs
      set processed_count = processed_count + :processed, created_count = created_count + :created,
          updated_count = updated_count + :updated, unchanged_count = unchanged_count + :unchanged,
          rehired_count = rehired_count + :rehired, terminated_count = terminated_count + :terminated,
          failed_count = failed_count + :failed, has_unmatched_rows = has_unmatched_rows or :has_unmatched_rows
    where id = :census_sync_id and organization_id = :organization_id`,
)

const failures_inserted = statement(
  'census.insertFailures',
  `insert into census_failures (organization_id, census_sync_id, index, reference_id, field, reason)
   select :organization_id, :census_sync_id, index, reference_id, field, reason
     from jsonb_to_recordset(:failures::jsonb) as failure (index int, reference_id text, field text, reason text)`,
)

const warnings_inserted = statement(
  'census.insertWarnings',
  `insert into census_warnings (organization_id, census_sync_id, index, reference_id, field, reason)
   select :organization_id, :census_sync_id, index, reference_id, field, reason
     from jsonb_to_recordset(:warnings::jsonb) as warning (index int, reference_id text, field text, reason text)`,
)

/** Adds a chunk's counts, failures and warnings to its census. */
export async function saveProgress(
  ctx: Ctx,
  sync: CensusSync,
  processed: number,
  { counts, failures, warnings, has_unmatched_rows }: CensusPlan,
): Promise<void> {
  await Promise.all([
    progress_saved.rows(ctx, { ...sync, ...counts, processed, has_unmatched_rows }),
    failures.length > 0 && failures_inserted.rows(ctx, { ...sync, failures: JSON.stringify(failures) }),
    warnings.length > 0 && warnings_inserted.rows(ctx, { ...sync, warnings: JSON.stringify(warnings) }),
  ])
}

/** Saves the people to whom a chunk refers, and the people its rows matched. */
export const insertSeen = statement(
  'census.insertSeen',
  `insert into census_seen as former (organization_id, census_sync_id, position, member_ids, claimed_ids)
   values (:organization_id, :census_sync_id, :position, :seen::text[], :claimed::text[])
   on conflict (census_sync_id, organization_id, position)
   do update set member_ids = former.member_ids || excluded.member_ids,
                 claimed_ids = former.claimed_ids || excluded.claimed_ids`,
).rows

/** Returns which of these people were matched by earlier rows of a census. */
export const findClaimed = statement(
  'census.findClaimed',
  `select distinct former.member_id
     from census_seen as seen cross join unnest(seen.claimed_ids) as former (member_id)
    where seen.census_sync_id = :census_sync_id and seen.organization_id = :organization_id
      and former.member_id in (select unnest(:member_ids::text[]))`,
).column

/**
 * SQL: known before the census was accepted, still employed, and not referred to by any of its rows (a separate query).
 */
const missing = (accepted_at: string) => `
  employee.employer_id = :employer_id and employee.organization_id = :organization_id
  and ${isUnchangedSince(accepted_at)}`

const isUnchangedSince = (accepted_at: string) => `${staying} and employee.known_at < ${accepted_at}::timestamptz`

/** SQL: the members to whom the rows of a census refer. */
const seenBy = (census_sync_id: string, organization_id: string) => `
  select seen_member.id from census_seen as seen
   cross join unnest(seen.member_ids || seen.claimed_ids) as seen_member (id)
   where seen.census_sync_id = ${census_sync_id} and seen.organization_id = ${organization_id}`

/** SQL: people as an outcome lists them, selected by the condition `missing`. */
const namedPeople = (missing: string) => `
  select employee.id as employee_id, member.first_name, member.last_name, employee.reference_id
    from employees as employee
    join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
   where ${missing}
   order by member.last_name, member.first_name, employee.id
   limit ${max_missing}`

/** SQL: the people whom a held census would terminate, from a row `sync`. */
export const missingJson = `
  (select coalesce(json_agg(row_to_json(named)), '[]') from (${namedPeople(`
     employee.employer_id = sync.employer_id and employee.organization_id = sync.organization_id
     and ${isUnchangedSince('sync.accepted_at')}
     and employee.member_id not in (${seenBy('sync.id', 'sync.organization_id')})`)}) as named)`

/** The first people, by name, whom a replacing census would terminate if it refers only to `seen`. */
export const listUnseen = statement(
  'census.listUnseen',
  namedPeople(`${missing(':now')} and employee.member_id <> all(:seen::text[])`),
).rows<CensusMissing>

/** Counts the people whom a replacing census would terminate if it refers only to `seen`. */
export const countUnseen = statement(
  'census.countUnseen',
  `select count(*) from employees as employee where ${missing(':now')} and employee.member_id <> all(:seen::text[])`,
).value

/** The people whom a replacing census terminates, with the last day they would have had otherwise. */
export const findMissing = statement(
  'census.findMissing',
  `select employee.id, employee.terminated_on as ends_on from employees as employee
    where ${missing(':accepted_at')} and employee.member_id not in (${seenBy(':census_sync_id', ':organization_id')})
    order by employee.id`,
).rows<{ id: string; ends_on: Day | null }>

export const saveHold = statement(
  'census.saveHold',
  `update census_syncs set held_at = :now, missing_count = :missing_count
    where id = :census_sync_id and organization_id = :organization_id`,
).rows

export const saveConfirmation = statement(
  'census.saveConfirmation',
  'update census_syncs set confirmed_at = :now where id = :census_sync_id and organization_id = :organization_id',
).rows

const completion_saved = statement(
  'census.saveCompletion',
  `update census_syncs set completed_at = :now, terminated_count = terminated_count + :terminated
    where id = :census_sync_id and organization_id = :organization_id`,
)

const seen_deleted = statement(
  'census.deleteSeen',
  'delete from census_seen where census_sync_id = :census_sync_id and organization_id = :organization_id',
)

/** Completes a census and deletes the data that only its processing needed. */
export async function saveCompletion(ctx: Ctx, sync: CensusSync, terminated: number): Promise<void> {
  await completion_saved.rows(ctx, { ...sync, terminated })
  await seen_deleted.rows(ctx, { ...sync })
}

const failure_saved = statement(
  'census.saveFailure',
  'update census_syncs set failed_at = :now where id = :census_sync_id and organization_id = :organization_id',
)

const chunks_deleted = statement(
  'census.deleteChunks',
  'delete from census_chunks where census_sync_id = :census_sync_id and organization_id = :organization_id',
)

export async function saveFailure(ctx: Ctx, sync: CensusSync): Promise<void> {
  await failure_saved.rows(ctx, sync)
  await chunks_deleted.rows(ctx, { ...sync })
  await seen_deleted.rows(ctx, { ...sync })
}
