import { max_found, offsetOf, type Page } from '../../kernel/pages.ts'
import { PageAnchors, type RowKey } from './page-anchors.ts'
import { from_context, read, type Read, type ReadScope, type ScopeCaller, type ValuesOf } from './statement.ts'

/** The part of a context that reading a page uses. */
export type PageScope = ReadScope & { caller: ScopeCaller; page_anchors: PageAnchors }

const pageBodyJson = (rows: string, total_pages: string) => `
  '{"data":[' || coalesce(${rows}, '') || '],"pagination":{"limit":' || :limit::int || ',"page":' || :page::bigint
    || ',"total":' || total || ',"total_pages":' || ${total_pages} || '}}' as json`

/** SQL: the number of pages that the total fills. */
const pages_of_all = 'ceil(total / :limit::numeric)'

/**
 * SQL for the whole response of a numbered list as one text, so that the server passes bytes on. Its parameters are
 * those of `pageValues`. `rows`: a query with a column `item` (json) and a column `position` (bigint) to order by; it
 * ends with `limit :limit offset :offset`. `total`: a scalar expression. `offset 0` keeps PostgreSQL from evaluating
 * the total twice.
 */
export const pageJson = (rows: string, total: string): string => `
  select ${pageBodyJson(`(select string_agg(item::text, ',' order by position) from (${rows}) as rows)`, pages_of_all)}
    from (select ${total} as total offset 0) as totals`

/**
 * SQL for a page of a list over all organizations. Only its first 1,000 rows are found, so that its cost does not grow
 * with the installation. `from`: the from clause, with rows named `row`, in the order of `order`, which must have an
 * index. `item`: a query with a column `item` of such a row.
 */
export const foundPageJson = (from: string, row: string, order: string, item: string): string => `
  with found as materialized (
    select ${row}.*, row_number() over (order by ${order}) as page_position from ${from}
     order by ${order} limit ${max_found})
  ${pageJson(
    `select shown.item, ${row}.page_position as position
       from (select * from found order by page_position limit :limit::int offset :offset::bigint) as ${row}
      cross join lateral (${item}) as shown`,
    '(select count(*) from found)',
  )}`

/**
 * The rows of a list, each named `row`, in the order of `order`. `item`: the JSON of a row. `sources`: further joins
 * that the item needs.
 */
type RowList = { from: string; row: string; order: string; item: string; sources?: string }

const pageOfRows = ({ from, row, order, item, sources = '' }: RowList, join: string): string => `
  select ${item} as item, row_number() over (order by ${order}) as position
    from ${join} (
      select ${row}.* from ${from} order by ${order} limit :limit::int offset :offset::bigint) as ${row} ${sources}`

export const rowPageJson = (list: RowList): string =>
  pageJson(pageOfRows(list, ''), `(select count(*) from ${list.from})`)

/** The rows that belong to a resource. `target`: a query of the resource within reach, to which `from` refers. */
export type TargetList = RowList & { target: string }

/** SQL for a page of the rows of a resource. There is no page if the resource is out of reach. */
export const targetPageJson = ({ target, ...list }: TargetList): string => `
  with target as materialized (${target}) ${pageJson(
    pageOfRows(list, 'target cross join lateral'),
    `(select (select count(*) from ${list.from}) from target)`,
  )}`

export const objectJson = (fields: string): string => `(select row_to_json(shown) from (select ${fields}) as shown)`

/** A numbered list, read by page. */
const paged = <const Name extends string>(listed: Read<Name>) => {
  type Named = Omit<NonNullable<ValuesOf<Name>[0]>, keyof Page | 'offset'>
  return (ctx: ReadScope, named: Named, page: Page): Promise<string | undefined> =>
    listed.json(ctx, ...([{ ...named, ...pageValues(page) }] as unknown as ValuesOf<Name>))
}

/** Declares a numbered list from the SQL of `pageJson`. */
export const pageList = <const Name extends string>(name: Name, sql: string) => paged(read(name, sql))

/** Declares a list of the rows of a resource. Its page is undefined if the resource is out of reach. */
export const targetList = <const Name extends string>(name: Name, list: TargetList) =>
  paged(read(name, targetPageJson(list)))

/** SQL: whether a string begins with another, as a range of an index. 1114111 is the last code point of Unicode. */
export const beginsWith = (text: string, beginning: string): string =>
  `${text} >= ${beginning} and ${text} < ${beginning} || chr(1114111)`

/**
 * How names are searched by patterns: with a trigram index if each pattern has three letters in a row, otherwise row by
 * row.
 */
export const searchStrategyOf = (patterns: string[]): 'by_letters' | 'by_each' =>
  patterns.every((pattern) => /[a-z0-9]{3}/.test(pattern)) ? 'by_letters' : 'by_each'

/** The parameters of `pageJson`. */
export const pageValues = ({ limit, page }: Page) => ({ limit, page, offset: offsetOf({ limit, page }) })

// Keyset pages, for lists whose rows may disappear while a client pages through them. Each page starts after the row
// that ended the previous page when that page was read.

/**
 * The order of a list. Either by a column of instants and the id (`id`: the column with the id), newest first by
 * default, or by a column of unique numbers, highest first.
 */
export type Order = { by?: string; id?: string; oldest_first?: boolean; numbered?: boolean }

/** SQL: the key of a row. */
export const keyOf = (row: string, { by = 'created_at' }: Order = {}): string =>
  `json_build_array(${row}.${by}::text, ${row}.id)`

/**
 * SQL: a value, or its replacement at the start of a list. With row-level security, PostgreSQL would not use an index
 * for `coalesce`.
 */
const orFirstValue = (value: string, first: string): string =>
  `case when ${value} is null then '${first}' else ${value} end`

/** SQL: the number of the anchor. At the start of the list, a number before all others. */
export const firstNumber = `${orFirstValue('(:after::text[])[1]', '9223372036854775807')}::bigint`

/**
 * SQL: whether a row lies after the anchor, where an earlier page ended. An index in the order of the list starts
 * there.
 */
export function isAfterAnchor(
  row: string,
  { by = 'created_at', id = 'id', oldest_first, numbered }: Order = {},
): string {
  if (numbered) return `${row}.${by} < ${firstNumber}`
  const comes = oldest_first ? '>' : '<'
  return `(${row}.${by}, ${row}.${id}) ${comes} (${anchorKey(oldest_first)})`
}

/** SQL: the instant and the id of the anchor, or those before the first row. */
export const anchorKey = (oldest_first = false): string => `
  ${orFirstValue('(:after::text[])[1]', oldest_first ? '-infinity' : 'infinity')}::timestamptz,
  ${orFirstValue('(:after::text[])[2]', '')}`

/** SQL: like `isAfterAnchor`, for a list ordered by a column of nonempty text, newest first among equals. */
export const isAfterTextAnchor = (row: string, by: string): string => `
  (${row}.${by} > ${orFirstValue('(:after::text[])[1]', '')}
   or ${row}.${by} = (:after::text[])[1] and ${row}.id < (:after::text[])[2])`

/** The maximum number of rows ahead that are counted, at least as many as the page needs. */
const max_ahead = `greatest(1000, :offset::bigint + :limit::int + 1)`

/**
 * SQL: how many rows of a list with `total` rows lie after the anchor. `rows`: a query of those rows. They are counted
 * exactly near the end, so that readers miss no rows. Far from the end, the number follows from the total.
 */
export const rowsAfterAnchor = (total: string, rows: string): string => `
  case when :pages_before::bigint = 0 then ${total}
       else (select case when counted.near < ${max_ahead} then counted.near
                         else greatest(${total} - :pages_before::bigint * :limit::int, counted.near) end
               from (select count(*) as near from (${rows} limit ${max_ahead}) as nearest) as counted) end`

/**
 * SQL for a keyset page with the parameters of `readKeysetPage`: `:limit`, `:page`, `:offset` (rows between the anchor
 * and the page), `:after` (the key of the anchor, null at the start) and `:pages_before` (pages before the anchor).
 * `rows` as for `pageJson`, plus a column `key`. `totals`: a query with the current number of rows, `total`, and of
 * those after the anchor, `ahead`. There are as many pages as the total fills, and at least those that were read plus
 * those ahead, so that readers who stop at the last page miss no rows.
 */
export const keysetPageJson = (rows: string, totals: string): string => `
  select ${pageBodyJson(
    'listed.items',
    `greatest(${pages_of_all},
  :pages_before::bigint + ceil(ahead / :limit::numeric))`,
  )},
         listed.last_key
    from (${totals} offset 0) as totals
   cross join (
     select string_agg(item::text, ',' order by position) as items,
            (array_agg(key order by position desc))[1] as last_key
       from (${rows}) as rows) as listed`

/** A page that starts more rows than this after the nearest anchor is a jump. Its offset counts from the list start. */
export const max_after_anchor = 1000

/** The start of a keyset page, as parameters of statements. */
export type KeysetPosition = { limit: number; page: number; offset: string; after: RowKey | null; pages_before: number }

/** The result of a keyset page: the whole response as JSON, and the key of its last row. */
export type KeysetPage = { json: string; last_key: RowKey | null }

/** Reads a keyset page of a list. Undefined if the statement returns no row. */
export const readKeysetPage = (
  ctx: PageScope,
  listed: Read<any>,
  page: Page,
  values: Record<string, unknown>,
): Promise<string | undefined> =>
  readFromAnchor(ctx, listed, page, values, (cursor) => listed.row<KeysetPage>(ctx, { ...values, ...cursor }))

/** Reads a page of a list from where an earlier page ended, and remembers where it ends itself. */
export async function readFromAnchor(
  ctx: PageScope,
  listed: Pick<Read<any>, 'name' | 'parameters'>,
  { limit, page }: Page,
  values: Record<string, unknown>,
  readFrom: (cursor: KeysetPosition) => Promise<KeysetPage | undefined>,
): Promise<string | undefined> {
  // Lists of different callers or days are different lists. Instants are excluded, because they are new with each
  // request.
  const known = listed.parameters.filter((name) => name in from_context && name !== 'now' && name !== 'real_now')
  const context_values = known.map((name) => from_context[name]!(ctx))
  const list = PageAnchors.nameOf(ctx.caller.credential_id, listed.name, limit, values, context_values)
  const nearest = page > 1 ? ctx.page_anchors.before(list, page) : undefined
  const end = nearest && (page - nearest.page - 1) * limit < max_after_anchor ? nearest : undefined
  const pages_before = end?.page ?? 0
  const offset = offsetOf({ limit, page: page - pages_before })
  const answer = await readFrom({ limit, page, offset, after: end?.key ?? null, pages_before })
  if (answer?.last_key) ctx.page_anchors.note(list, { page, key: answer.last_key })
  return answer?.json
}
