import type { EmployerKey } from '../auth/queries.ts'
import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { HrisSettings, HrisSource } from '../../integrations/payroll/provider.ts'
import { offsetOf, type Page } from '../../kernel/pages.ts'
import { pageJson } from '../../platform/database/numbered-pages.ts'
import { countsJson, outcomeJson, syncState } from '../census/queries.ts'
import type { Standing } from './rules.ts'

const inReachOfEmployer = inReachByNumber('employer.organization_id', 'employer.id')
const inReachOfConnection = inReachByNumber('connection.organization_id', 'connection.employer_id')

// What partners read -----------------------------------------------------------------------------

/** The connection of an employer, or null in its place, as JSON; undefined out of reach. */
export const findEmployerHris = (ctx: Ctx, employer_id: string) =>
  ctx.db.json(
    `select json_build_object('hris', (
       select row_to_json(shown) from (
         select connection.provider, connection.provider_label, connection.status,
                (connection.last_synced_at at time zone 'America/New_York')::date as last_sync_on, connection.synced_row_count
           from hris_connections as connection
          where connection.employer_id = employer.id and connection.organization_id = employer.organization_id
            and connection.disconnected_at is null) as shown))::text as json
       from employers as employer where employer.id = $4 and ${inReachOfEmployer}`,
    [...reachOf(ctx.caller), employer_id],
  )

const providersOf = (one: boolean) => `
  select json_build_object('data', coalesce(json_agg(json_build_object(
           'provider', listed.provider, 'provider_label', listed.provider_label) order by lower(listed.provider_label), listed.provider), '[]'))::text as json
    from (
      select connection.provider, min(connection.provider_label) as provider_label
        from hris_connections as connection
       where connection.disconnected_at is null and ${inReachOfConnection}
         ${one ? `and connection.organization_id || '' = ($1::text[])[1]` : ''}
         and not exists (
           select from employers as employer
            where employer.id = connection.employer_id and employer.organization_id = connection.organization_id
              and employer.subscription_ended_on <= $4::date)
       group by connection.provider) as listed`

const providers_of_one = providersOf(true)
const providers_of_many = providersOf(false)

/** The providers across the book, without its cancelled employers, as the whole answer. */
export const listHrisProviders = (ctx: Ctx) =>
  ctx.db.json(ctx.caller.reach.organization_ids?.length === 1 ? providers_of_one : providers_of_many, [
    ...reachOf(ctx.caller),
    ctx.today,
  ])

// What the operator reads ------------------------------------------------------------------------

const problem = (row: string, prefix = '') => `
  case when ${row}.${prefix}error_code is not null
       then json_build_object('code', ${row}.${prefix}error_code, 'message', ${row}.${prefix}error_message) end`

/** SQL: the HrisConnection of the interface, from a row `connection`. */
const connectionJson = `
  (select row_to_json(shown) from (
     select connection.id, connection.organization_id, connection.employer_id, connection.source, connection.provider,
            connection.provider_label, case when connection.disconnected_at is null then connection.status end as status,
            coalesce(connection.settings -> 'columns', '{}') as columns, iso(connection.connected_at) as connected_at,
            iso(connection.paused_at) as paused_at, iso(connection.disconnected_at) as disconnected_at,
            iso(connection.last_attempt_at) as last_attempt_at, iso(connection.last_synced_at) as last_synced_at,
            connection.synced_row_count, ${problem('connection', 'last_')} as last_error, connection.next_sync_on) as shown)`

/** A connection as JSON. */
export const findConnection = (ctx: Ctx, connection_id: string) =>
  ctx.db.json(
    `select ${connectionJson}::text as json from hris_connections as connection where connection.id = $4 and ${inReachOfConnection}`,
    [...reachOf(ctx.caller), connection_id],
  )

/** The connections that an employer has and had, newest first, as JSON. */
export const listConnections = (ctx: Ctx, employer_id: string) =>
  ctx.db.json(
    `select coalesce(json_agg(${connectionJson} order by connection.connected_at desc, connection.id desc), '[]')::text as json
       from hris_connections as connection where connection.employer_id = $4 and ${inReachOfConnection}`,
    [...reachOf(ctx.caller), employer_id],
  )

/** A connection, and whose. */
export type ConnectionKey = EmployerKey & { hris_connection_id: string }

/** A connection within reach. */
export const locateConnection = (ctx: Ctx, { hris_connection_id }: { hris_connection_id: string }) =>
  ctx.db.row<ConnectionKey>(
    `select connection.id as hris_connection_id, connection.organization_id, connection.employer_id from hris_connections as connection
      where connection.id = $4 and ${inReachOfConnection}`,
    [...reachOf(ctx.caller), hris_connection_id],
  )

const ofSync = 'sync.id = run.census_sync_id and sync.organization_id = run.organization_id'

/** SQL: a run, from rows `run` and `sync`; once it has become a census, it stands where that does. `more`: its last fields. */
const runJson = (more: string) => `
  (select row_to_json(shown) from (
     select run.id, run.connection_id as hris_connection_id, run.employer_id, run.cause,
            case when sync.id is not null then ${syncState} when run.ended_at is null then 'waiting' else 'failed' end as state,
            iso(run.requested_at) as requested_at, run.attempt_count, iso(run.fetched_at) as fetched_at,
            iso(run.ended_at) as ended_at, ${problem('run')} as error, ${more}) as shown)`

const withSync = `left join census_syncs as sync on ${ofSync}`
const orNull = (json: string) => `case when sync.id is not null then ${json} end`

/** A run with the outcome of its census, as JSON. */
export const findRun = (ctx: Ctx, run_id: string) =>
  ctx.db.json(
    `select ${runJson(`${orNull(outcomeJson)} as outcome`)}::text as json from hris_runs as run ${withSync}
      where run.id = $4 and ${inReachByNumber('run.organization_id', 'run.employer_id')}`,
    [...reachOf(ctx.caller), run_id],
  )

/** The census that a run has become, null until then. */
export const findRunCensus = (ctx: Ctx, run_id: string) =>
  ctx.db.row<{ census_sync_id: string | null }>(
    `select run.census_sync_id from hris_runs as run
      where run.id = $4 and ${inReachByNumber('run.organization_id', 'run.employer_id')}`,
    [...reachOf(ctx.caller), run_id],
  )

/** A run, and whose. */
export type HrisRunKey = EmployerKey & { hris_run_id: string }

/** A run within reach. */
export const locateRun = (ctx: Ctx, { hris_run_id }: { hris_run_id: string }) =>
  ctx.db.row<HrisRunKey>(
    `select run.id as hris_run_id, run.employer_id, run.organization_id from hris_runs as run
      where run.id = $4 and ${inReachByNumber('run.organization_id', 'run.employer_id')}`,
    [...reachOf(ctx.caller), hris_run_id],
  )

const ofConnection = `run.connection_id = $4 and ${inReachByNumber('run.organization_id', 'run.employer_id')}`

const run_page = pageJson(
  `select ${runJson(`sync.row_count, ${orNull(countsJson)} as counts`)} as item, run.position
     from (select run.*, row_number() over (order by run.requested_at desc, run.id desc) as position
             from hris_runs as run where ${ofConnection}
            order by run.requested_at desc, run.id desc limit $5 offset $6) as run
     ${withSync}`,
  `(select count(*) from hris_runs as run where ${ofConnection})`,
  '$5',
  '$7',
)

/** A page of a connection's runs as JSON, newest first. */
export const listRuns = (ctx: Ctx, connection_id: string, page: Page) =>
  ctx.db.json(run_page, [...reachOf(ctx.caller), connection_id, page.limit, offsetOf(page), page.page])

// Connections ------------------------------------------------------------------------------------

/** What decides whether an employer may be connected. */
export const findConnectable = async (ctx: Ctx, { employer_id, organization_id }: EmployerKey) =>
  (await ctx.db.row<{ connected: boolean; sandbox: boolean }>(
    `select organization.sandbox, exists (
              select from hris_connections where employer_id = $1 and organization_id = $2 and disconnected_at is null) as connected
       from organizations as organization where organization.id = $2`,
    [employer_id, organization_id],
  ))!

export type ConnectionRecord = EmployerKey & {
  id: string
  source: HrisSource
  provider: string
  provider_label: string
  access_sealed: Buffer | null
  settings: HrisSettings
  nightly: boolean
}

export const insertConnection = (ctx: Ctx, connection: ConnectionRecord) =>
  ctx.db.rows(
    `insert into hris_connections (id, organization_id, employer_id, source, provider, provider_label, access_sealed, settings,
                                   next_sync_on, connected_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $9 then $10::date + 1 end, $11, $11, $11)`,
    [
      connection.id,
      connection.organization_id,
      connection.employer_id,
      connection.source,
      connection.provider,
      connection.provider_label,
      connection.access_sealed,
      JSON.stringify(connection.settings),
      connection.nightly,
      ctx.today,
      ctx.now,
    ],
  )

export type Connection = EmployerKey & Standing & { id: string; access_sealed: Buffer | null; settings: HrisSettings }

/** A connection under its lock, within reach. */
export const lockConnection = (ctx: Ctx, connection_id: string) =>
  ctx.db.row<Connection>(
    `select connection.id, connection.organization_id, connection.employer_id, connection.source, connection.status,
            connection.disconnected_at is not null as disconnected, connection.access_sealed, connection.settings
       from hris_connections as connection where connection.id = $4 and ${inReachOfConnection} for no key update`,
    [...reachOf(ctx.caller), connection_id],
  )

export const savePause = (ctx: Ctx, { id, organization_id }: Connection) =>
  ctx.db.rows(
    'update hris_connections set paused_at = $3, next_sync_on = null, updated_at = $3 where id = $1 and organization_id = $2',
    [id, organization_id, ctx.now],
  )

/** Takes a connection up again, from the next night on by itself. */
export const saveResumption = (ctx: Ctx, { id, organization_id }: Connection, nightly: boolean) =>
  ctx.db.rows(
    `update hris_connections
        set paused_at = null, access_lost_at = null, next_sync_on = case when $3 then $4::date + 1 end, updated_at = $5
      where id = $1 and organization_id = $2`,
    [id, organization_id, nightly, ctx.today, ctx.now],
  )

/** Keeps a new access token in place of the former. */
export const saveAccess = (ctx: Ctx, { id, organization_id }: Connection, sealed: Buffer) =>
  ctx.db.rows(
    'update hris_connections set access_sealed = $3, updated_at = $4 where id = $1 and organization_id = $2',
    [id, organization_id, sealed, ctx.now],
  )

/** Ends a connection; its token, and what its provider kept, are forgotten. */
export const saveDisconnection = (ctx: Ctx, { id, organization_id }: Connection) =>
  ctx.db.rows(
    `update hris_connections
        set disconnected_at = $3, access_sealed = null, settings = '{}', next_sync_on = null, updated_at = $3
      where id = $1 and organization_id = $2`,
    [id, organization_id, ctx.now],
  )

export const saveSettings = (ctx: Ctx, { id, organization_id }: Connection, settings: HrisSettings) =>
  ctx.db.rows('update hris_connections set settings = $3, updated_at = $4 where id = $1 and organization_id = $2', [
    id,
    organization_id,
    JSON.stringify(settings),
    ctx.now,
  ])

/** Notes that a sync succeeded. */
export const saveSuccess = (ctx: Ctx, { connection_id, organization_id, ended_at, usable_count }: Settling) =>
  ctx.db.rows(
    `update hris_connections
        set last_synced_at = $3, synced_row_count = $4, last_error_code = null, last_error_message = null, updated_at = $5
      where id = $1 and organization_id = $2 and (last_synced_at is null or last_synced_at <= $3)`,
    [connection_id, organization_id, ended_at, usable_count, ctx.now],
  )

export type Problem = { code: string; message: string }

/** Notes why a sync did not succeed, and whether we are let in no longer. */
export const saveProblem = (
  ctx: Ctx,
  { connection_id, organization_id }: Pick<HrisRun, 'connection_id' | 'organization_id'>,
  { code, message }: Problem,
  access_lost = false,
) =>
  ctx.db.rows(
    `update hris_connections
        set last_error_code = $3, last_error_message = $4, updated_at = $5,
            access_lost_at = case when $6 then $5 else access_lost_at end, next_sync_on = case when $6 then null else next_sync_on end
      where id = $1 and organization_id = $2`,
    [connection_id, organization_id, code, message, ctx.now, access_lost],
  )

// Runs -------------------------------------------------------------------------------------------

export type Cause = 'schedule' | 'operator' | 'upload' | 'drop'
export type HrisRun = EmployerKey & { id: string; connection_id: string; cause: Cause; attempt_count: number }

/** Adds a run that waits to be fetched, unless one does. */
export const insertRun = (ctx: Ctx, run_id: string, connection: Connection, cause: Cause) =>
  ctx.db.rows(
    `insert into hris_runs (id, organization_id, connection_id, employer_id, cause, requested_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (connection_id, organization_id) where census_sync_id is null and ended_at is null do nothing`,
    [run_id, connection.organization_id, connection.id, connection.employer_id, cause, ctx.now],
  )

/** Adds a run whose rows came with it and are a census already. */
export const insertUpload = (ctx: Ctx, run_id: string, connection: Connection, census_sync_id: string) =>
  ctx.db.rows(
    `insert into hris_runs (id, organization_id, connection_id, employer_id, cause, requested_at, attempt_count, attempted_at, fetched_at, census_sync_id)
     values ($1, $2, $3, $4, 'upload', $5, 1, $5, $5, $6)`,
    [run_id, connection.organization_id, connection.id, connection.employer_id, ctx.now, census_sync_id],
  )

/** SQL: the connections of an organization that are to be fetched on a day. */
const dueConnections = (organization: string, day: string) => `
  from hris_connections as connection
 where connection.organization_id = ${organization} and connection.next_sync_on <= ${day}::date`

/** Adds a run for every connection of an organization that is due, and moves those on to the next night. */
export const insertDueRuns = (ctx: Ctx, organization_id: string, most: number) =>
  ctx.db.rows<{ id: string }>(
    `with due as (
       update hris_connections set next_sync_on = $2::date + 1
        where organization_id = $1 and id = any(array(select id ${dueConnections('$1', '$2')} limit $4))
       returning id, employer_id
     ), requested as (
       insert into hris_runs (id, organization_id, connection_id, employer_id, cause, requested_at)
       select new_id('hrun'), $1, id, employer_id, 'schedule', $3 from due
       on conflict (connection_id, organization_id) where census_sync_id is null and ended_at is null do nothing)
     select id from due`,
    [organization_id, ctx.today, ctx.now, most],
  )

/** SQL: whether there are such connections. */
export const hasSyncsDue = `exists (select ${dueConnections('organization.id', 'turning.day')})`

/** The run of a connection that waits to be fetched, under its lock. */
export const lockRunToFetch = (ctx: Ctx, { id, organization_id }: Pick<Connection, 'id' | 'organization_id'>) =>
  ctx.db.row<HrisRun>(
    `select id, organization_id, employer_id, connection_id, cause, attempt_count from hris_runs
      where connection_id = $1 and organization_id = $2 and census_sync_id is null and ended_at is null for no key update`,
    [id, organization_id],
  )

/** The latest run of a connection of which nothing is to be fetched any more, and whether what was fetched was taken. */
export const findLatestFetch = (ctx: Ctx, { id, organization_id }: Pick<Connection, 'id' | 'organization_id'>) =>
  ctx.db.row<{ id: string; taken: boolean }>(
    `select id, census_sync_id is not null as taken from hris_runs
      where connection_id = $1 and organization_id = $2 and cause <> 'upload' and (census_sync_id is not null or ended_at is not null)
      order by requested_at desc, id desc limit 1`,
    [id, organization_id],
  )

/** Whether what was fetched for a run was taken. */
export const isTaken = async (ctx: Ctx, { id, organization_id }: Pick<HrisRun, 'id' | 'organization_id'>) =>
  (await ctx.db.row(
    'select 1 as found from hris_runs where id = $1 and organization_id = $2 and census_sync_id is not null',
    [id, organization_id],
  )) !== undefined

/** Notes another attempt at a run, there and at its connection. */
export async function saveAttempt(ctx: Ctx, run: HrisRun): Promise<void> {
  await ctx.db.rows(
    'update hris_runs set attempt_count = attempt_count + 1, attempted_at = $3 where id = $1 and organization_id = $2',
    [run.id, run.organization_id, ctx.now],
  )
  await ctx.db.rows('update hris_connections set last_attempt_at = $3 where id = $1 and organization_id = $2', [
    run.connection_id,
    run.organization_id,
    ctx.now,
  ])
}

export const saveFetched = (ctx: Ctx, run: HrisRun, census_sync_id: string) =>
  ctx.db.rows(
    `update hris_runs set fetched_at = $3, census_sync_id = $4, error_code = null, error_message = null
      where id = $1 and organization_id = $2`,
    [run.id, run.organization_id, ctx.now, census_sync_id],
  )

/** Notes why a run has not succeeded, or that nothing more will come of it. */
export const saveRunProblem = (ctx: Ctx, run: HrisRun, { code, message }: Problem, over: boolean) =>
  ctx.db.rows(
    `update hris_runs set error_code = $3, error_message = $4, ended_at = case when $5 then $6::timestamptz end
      where id = $1 and organization_id = $2`,
    [run.id, run.organization_id, code, message, over, ctx.now],
  )

export const deleteRun = (ctx: Ctx, run: HrisRun) =>
  ctx.db.rows('delete from hris_runs where id = $1 and organization_id = $2', [run.id, run.organization_id])

/** A run whose census is over, or held. */
export type Settling = {
  id: string
  organization_id: string
  connection_id: string
  state: 'completed' | 'failed' | 'held'
  ended_at: string
  usable_count: number
  missing_count: number | null
  /** whether a later run has become a census too: then this one's can't be confirmed any more */
  superseded: boolean
}

/** The runs of an employer to whose census something happened that their connections have yet to hear, in order. */
export const listToSettle = (ctx: Ctx, { employer_id, organization_id }: EmployerKey) =>
  ctx.db.rows<Settling>(
    `select run.id, run.organization_id, run.connection_id,
            case when sync.failed_at is not null then 'failed' when sync.completed_at is not null then 'completed' else 'held' end as state,
            coalesce(sync.failed_at, sync.completed_at, sync.held_at) as ended_at, sync.row_count - sync.failed_count as usable_count,
            sync.missing_count, exists (
              select from hris_runs as later
               where later.connection_id = run.connection_id and later.organization_id = run.organization_id
                 and later.requested_at > run.requested_at and later.census_sync_id is not null) as superseded
       from hris_runs as run
       join census_syncs as sync on ${ofSync}
      where run.employer_id = $1 and run.organization_id = $2 and run.ended_at is null
        and (sync.completed_at is not null or sync.failed_at is not null or (sync.held_at is not null and sync.confirmed_at is null))
      order by run.requested_at, run.id`,
    [employer_id, organization_id],
  )

export const saveRunEnd = (ctx: Ctx, { id, organization_id }: Settling) =>
  ctx.db.rows('update hris_runs set ended_at = $3 where id = $1 and organization_id = $2', [
    id,
    organization_id,
    ctx.now,
  ])
