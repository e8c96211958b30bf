import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'
import { foundPageJson, pageValues, targetList } from '../../../database/sql/pages.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import type { GroupKey } from './queries.ts'
import type { GroupMemberSyncFilter } from './schemas.ts'

/** The path parameters of a group's request. Operators omit the group. */
type SyncPath = { group_id?: string; request_id: string }

const of_path = `
  sync.id = :request_id and (:group_id::text is null or sync.group_id = :group_id)
    and ${inReach('sync.organization_id')}`

const sync_located = read(
  'groups.locateSync',
  `select sync.id as request_id, sync.group_id, sync.organization_id from group_member_syncs as sync where ${of_path}`,
)

/** The group's request in an operation's path, within reach. */
export const locateSync = (ctx: ReadCtx, { group_id, request_id }: SyncPath) =>
  sync_located.row<GroupKey & { request_id: string }>(ctx, { group_id: group_id ?? null, request_id })

const sync_found = read(
  'groups.findSync',
  `select (select row_to_json(shown) from (
     select sync.id as request_id, sync.group_id, iso(sync.accepted_at) as accepted_at,
            iso(sync.completed_at) as completed_at,
            case when sync.completed_at is not null then json_build_object(
              'added_group_member_ids', coalesce((
                 select json_agg(added.id order by chunk.first_index, added.position)
                   from group_member_chunks as chunk
                  cross join unnest(chunk.added_ids) with ordinality as added (id, position)
                  where chunk.request_id = sync.id and chunk.organization_id = sync.organization_id), '[]'),
              'removed_group_member_ids', sync.removed_ids,
              'failures', coalesce((
                 select json_agg(json_build_object('operation', failure.operation, 'reason', failure.reason,
                                   'reference_id', failure.reference_id) order by failure.index)
                   from group_member_failures as failure
                  where failure.request_id = sync.id and failure.organization_id = sync.organization_id), '[]'))
            end as results
   ) as shown)::text as json
     from group_member_syncs as sync
    where ${of_path}`,
)

/**
 * The GroupMemberSync as JSON, with its results in the order of the body once it is completed. Undefined if out of
 * reach.
 */
export const findSync = (ctx: ReadCtx, { group_id, request_id }: SyncPath) =>
  sync_found.json(ctx, { group_id: group_id ?? null, request_id })

/** SQL: the GroupMemberSyncRow of the API, from a row `sync`. Values that are unknown until completion are null. */
const rowJson = `
  select row_to_json(shown) as item from (
    select sync.id as request_id, sync.group_id, sync.organization_id, iso(sync.accepted_at) as accepted_at,
           iso(sync.completed_at) as completed_at,
           case when sync.completed_at is not null
                then (select coalesce(sum(cardinality(chunk.added_ids)), 0) from group_member_chunks as chunk
                       where chunk.request_id = sync.id and chunk.organization_id = sync.organization_id) end
             as added_count,
           case when sync.completed_at is not null then cardinality(sync.removed_ids) end as removed_count,
           case when sync.completed_at is not null
                then (select count(*) from group_member_failures as failure
                       where failure.request_id = sync.id and failure.organization_id = sync.organization_id) end
             as failure_count) as shown`

/** A page of the member syncs of a group, newest first. */
export const listSyncsOfGroup = targetList('groups.listSyncsOfGroup', {
  target: `select club.id, club.organization_id from groups as club
            where club.id = :group_id and ${inReach('club.organization_id')}`,
  from: `group_member_syncs as sync
          where sync.group_id = target.id and sync.organization_id = target.organization_id`,
  row: 'sync',
  order: 'sync.position desc',
  item: `(${rowJson})`,
})

const in_reach = inReach('sync.organization_id')
const isUnderWay = (under_way: boolean): string => (under_way ? 'sync.completed_at is null' : 'true')

const listed = readVariants(
  'groups.listMemberSyncs',
  { under_way: [false, true], of_organization: [false, true] },
  ({ under_way, of_organization }) =>
    foundPageJson(
      `group_member_syncs as sync
        where ${in_reach} ${under_way ? `and ${isUnderWay(under_way)}` : ''}
          ${of_organization ? 'and sync.organization_id = :organization_id' : ''}`,
      'sync',
      'sync.accepted_at desc, sync.id desc',
      rowJson,
    ),
)

const listedAcrossTenants = distributedList('groups.memberSyncs', {
  from: 'group_member_syncs as sync',
  row: 'sync',
  reach: in_reach,
  choices: { under_way: [false, true] },
  where: ({ under_way }) => isUnderWay(under_way),
  order: { by: 'accepted_at' },
  item: rowJson,
  pages: 'of_first',
})

/** A page of the newest 1,000 member syncs of all organizations or of one, optionally only those in progress. */
export function listMemberSyncs(ctx: ReadCtx, { under_way, organization_id, ...page }: GroupMemberSyncFilter) {
  if (spansServers(ctx, organization_id)) return listedAcrossTenants(ctx, { under_way }, page, {})
  const list = listed({ under_way, of_organization: organization_id !== undefined })
  return list.json(ctx, { organization_id: organization_id ?? null, ...pageValues(page) })
}
