import { most_found, type Page } from '../../kernel/pages.ts'
import type { Db } from '../query/database.ts'
import type { RowKey } from '../sql/page-anchors.ts'
import { liesAhead, readFromAnchor, type Order, type PageScope } from '../sql/pages.ts'
import { read, readVariants, type ChosenVariant, type Statement, type VariantChoices } from '../sql/statement.ts'

/**
 * A list of rows of several organizations, where no statement has them all: `from`, with rows called `row`, which
 * `reach` says that the caller may see; which of them are listed; their order; and a query with a column `item`, from
 * such a row. `pages`: they begin behind the key of a row, or so many rows on; `of_first`: the same, and the list holds
 * the first 1,000 rows and no more. `counted`: a query with a column `total`, where counters know.
 */
type ListOfSeveral<C extends VariantChoices> = {
  from: string
  row: string
  reach: string
  choices: C
  where: (chosen: ChosenVariant<C>) => string
  order: Order
  item: string
  pages: 'by_key' | 'by_place' | 'of_first'
  counted?: (chosen: ChosenVariant<C>) => string | undefined
}

type FoundKey = { id: string; organization_id: string; at: string }

/** Whether a statement is one that all servers are asked for a list. */
export const isOfSeveral = ({ name }: Pick<Statement, 'name'>): boolean => /(?:Keys|Totals)\(/.test(name)

/** Whether a list is of rows on several servers: those of one organization are together on one. */
export const isOnSeveral = ({ db, caller }: PageScope, organization_id: string | null = null): boolean =>
  (db as Db).divided && organization_id === null && caller.reach.organization_ids?.length !== 1

/**
 * Declares what a list is asked by where tenants are divided and its caller reaches several: the keys of a page, of all
 * servers, as each has them by its index; how many there are; and then what is shown of them, of one organization after
 * the other, of which a page has few.
 */
function declareAsked<C extends VariantChoices>(name: string, list: ListOfSeveral<C>) {
  const { from, row, reach, choices, where, order, item, pages, counted } = list
  const { by = 'created_at', id = 'id', oldest_first } = order
  const direction = oldest_first ? '' : 'desc'
  const lies_ahead = pages === 'by_key' ? liesAhead(row, order) : 'true'
  return {
    keys: readVariants(`${name}Keys`, choices, (chosen) => {
      const conditions = [reach, where(chosen), lies_ahead].join(' and ')
      return `
        select ${row}.${id}, ${row}.organization_id, ${row}.${by}::text as at from ${from} where ${conditions}
         order by ${row}.${by} ${direction}, ${row}.${id} ${direction} limit :limit offset :offset`
    }),
    totals: readVariants(`${name}Totals`, choices, (chosen) => {
      const known = counted?.(chosen)
      if (known) return known
      const listed = `from ${from} where ${reach} and ${where(chosen)}`
      if (pages === 'of_first')
        return `select count(*) as total from (select ${row}.${id} ${listed} limit ${most_found}) as found`
      const ahead = pages === 'by_key' ? `, count(*) filter (where ${lies_ahead}) as ahead` : ''
      return `select count(*) as total${ahead} ${listed}`
    }),
    items: read(
      `${name}Items`,
      `select ${row}.${id}, shown.item::text as item from ${from} cross join lateral (${item}) as shown
        where ${reach} and ${row}.organization_id = :organization_id and ${row}.${id} = any(:ids::text[])`,
    ),
  }
}

/** SQL of a page, as `answerJson` of pages.ts builds it. */
const answerOf = (items: readonly string[], { limit, page }: Page, total: number, total_pages: number): string =>
  `{"data":[${items.join(',')}],"pagination":${JSON.stringify({ limit, page, total, total_pages })}}`

/** Declares a list for callers who reach several organizations, where tenants are divided. */
export function listOfSeveral<const C extends VariantChoices>(name: string, list: ListOfSeveral<C>) {
  const asked = declareAsked(name, list)
  const { pages } = list
  const itemsOf = async (ctx: PageScope, keys: FoundKey[], values: Record<string, unknown>) => {
    const found = new Map<string, string>()
    for (const organization_id of new Set(keys.map((key) => key.organization_id))) {
      const ids = keys.filter((key) => key.organization_id === organization_id).map(({ id }) => id)
      const items = await asked.items.rows(ctx, { ...values, organization_id, ids })
      for (const { id, item } of items as { id: string; item: string }[]) found.set(id, item)
    }
    return keys.flatMap(({ id }) => found.get(id) ?? [])
  }
  /** A page of the list as the whole answer. `values`: what the conditions take. */
  return async (ctx: PageScope, chosen: ChosenVariant<C>, page: Page, values: Record<string, unknown>) => {
    const keys_asked = asked.keys(chosen)
    return readFromAnchor(ctx, keys_asked, page, values, async ({ limit, offset, after, behind }) => {
      const most = pages === 'of_first' ? Math.max(0, Math.min(limit, most_found - Number(offset))) : limit
      const told = { ...values, after }
      const [keys, totals] = (await Promise.all([
        keys_asked.rows(ctx, { ...told, limit: most, offset } as never),
        asked.totals(chosen).row(ctx, told as never),
      ])) as unknown as [FoundKey[], { total: number; ahead?: number }]
      const items = await itemsOf(ctx, keys, values)
      const { total, ahead = total } = totals
      const last = keys.at(-1)
      return {
        json: answerOf(items, page, total, Math.max(Math.ceil(total / limit), behind + Math.ceil(ahead / limit))),
        last_key: last && pages === 'by_key' ? ([last.at, last.id] as RowKey) : null,
      }
    })
  }
}
