import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import type { Page } from '../../../kernel/pages.ts'
import { listOfSeveral } from '../../../database/citus/multi-tenant-lists.ts'
import { read } from '../../../database/sql/statement.ts'
import { book_rows, found_employers, isWanted } from './book-row-queries.ts'

// The book of callers who reach several organizations, where tenants are divided over several servers.

/** SQL: the row of the book of a row `employer`. */
const bookJson = `
  with page as (select employer.id, employer.organization_id, employer.created_at)
  select book_row.item from (${book_rows}) as book_row`

/** SQL: whether an entry says what its employer is today. */
const holds = 'entry.holds_from <= :today::date and entry.holds_until > :today::date'

/** SQL: whether a search finds an employer. */
const isSearched = `(
  employer.name ilike :name_pattern::text or employer.legal_name ilike :name_pattern or employer.id = :search::text
  or employer.ein_hash = any(:ein_hashes::bytea[])
  or employer.id in (
    select admin.employer_id from employer_admins as admin
     where admin.organization_id = employer.organization_id and admin.email_key = lower(:search::text)
       and admin.disabled_at is null))`

const of_book = {
  row: 'employer',
  reach: inReach('employer.organization_id', 'employer.id'),
  order: {},
  item: bookJson,
}

/** A page of employers of any organization that are looked up. */
export const findEmployersOnSeveral = listOfSeveral('employers.found', {
  ...of_book,
  from: `(${found_employers}) as employer`,
  choices: {},
  where: () => 'true',
  pages: 'of_first',
})

const listed = listOfSeveral('employers.book', {
  ...of_book,
  from: `employers as employer
    join book_entries as entry on entry.employer_id = employer.id and entry.organization_id = employer.organization_id`,
  choices: { searched: [false, true] },
  // The order of the book is wanted (decision 166).
  where: ({ searched }) => `
    employer.created_at > '-infinity' ${searched ? `and ${isSearched}` : ''}
    and case when ${holds} then ${isWanted('entry')} else employer.id = any(:moved_ids::text[]) end`,
  pages: 'by_key',
})

const moved = read(
  'employers.listMoved',
  `select entry.organization_id, entry.employer_id from book_entries as entry
    where ${inReach('entry.organization_id', 'entry.employer_id')} and entry.holds_until <= :today::date
   union all
   select entry.organization_id, entry.employer_id from book_entries as entry
    where ${inReach('entry.organization_id', 'entry.employer_id')} and entry.holds_from > :today::date`,
)

const moved_kept = read(
  'employers.listMovedKept',
  `select fresh.employer_id
     from (select * from unnest(:employer_ids::text[]) as asked (employer_id)) as asked
    cross join lateral book_entry_on(asked.employer_id, :organization_id, :today::date) as fresh
    where ${inReach(':organization_id')} and ${isWanted('fresh')}`,
)

/** The few that are not today what their entry says, of those which the filters keep, by their ids. */
async function listMovedKept(ctx: ReadCtx, values: BookValues): Promise<string[]> {
  const rows = await moved.rows<{ organization_id: string; employer_id: string }>(ctx)
  const kept: string[] = []
  for (const [organization_id, of_one] of Map.groupBy(rows, (row) => row.organization_id)) {
    const employer_ids = of_one.map(({ employer_id }) => employer_id)
    const found = await moved_kept.rows<{ employer_id: string }>(ctx, { ...values, organization_id, employer_ids })
    kept.push(...found.map(({ employer_id }) => employer_id))
  }
  return kept
}

type BookValues = {
  with_cancelled: boolean
  stages: string[]
  families: string[]
  hris_providers: string[]
  hris_statuses: string[]
  name_pattern: string | null
  search: string | null
  ein_hashes: Buffer[]
}

/** A page of the book of several organizations as the whole answer. */
export async function listBookOnSeveral(
  ctx: ReadCtx,
  chosen: { searched: boolean },
  page: Page,
  values: BookValues,
): Promise<string | undefined> {
  return listed(ctx, chosen, page, { ...values, moved_ids: await listMovedKept(ctx, values) })
}
