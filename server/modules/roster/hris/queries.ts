import type { EmployerKey } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { HrisSettings, HrisSource } from '../../../integrations/payroll/provider.ts'
import { foundPageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import { countsJson, syncState } from '../census/outcome-queries.ts'
import type { ConnectionStatus } from './rules.ts'
import type { HrisConnectionFilter } from './schemas.ts'

/** SQL: the state of a run, from rows `run` and `sync`. Once the run has a census, it has the state of the census. */
export const runState = `
  case when sync.id is not null then ${syncState} when run.ended_at is null then 'waiting' else 'failed' end`

/** The number of recent runs of a connection that partners and employers see. */
const runs_shown = 10

/** SQL: the most recent runs of a row `connection`, newest first. */
const recentRuns = `
  select coalesce(json_agg(row_to_json(shown) order by run.requested_at desc, run.id desc), '[]')
    from (select * from hris_runs
           where connection_id = connection.id and organization_id = connection.organization_id
           order by requested_at desc, id desc limit ${runs_shown}) as run
    left join census_syncs as sync on sync.id = run.census_sync_id and sync.organization_id = run.organization_id
   cross join lateral (
     select ${runState} as state, iso(run.requested_at) as requested_at,
            case when sync.id is not null then ${countsJson} end as counts) as shown`

/** The connection of an employer, or null, as JSON. Undefined if out of reach. */
export const findEmployerHris = read(
  'hris.findEmployerHris',
  `select json_build_object('hris', (
     select row_to_json(shown) from (
       select connection.provider, connection.provider_label, connection.status,
              (connection.last_synced_at at time zone 'America/New_York')::date as last_sync_on,
              connection.synced_row_count, (${recentRuns}) as recent_runs
         from hris_connections as connection
        where connection.employer_id = employer.id and connection.organization_id = employer.organization_id
          and connection.disconnected_at is null) as shown))::text as json
     from employers as employer
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
).json

const connection_in_reach = inReach('connection.organization_id', 'connection.employer_id')

const providers_listed = readVariants(
  'hris.listHrisProviders',
  { one_organization: [true, false] },
  ({ one_organization }) => `
  select json_build_object('data', coalesce(json_agg(
           json_build_object('provider', listed.provider, 'provider_label', listed.provider_label)
           order by lower(listed.provider_label), listed.provider), '[]'))::text as json
    from (
      select connection.provider, min(connection.provider_label) as provider_label
        from hris_connections as connection
       where connection.disconnected_at is null and connection.provider > '' and ${connection_in_reach}
         ${one_organization ? `and connection.organization_id = (:reach_organization_ids::text[])[1]` : ''}
         and not exists (
           select from employers as employer
            where employer.id = connection.employer_id and employer.organization_id = connection.organization_id
              and employer.subscription_ended_on <= :today::date)
       group by connection.provider) as listed`,
)

/** The providers of employers in the book that are not cancelled, as JSON. */
export const listHrisProviders = (ctx: ReadCtx) =>
  providers_listed({ one_organization: ctx.caller.reach.organization_ids?.length === 1 }).json(ctx)

/** SQL: the stored error of a row as a Problem, or null. */
export const problemJson = (row: string, prefix = '') => `
  case when ${row}.${prefix}error_code is not null
       then json_build_object('code', ${row}.${prefix}error_code, 'message', ${row}.${prefix}error_message) end`

const connectionJson = `
  (select row_to_json(shown) from (
     select connection.id, connection.organization_id, connection.employer_id, connection.source, connection.provider,
            connection.provider_label,
            case when connection.disconnected_at is null then connection.status end as status,
            coalesce(connection.settings -> 'columns', '{}') as columns, iso(connection.connected_at) as connected_at,
            iso(connection.paused_at) as paused_at, iso(connection.disconnected_at) as disconnected_at,
            iso(connection.last_attempt_at) as last_attempt_at, iso(connection.last_synced_at) as last_synced_at,
            connection.synced_row_count, ${problemJson('connection', 'last_')} as last_error, connection.next_sync_on)
     as shown)`

export const findConnection = read(
  'hris.findConnection',
  `select ${connectionJson}::text as json from hris_connections as connection
    where connection.id = :hris_connection_id and ${connection_in_reach}`,
).json

/** The present and former connections of an employer, newest first, as JSON. */
export const listConnections = read(
  'hris.listConnections',
  `select coalesce(json_agg(${connectionJson} order by connection.connected_at desc, connection.id desc), '[]')::text
            as json
     from hris_connections as connection where connection.employer_id = :employer_id and ${connection_in_reach}`,
).json

export const locateConnection = read(
  'hris.locateConnection',
  `select connection.id as hris_connection_id, connection.organization_id, connection.employer_id
     from hris_connections as connection
    where connection.id = :hris_connection_id and ${connection_in_reach}`,
).row<ConnectionKey>

export type ConnectionKey = EmployerKey & { hris_connection_id: string }

const connectable_found = statement(
  'hris.findConnectable',
  `select organization.sandbox, exists (
            select from hris_connections
             where employer_id = :employer_id and organization_id = :organization_id and disconnected_at is null)
            as connected
     from organizations as organization where organization.id = :organization_id`,
)

/** The facts that determine whether an employer can be connected. */
export const findConnectable = async (ctx: Ctx, employer: EmployerKey) =>
  (await connectable_found.row<{ connected: boolean; sandbox: boolean }>(ctx, employer))!

type ConnectionRecord = EmployerKey & {
  connection_id: string
  source: HrisSource
  provider: string
  provider_label: string
  access_sealed: Buffer | null
  settings: HrisSettings
  nightly: boolean
}

const connection_inserted = statement(
  'hris.insertConnection',
  `insert into hris_connections (id, organization_id, employer_id, source, provider, provider_label, access_sealed,
                                 settings, next_sync_on, connected_at, created_at, updated_at)
   values (:connection_id, :organization_id, :employer_id, :source, :provider, :provider_label, :access_sealed,
           :settings, case when :nightly then :today::date + 1 end, :now, :now, :now)`,
)

export const insertConnection = (ctx: Ctx, connection: ConnectionRecord) =>
  connection_inserted.rows(ctx, { ...connection, settings: JSON.stringify(connection.settings) })

export type Connection = EmployerKey &
  ConnectionStatus & { connection_id: string; access_sealed: Buffer | null; settings: HrisSettings }

export const lockConnection = statement(
  'hris.lockConnection',
  `select connection.id as connection_id, connection.organization_id, connection.employer_id, connection.source,
          connection.status,
          connection.disconnected_at is not null as disconnected, connection.access_sealed, connection.settings
     from hris_connections as connection
    where connection.id = :connection_id and ${connection_in_reach} for no key update`,
).row<Connection>

export const savePause = statement(
  'hris.savePause',
  `update hris_connections set paused_at = :now, next_sync_on = null, updated_at = :now
    where id = :connection_id and organization_id = :organization_id`,
).rows

/** Resumes a connection. With `nightly`, the next sync is in the next night. */
export const saveResumption = statement(
  'hris.saveResumption',
  `update hris_connections
      set paused_at = null, access_lost_at = null, next_sync_on = case when :nightly then :today::date + 1 end,
          updated_at = :now
    where id = :connection_id and organization_id = :organization_id`,
).rows

const access_saved = statement(
  'hris.saveAccess',
  `update hris_connections set access_sealed = :access_sealed, updated_at = :now
    where id = :connection_id and organization_id = :organization_id`,
)

export const saveAccess = (ctx: Ctx, connection: Connection, sealed: Buffer) =>
  access_saved.rows(ctx, { ...connection, access_sealed: sealed })

/** Disconnects a connection, and deletes its token and its provider's state. */
export const saveDisconnection = statement(
  'hris.saveDisconnection',
  `update hris_connections
      set disconnected_at = :now, access_sealed = null, settings = '{}', next_sync_on = null, updated_at = :now
    where id = :connection_id and organization_id = :organization_id`,
).rows

const settings_saved = statement(
  'hris.saveSettings',
  `update hris_connections set settings = :settings, updated_at = :now
    where id = :connection_id and organization_id = :organization_id`,
)

export const saveSettings = (ctx: Ctx, connection: Connection, settings: HrisSettings) =>
  settings_saved.rows(ctx, { ...connection, settings: JSON.stringify(settings) })

const open_listed = readVariants(
  'hris.listOpenConnections',
  { failing: [false, true], of_organization: [false, true] },
  ({ failing, of_organization }) =>
    foundPageJson(
      `hris_connections as connection
        where connection.disconnected_at is null and connection.provider > '' and ${connection_in_reach}
          ${failing ? 'and connection.last_error_code is not null' : ''}
          ${of_organization ? 'and connection.organization_id = :organization_id' : ''}`,
      'connection',
      'connection.connected_at desc, connection.id desc',
      `select ${connectionJson} as item`,
    ),
)

/** A page of the newest 1,000 connections that are not disconnected, of all employers or of an organization's. */
export function listOpenConnections(ctx: ReadCtx, { failing, organization_id, ...page }: HrisConnectionFilter) {
  const list = open_listed({ failing, of_organization: organization_id !== undefined })
  return list.json(ctx, { organization_id: organization_id ?? null, ...pageValues(page) })
}
