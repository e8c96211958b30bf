import { offsetOf, type Page } from '../../kernel/pages.ts'
import type { Ctx } from '../ctx.ts'
import { PageAnchors, type RowKey } from './page-anchors.ts'

const answerJson = (rows: string, $limit: string, $page: string, total_pages: string) => `
  '{"data":[' || coalesce(${rows}, '') || '],"pagination":{"limit":' || ${$limit}::int || ',"page":' || ${$page}::bigint
    || ',"total":' || total || ',"total_pages":' || ${total_pages} || '}}' as json`

/**
 * SQL for the whole answer of a page/limit list as one text, so that the server passes bytes on.
 * `rows`: a query with a column `item` (json) and a column `position` (bigint) to order by.
 * `total`: a scalar expression. `$limit` and `$page` name the parameters, such as `$4`.
 * `offset 0` keeps PostgreSQL from putting the total, and its cost, into both places that show it.
 */
export const pageJson = (rows: string, total: string, $limit: string, $page: string): string => `
  select ${answerJson(
    `(select string_agg(item::text, ',' order by position) from (${rows}) as rows)`,
    $limit,
    $page,
    `ceil(total / ${$limit}::numeric)`,
  )}
    from (select ${total} as total offset 0) as totals`

// Lists that rows leave --------------------------------------------------------------------------
// Their pages are walked: each begins where the one before it ended when it was read.

/** SQL: names of the parameters of a walk, from the nth on; `readWalk` hands them over. */
export const walkParameters = (nth: number) => ({
  $limit: `$${nth}`,
  $page: `$${nth + 1}`,
  /** how many rows lie between where the walk stands and the page */
  $offset: `$${nth + 2}`,
  /** the key of the row where it stands, null at the front */
  $after: `$${nth + 3}`,
  /** how many pages it has behind it */
  $behind: `$${nth + 4}`,
})

export type WalkParameters = ReturnType<typeof walkParameters>

/** What a list is in the order of, besides the id: a column of instants, the newest first unless said. */
type Order = { by?: string; oldest_first?: boolean }

/** SQL: the key of a row. */
export const keyOf = (row: string, { by = 'created_at' }: Order = {}): string =>
  `json_build_array(${row}.${by}::text, ${row}.id)`

/** SQL: whether a row lies behind the one where the walk stands. An index in the order of the list begins there. */
export function liesAhead(
  row: string,
  { $after }: WalkParameters,
  { by = 'created_at', oldest_first }: Order = {},
): string {
  const [comes, front] = oldest_first ? ['>', '-infinity'] : ['<', 'infinity']
  return `(${row}.${by}, ${row}.id) ${comes} (coalesce((${$after}::text[])[1], '${front}')::timestamptz, coalesce((${$after}::text[])[2], ''))`
}

/**
 * SQL for a page of a walk. `rows` as for `pageJson`, with a column `key`; `totals`: a query with how many rows the list
 * holds now, `total`, and how many of them lie ahead, `ahead`. There are as many pages as were walked and lie ahead, so
 * that who stops after the last one has missed nobody.
 */
export const walkJson = (rows: string, totals: string, { $limit, $page, $behind }: WalkParameters): string => `
  select ${answerJson('listed.items', $limit, $page, `${$behind}::bigint + ceil(ahead / ${$limit}::numeric)`)}, listed.last_key
    from (${totals} offset 0) as totals
   cross join (select string_agg(item::text, ',' order by position) as items, (array_agg(key order by position desc))[1] as last_key
                 from (${rows}) as rows) as listed`

/**
 * Reads a page of a walk. `text` takes the values `before`, then those of `walkParameters`, then the values `after`.
 * Undefined when the statement answers nothing.
 */
export async function readWalk(
  ctx: Ctx,
  text: string,
  { limit, page }: Page,
  before: unknown[],
  after: unknown[] = [],
): Promise<string | undefined> {
  const list = PageAnchors.nameOf(ctx.caller.credential_id, text, limit, before, after)
  const end = page > 1 ? ctx.page_anchors.before(list, page) : undefined
  const behind = end?.page ?? 0
  const offset = offsetOf({ limit, page: page - behind })
  const values = [...before, limit, page, offset, end?.key ?? null, behind, ...after]
  const answer = await ctx.db.row<{ json: string; last_key: RowKey | null }>(text, values)
  if (answer?.last_key) ctx.page_anchors.note(list, { page, key: answer.last_key })
  return answer?.json
}
