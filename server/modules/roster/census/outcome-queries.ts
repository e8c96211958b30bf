import { target_employer } from '../../access/auth/queries.ts'
import type { ReadCtx, Ctx } from '../../../runtime/ctx.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { missingJson, of_path, type CensusSync, type CensusPath } from './queries.ts'
import type { CensusChange } from './planning-rules.ts'
import { objectJson, targetList } from '../../../database/sql/pages.ts'

export const syncState = `
  case when sync.failed_at is not null then 'failed' when sync.completed_at is not null then 'completed'
       when sync.held_at is not null and sync.confirmed_at is null then 'held'
       when sync.started_at is not null then 'processing' else 'queued' end`

/** SQL: the counts of a census so far, from a row `sync`. */
export const countsJson = `
  json_build_object('created', sync.created_count, 'updated', sync.updated_count, 'unchanged', sync.unchanged_count,
    'rehired', sync.rehired_count, 'terminated', sync.terminated_count, 'failed', sync.failed_count)`

const reportedRows = (table: 'census_failures' | 'census_warnings') => `
  coalesce((
    select json_agg(json_build_object('index', reported.index, 'reference_id', reported.reference_id,
                                      'field', reported.field, 'reason', reported.reason)
                    order by reported.index, reported.field collate "C")
      from ${table} as reported
     where reported.census_sync_id = sync.id and reported.organization_id = sync.organization_id), '[]')`

/** SQL: the CensusOutcome of the API, from a row `sync`. */
export const outcomeJson = `
  (select row_to_json(shown) from (
     select sync.id as census_sync_id, sync.employer_id, sync.origin, sync.mode, false as dry_run,
            ${syncState} as state,
            sync.row_count, sync.processed_count,
            ${countsJson} as counts,
            sync.missing_count,
            case when ${syncState} = 'held' then ${missingJson} end as missing,
            ${reportedRows('census_failures')} as failures, ${reportedRows('census_warnings')} as warnings,
            null as planned, iso(sync.accepted_at) as accepted_at, iso(sync.completed_at) as completed_at) as shown)`

const outcome_found = read(
  'census.findCensusOutcome',
  `select ${outcomeJson}::text as json from census_syncs as sync where ${of_path}`,
)

/** The outcome of a census so far, as JSON. */
export const findCensusOutcome = (ctx: ReadCtx, { employer_id, census_sync_id }: CensusPath) =>
  outcome_found.json(ctx, { employer_id: employer_id ?? null, census_sync_id })

const changes_inserted = statement(
  'census.insertChanges',
  `insert into census_changes (organization_id, census_sync_id, employee_id, differences, reported)
   select :organization_id, :census_sync_id, change.key,
          case when json_typeof(change.value) = 'array' then change.value::text::jsonb end,
          case when json_typeof(change.value) = 'object' then change.value end
     from json_each(:changes::json) as change
   on conflict do nothing`,
)

/** Saves the changes made by the rows of a payroll system's roster, for the report of its run. */
export async function saveChanges(ctx: Ctx, sync: CensusSync, changes: CensusChange[]): Promise<void> {
  if (changes.length === 0) return
  // Stringifying one object with a thousand keys takes three times as long.
  const members = changes.map(
    ({ employee_id, differences, facts }) => `"${employee_id}":${JSON.stringify(differences ?? facts)}`,
  )
  await changes_inserted.rows(ctx, { ...sync, changes: `{${members.join(',')}}` })
}

/** SQL: the differences of a row `change`, field by field. A new person has no earlier values. */
export const differencesJson = `
  coalesce(change.differences::json, (
    select json_agg(json_build_object('field', each.key, 'before', null, 'after', each.value))
      from json_each_text(change.reported) as each where each.value is not null))`

/** A page of an employer's censuses, newest first. */
export const listCensusSyncs = targetList('census.listCensusSyncs', {
  target: target_employer,
  from: `census_syncs as sync where sync.employer_id = target.id and sync.organization_id = target.organization_id`,
  row: 'sync',
  order: 'sync.accepted_at desc, sync.id desc',
  item: objectJson(`
    sync.id as census_sync_id, sync.origin, sync.mode, ${syncState} as state, sync.row_count,
    ${countsJson} as counts, sync.missing_count, iso(sync.accepted_at) as accepted_at,
    iso(sync.completed_at) as completed_at`),
})
