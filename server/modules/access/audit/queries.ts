import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Db } from '../../../database/query/database.ts'
import { readVariants, statement, type ReadScope } from '../../../database/sql/statement.ts'
import type { Chain, Seal, StoredBatch } from './rules.ts'
import type { EntriesFilter } from './schemas.ts'

/**
 * The maximum number of batches that a page scans. A page that reaches this limit is short, and its next_offset
 * continues from there.
 */
const max_batches = 1000

/** SQL: the AuditEntry of the API, from a row `entry` of a row `batch`. */
const entryJson = `
  select row_to_json(shown) as item from (
    select audit_entry_id(batch.id, entry.position) as id, nullif(batch.organization_id, '') as organization_id,
           iso(entry.occurred_at) as occurred_at, entry.operation, entry.resource_id,
           case when entry.status < 400 then 'succeeded' when entry.status < 500 then 'refused' else 'failed'
           end as outcome,
           entry.status, json_build_object('kind', entry.actor_kind, 'id', entry.actor_id, 'user_id', entry.user_id)
             as actor,
           entry.address, entry.trace_id, string_to_array(entry.fields, ',') as fields) as shown`

const entriesOfBatch = `
  unnest(batch.occurred_at, batch.operations, batch.resource_ids, batch.statuses, batch.actor_kinds, batch.actor_ids,
         batch.user_ids, batch.addresses, batch.trace_ids, batch.fields)
    with ordinality as entry (occurred_at, operation, resource_id, status, actor_kind, actor_id, user_id, address,
                              trace_id, fields, position)`

/** Filters that use different indexes, so each combination is a statement of its own. */
const narrowings = { organization: [false, true], resource: [false, true] } as const

const listed = readVariants('audit.listEntries', narrowings, ({ organization, resource }) => {
  const batches = resource
    ? `
    select batch.* from audit_batches_about(:resource_id, ${organization ? ':organization_id' : 'null'},
                          :from_began_at, :from_id, :from_day, :max_batches) as batch
     where ${inReach('batch.organization_id')}
     order by batch.began_at desc, batch.id desc`
    : `
    select batch.* from audit_batches as batch
     where ${inReach('batch.organization_id')}
       ${organization ? 'and batch.organization_id = :organization_id' : ''}
       and (batch.began_at, batch.id) <= (:from_began_at::timestamptz, :from_id::text)
       and batch.day >= :from_day::date
     order by batch.began_at desc, batch.id desc`
  return `
    with page as materialized (
      select batch.began_at, batch.id, entry.position, shown.item
        from (${batches} limit :max_batches) as batch
       cross join lateral ${entriesOfBatch}
       cross join lateral (${entryJson}) as shown
       where ((batch.began_at, batch.id) < (:from_began_at::timestamptz, :from_id::text)
       or entry.position < :from_position)
         ${resource ? 'and entry.resource_id = :resource_id' : ''}
         and (:occurred_after::timestamptz is null or entry.occurred_at >= :occurred_after)
         and (:occurred_before::timestamptz is null or entry.occurred_at < :occurred_before)
         and (:actor::text is null or entry.actor_id = :actor or entry.user_id = :actor)
         and (:operation::text is null or entry.operation = :operation)
         and (:trace_id::text is null or entry.trace_id = :trace_id)
         and entry.status between :status_from and :status_to
       order by batch.began_at desc, batch.id desc, entry.position desc limit :limit
    ), last_entry as (
      select began_at, id, position from page order by began_at, id, position limit 1
    ), last_batch as (
      select batch.began_at, batch.id from (${batches} offset :max_batches - 1 limit 1) as batch
    )
    select coalesce((select string_agg(item::text, ',' order by began_at desc, id desc, position desc) from page), '')
             as items,
           case when (select count(*) from page) = :limit
                then (select json_build_array(began_at::text, id, position) from last_entry)
                else (select json_build_array(began_at::text, id, 1) from last_batch) end as next`
})

/** Where the next page starts: before position `position` of a batch, which is given by its start and its id. */
export type EntryPosition = [began_at: string, batch_id: string, position: number]

const statuses = { succeeded: [100, 399], refused: [400, 499], failed: [500, 599] } as const

/**
 * A page of entries, newest first, as the text of a JSON array without its brackets, and the position of the next page.
 * The position is null on the last page. A page may be short without being the last.
 */
export async function listEntries(
  scope: ReadScope,
  { organization_id, ...filter }: EntriesFilter,
  limit: number,
  from: EntryPosition | undefined,
): Promise<{ items: string; next: EntryPosition | null }> {
  const { occurred_after = null, occurred_before = null, actor = null, operation = null, resource_id = null } = filter
  const { trace_id = null } = filter
  const [status_from, status_to] = filter.outcome ? statuses[filter.outcome] : [100, 599]
  const variant = listed({ organization: organization_id !== null, resource: resource_id !== null })
  const row = await variant.row<{ items: string; next: EntryPosition | null }>(scope, {
    organization_id: organization_id ?? '',
    resource_id: resource_id ?? '',
    from_began_at: from?.[0] ?? occurred_before ?? 'infinity',
    from_id: from?.[1] ?? '',
    from_position: from?.[2] ?? 0,
    from_day: occurred_after === null ? '-infinity' : new Date(occurred_after).toISOString().slice(0, 10),
    occurred_after,
    occurred_before,
    actor,
    operation,
    trace_id,
    status_from,
    status_to,
    limit,
    max_batches,
  })
  return row!
}

/** The last hash and length of each chain of a day. */
export const listChains = statement(
  'audit.listChains',
  `select organization_id, shard, batch_count, last_hash from audit_chains where day = :day`,
).rows<Chain>

const batches_listed = statement(
  'audit.listBatches',
  `select id, organization_id, shard, number, hash, operations, resource_ids, statuses, actor_kinds, actor_ids,
          user_ids, addresses, trace_ids, fields, checks,
          number > coalesce((select chain.batch_count from audit_chains as chain
                              where chain.day = batch.day and chain.organization_id = batch.organization_id
                                and chain.shard = batch.shard), 0) as is_after_end,
          array(select case when at = date_trunc('milliseconds', at) then iso(at) else at::text end
                  from unnest(occurred_at) with ordinality as each (at, place) order by place) as occurred_at
     from audit_batches as batch
    where day = :day and (organization_id, shard, number) > (:after_organization_id, :after_shard, :after_number)
    order by organization_id, shard, number limit 200`,
)

/** The batches of a day, grouped by chain and in order within each. */
export async function* batchesOf(db: Db, day: string): AsyncGenerator<StoredBatch> {
  let after = { after_organization_id: '', after_shard: -1, after_number: 0 }
  for (;;) {
    const batches = await batches_listed.rows<StoredBatch>({ db }, { day, ...after })
    yield* batches
    const last = batches.at(-1)
    if (!last) return
    after = { after_organization_id: last.organization_id, after_shard: last.shard, after_number: last.number }
  }
}

export const listDays = statement(
  'audit.listDays',
  `select day from audit_chains where day between :from and :to
    union select day from audit_batches where day between :from and :to
    union select day from audit_seals where day between :from and :to
    order by day`,
).column

export const listSeals = statement(
  'audit.listSeals',
  'select day, chain_count, batch_count, digest, seal from audit_seals order by day',
).rows<Seal>

export const findLastSeal = statement(
  'audit.findLastSeal',
  'select day, chain_count, batch_count, digest, seal from audit_seals order by day desc limit 1',
).row<Seal>

const unsealed = statement(
  'audit.findUnsealedDay',
  'select day from audit_chains where day > :after and day < :before order by day limit 1',
)

/** The first day with entries between two days, both exclusive. */
export const findUnsealedDay = async (ctx: Ctx, after: string, before: string): Promise<string | undefined> =>
  (await unsealed.row<{ day: string }>(ctx, { after, before }))?.day

export const insertSeal = statement(
  'audit.insertSeal',
  `insert into audit_seals (day, chain_count, batch_count, digest, seal)
   values (:day, :chain_count, :batch_count, :digest, :seal)`,
).rows
