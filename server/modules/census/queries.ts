import type { EmployerKey } from '../auth/queries.ts'
import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import { chunksOf } from '../../kernel/chunks.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { CensusPlan, StagedRow } from './rules.ts'
import type { CensusMode, CensusOrigin } from './schemas.ts'

export const findCensusMode = (ctx: Ctx, place: EmployerKey) =>
  ctx.db.row<{ census_mode: CensusMode }>('select census_mode from employers where id = $1 and organization_id = $2', [
    place.employer_id,
    place.organization_id,
  ])

export type CensusSync = EmployerKey & {
  id: string
  mode: CensusMode
  origin: CensusOrigin
  /** the task that hears when it is over or held */
  told_to: string | null
  row_count: number
}

const chunks_at_once = 10

/** Accepts a census: its rows wait in chunks. */
export async function insertCensusSync(
  ctx: Ctx,
  sync: CensusSync,
  chunks: StagedRow[][],
  chunk_size: number,
): Promise<void> {
  await ctx.db.rows(
    `insert into census_syncs (id, organization_id, employer_id, mode, origin, told_to, row_count, accepted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [sync.id, sync.organization_id, sync.employer_id, sync.mode, sync.origin, sync.told_to, sync.row_count, ctx.now],
  )
  const placed = chunks.map((rows, at) => ({ first_index: at * chunk_size, rows }))
  await insertChunks(ctx, sync, placed)
}

export type SyncState = CensusSync & {
  accepted_at: string
  roster_count: number | null
  started: boolean
  held: boolean
  confirmed: boolean
  /** whether a row that can't be used may speak of anybody */
  unsure: boolean
}

const held = 'sync.held_at is not null and sync.confirmed_at is null'

const sync_state = `
  select id, organization_id, employer_id, mode, origin, told_to, row_count, accepted_at, roster_count, unsure,
         started_at is not null as started, ${held} as held, confirmed_at is not null as confirmed
    from census_syncs as sync`

/** A census under its lock, within reach. */
export const lockCensusSync = (ctx: Ctx, census_sync_id: string) =>
  ctx.db.row<SyncState>(
    `${sync_state} where id = $4 and ${inReachByNumber('sync.organization_id', 'sync.employer_id')} for no key update`,
    [...reachOf(ctx.caller), census_sync_id],
  )

/** Whether a census of the same employer was accepted after this one. */
export const hasLaterCensus = async (ctx: Ctx, sync: SyncState): Promise<boolean> =>
  (await ctx.db.row(
    `select 1 as found from census_syncs where employer_id = $1 and organization_id = $2 and (accepted_at, id) > ($3::timestamptz, $4) limit 1`,
    [sync.employer_id, sync.organization_id, sync.accepted_at, sync.id],
  )) !== undefined

/** The census of an employer that is next in the order of acceptance, under its lock; a held one lets others pass. */
export const lockWaitingCensus = (ctx: Ctx, place: EmployerKey) =>
  ctx.db.row<SyncState>(
    `${sync_state} where employer_id = $1 and organization_id = $2 and completed_at is null and failed_at is null and not (${held})
      order by accepted_at, id limit 1 for no key update`,
    [place.employer_id, place.organization_id],
  )

/** A census, and whose. */
export type CensusKey = EmployerKey & { census_sync_id: string }

/** The employer's census within reach, as an operation's path names it. */
export const locateCensus = (
  ctx: Ctx,
  { employer_id, census_sync_id }: { employer_id: string; census_sync_id: string },
) =>
  ctx.db.row<CensusKey>(
    `select sync.id as census_sync_id, sync.employer_id, sync.organization_id from census_syncs as sync
      where sync.id = $5 and sync.employer_id = $4 and ${inReachByNumber('sync.organization_id', 'sync.employer_id')}`,
    [...reachOf(ctx.caller), employer_id, census_sync_id],
  )

/**
 * Rows of a census that wait, by stages: first all rows, at the place of the first of them. Rows that clash with somebody's
 * e-mail or phone wait `row_count` further on for every stage, and know their places themselves: at first people who
 * are known, who may exchange theirs, so many chunks at once; then the rest of them; last those who could not exchange,
 * and pieces of what was refused.
 */
export type Chunk = { first_index: number; rows: StagedRow[] }

export const stages = { first: 0, exchange: 1, rest: 2, last: 3 } as const

/** Puts chunks there, or back, such as the halves of one that was refused as a whole. */
export async function insertChunks(ctx: Ctx, sync: CensusSync, chunks: Chunk[]): Promise<void> {
  // A few at a time: the text of all would hold everybody up.
  for (const some of chunksOf(chunks, chunks_at_once))
    await ctx.db.rows(
      `insert into census_chunks (organization_id, census_sync_id, first_index, rows)
       select $1, $2, first_index, rows from jsonb_to_recordset($3::jsonb) as chunk (first_index int, rows jsonb)`,
      [sync.organization_id, sync.id, JSON.stringify(some)],
    )
}

/** Rows that may exchange among each other at once: all of a census, and of a payroll's roster what one transaction bears. */
const most_exchanging = 10_000

/** Takes the next chunk off, or as many of those that exchange as are taken together; undefined when all are done. */
export async function takeChunk(ctx: Ctx, sync: CensusSync): Promise<Chunk | undefined> {
  const chunks = await ctx.db.rows<Chunk>(
    `with next as (
       select min(first_index) as first_index from census_chunks where census_sync_id = $1 and organization_id = $2
     ), exchanging as (
       select first_index, sum(jsonb_array_length(rows)) over (order by first_index) as total from census_chunks
        where census_sync_id = $1 and organization_id = $2 and first_index >= $3 and first_index < 2 * $3
          and (select first_index from next) >= $3)
     delete from census_chunks as chunk
      where chunk.census_sync_id = $1 and chunk.organization_id = $2
        and chunk.first_index in (select first_index from next
                                  union select first_index from exchanging where total <= $4)
     returning chunk.first_index, chunk.rows`,
    [sync.id, sync.organization_id, sync.row_count, most_exchanging],
  )
  const [first, ...others] = chunks.sort((a, b) => a.first_index - b.first_index)
  return first && { ...first, rows: [first, ...others].flatMap(({ rows }) => rows) }
}

/** Employed beyond today: who leaves today anyway is neither on the roster that the brake counts, nor missing. */
const staying = '(employee.terminated_on is null or employee.terminated_on > $3::date)'

/** How many people are employed at an employer beyond today. */
export async function countRoster(ctx: Ctx, place: EmployerKey): Promise<number> {
  const row = await ctx.db.row<{ count: number }>(
    `select count(*) from employees as employee where employee.employer_id = $1 and employee.organization_id = $2 and ${staying}`,
    [place.employer_id, place.organization_id, ctx.today],
  )
  return row!.count
}

export const saveStart = (ctx: Ctx, sync: CensusSync, roster_count: number) =>
  ctx.db.rows('update census_syncs set started_at = $3, roster_count = $4 where id = $1 and organization_id = $2', [
    sync.id,
    sync.organization_id,
    ctx.now,
    roster_count,
  ])

/** Adds a chunk's counts and failures to its census. */
export async function saveProgress(
  ctx: Ctx,
  sync: CensusSync,
  processed: number,
  { counts, failures, unsure }: CensusPlan,
): Promise<void> {
  await ctx.db.rows(
    `update census_syncs
        set processed_count = processed_count + $3, created_count = created_count + $4, updated_count = updated_count + $5,
            unchanged_count = unchanged_count + $6, rehired_count = rehired_count + $7, terminated_count = terminated_count + $8,
            failed_count = failed_count + $9, unsure = unsure or $10
      where id = $1 and organization_id = $2`,
    [
      sync.id,
      sync.organization_id,
      processed,
      counts.created,
      counts.updated,
      counts.unchanged,
      counts.rehired,
      counts.terminated,
      counts.failed,
      unsure,
    ],
  )
  if (failures.length === 0) return
  await ctx.db.rows(
    `insert into census_failures (organization_id, census_sync_id, index, reference_id, field, reason)
     select $1, $2, index, reference_id, field, reason
       from jsonb_to_recordset($3::jsonb) as failure (index int, reference_id text, field text, reason text)`,
    [sync.organization_id, sync.id, JSON.stringify(failures)],
  )
}

export const insertSeen = (ctx: Ctx, sync: CensusSync, seen: string[], claimed: string[]) =>
  ctx.db.rows(
    `insert into census_seen as former (organization_id, census_sync_id, member_id, claimed)
     select $1, $2, member_id, bool_or(claimed)
       from (select unnest($3::text[]), false union all select unnest($4::text[]), true) as said (member_id, claimed) group by member_id
     on conflict (census_sync_id, organization_id, member_id) do update set claimed = true where excluded.claimed and not former.claimed`,
    [sync.organization_id, sync.id, seen, claimed],
  )

/** Which of these people earlier rows of a census were taken for. */
export async function findClaimed(ctx: Ctx, sync: CensusSync, member_ids: string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ member_id: string }>(
    `select seen.member_id from unnest($3::text[]) as candidate (member_id)
       join census_seen as seen on seen.census_sync_id = $1 and seen.organization_id = $2 and seen.member_id = candidate.member_id and seen.claimed`,
    [sync.id, sync.organization_id, member_ids],
  )
  return rows.map((row) => row.member_id)
}

/** Known before the census was accepted and staying; spoken of by none of its rows, which is asked beside it. */
const missing = `
  employee.employer_id = $1 and employee.organization_id = $2
  and ${staying} and employee.known_at < $4::timestamptz`

/** How many people a replacing census that speaks of these would end. */
export async function countUnseen(ctx: Ctx, place: EmployerKey, seen: string[]): Promise<number> {
  const row = await ctx.db.row<{ count: number }>(
    `select count(*) from employees as employee where ${missing} and employee.member_id <> all($5::text[])`,
    [place.employer_id, place.organization_id, ctx.today, ctx.now, seen],
  )
  return row!.count
}

/** The ids of those whom a replacing census ends. */
export const findMissing = (ctx: Ctx, sync: SyncState) =>
  ctx.db.rows<{ id: string }>(
    `select employee.id from employees as employee
      where ${missing} and not exists (
        select from census_seen as seen
         where seen.census_sync_id = $5 and seen.organization_id = $2 and seen.member_id = employee.member_id)
      order by employee.id`,
    [sync.employer_id, sync.organization_id, ctx.today, sync.accepted_at, sync.id],
  )

export const saveHold = (ctx: Ctx, sync: CensusSync, missing_count: number) =>
  ctx.db.rows('update census_syncs set held_at = $3, missing_count = $4 where id = $1 and organization_id = $2', [
    sync.id,
    sync.organization_id,
    ctx.now,
    missing_count,
  ])

export const saveConfirmation = (ctx: Ctx, sync: CensusSync) =>
  ctx.db.rows('update census_syncs set confirmed_at = $3 where id = $1 and organization_id = $2', [
    sync.id,
    sync.organization_id,
    ctx.now,
  ])

/** Ends a census; what was kept only to run it goes. */
export async function saveCompletion(ctx: Ctx, sync: CensusSync, terminated: number): Promise<void> {
  await ctx.db.rows(
    'update census_syncs set completed_at = $3, terminated_count = terminated_count + $4 where id = $1 and organization_id = $2',
    [sync.id, sync.organization_id, ctx.now, terminated],
  )
  await ctx.db.rows('delete from census_seen where census_sync_id = $1 and organization_id = $2', [
    sync.id,
    sync.organization_id,
  ])
}

export async function saveFailure(ctx: Ctx, sync: CensusSync): Promise<void> {
  await ctx.db.rows('update census_syncs set failed_at = $3 where id = $1 and organization_id = $2', [
    sync.id,
    sync.organization_id,
    ctx.now,
  ])
  await ctx.db.rows('delete from census_chunks where census_sync_id = $1 and organization_id = $2', [
    sync.id,
    sync.organization_id,
  ])
  await ctx.db.rows('delete from census_seen where census_sync_id = $1 and organization_id = $2', [
    sync.id,
    sync.organization_id,
  ])
}

/** SQL: where a census stands, from a row `sync`. */
export const syncState = `
  case when sync.failed_at is not null then 'failed' when sync.completed_at is not null then 'completed'
       when sync.held_at is not null and sync.confirmed_at is null then 'held'
       when sync.started_at is not null then 'processing' else 'queued' end`

/** SQL: what a census did so far, from a row `sync`. */
export const countsJson = `
  json_build_object('created', sync.created_count, 'updated', sync.updated_count, 'unchanged', sync.unchanged_count,
    'rehired', sync.rehired_count, 'terminated', sync.terminated_count, 'failed', sync.failed_count)`

/** SQL: the CensusOutcome of the interface, from a row `sync`. */
export const outcomeJson = `
  (select row_to_json(shown) from (
     select sync.id as census_sync_id, sync.employer_id, sync.origin, sync.mode, false as dry_run,
            ${syncState} as state,
            sync.row_count, sync.processed_count,
            ${countsJson} as counts,
            sync.missing_count,
            coalesce((select json_agg(json_build_object('index', failure.index, 'reference_id', failure.reference_id,
                               'field', failure.field, 'reason', failure.reason) order by failure.index)
                        from census_failures as failure
                       where failure.census_sync_id = sync.id and failure.organization_id = sync.organization_id), '[]') as failures,
            iso(sync.accepted_at) as accepted_at, iso(sync.completed_at) as completed_at) as shown)`

/** The outcome of a census so far, as JSON. */
export const findCensusOutcome = (
  ctx: Ctx,
  { employer_id, census_sync_id }: { employer_id: string; census_sync_id: string },
) =>
  ctx.db.json(
    `select ${outcomeJson}::text as json from census_syncs as sync
      where sync.id = $5 and sync.employer_id = $4 and ${inReachByNumber('sync.organization_id', 'sync.employer_id')}`,
    [...reachOf(ctx.caller), employer_id, census_sync_id],
  )
