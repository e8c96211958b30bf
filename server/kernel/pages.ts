import { z } from 'zod'
import { text } from './fields.ts'

/** The last page that can be asked for: of more digits a number is not exact. */
const last_page = 999_999_999_999_999

/** A whole number of a query, within its bounds; what it may be is said of whatever else is sent. */
export const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.int().min(least, error).max(most, error))
}

/** `limit` and `page` of every page/limit list; spread into the query schema of the endpoint. */
export const pageQuery = {
  limit: wholeNumber(1, 100).default(20).meta({ description: 'Items per page, 1 to 100.', default: 20, example: 20 }),
  page: wholeNumber(1, last_page).default(1).meta({ description: 'Page number, from 1.', default: 1, example: 1 }),
}

/** How many rows a search over all organizations looks up at most, so that it costs the same however many there are. */
export const most_found = 1000

/** `search` of an operator's list; `what` says what may be sent. */
export const lookup = (what: string) =>
  text()
    .min(3, 'must hold at least 3 characters')
    .meta({ description: `${what}; at least 3 characters. At most ${most_found} are found: say more.` })

export type Page = { limit: number; page: number }

/** The offset of a page, as text since it may exceed what a JS number holds exactly. */
export const offsetOf = ({ limit, page }: Page): string => (BigInt(page - 1) * BigInt(limit)).toString()

export const Pagination = z.object({ limit: z.int(), page: z.int(), total: z.int(), total_pages: z.int() }).meta({
  id: 'Pagination',
  description: 'Where this page stands in the whole list.',
  example: { limit: 20, page: 1, total: 1, total_pages: 1 },
})

/** What a page says of the next one, where pages are no numbers. */
export const CursorPagination = z
  .object({
    limit: z.int(),
    next_offset: z.string().nullable().meta({ description: 'The `offset` of the next page; null on the last one.' }),
  })
  .meta({ id: 'CursorPagination', description: 'Where the next page is.' })
