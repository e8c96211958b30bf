import { z } from 'zod'

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)

/** `limit` and `page` of every page/limit list; spread into the query schema of the endpoint. */
export const pageQuery = {
  limit: wholeNumber
    .pipe(z.int().min(1, 'must be 1 to 100').max(100, 'must be 1 to 100'))
    .default(20)
    .meta({ description: 'Items per page, 1 to 100.', default: 20, example: 20 }),
  page: wholeNumber
    .pipe(z.int().min(1, 'must be 1 or more'))
    .default(1)
    .meta({ description: 'Page number, from 1.', default: 1, example: 1 }),
}

export type Page = { limit: number; page: number }

/** The offset of a page, as text since it may exceed what a JS number holds exactly. */
export const offsetOf = ({ limit, page }: Page): string => (BigInt(page - 1) * BigInt(limit)).toString()

export const Pagination = z
  .object({ limit: z.int(), page: z.int(), total: z.int(), total_pages: z.int() })
  .meta({ id: 'Pagination', description: 'Where this page stands in the whole list.' })

/**
 * SQL for the whole answer of a page/limit list as one text, so that the server passes bytes on.
 * `rows`: a query with a column `item` (json) and a column `position` (bigint) to order by.
 * `total`: a scalar expression. `$limit` and `$page` name the parameters, such as `$4`.
 * `offset 0` keeps PostgreSQL from putting the total, and its cost, into both places that show it.
 */
export const pageJson = (rows: string, total: string, $limit: string, $page: string): string => `
  select '{"data":[' || (select coalesce(string_agg(item::text, ',' order by position), '') from (${rows}) as rows)
      || '],"pagination":{"limit":' || ${$limit}::int || ',"page":' || ${$page}::bigint || ',"total":' || total
      || ',"total_pages":' || ceil(total / ${$limit}::numeric) || '}}' as json
    from (select ${total} as total offset 0) as totals`
