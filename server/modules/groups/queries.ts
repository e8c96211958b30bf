import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { offsetOf, type Page } from '../../kernel/pages.ts'
import {
  keyOf,
  liesAhead,
  pageJson,
  readWalk,
  walkJson,
  walkParameters,
} from '../../platform/database/numbered-pages.ts'
import { addressJson } from '../../kernel/fields.ts'
import type { Failure, Membership } from './rules.ts'
import type { GroupFilter, GroupMemberRow } from './schemas.ts'

// Reads ----------------------------------------------------------------------------------------------
// `group` is a word of SQL, so a row of groups goes by `club`.

const inReachOfGroup = inReachByNumber('club.organization_id')

/** A group and its organization. */
export type GroupKey = { organization_id: string; group_id: string }

/** A group within reach. */
export const locateGroup = (ctx: Ctx, { group_id }: { group_id: string }) =>
  ctx.db.row<GroupKey>(
    `select club.organization_id, club.id as group_id from groups as club where club.id = $4 and ${inReachOfGroup}`,
    [...reachOf(ctx.caller), group_id],
  )

/** The Group of the interface, from a row `club`. */
const groupJson = `
  select row_to_json(shown) as item from (
    select club.id, club.organization_id, club.name, club.external_reference_id,
           iso(club.created_at) as created_at, iso(club.updated_at) as updated_at) as shown`

/** One Group as JSON; undefined out of reach. */
export const findGroup = (ctx: Ctx, group_id: string) =>
  ctx.db.json(`select (${groupJson})::text as json from groups as club where club.id = $4 and ${inReachOfGroup}`, [
    ...reachOf(ctx.caller),
    group_id,
  ])

/** SQL: the groups within reach. A caller of one organization is told so by an equality besides: its index is read in its order for that. */
const groupsInReach = (one: boolean, filtered: boolean) => `
  from groups as club
 where ${inReachOfGroup} ${one ? 'and club.organization_id = ($1::text[])[1]' : ''}
   ${filtered ? 'and club.external_reference_id = $7' : ''}`

const groupsText = (one: boolean, filtered: boolean) =>
  pageJson(
    `select (${groupJson}) as item, row_number() over (order by club.created_at desc, club.id desc) as position
       from (select club.* ${groupsInReach(one, filtered)}
              order by club.created_at desc, club.id desc limit $4::int offset $6::bigint) as club`,
    `(select count(*) ${groupsInReach(one, filtered)})`,
    '$4',
    '$5',
  )

const groupsTexts = {
  one: { whole: groupsText(true, false), filtered: groupsText(true, true) },
  many: { whole: groupsText(false, false), filtered: groupsText(false, true) },
}

/** A page of the groups within reach as the whole answer, newest first. */
export function listGroups(ctx: Ctx, filter: GroupFilter): Promise<string | undefined> {
  const { external_reference_id: reference } = filter
  const texts = groupsTexts[ctx.caller.reach.organization_ids?.length === 1 ? 'one' : 'many']
  return ctx.db.json(texts[reference === undefined ? 'whole' : 'filtered'], [
    ...reachOf(ctx.caller),
    filter.limit,
    filter.page,
    offsetOf(filter),
    ...(reference === undefined ? [] : [reference]),
  ])
}

// $4 the group, then the walk.
const walk = walkParameters(5)
const order = { by: 'joined_at' }

/** SQL: the present members of a group, by its index. */
const present =
  'group_members as joined where joined.group_id = place.id and joined.organization_id = place.organization_id and joined.left_at is null'
const lie_ahead = liesAhead('joined', walk, order)

const membersText = `
  with place as materialized (
    select club.id, club.organization_id, club.member_count from groups as club where club.id = $4 and ${inReachOfGroup})
  ${walkJson(
    `select (select row_to_json(shown) from (
               select page.id, page.group_id, page.member_id, page.reference_id, page.plan_id, member.first_name, member.last_name,
                      member.email, member.phone, member.date_of_birth, ${addressJson('member')} as address,
                      iso(page.joined_at) as joined_at, iso(greatest(page.updated_at, member.updated_at)) as updated_at) as shown) as item,
            row_number() over (order by page.joined_at desc, page.id desc) as position, ${keyOf('page', order)} as key
       from place
      cross join lateral (
        select * from ${present} and ${lie_ahead}
         order by joined.joined_at desc, joined.id desc limit ${walk.$limit} offset ${walk.$offset}) as page
      cross join lateral (
        select * from members where id = page.member_id and organization_id = page.organization_id offset 0) as member`,
    `select member_count as total, case when ${walk.$behind}::bigint = 0 then member_count
                                        else (select count(*) from ${present} and ${lie_ahead}) end as ahead from place`,
    walk,
  )}`

/** A page of the members of a group as the whole answer, newest first; undefined out of reach. */
export const listGroupMembers = (ctx: Ctx, group_id: string, page: Page) =>
  readWalk(ctx, membersText, page, [...reachOf(ctx.caller), group_id])

/** The group's request within reach, as an operation's path names it. */
export const locateSync = (ctx: Ctx, { group_id, request_id }: { group_id: string; request_id: string }) =>
  ctx.db.row<GroupKey & { request_id: string }>(
    `select sync.id as request_id, sync.group_id, sync.organization_id from group_member_syncs as sync
      where sync.id = $5 and sync.group_id = $4 and ${inReachByNumber('sync.organization_id')}`,
    [...reachOf(ctx.caller), group_id, request_id],
  )

/** The GroupMemberSync as JSON: its results in the order of the body once it is completed; undefined out of reach. */
export const findSync = (ctx: Ctx, { group_id, request_id }: { group_id: string; request_id: string }) =>
  ctx.db.json(
    `select (select row_to_json(shown) from (
       select sync.id as request_id, sync.group_id, iso(sync.accepted_at) as accepted_at, iso(sync.completed_at) as completed_at,
              case when sync.completed_at is not null then json_build_object(
                'added_group_member_ids', coalesce((
                   select json_agg(added.id order by chunk.first_index, added.position)
                     from group_member_chunks as chunk cross join unnest(chunk.added_ids) with ordinality as added (id, position)
                    where chunk.request_id = sync.id and chunk.organization_id = sync.organization_id), '[]'),
                'removed_group_member_ids', sync.removed_ids,
                'failures', coalesce((
                   select json_agg(json_build_object('operation', failure.operation, 'reason', failure.reason,
                                     'reference_id', failure.reference_id) order by failure.index)
                     from group_member_failures as failure
                    where failure.request_id = sync.id and failure.organization_id = sync.organization_id), '[]')) end as results
     ) as shown)::text as json
       from group_member_syncs as sync
      where sync.id = $5 and sync.group_id = $4 and ${inReachByNumber('sync.organization_id')}`,
    [...reachOf(ctx.caller), group_id, request_id],
  )

// Groups, while the organization is locked -----------------------------------------------------------

/** Whether another group than `group_id` has an external reference. */
export async function isReferenceTaken(
  ctx: Ctx,
  organization_id: string,
  external_reference_id: string,
  group_id: string | null,
): Promise<boolean> {
  const found = await ctx.db.row(
    `select 1 as found from groups
      where external_reference_id = $2 and organization_id = $1 and id is distinct from $3::text limit 1`,
    [organization_id, external_reference_id, group_id],
  )
  return found !== undefined
}

export const insertGroup = (ctx: Ctx, place: GroupKey, group: { external_reference_id: string; name: string }) =>
  ctx.db.rows(
    `insert into groups (id, organization_id, external_reference_id, name, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
    [place.group_id, place.organization_id, group.external_reference_id, group.name, ctx.now],
  )

/** Saves what is given, null: as it is. What changes nothing leaves no trace. */
export const saveGroup = (
  ctx: Ctx,
  place: GroupKey,
  { external_reference_id = null, name = null }: { external_reference_id?: string | null; name?: string | null },
) =>
  ctx.db.rows(
    `update groups set external_reference_id = coalesce($3::text, external_reference_id), name = coalesce($4::text, name), updated_at = $5
      where id = $1 and organization_id = $2 and ($3 <> external_reference_id or $4 <> name)`,
    [place.group_id, place.organization_id, external_reference_id, name, ctx.now],
  )

// A sync, while the organization is locked -----------------------------------------------------------

export type Sync = GroupKey & { id: string; started: boolean }
export type Chunk = { first_index: number; rows: GroupMemberRow[] }
export type WaitingChunk = Chunk & { is_last: boolean }

/** Accepts a sync as the last of its group: its rows wait in chunks. */
export async function insertSync(ctx: Ctx, place: GroupKey, request_id: string, chunks: Chunk[]): Promise<void> {
  await ctx.db.rows(
    `insert into group_member_syncs (id, organization_id, group_id, position, accepted_at)
     select $1, $2, $3, coalesce(max(position), 0) + 1, $4 from group_member_syncs where group_id = $3 and organization_id = $2`,
    [request_id, place.organization_id, place.group_id, ctx.now],
  )
  await insertChunks(ctx, { ...place, id: request_id }, chunks)
}

/** Adds chunks that wait, such as the halves of one that was refused as a whole. */
export const insertChunks = (ctx: Ctx, sync: Omit<Sync, 'started'>, chunks: Chunk[]) =>
  ctx.db.rows(
    `insert into group_member_chunks (organization_id, request_id, first_index, rows)
     select $1, $2, first_index, rows from jsonb_to_recordset($3::jsonb) as chunk (first_index int, rows jsonb)`,
    [sync.organization_id, sync.id, JSON.stringify(chunks)],
  )

/** The sync of a group that is next in the order of acceptance. */
export const findWaitingSync = (ctx: Ctx, place: GroupKey) =>
  ctx.db.row<Sync>(
    `select id, organization_id, group_id, started_at is not null as started from group_member_syncs
      where group_id = $1 and organization_id = $2 and completed_at is null order by position limit 1`,
    [place.group_id, place.organization_id],
  )

/** The chunk of a sync that is next; undefined when all are done. */
export const findWaitingChunk = (ctx: Ctx, sync: Sync) =>
  ctx.db.row<WaitingChunk>(
    `select chunk.first_index, chunk.rows, not exists (
              select from group_member_chunks as later
               where later.request_id = $1 and later.organization_id = $2 and later.first_index > chunk.first_index) as is_last
       from group_member_chunks as chunk
      where chunk.request_id = $1 and chunk.organization_id = $2 and chunk.rows is not null order by chunk.first_index limit 1`,
    [sync.id, sync.organization_id],
  )

export const deleteChunk = (ctx: Ctx, sync: Sync, { first_index }: Chunk) =>
  ctx.db.rows('delete from group_member_chunks where request_id = $1 and organization_id = $2 and first_index = $3', [
    sync.id,
    sync.organization_id,
    first_index,
  ])

/** Begins a sync: ends the memberships whose references its rows, which all wait still, don't name. */
export const removeMissing = (ctx: Ctx, sync: Sync) =>
  ctx.db.rows(
    `with named as materialized (
       select said.row ->> 'reference_id' as reference_id
         from group_member_chunks as chunk cross join jsonb_array_elements(chunk.rows) as said (row)
        where chunk.request_id = $1 and chunk.organization_id = $2
     ), gone as (
       update group_members set left_at = $4, updated_at = $4
        where group_id = $3 and organization_id = $2 and left_at is null
          and reference_id not in (select reference_id from named)
       returning id
     ), counted as (
       update groups set member_count = member_count - (select count(*) from gone) where id = $3 and organization_id = $2)
     update group_member_syncs set started_at = $4, removed_ids = array(select id from gone order by id)
      where id = $1 and organization_id = $2`,
    [sync.id, sync.organization_id, sync.group_id, ctx.now],
  )

/**
 * SQL: memberships in the group $1 by references $3, present or former. Each is looked up by one index, the only one that
 * fits, whatever the planner believes of a young table.
 */
const byReference = (left: string) => `
  unnest($3::text[]) as candidate (reference_id)
 cross join lateral (
   select * from group_members where group_id || reference_id = $1 || candidate.reference_id and left_at ${left} offset 0) as held
 where held.organization_id = $2`

/** The present members of a group by these references. */
export const findMemberships = (ctx: Ctx, place: GroupKey, reference_ids: string[]) =>
  ctx.db.rows<Membership>(
    `select held.id, held.group_id, held.member_id, held.reference_id, held.plan_id from ${byReference('is null')}`,
    [place.group_id, place.organization_id, reference_ids],
  )

/** Who left the group after they were in it by one of these references. */
export const findFormerMembers = (ctx: Ctx, place: GroupKey, reference_ids: string[]) =>
  ctx.db.rows<{ reference_id: string; member_id: string }>(
    `select distinct held.reference_id, held.member_id from ${byReference('is not null')}`,
    [place.group_id, place.organization_id, reference_ids],
  )

/** In which groups of the organization these people are. */
export const findMembershipsOf = (ctx: Ctx, organization_id: string, member_ids: string[]) =>
  ctx.db.rows<Membership>(
    `select held.id, held.group_id, held.member_id, held.reference_id, held.plan_id from unnest($2::text[]) as candidate (member_id)
      cross join lateral (
        select * from group_members where member_id = candidate.member_id and left_at is null offset 0) as held
      where held.organization_id = $1`,
    [organization_id, member_ids],
  )

/** Which of these are ids of plans of the organization. */
export async function findPlanIds(ctx: Ctx, organization_id: string, plan_ids: string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>('select id from plans where organization_id = $1 and id = any($2)', [
    organization_id,
    plan_ids,
  ])
  return rows.map(({ id }) => id)
}

export async function insertMemberships(ctx: Ctx, place: GroupKey, added: Membership[]): Promise<void> {
  await ctx.db.rows(
    `insert into group_members (id, organization_id, group_id, member_id, reference_id, plan_id, joined_at, updated_at)
     select id, $1, group_id, member_id, reference_id, plan_id, $3, $3
       from jsonb_to_recordset($2::jsonb) as added (id text, group_id text, member_id text, reference_id text, plan_id text)`,
    [place.organization_id, JSON.stringify(added), ctx.now],
  )
  await ctx.db.rows('update groups set member_count = member_count + $3 where id = $1 and organization_id = $2', [
    place.group_id,
    place.organization_id,
    added.length,
  ])
}

/** Saves the plans of memberships. */
export const saveMemberships = (ctx: Ctx, place: GroupKey, changed: Membership[]) =>
  ctx.db.rows(
    `update group_members as held set plan_id = said.plan_id, updated_at = $3
       from jsonb_to_recordset($2::jsonb) as said (id text, plan_id text)
      where held.id = said.id and held.organization_id = $1`,
    [place.organization_id, JSON.stringify(changed), ctx.now],
  )

/** Notes what a chunk did, and forgets its rows. */
export async function saveChunk(
  ctx: Ctx,
  sync: Sync,
  { first_index }: Chunk,
  added: Membership[],
  failures: Failure[],
): Promise<void> {
  await ctx.db.rows(
    `update group_member_chunks set rows = null, added_ids = $4 where request_id = $1 and organization_id = $2 and first_index = $3`,
    [sync.id, sync.organization_id, first_index, added.map(({ id }) => id)],
  )
  if (failures.length === 0) return
  await ctx.db.rows(
    `insert into group_member_failures (organization_id, request_id, index, operation, reason, reference_id)
     select $1, $2, index, operation, reason, reference_id
       from jsonb_to_recordset($3::jsonb) as failure (index int, operation text, reason text, reference_id text)`,
    [sync.organization_id, sync.id, JSON.stringify(failures)],
  )
}

export const saveCompletion = (ctx: Ctx, sync: Sync) =>
  ctx.db.rows('update group_member_syncs set completed_at = $3 where id = $1 and organization_id = $2', [
    sync.id,
    sync.organization_id,
    ctx.now,
  ])
