import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import type { Page } from '../../../kernel/pages.ts'
import { keyOf, keysetPageJson, liesAhead, pageJson, pageValues, readKeysetPage } from '../../../database/sql/pages.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { countsJson, syncState } from './outcome-queries.ts'
import type { CensusKey } from './queries.ts'
import type { OpenCensusSyncFilter } from './schemas.ts'

/** SQL: the fields of a census in lists, from a row `sync`. */
const listedFields = `
  sync.id as census_sync_id, sync.origin, sync.mode, ${syncState} as state, sync.row_count,
  ${countsJson} as counts, sync.missing_count, iso(sync.accepted_at) as accepted_at,
  iso(sync.completed_at) as completed_at`

const of_employer = `
  census_syncs as sync where sync.employer_id = employer.id and sync.organization_id = employer.organization_id`

const listed = read(
  'census.listCensusSyncs',
  `with employer as materialized (
     select employer.id, employer.organization_id from employers as employer
      where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')})
   ${pageJson(
     `select (select row_to_json(shown) from (select ${listedFields}) as shown) as item, sync.position
        from employer cross join lateral (
          select sync.*, row_number() over (order by sync.accepted_at desc, sync.id desc) as position
            from ${of_employer} order by sync.accepted_at desc, sync.id desc
           limit :limit::int offset :offset::bigint) as sync`,
     `(select (select count(*) from ${of_employer}) from employer)`,
   )}`,
)

/** A page of an employer's censuses, newest first. */
export const listCensusSyncs = (ctx: ReadCtx, employer_id: string, page: Page) =>
  listed.json(ctx, { employer_id, ...pageValues(page) })

const order = { by: 'accepted_at', oldest_first: true }

/** SQL: whether a row `sync` is in progress or held. */
const open = 'sync.completed_at is null and sync.failed_at is null'

const open_choices = { state: [false, true] } as const

const open_in_reach = `
    ${open} and ${inReach('sync.organization_id', 'sync.employer_id')}`

const openJson = `
        select row_to_json(shown) as item from (
          select sync.organization_id, sync.employer_id, sync.processed_count,
                 (select employer.name from employers as employer
                   where employer.id = sync.employer_id and employer.organization_id = sync.organization_id)
                   as employer_name, ${listedFields},
                 iso(case when sync.confirmed_at is null then sync.held_at end) as held_at) as shown`

const open_listed = readVariants('census.listOpenCensusSyncs', open_choices, ({ state }) => {
  const conditions = `${open_in_reach} ${state ? `and ${syncState} = :state` : ''}`
  const lies_ahead = liesAhead('sync', order)
  return keysetPageJson(
    `select shown.item, keys.position, ${keyOf('keys', order)} as key
       from (select sync.*, row_number() over (order by sync.accepted_at, sync.id) as position
               from census_syncs as sync where ${conditions} and ${lies_ahead}
              order by sync.accepted_at, sync.id limit :limit offset :offset) as keys
      cross join lateral (select keys.*) as sync
      cross join lateral (${openJson}) as shown`,
    `select count(*) as total, count(*) filter (where ${lies_ahead}) as ahead from census_syncs as sync
      where ${conditions}`,
  )
})

const openAcrossTenants = distributedList('census.openSyncs', {
  from: 'census_syncs as sync',
  row: 'sync',
  reach: open_in_reach,
  choices: open_choices,
  where: ({ state }) => (state ? `${syncState} = :state` : 'true'),
  order,
  item: openJson,
  pages: 'by_key',
})

/** A page of the censuses of all employers that are in progress or held, oldest first. */
export function listOpenCensusSyncs(ctx: ReadCtx, { state = null, ...page }: OpenFilter) {
  const chosen = { state: state !== null }
  return spansServers(ctx)
    ? openAcrossTenants(ctx, chosen, page, { state })
    : readKeysetPage(ctx, open_listed(chosen), page, { state })
}
type OpenFilter = Omit<OpenCensusSyncFilter, 'state'> & { state?: OpenCensusSyncFilter['state'] | null }

const located = read(
  'census.locateAnyCensus',
  `select sync.id as census_sync_id, sync.employer_id, sync.organization_id from census_syncs as sync
    where sync.id = :census_sync_id and ${inReach('sync.organization_id', 'sync.employer_id')}`,
)

/** A census of any employer within reach. */
export const locateAnyCensus = (ctx: ReadCtx, path: { census_sync_id: string }) => located.row<CensusKey>(ctx, path)
