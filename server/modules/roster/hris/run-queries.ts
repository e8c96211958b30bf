import type { EmployerKey } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { sendStaged, stageRowsInTurn } from '../../../kernel/concurrency/staged-rows.ts'
import { runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { rowPageJson, pageList, pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { differencesJson, countsJson, outcomeJson } from '../census/outcome-queries.ts'
import { problemJson, runState } from './queries.ts'
import type { HrisHours } from './rules.ts'
import type { HrisRunPersonFilter } from './schemas.ts'

const ofSync = 'sync.id = run.census_sync_id and sync.organization_id = run.organization_id'

/**
 * SQL: a run, from rows `run` and `sync`. Once the run has a census, it has the state of the census. `more` adds fields
 * at the end.
 */
const runJson = (more: string) => `
  (select row_to_json(shown) from (
     select run.id, run.connection_id as hris_connection_id, run.employer_id, run.cause,
            ${runState} as state, iso(run.requested_at) as requested_at, run.attempt_count,
            iso(run.fetched_at) as fetched_at,
            iso(run.ended_at) as ended_at, ${problemJson('run')} as error, ${more}) as shown)`

const withSync = `left join census_syncs as sync on ${ofSync}`
const orNull = (json: string) => `case when sync.id is not null then ${json} end`

const run_in_reach = inReach('run.organization_id', 'run.employer_id')

export const findRun = read(
  'hris.findRun',
  `select ${runJson(`${orNull(outcomeJson)} as outcome`)}::text as json from hris_runs as run ${withSync}
    where run.id = :hris_run_id and ${run_in_reach}`,
).json

/** The census of a run. Null until it is submitted. */
export const findRunCensus = statement(
  'hris.findRunCensus',
  `select run.census_sync_id from hris_runs as run where run.id = :run_id and ${run_in_reach}`,
).row<{ census_sync_id: string | null }>

/**
 * The outcome for each event about a changed person. If a person has several events, the first one listed here applies.
 */
const outcome_filters = {
  'employee.created': 'created',
  'employee.rehired': 'rehired',
  'employee.reinstated': 'reinstated',
  'employee.deactivated': 'terminated',
  'employee.updated': 'updated',
}

/**
 * SQL: the people changed by a run, with the outcome. While a connection is active, nothing else changes the roster, so
 * all events during the census come from it. Events while it was held are excluded.
 */
const changedBy = `
  select event.resource_id as employee_id, run.organization_id, run.census_sync_id, max(event.created_at) as changed_at,
         min(sync.started_at) as started_at,
         (array[${Object.values(outcome_filters).map((outcome) => `'${outcome}'`)}])[
           min(array_position(array[${Object.keys(outcome_filters).map((name) => `'${name}'`)}], event.event_name))]
           as outcome
    from hris_runs as run
    join census_syncs as sync on ${ofSync}
    join webhook_events as event on event.organization_id = run.organization_id
     and event.employer_id = run.employer_id and event.employer_id > ''
     and event.created_at >= sync.started_at
     and event.created_at <= coalesce(sync.completed_at, sync.failed_at, 'infinity')
     and coalesce(event.created_at <= sync.held_at or event.created_at >= sync.confirmed_at, sync.held_at is null)
     and event.event_name = any(array[${Object.keys(outcome_filters).map((name) => `'${name}'`)}])
   where run.id = :hris_run_id and ${run_in_reach}
   group by event.resource_id, run.organization_id, run.census_sync_id`

const people_listed = read(
  'hris.listRunPeople',
  `with changed as materialized (
     select * from (
       select reported.employee_id, reported.organization_id, reported.census_sync_id, reported.changed_at, case
                -- Until the last day has passed, a termination has only published an update.
                when reported.outcome = 'updated'
                 and employee.terminated_on >= (reported.started_at at time zone 'America/New_York')::date
                  then 'terminated' else reported.outcome end as outcome
         from (${changedBy}) as reported
         join employees as employee on employee.id = reported.employee_id
          and employee.organization_id = reported.organization_id) as changed
      where :outcomes::text[] is null or outcome = any(:outcomes::text[]))
   ${pageJson(
     `select json_build_object('employee_id', employee.id, 'reference_id', employee.reference_id,
                               'first_name', member.first_name, 'last_name', member.last_name,
                               'outcome', page.outcome, 'changed_at', iso(page.changed_at),
                               'differences', kept.differences) as item, page.position
        from (select changed.*, row_number() over (order by outcome, employee_id) as position from changed
               order by outcome, employee_id limit :limit::int offset :offset::bigint) as page
        left join lateral (
          select ${differencesJson} as differences from census_changes as change
           where change.census_sync_id = page.census_sync_id and change.employee_id = page.employee_id
             and change.organization_id = page.organization_id offset 0) as kept on true
        join employees as employee on employee.id = page.employee_id
         and employee.organization_id = page.organization_id
        join members as member on member.id = employee.member_id
         and member.organization_id = page.organization_id`,
     '(select count(*) from changed)',
   )}`,
)

/** A page of the people changed by a run, ordered by outcome. */
export const listRunPeople = (ctx: ReadCtx, hris_run_id: string, { outcome, ...page }: HrisRunPersonFilter) =>
  people_listed.json(ctx, { hris_run_id, outcomes: outcome.length > 0 ? outcome : null, ...pageValues(page) })

export const locateRun = read(
  'hris.locateRun',
  `select run.id as hris_run_id, run.employer_id, run.organization_id from hris_runs as run
    where run.id = :hris_run_id and ${run_in_reach}`,
).row<HrisRunKey>

export type HrisRunKey = EmployerKey & { hris_run_id: string }

/** A page of a connection's runs as JSON, newest first. */
export const listRuns = pageList(
  'hris.listRuns',
  rowPageJson({
    from: `hris_runs as run where run.connection_id = :connection_id and ${run_in_reach}`,
    row: 'run',
    order: 'run.requested_at desc, run.id desc',
    item: runJson(`sync.row_count, ${orNull(countsJson)} as counts`),
    sources: withSync,
  }),
)

export const saveSuccess = statement(
  'hris.saveSuccess',
  `update hris_connections
      set last_synced_at = :ended_at, synced_row_count = :usable_count, last_error_code = null,
          last_error_message = null, updated_at = :now
    where id = :connection_id and organization_id = :organization_id
      and (last_synced_at is null or last_synced_at <= :ended_at)`,
).rows

export type Problem = { code: string; message: string }

const problem_saved = statement(
  'hris.saveProblem',
  `update hris_connections
      set last_error_code = :code, last_error_message = :message, updated_at = :now,
          access_lost_at = case when :access_lost then :now else access_lost_at end,
          next_sync_on = case when :access_lost then null else next_sync_on end
    where id = :connection_id and organization_id = :organization_id`,
)

/** Saves why a sync did not succeed, and whether access was lost. */
export const saveProblem = (
  ctx: Ctx,
  run: Pick<HrisRun, 'connection_id' | 'organization_id'>,
  { code, message }: Problem,
  access_lost = false,
) => problem_saved.rows(ctx, { ...run, code, message, access_lost })

export type Cause = 'schedule' | 'operator' | 'upload' | 'drop'
export type HrisRun = EmployerKey & { id: string; connection_id: string; cause: Cause; attempt_count: number }

/** Adds a run that waits to be fetched, unless there is one. */
export const insertRun = statement(
  'hris.insertRun',
  `insert into hris_runs (id, organization_id, connection_id, employer_id, cause, requested_at)
   values (:run_id, :organization_id, :connection_id, :employer_id, :cause, :now)
   on conflict (connection_id, organization_id) where census_sync_id is null and ended_at is null do nothing`,
).rows

/** Adds a run for uploaded rows, which already have a census. */
export const insertUpload = statement(
  'hris.insertUpload',
  `insert into hris_runs (id, organization_id, connection_id, employer_id, cause, requested_at, attempt_count,
                          fetched_at, census_sync_id)
   values (:run_id, :organization_id, :connection_id, :employer_id, 'upload', :now, 1, :now, :census_sync_id)`,
).rows

const dueConnections = (organization: string, day: string) => `
  from hris_connections as connection
 where connection.organization_id = ${organization} and connection.next_sync_on <= ${day}::date`

/** Adds a run for every connection of an organization that is due, and schedules its next sync for the next night. */
export const insertDueRuns = statement(
  'hris.insertDueRuns',
  `with due as (
     update hris_connections set next_sync_on = :today::date + 1
      where organization_id = :organization_id
        and id = any(array(select id ${dueConnections(':organization_id', ':today')} limit :most))
     returning id, employer_id
   ), requested as (
     insert into hris_runs (id, organization_id, connection_id, employer_id, cause, requested_at)
     select new_id('hrun'), :organization_id, id, employer_id, 'schedule', :now from due
     on conflict (connection_id, organization_id) where census_sync_id is null and ended_at is null do nothing)
   select id from due`,
).column

/** SQL: whether such connections exist. */
export const hasSyncsDue = `exists (select ${dueConnections('organization.id', 'daily_run.day')})`

/** Locks and returns the run of a connection that waits to be fetched. */
export const lockRunToFetch = statement(
  'hris.lockRunToFetch',
  `select id, organization_id, employer_id, connection_id, cause, attempt_count from hris_runs
    where connection_id = :connection_id and organization_id = :organization_id
      and census_sync_id is null and ended_at is null for no key update`,
).row<HrisRun>

/** The latest run of a connection that no longer waits to be fetched, and whether its data was used. */
export const findLatestFetch = statement(
  'hris.findLatestFetch',
  `select id, census_sync_id is not null as taken from hris_runs
    where connection_id = :connection_id and organization_id = :organization_id and cause <> 'upload'
      and (census_sync_id is not null or ended_at is not null)
    order by requested_at desc, id desc limit 1`,
).row<{ id: string; taken: boolean }>

/** Whether the fetched data of a run was used. */
export const wasRunUsed = statement(
  'hris.wasRunUsed',
  `select 1 as found from hris_runs
    where id = :id and organization_id = :organization_id and census_sync_id is not null`,
).exists

const attempt_counted = statement(
  'hris.countAttempt',
  `update hris_runs set attempt_count = attempt_count + 1
    where id = :id and organization_id = :organization_id`,
)

const attempt_noted = statement(
  'hris.noteLastAttempt',
  `update hris_connections set last_attempt_at = :now
    where id = :connection_id and organization_id = :organization_id`,
)

/** Saves an attempt at a run, in the run and in its connection. */
export async function saveAttempt(ctx: Ctx, run: HrisRun): Promise<void> {
  await attempt_counted.rows(ctx, run)
  await attempt_noted.rows(ctx, run)
}

export const saveFetched = statement(
  'hris.saveFetched',
  `update hris_runs
      set fetched_at = :now, census_sync_id = :census_sync_id, error_code = null, error_message = null
    where id = :id and organization_id = :organization_id`,
).rows

/** Saves why a run has not succeeded, and whether it has ended. */
export const saveRunProblem = statement(
  'hris.saveRunProblem',
  `update hris_runs
      set error_code = :code, error_message = :message, ended_at = case when :over then :now::timestamptz end
    where id = :id and organization_id = :organization_id`,
).rows

export const deleteRun = statement(
  'hris.deleteRun',
  'delete from hris_runs where id = :id and organization_id = :organization_id',
).rows

/** A run whose census is completed, failed or held. */
type Settling = {
  id: string
  organization_id: string
  connection_id: string
  state: 'completed' | 'failed' | 'held'
  ended_at: string
  usable_count: number
  missing_count: number | null
  /** Whether the run has hours that wait to be recorded. */
  has_hours: boolean
  /** Whether a later run has a census too, so that this one can no longer be confirmed. */
  superseded: boolean
}

/** The runs of an employer whose census changed state since their connection was last updated, in order. */
export const listToSettle = statement(
  'hris.listToSettle',
  `select run.id, run.organization_id, run.connection_id,
          case when sync.failed_at is not null then 'failed' when sync.completed_at is not null then 'completed'
               else 'held' end as state,
          coalesce(sync.failed_at, sync.completed_at, sync.held_at) as ended_at,
          sync.row_count - sync.failed_count as usable_count, sync.missing_count, exists (
            select from hris_run_hours as hours
             where hours.run_id = run.id and hours.organization_id = run.organization_id) as has_hours, exists (
            select from hris_runs as later
             where later.connection_id = run.connection_id and later.organization_id = run.organization_id
               and later.requested_at > run.requested_at and later.census_sync_id is not null) as superseded
     from hris_runs as run
     join census_syncs as sync on ${ofSync}
    where run.employer_id = :employer_id and run.organization_id = :organization_id and run.ended_at is null
      and (sync.completed_at is not null or sync.failed_at is not null
           or (sync.held_at is not null and sync.confirmed_at is null))
    order by run.requested_at, run.id`,
).rows<Settling>

export const saveRunEnd = statement(
  'hris.saveRunEnd',
  'update hris_runs set ended_at = :now where id = :id and organization_id = :organization_id',
).rows

/** The rows of hours that are stored together. */
const hours_per_piece = 10_000

const hours_inserted = statement(
  'hris.insertHours',
  `insert into hris_run_hours (organization_id, run_id, first_index, rows)
   values (:organization_id, :run_id, :first_index, convert_from(:rows::bytea, 'UTF8')::json)`,
)

type RunKey = { organization_id: string; run_id: string }

/** Saves the hours that a run fetched, until the people are on the roster. */
export const insertHours = async (ctx: Ctx, run: RunKey, hours: HrisHours[]): Promise<void> =>
  sendStaged(await runInSlices(stageRowsInTurn(hours, hours_per_piece)), hours_per_piece, (piece) =>
    hours_inserted.rows(ctx, { ...run, ...piece }),
  )

const hours_taken = statement(
  'hris.takeHours',
  `delete from hris_run_hours where run_id = :run_id and organization_id = :organization_id
   returning first_index, rows, (select iso(run.fetched_at) from hris_runs as run
                                  where run.id = :run_id and run.organization_id = :organization_id) as fetched_at`,
)

/** Removes and returns the hours of a run that are not recorded yet, and when they were fetched. */
export async function takeHours(ctx: Ctx, run: RunKey): Promise<{ fetched_at: string; hours: HrisHours[] }> {
  const pieces = await hours_taken.rows<{ first_index: number; rows: HrisHours[]; fetched_at: string }>(ctx, run)
  const hours = pieces.toSorted((a, b) => a.first_index - b.first_index).flatMap(({ rows }) => rows)
  return { fetched_at: pieces[0]?.fetched_at ?? ctx.now, hours }
}
