import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Db } from '../../../database/query/database.ts'
import { readVariants, statement, type ReadScope } from '../../../database/sql/statement.ts'
import type { Chain, Seal, StoredSheet } from './rules.ts'
import type { EntriesAsked } from './schemas.ts'

/** How many sheets a page looks through at most; behind them it ends, and says where to go on. */
const most_sheets = 1000

/** SQL: the AuditEntry of the interface, from a place `entry` of a row `sheet`. */
const entryJson = `
  select row_to_json(shown) as item from (
    select audit_entry_id(sheet.id, entry.place) as id, nullif(sheet.organization_id, '') as organization_id,
           iso(entry.occurred_at) as occurred_at, entry.operation, entry.resource_id,
           case when entry.status < 400 then 'succeeded' when entry.status < 500 then 'refused' else 'failed'
           end as outcome,
           entry.status, json_build_object('kind', entry.actor_kind, 'id', entry.actor_id, 'user_id', entry.user_id)
             as actor,
           entry.address, entry.trace_id, string_to_array(entry.fields, ',') as fields) as shown`

/** SQL: the entries of a row `sheet`, each at its place. */
const entriesOfSheet = `
  unnest(sheet.occurred_at, sheet.operations, sheet.resource_ids, sheet.statuses, sheet.actor_kinds, sheet.actor_ids,
         sheet.user_ids, sheet.addresses, sheet.trace_ids, sheet.fields)
    with ordinality as entry (occurred_at, operation, resource_id, status, actor_kind, actor_id, user_id, address,
                              trace_id, fields, place)`

/** By what the list is narrowed in other ways, which have an index each. */
const narrowings = { organization: [false, true], resource: [false, true] } as const

const listed = readVariants('audit.listEntries', narrowings, ({ organization, resource }) => {
  const sheets = resource
    ? `
    select sheet.* from audit_sheets_about(:resource_id, ${organization ? ':organization_id' : 'null'},
                          :from_began_at, :from_id, :from_day, :most_sheets) as sheet
     where ${inReach('sheet.organization_id')}
     order by sheet.began_at desc, sheet.id desc`
    : `
    select sheet.* from audit_sheets as sheet
     where ${inReach('sheet.organization_id')}
       ${organization ? 'and sheet.organization_id = :organization_id' : ''}
       and (sheet.began_at, sheet.id) <= (:from_began_at::timestamptz, :from_id::text)
       and sheet.day >= :from_day::date
     order by sheet.began_at desc, sheet.id desc`
  return `
    with page as materialized (
      select sheet.began_at, sheet.id, entry.place, shown.item
        from (${sheets} limit :most_sheets) as sheet
       cross join lateral ${entriesOfSheet}
       cross join lateral (${entryJson}) as shown
       where ((sheet.began_at, sheet.id) < (:from_began_at::timestamptz, :from_id::text) or entry.place < :from_place)
         ${resource ? 'and entry.resource_id = :resource_id' : ''}
         and (:occurred_after::timestamptz is null or entry.occurred_at >= :occurred_after)
         and (:occurred_before::timestamptz is null or entry.occurred_at < :occurred_before)
         and (:actor::text is null or entry.actor_id = :actor or entry.user_id = :actor)
         and (:operation::text is null or entry.operation = :operation)
         and (:trace_id::text is null or entry.trace_id = :trace_id)
         and entry.status between :status_from and :status_to
       order by sheet.began_at desc, sheet.id desc, entry.place desc limit :limit
    ), last_entry as (
      select began_at, id, place from page order by began_at, id, place limit 1
    ), last_sheet as (
      select sheet.began_at, sheet.id from (${sheets} offset :most_sheets - 1 limit 1) as sheet
    )
    select coalesce((select string_agg(item::text, ',' order by began_at desc, id desc, place desc) from page), '')
             as items,
           case when (select count(*) from page) = :limit
                then (select json_build_array(began_at::text, id, place) from last_entry)
                else (select json_build_array(began_at::text, id, 1) from last_sheet) end as next`
})

/** Where a page goes on: the sheet, by when it began and its id, and the place in it before which. */
export type Place = [began_at: string, sheet_id: string, place: number]

const statuses = { succeeded: [100, 399], refused: [400, 499], failed: [500, 599] } as const

/**
 * A page of entries, newest first, as the text of a JSON array without its brackets, and from where to go on: null when
 * there are no more. There may be more behind a page that is not full.
 */
export async function listEntries(
  scope: ReadScope,
  { organization_id, ...filter }: EntriesAsked,
  limit: number,
  from: Place | undefined,
): Promise<{ items: string; next: Place | null }> {
  const { occurred_after = null, occurred_before = null, actor = null, operation = null, resource_id = null } = filter
  const { trace_id = null } = filter
  const [status_from, status_to] = filter.outcome ? statuses[filter.outcome] : [100, 599]
  const variant = listed({ organization: organization_id !== null, resource: resource_id !== null })
  const row = await variant.row<{ items: string; next: Place | null }>(scope, {
    organization_id: organization_id ?? '',
    resource_id: resource_id ?? '',
    from_began_at: from?.[0] ?? occurred_before ?? 'infinity',
    from_id: from?.[1] ?? '',
    from_place: from?.[2] ?? 0,
    from_day: occurred_after === null ? '-infinity' : new Date(occurred_after).toISOString().slice(0, 10),
    occurred_after,
    occurred_before,
    actor,
    operation,
    trace_id,
    status_from,
    status_to,
    limit,
    most_sheets,
  })
  return row!
}

const chains_listed = statement(
  'audit.listChains',
  `select organization_id, strand, sheets, last_hash from audit_chains where day = :day`,
)

/** Where the chains of a day end. */
export const listChains = (db: Db, day: string) => chains_listed.rows<Chain>({ db }, { day })

const sheets_listed = statement(
  'audit.listSheets',
  `select id, organization_id, strand, number, hash, operations, resource_ids, statuses, actor_kinds, actor_ids,
          user_ids, addresses, trace_ids, fields, checks,
          number > coalesce((select chain.sheets from audit_chains as chain
                              where chain.day = sheet.day and chain.organization_id = sheet.organization_id
                                and chain.strand = sheet.strand), 0) as is_behind_end,
          array(select case when at = date_trunc('milliseconds', at) then iso(at) else at::text end
                  from unnest(occurred_at) with ordinality as each (at, place) order by place) as occurred_at
     from audit_sheets as sheet
    where day = :day and (organization_id, strand, number) > (:after_organization_id, :after_strand, :after_number)
    order by organization_id, strand, number limit 200`,
)

/** The sheets of a day, chain by chain, each in its order. */
export async function* sheetsOf(db: Db, day: string): AsyncGenerator<StoredSheet> {
  let after = { after_organization_id: '', after_strand: -1, after_number: 0 }
  for (;;) {
    const sheets = await sheets_listed.rows<StoredSheet>({ db }, { day, ...after })
    yield* sheets
    const last = sheets.at(-1)
    if (!last) return
    after = { after_organization_id: last.organization_id, after_strand: last.strand, after_number: last.number }
  }
}

const days_listed = statement(
  'audit.listDays',
  `select day from audit_chains where day between :from and :to
    union select day from audit_sheets where day between :from and :to
    union select day from audit_seals where day between :from and :to
    order by day`,
)

/** The days of which there is something. */
export const listDays = async (db: Db, from: string, to: string): Promise<string[]> =>
  (await days_listed.rows<{ day: string }>({ db }, { from, to })).map(({ day }) => day)

const seals_listed = statement(
  'audit.listSeals',
  'select day, chains, sheets, digest, seal from audit_seals order by day',
)

/** All seals there are. */
export const listSeals = (db: Db) => seals_listed.rows<Seal>({ db })

const last_seal = statement(
  'audit.findLastSeal',
  'select day, chains, sheets, digest, seal from audit_seals order by day desc limit 1',
)

export const findLastSeal = (ctx: Ctx) => last_seal.row<Seal>(ctx)

const unsealed = statement(
  'audit.findUnsealedDay',
  'select day from audit_chains where day > :after and day < :before order by day limit 1',
)

/** The first day after one, and before another, of which there are entries. */
export const findUnsealedDay = async (ctx: Ctx, after: string, before: string): Promise<string | undefined> =>
  (await unsealed.row<{ day: string }>(ctx, { after, before }))?.day

const seal_inserted = statement(
  'audit.insertSeal',
  `insert into audit_seals (day, chains, sheets, digest, seal, sealed_at)
   values (:day, :chains, :sheets, :digest, :seal, :real_now)`,
)

export const insertSeal = (ctx: Ctx, seal: Seal) => seal_inserted.rows(ctx, seal)
