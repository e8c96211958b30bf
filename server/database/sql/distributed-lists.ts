import { max_found, type Page } from '../../kernel/pages.ts'
import type { Db } from '../query/database.ts'
import type { RowKey } from './page-anchors.ts'
import { isAfterAnchor, readFromAnchor, type Order, type PageScope } from './pages.ts'
import { read, readVariants, type ChosenVariant, type Statement, type VariantChoices } from './statement.ts'

/**
 * A list of rows of several organizations in a distributed database, where no single statement can read them all.
 * `from` contains the rows as `row`, `reach` limits them to those that the caller may see, and `item` is a query with a
 * column `item` for one row. `pages`: a page starts after the key of a row (`by_key`) or after a number of rows
 * (`by_position`); `of_first` is `by_position` with at most 1,000 rows. `counted`: a query with a column `total`, if
 * counters have it.
 */
type DistributedList<C extends VariantChoices> = {
  from: string
  row: string
  reach: string
  choices: C
  where: (chosen: ChosenVariant<C>) => string
  order: Order
  item: string
  pages: 'by_key' | 'by_position' | 'of_first'
  counted?: (chosen: ChosenVariant<C>) => string | undefined
}

type FoundKey = { id: string; organization_id: string; at: string }

/** Whether a statement reads part of a list from all servers. */
export const requestsAllServers = ({ name }: Pick<Statement, 'name'>): boolean => /(?:Keys|Totals)\(/.test(name)

/** Whether the rows of a list are on several servers. Those of one organization are together on one server. */
export const spansServers = ({ db, caller }: PageScope, organization_id: string | null = null): boolean =>
  (db as Db).distribution !== undefined && organization_id === null && caller.reach.organization_ids?.length !== 1

/**
 * Declares the statements of a list. All servers return the keys of a page, each from its index, and the totals. The
 * items are then read per organization, because a page has rows of few organizations.
 */
function declareLists<C extends VariantChoices>(name: string, list: DistributedList<C>) {
  const { from, row, reach, choices, where, order, item, pages, counted } = list
  const { by = 'created_at', id = 'id', oldest_first } = order
  const direction = oldest_first ? '' : 'desc'
  const lies_ahead = pages === 'by_key' ? isAfterAnchor(row, order) : 'true'
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
        return `select count(*) as total from (select ${row}.${id} ${listed} limit ${max_found}) as found`
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

/** A page as JSON, like `pageBodyJson` of pages.ts builds it. */
const pageBody = (items: readonly string[], { limit, page }: Page, total: number, total_pages: number): string =>
  `{"data":[${items.join(',')}],"pagination":${JSON.stringify({ limit, page, total, total_pages })}}`

/** Declares a list for callers with several organizations in a distributed database. */
export function distributedList<const C extends VariantChoices>(name: string, list: DistributedList<C>) {
  const declared = declareLists(name, list)
  const { pages } = list
  const itemsOf = async (ctx: PageScope, keys: FoundKey[], values: Record<string, unknown>) => {
    const found = new Map<string, string>()
    for (const organization_id of new Set(keys.map((key) => key.organization_id))) {
      const ids = keys.filter((key) => key.organization_id === organization_id).map(({ id }) => id)
      const items = await declared.items.rows(ctx, { ...values, organization_id, ids })
      for (const { id, item } of items as { id: string; item: string }[]) found.set(id, item)
    }
    return keys.flatMap(({ id }) => found.get(id) ?? [])
  }
  /** Reads a page of the list as a complete response. `values`: the parameters of the conditions. */
  return async (ctx: PageScope, chosen: ChosenVariant<C>, page: Page, values: Record<string, unknown>) => {
    const keys_list = declared.keys(chosen)
    return readFromAnchor(ctx, keys_list, page, values, async ({ limit, offset, after, pages_before }) => {
      const most = pages === 'of_first' ? Math.max(0, Math.min(limit, max_found - Number(offset))) : limit
      const configured = { ...values, after }
      const [keys, totals] = (await Promise.all([
        keys_list.rows(ctx, { ...configured, limit: most, offset } as never),
        declared.totals(chosen).row(ctx, configured as never),
      ])) as unknown as [FoundKey[], { total: number; ahead?: number }]
      const items = await itemsOf(ctx, keys, values)
      const { total, ahead = total } = totals
      const last = keys.at(-1)
      return {
        json: pageBody(items, page, total, Math.max(Math.ceil(total / limit), pages_before + Math.ceil(ahead / limit))),
        last_key: last && pages === 'by_key' ? ([last.at, last.id] as RowKey) : null,
      }
    })
  }
}
