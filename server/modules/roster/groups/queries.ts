import { inReach } from '../../../database/sql/reach.ts'
import type { Chunk } from '../../../kernel/concurrency/chunks.ts'
import { sendChunks, sendStaged, type StagedRows } from '../../../kernel/concurrency/staged-rows.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Page } from '../../../kernel/pages.ts'
import {
  keyOf,
  keysetPageJson,
  isAfterAnchor,
  readKeysetPage,
  rowPageJson,
  pageValues,
} from '../../../database/sql/pages.ts'
import { rowsFrom } from '../../../database/sql/fragments.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import { addressJson } from '../../../kernel/fields.ts'
import type { GroupMemberFailure, GroupMembership } from './rules.ts'
import { chunk_size, type GroupFilter, type GroupMemberRow } from './schemas.ts'

// `group` is a reserved word in SQL, so a row of `groups` has the alias `club`.

const of_group = `club.id = :group_id and ${inReach('club.organization_id')}`

export type GroupKey = { organization_id: string; group_id: string }

export const locateGroup = read(
  'groups.locateGroup',
  `select club.organization_id, club.id as group_id from groups as club where ${of_group}`,
).row<GroupKey>

const groupJson = `
  select row_to_json(shown) as item from (
    select club.id, club.organization_id, club.name, club.external_reference_id,
           iso(club.created_at) as created_at, iso(club.updated_at) as updated_at) as shown`

export const findGroup = read(
  'groups.findGroup',
  `select (${groupJson})::text as json from groups as club where ${of_group}`,
).json

/**
 * SQL: the groups within reach. For a caller of one organization, an additional equality makes PostgreSQL read that
 * organization's index in order.
 */
const groupsInReach = ({
  one_organization,
  external_reference_id,
}: {
  one_organization: boolean
  external_reference_id: boolean
}) => `
  groups as club
 where ${inReach('club.organization_id')}
   ${one_organization ? 'and club.organization_id = (:reach_organization_ids::text[])[1]' : ''}
   ${external_reference_id ? 'and club.external_reference_id = :external_reference_id' : ''}`

const listed = readVariants(
  'groups.listGroups',
  { one_organization: [true, false], external_reference_id: [false, true] },
  (chosen) =>
    rowPageJson({
      from: groupsInReach(chosen),
      row: 'club',
      order: 'club.created_at desc, club.id desc',
      item: `(${groupJson})`,
    }),
)

const listedAcrossTenants = distributedList('groups.listed', {
  from: 'groups as club',
  row: 'club',
  reach: inReach('club.organization_id'),
  choices: { external_reference_id: [false, true] },
  where: ({ external_reference_id }) =>
    external_reference_id ? 'club.external_reference_id = :external_reference_id' : 'true',
  order: {},
  item: `select (${groupJson}) as item`,
  pages: 'by_key',
})

/** A page of the groups within reach as JSON, newest first. */
export function listGroups(ctx: ReadCtx, filter: GroupFilter): Promise<string | undefined> {
  const { external_reference_id = null } = filter
  if (spansServers(ctx)) {
    const chosen = { external_reference_id: external_reference_id !== null }
    return listedAcrossTenants(ctx, chosen, filter, { external_reference_id })
  }
  const one_organization = ctx.caller.reach.organization_ids?.length === 1
  return listed({ one_organization, external_reference_id: external_reference_id !== null }).json(ctx, {
    ...pageValues(filter),
    external_reference_id,
  })
}

const order = { by: 'joined_at' }

/** SQL: the present members of a group, by its index. */
const present = `
  group_members as joined
  where joined.group_id = target.id and joined.organization_id = target.organization_id and joined.left_at is null`
const lie_ahead = isAfterAnchor('joined', order)

const members_listed = read(
  'groups.listGroupMembers',
  `with target as materialized (
     select club.id, club.organization_id, club.member_count from groups as club where ${of_group})
   ${keysetPageJson(
     `select (select row_to_json(shown) from (
                select page.id, page.group_id, page.member_id, page.reference_id, page.plan_id,
                       member.first_name, member.last_name, member.email, member.phone, member.date_of_birth,
                       ${addressJson('member')} as address, iso(page.joined_at) as joined_at,
                       iso(greatest(page.updated_at, member.updated_at)) as updated_at) as shown) as item,
             row_number() over (order by page.joined_at desc, page.id desc) as position, ${keyOf('page', order)} as key
        from target
       cross join lateral (
         select * from ${present} and ${lie_ahead}
          order by joined.joined_at desc, joined.id desc limit :limit offset :offset) as page
       cross join lateral (
         select * from members
          where id = page.member_id and organization_id = page.organization_id offset 0) as member`,
     `select member_count as total,
             case when :pages_before::bigint = 0 then member_count
                  else (select count(*) from ${present} and ${lie_ahead}) end as ahead
        from target`,
   )}`,
)

/** A page of the members of a group as JSON, newest first. Undefined if out of reach. */
export const listGroupMembers = (ctx: ReadCtx, group_id: string, page: Page) =>
  readKeysetPage(ctx, members_listed, page, { group_id })

// The statements below run while the organization is locked.

/** Whether a group other than `group_id` has an external reference. */
export const isReferenceTaken = statement(
  'groups.isReferenceTaken',
  `select 1 as found from groups
    where external_reference_id = :external_reference_id and organization_id = :organization_id
      and id is distinct from :group_id::text
    limit 1`,
).exists

export const insertGroup = statement(
  'groups.insertGroup',
  `insert into groups (id, organization_id, external_reference_id, name, created_at, updated_at)
   values (:group_id, :organization_id, :external_reference_id, :name, :now, :now)`,
).rows

const saved = statement(
  'groups.saveGroup',
  `update groups
      set external_reference_id = coalesce(:external_reference_id::text, external_reference_id),
          name = coalesce(:name::text, name), updated_at = :now
    where id = :group_id and organization_id = :organization_id
      and (:external_reference_id <> external_reference_id or :name <> name)`,
)

/** Saves the given values. Null keeps a value. If nothing changes, nothing is written. */
export const saveGroup = (
  ctx: Ctx,
  group: GroupKey,
  { external_reference_id = null, name = null }: { external_reference_id?: string | null; name?: string | null },
) => saved.rows(ctx, { ...group, external_reference_id, name })

export type Sync = GroupKey & { request_id: string; started: boolean }
export type GroupChunk = Chunk<GroupMemberRow>
export type WaitingChunk = GroupChunk & { is_last: boolean }

const sync_inserted = statement(
  'groups.insertSync',
  `insert into group_member_syncs (id, organization_id, group_id, position, accepted_at)
   select :request_id, :organization_id, :group_id, coalesce(max(position), 0) + 1, :now
     from group_member_syncs where group_id = :group_id and organization_id = :organization_id`,
)

/** Saves a sync as the last of its group, with its rows in chunks that wait to be processed. */
export async function insertSync(ctx: Ctx, group: GroupKey, request_id: string, rows: StagedRows): Promise<void> {
  await Promise.all([
    sync_inserted.rows(ctx, { ...group, request_id }),
    sendStaged(rows, chunk_size, (chunk) => chunk_inserted.rows(ctx, { ...group, request_id, ...chunk })),
  ])
}

const chunk_inserted = statement(
  'groups.insertChunk',
  `insert into group_member_chunks (organization_id, request_id, first_index, rows)
   values (:organization_id, :request_id, :first_index, convert_from(:rows::bytea, 'UTF8')::json)`,
)

/** Inserts chunks, such as the halves of a refused one. */
export async function insertChunks(ctx: Ctx, sync: Omit<Sync, 'started'>, chunks: GroupChunk[]): Promise<void> {
  await sendChunks(chunks, (chunk) => chunk_inserted.rows(ctx, { ...sync, ...chunk }))
}

/** The next sync of a group, in order of acceptance. */
export const findWaitingSync = statement(
  'groups.findWaitingSync',
  `select id as request_id, organization_id, group_id, started_at is not null as started from group_member_syncs
    where group_id = :group_id and organization_id = :organization_id and completed_at is null
    order by position limit 1`,
).row<Sync>

/** The next chunk of a sync. Undefined when no chunk is left. */
export const findWaitingChunk = statement(
  'groups.findWaitingChunk',
  `select chunk.first_index, chunk.rows, not exists (
            select from group_member_chunks as later
             where later.request_id = :request_id and later.organization_id = :organization_id
               and later.first_index > chunk.first_index) as is_last
     from group_member_chunks as chunk
    where chunk.request_id = :request_id and chunk.organization_id = :organization_id and chunk.rows is not null
    order by chunk.first_index limit 1`,
).row<WaitingChunk>

export const deleteChunk = statement(
  'groups.deleteChunk',
  `delete from group_member_chunks
    where request_id = :request_id and organization_id = :organization_id and first_index = :first_index`,
).rows

/** Starts a sync: ends the memberships whose references are in none of its rows. All rows must still be waiting. */
export const removeMissing = statement(
  'groups.removeMissing',
  `with named as materialized (
     select input.row ->> 'reference_id' as reference_id
       from group_member_chunks as chunk cross join json_array_elements(chunk.rows) as input (row)
      where chunk.request_id = :request_id and chunk.organization_id = :organization_id
   ), gone as (
     update group_members set left_at = :now, updated_at = :now
      where group_id = :group_id and organization_id = :organization_id and left_at is null
        and reference_id not in (select reference_id from named)
      returning id
   ), counted as (
     update groups set member_count = member_count - (select count(*) from gone)
      where id = :group_id and organization_id = :organization_id)
   update group_member_syncs set started_at = :now, removed_ids = array(select id from gone order by id)
    where id = :request_id and organization_id = :organization_id`,
).rows

/**
 * SQL: memberships in the group `:group_id` by references `:reference_ids`, present or former. The shape of the query
 * forces an index lookup for each reference, even when the planner has poor statistics about a new table.
 */
const byReference = (left: string) => `
  (select :group_id || reference_id as reference_key from unnest(:reference_ids::text[]) as input (reference_id)
   offset 0) as candidate
 cross join lateral (
   select * from group_members
    where reference_key = candidate.reference_key and left_at ${left}
      and organization_id = :organization_id offset 0) as held`

/** The present members of a group with these references. */
export const findMemberships = statement(
  'groups.findMemberships',
  `select held.id, held.group_id, held.member_id, held.reference_id, held.plan_id from ${byReference('is null')}`,
).rows<GroupMembership>

/** People who left the group and had one of these references in it. */
export const findFormerMembers = statement(
  'groups.findFormerMembers',
  `select distinct held.reference_id, held.member_id from ${byReference('is not null')}`,
).rows<{ reference_id: string; member_id: string }>

/** The group memberships of these people in the organization. */
export const findMembershipsOf = statement(
  'groups.findMembershipsOf',
  `select held.id, held.group_id, held.member_id, held.reference_id, held.plan_id
     from unnest(:member_ids::text[]) as candidate (member_id)
    cross join lateral (
      select * from group_members
       where member_id = candidate.member_id and left_at is null
         and organization_id = :organization_id offset 0) as held`,
).rows<GroupMembership>

/** Returns which of these are ids of plans of the organization. */
export const findPlanIds = statement(
  'groups.findPlanIds',
  'select id from plans where organization_id = :organization_id and id = any(:plan_ids)',
).column

const memberships_inserted = statement(
  'groups.insertMemberships',
  `insert into group_members (id, organization_id, group_id, member_id, reference_id, plan_id, joined_at, updated_at)
   select id, :organization_id, :group_id, member_id, reference_id, plan_id, :now, :now
     from ${rowsFrom('added', ['id', 'member_id', 'reference_id', 'plan_id'])} as added`,
)

const members_counted = statement(
  'groups.addToMemberCount',
  `update groups set member_count = member_count + :added_count
    where id = :group_id and organization_id = :organization_id`,
)

export async function insertMemberships(ctx: Ctx, group: GroupKey, added: GroupMembership[]): Promise<void> {
  const rows = added.map(({ id, member_id, reference_id, plan_id }) => [id, member_id, reference_id, plan_id])
  await Promise.all([
    memberships_inserted.rows(ctx, { ...group, added: JSON.stringify(rows) }),
    members_counted.rows(ctx, { ...group, added_count: added.length }),
  ])
}

const memberships_saved = statement(
  'groups.saveMemberships',
  `update group_members as held set plan_id = input.plan_id, updated_at = :now
     from jsonb_to_recordset(:changed::jsonb) as input (id text, plan_id text)
    where held.id = input.id and held.organization_id = :organization_id`,
)

export const saveMemberships = (ctx: Ctx, group: GroupKey, changed: GroupMembership[]) =>
  memberships_saved.rows(ctx, { ...group, changed: JSON.stringify(changed) })

const chunk_saved = statement(
  'groups.saveChunk',
  `update group_member_chunks set rows = null, added_ids = :added_ids
    where request_id = :request_id and organization_id = :organization_id and first_index = :first_index`,
)

const failures_inserted = statement(
  'groups.insertFailures',
  `insert into group_member_failures (organization_id, request_id, index, operation, reason, reference_id)
   select :organization_id, :request_id, index, operation, reason, reference_id
     from jsonb_to_recordset(:failures::jsonb) as failure (index int, operation text, reason text, reference_id text)`,
)

/** Saves the results of a chunk and deletes its rows. */
export async function saveChunk(
  ctx: Ctx,
  sync: Sync,
  { first_index }: GroupChunk,
  added_ids: string[],
  failures: GroupMemberFailure[],
): Promise<void> {
  await Promise.all([
    chunk_saved.rows(ctx, { ...sync, first_index, added_ids }),
    failures.length > 0 && failures_inserted.rows(ctx, { ...sync, failures: JSON.stringify(failures) }),
  ])
}

export const saveCompletion = statement(
  'groups.saveCompletion',
  'update group_member_syncs set completed_at = :now where id = :request_id and organization_id = :organization_id',
).rows
