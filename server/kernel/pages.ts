import { z } from 'zod'
import { text } from './fields.ts'

/** The last possible page. Numbers with more digits are not exact. */
const last_page = 999_999_999_999_999

/** A whole number in a query, within bounds. All other values get the same message. */
export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.int().min(min, error).max(max, error))
}

/** `limit` and `page` of every numbered list. Spread them into the query schema of the endpoint. */
export const pageQuery = {
  limit: wholeNumber(1, 100).default(20).meta({ description: 'Items per page, 1 to 100.', default: 20, example: 20 }),
  page: wholeNumber(1, last_page).default(1).meta({ description: 'Page number, from 1.', default: 1, example: 1 }),
}

/** The query of a numbered list without filters. */
export const Paging = z.object(pageQuery)

/**
 * The maximum number of rows that a search over all organizations finds, so that its cost does not grow with their
 * number.
 */
export const max_found = 1000

/** `search` of an operator's list. `noun` describes the accepted values. */
export const searchParameter = (noun: string) =>
  text()
    .min(3, 'must have at least 3 characters')
    .meta({ description: `${noun}. At least 3 characters. Finds at most ${max_found} results.` })

export type Page = { limit: number; page: number }

/** The offset of a page. It is text, because it may exceed the safe integers of JavaScript. */
export const offsetOf = ({ limit, page }: Page): string => (BigInt(page - 1) * BigInt(limit)).toString()

export const Pagination = z.object({ limit: z.int(), page: z.int(), total: z.int(), total_pages: z.int() }).meta({
  id: 'Pagination',
  description: 'The position of this page in the whole list.',
  example: { limit: 20, page: 1, total: 1, total_pages: 1 },
})

/** A page of a numbered list as a response. `id` is its name in the contract. */
export const pageOf = <Item extends z.ZodType>(id: string, item: Item) =>
  z.object({ data: z.array(item), pagination: Pagination }).meta({ id })

const CursorPagination = z
  .object({
    limit: z.int(),
    next_offset: z.string().nullable().meta({ description: 'The `offset` of the next page. Null on the last page.' }),
  })
  .meta({ id: 'CursorPagination', description: 'The position of the next page.' })

/** The fields that follow the `data` of a page with a cursor. */
export const cursor_fields = {
  pagination: CursorPagination,
  next_offset: z.string().nullable().meta({ description: 'The same value as `pagination.next_offset`.' }),
}

/** A page of a list with a cursor as a response. `id` is its name in the contract. */
export const cursorPageOf = <Item extends z.ZodType>(id: string, item: Item) =>
  z.object({ data: z.array(item), ...cursor_fields }).meta({ id })

/** The message for a cursor of another list. */
export const wrong_offset = 'must be the next_offset of a page of this list'

/** `limit` and `offset` of a list with a cursor, which is valid for the same `scope`. */
export const cursorQuery = (scope: string) => ({
  limit: pageQuery.limit,
  offset: z
    .string()
    .max(1000, wrong_offset)
    .optional()
    .meta({ description: `The \`next_offset\` of the previous page. Opaque, and only valid for the same ${scope}.` }),
})
