import { most_found, offsetOf, type Page } from '../../kernel/pages.ts'
import { PageAnchors, type RowKey } from './page-anchors.ts'
import { from_context, type Read, type ReadScope, type ScopeCaller } from './statement.ts'

/** The part of a context that a page of a list is read with. */
export type PageScope = ReadScope & { caller: ScopeCaller; page_anchors: PageAnchors }

const answerJson = (rows: string, total_pages: string) => `
  '{"data":[' || coalesce(${rows}, '') || '],"pagination":{"limit":' || :limit::int || ',"page":' || :page::bigint
    || ',"total":' || total || ',"total_pages":' || ${total_pages} || '}}' as json`

/** SQL: how many pages the total fills. */
const pages_of_all = 'ceil(total / :limit::numeric)'

/**
 * SQL for the whole answer of a page/limit list as one text, so that the server passes bytes on. Takes `pageValues`.
 * `rows`: a query with a column `item` (json) and a column `position` (bigint) to order by; it ends with
 * `limit :limit offset :offset`. `total`: a scalar expression.
 * `offset 0` keeps PostgreSQL from putting the total, and its cost, into both places that show it.
 */
export const pageJson = (rows: string, total: string): string => `
  select ${answerJson(`(select string_agg(item::text, ',' order by position) from (${rows}) as rows)`, pages_of_all)}
    from (select ${total} as total offset 0) as totals`

/**
 * SQL for a page of a list over all organizations, of which the first 1,000 rows are found and no more, so that it
 * costs the same however many there are. `from`: what comes after `from`, with rows called `row`, in the order of
 * `order`, which an index has; `item`: a query with a column `item`, from such a row.
 */
export const foundPageJson = (from: string, row: string, order: string, item: string): string => `
  with found as materialized (
    select ${row}.*, row_number() over (order by ${order}) as place from ${from}
     order by ${order} limit ${most_found})
  ${pageJson(
    `select shown.item, ${row}.place as position
       from (select * from found order by place limit :limit::int offset :offset::bigint) as ${row}
      cross join lateral (${item}) as shown`,
    '(select count(*) from found)',
  )}`

/** SQL: whether a text begins with another: a stretch of an index over it. */
export const beginsWith = (text: string, beginning: string): string =>
  `${text} >= ${beginning} and ${text} < ${beginning} || chr(1114111)`

/**
 * How names are found by patterns: by an index of three letters together where each pattern holds as many, or by a look
 * at each.
 */
export const searchedHow = (patterns: string[]): 'by_letters' | 'by_each' =>
  patterns.every((pattern) => /[a-z0-9]{3}/.test(pattern)) ? 'by_letters' : 'by_each'

/** What `pageJson` takes of a page. */
export const pageValues = ({ limit, page }: Page) => ({ limit, page, offset: offsetOf({ limit, page }) })

// Keyset pages, for lists that rows leave while they are read: each page begins where the one before it ended then.

/**
 * What a list is in the order of: a column of instants and the id (`id`: the column that holds it), the newest first
 * unless said; or a column of numbers that tell its rows apart, the highest first.
 */
export type Order = { by?: string; id?: string; oldest_first?: boolean; numbered?: boolean }

/** SQL: the key of a row. */
export const keyOf = (row: string, { by = 'created_at' }: Order = {}): string =>
  `json_build_array(${row}.${by}::text, ${row}.id)`

/** SQL: a value, or what it is at the front of a list. Past a policy no index is asked for what `coalesce` says. */
const orFirst = (value: string, first: string): string => `case when ${value} is null then '${first}' else ${value} end`

/** SQL: the number behind which the anchor lies, or one behind which everything does. */
export const firstNumber = `${orFirst('(:after::text[])[1]', '9223372036854775807')}::bigint`

/**
 * SQL: whether a row lies behind the anchor, where an earlier page ended. An index in the order of the list begins
 * there.
 */
export function liesAhead(row: string, { by = 'created_at', id = 'id', oldest_first, numbered }: Order = {}): string {
  if (numbered) return `${row}.${by} < ${firstNumber}`
  const [comes, front] = oldest_first ? ['>', '-infinity'] : ['<', 'infinity']
  return `(${row}.${by}, ${row}.${id}) ${comes}
    (${orFirst('(:after::text[])[1]', front)}::timestamptz, ${orFirst('(:after::text[])[2]', '')})`
}

/** SQL: the same in a list by a column of words, none of which is empty, and the newest first among equals. */
export const liesAheadByWords = (row: string, by: string): string => `
  (${row}.${by} > ${orFirst('(:after::text[])[1]', '')}
   or ${row}.${by} = (:after::text[])[1] and ${row}.id < (:after::text[])[2])`

/** So many rows are counted that lie ahead, and as many as the page needs. */
const most_ahead = `greatest(1000, :offset::bigint + :limit::int + 1)`

/**
 * SQL: how many rows of a list with `total` rows lie ahead of the anchor. `rows`: a query of those that do. They are
 * counted to the end where it is near, so that who walks there misses nobody; where it is far, the total tells.
 */
export const aheadOf = (total: string, rows: string): string => `
  case when :behind::bigint = 0 then ${total}
       else (select case when counted.near < ${most_ahead} then counted.near
                         else greatest(${total} - :behind::bigint * :limit::int, counted.near) end
               from (select count(*) as near from (${rows} limit ${most_ahead}) as nearest) as counted) end`

/**
 * SQL for a keyset page, whose values `readKeysetPage` hands over: `:limit`, `:page`, `:offset` (how many rows lie
 * between the anchor and the page), `:after` (the anchor's key, null at the front) and `:behind` (how many pages lie
 * before the anchor). `rows` as for `pageJson`, with a column `key`; `totals`: a query with how many rows the list
 * holds now, `total`, and how many of them lie ahead, `ahead`. There are as many pages as the total fills, and at least
 * as many as were read and lie ahead: who stops after the last one has missed nobody.
 */
export const keysetPageJson = (rows: string, totals: string): string => `
  select ${answerJson('listed.items', `greatest(${pages_of_all}, :behind::bigint + ceil(ahead / :limit::numeric))`)},
         listed.last_key
    from (${totals} offset 0) as totals
   cross join (
     select string_agg(item::text, ',' order by position) as items,
            (array_agg(key order by position desc))[1] as last_key
       from (${rows}) as rows) as listed`

/** Where a keyset page begins, as statements take it. */
export type KeysetPlace = { limit: number; page: number; offset: string; after: RowKey | null; behind: number }

/** What a keyset page answers: the whole of it as JSON, and the key of its last row. */
export type KeysetAnswer = { json: string; last_key: RowKey | null }

/** Reads a keyset page of a list. Undefined when the statement answers nothing. */
export const readKeysetPage = (
  ctx: PageScope,
  listed: Read<any>,
  page: Page,
  values: Record<string, unknown>,
): Promise<string | undefined> =>
  readFromAnchor(ctx, listed, page, values, (place) => listed.row<KeysetAnswer>(ctx, { ...values, ...place }))

/** Has a page of a list read from where an earlier page ended, and notes where it ends itself. */
export async function readFromAnchor(
  ctx: PageScope,
  listed: Pick<Read<any>, 'name' | 'parameters'>,
  { limit, page }: Page,
  values: Record<string, unknown>,
  readFrom: (place: KeysetPlace) => Promise<KeysetAnswer | undefined>,
): Promise<string | undefined> {
  // Two lists that differ in whose they are, or in the day, are two lists; the instants are new with each request.
  const known = listed.parameters.filter((name) => name in from_context && name !== 'now' && name !== 'real_now')
  const of_whom = known.map((name) => from_context[name]!(ctx))
  const list = PageAnchors.nameOf(ctx.caller.credential_id, listed.name, limit, values, of_whom)
  const end = page > 1 ? ctx.page_anchors.before(list, page) : undefined
  const behind = end?.page ?? 0
  const offset = offsetOf({ limit, page: page - behind })
  const answer = await readFrom({ limit, page, offset, after: end?.key ?? null, behind })
  if (answer?.last_key) ctx.page_anchors.note(list, { page, key: answer.last_key })
  return answer?.json
}
