import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import {
  aheadOf,
  keysetPageJson,
  liesAhead,
  pageJson,
  pageValues,
  readKeysetPage,
  searchedHow,
} from '../../../database/sql/pages.ts'
import { isOnSeveral } from '../../../database/citus/multi-tenant-lists.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { einDigits } from './rules.ts'
import { findEmployersOnSeveral, listBookOnSeveral } from './book-of-several-queries.ts'
import { book_rows, found_employers, isCancelled, isWanted } from './book-row-queries.ts'
import type { EmployerFilter, OperatorEmployerFilter } from './schemas.ts'

/** SQL: whether an entry of the book lies ahead of the anchor. */
const liesAheadInBook = (entry: string): string => liesAhead(entry, { id: 'employer_id' })

/** SQL: who reaches one organization alone is told so by an equality. */
const ofTheOrganization = (one_organization: boolean) => (column: string) =>
  one_organization ? `${column} = (:reach_organization_ids::text[])[1]` : 'true'

/** What all lists are made of. */
const shared = (one_organization: boolean) => ({
  in_reach: inReach,
  of_the_organization: ofTheOrganization(one_organization),
  book_rows,
  answer: keysetPageJson('select * from shown', 'select * from totals'),
})

/** SQL: whether an entry that holds today is of a kind. */
const isOfKind = (one_organization: boolean) => (entry: string, kind: string) =>
  `
  ${inReach(`${entry}.organization_id`, `${entry}.employer_id`)}
  and ${ofTheOrganization(one_organization)(`${entry}.organization_id`)} and ${entry}.kind = ${kind}
  and ${entry}.holds_from <= :today::date and ${entry}.holds_until > :today::date`

/**
 * SQL: the few entries that say not what their employer is today, since the daily run has yet to come or an
 * organization lives ahead.
 */
const movedEntries = (one_organization: boolean) => {
  const entries = (why: string) => `
    select entry.employer_id, entry.organization_id, entry.kind
      from book_entries as entry
     where ${inReach('entry.organization_id', 'entry.employer_id')}
       and ${ofTheOrganization(one_organization)('entry.organization_id')} and ${why}`
  return `${entries('entry.holds_until <= :today::date')} union all ${entries('entry.holds_from > :today::date')}`
}

/** SQL: of the whole book, and of what the filters keep of it, how many employers lie ahead of the anchor. */
const ahead = {
  whole: (one_organization: boolean) =>
    aheadOf(
      'total',
      `select from employers as employer
        where ${inReach('employer.organization_id', 'employer.id')}
          and ${ofTheOrganization(one_organization)('employer.organization_id')}
          and (:with_cancelled::boolean or not ${isCancelled}) and ${liesAhead('employer')}`,
    ),
  filtered: (one_organization: boolean) =>
    aheadOf(
      'total',
      `select from (select distinct kind from kinds) as wanted
        cross join lateral (
          select from book_entries as entry
           where ${isOfKind(one_organization)('entry', 'wanted.kind')} and ${liesAheadInBook('entry')}) as entry
       union all
       select from moved where ${isWanted('moved')} and ${liesAheadInBook('moved')}`,
    ),
}

/** SQL: the pattern of a name as the keys of names hold it. */
const pattern = 'lower(:name_pattern::text collate pg_c_utf8) collate "default"'

/** SQL: employers of whose names a search finds a part. */
const named = {
  by_letters_in_one: `select * from employers_found((:reach_organization_ids::text[])[1], ${pattern})`,
  by_letters_in_several: `
    select found.* from unnest(:reach_organization_ids::text[]) as reached (organization_id)
     cross join lateral employers_found(reached.organization_id, ${pattern}) as found`,
  by_letters_in_all: `select * from employers_found_in_all(${pattern})`,
  by_each: (one_organization: boolean) => `
    select employer.id
      from employers as employer
     where ${inReach('employer.organization_id', 'employer.id')}
       and ${ofTheOrganization(one_organization)('employer.organization_id')}
       and (employer.name_key like ${pattern} or employer.legal_name_key like ${pattern})`,
}

const searched_page = readVariants(
  'employers.searchEmployers',
  { reach: ['one', 'several', 'all'], search: ['by_letters', 'by_each'] },
  ({ reach, search }) =>
    sqlFile(new URL('search-employers.sql', import.meta.url), {
      ...shared(reach === 'one'),
      named: () => (search === 'by_each' ? named.by_each(reach === 'one') : named[`by_letters_in_${reach}`]),
      is_wanted: isWanted,
      lies_ahead: (row: string) => liesAhead(row),
    }),
)

const filtered_page = readVariants(
  'employers.filterEmployers',
  { one_organization: [false, true] },
  ({ one_organization }) =>
    sqlFile(new URL('filter-employers.sql', import.meta.url), {
      ...shared(one_organization),
      moved_entries: movedEntries(one_organization),
      is_wanted: isWanted,
      is_of_kind: isOfKind(one_organization),
      lies_ahead_in_book: liesAheadInBook,
      ahead: ahead.filtered(one_organization),
    }),
)

const whole_page = readVariants(
  'employers.listEmployers',
  { one_organization: [false, true] },
  ({ one_organization }) =>
    sqlFile(new URL('list-employers.sql', import.meta.url), {
      ...shared(one_organization),
      moved_entries: movedEntries(one_organization),
      is_cancelled: isCancelled,
      lies_ahead: (row: string) => liesAhead(row),
      ahead: ahead.whole(one_organization),
    }),
)

/** What an employer is searched by, and what the filters keep. */
function valuesOf(ctx: ReadCtx, filter: EmployerFilter) {
  const { benefit_family, benefit_lifecycle_stage: wanted_stages, hris_provider, hris_status, search } = filter
  const digits = search && einDigits(search)
  return {
    with_cancelled: filter.include_cancelled || wanted_stages.includes('cancelled'),
    stages: wanted_stages,
    families: benefit_family.map((family) => family.toUpperCase()),
    hris_providers: hris_provider,
    hris_statuses: hris_status,
    name_pattern: search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    search: search ?? null,
    ein_hashes: digits ? ctx.secrets.lookupHashes(digits) : [],
  }
}

/** A page of the employer book as the whole answer. */
export function listEmployers(ctx: ReadCtx, filter: EmployerFilter): Promise<string | undefined> {
  const { benefit_family, benefit_lifecycle_stage, hris_provider, hris_status, search } = filter
  const filtered = [benefit_family, benefit_lifecycle_stage, hris_provider, hris_status].some(
    ({ length }) => length > 0,
  )
  const values = valuesOf(ctx, filter)
  if (isOnSeveral(ctx)) return listBookOnSeveral(ctx, { searched: search !== undefined }, filter, values)
  const reached = ctx.caller.reach.organization_ids
  const one_organization = reached?.length === 1
  if (search !== undefined) {
    const reach = reached === null ? 'all' : one_organization ? 'one' : 'several'
    return readKeysetPage(ctx, searched_page({ reach, search: searchedHow([search.toLowerCase()]) }), filter, values)
  }
  const page = filtered ? filtered_page : whole_page
  return readKeysetPage(ctx, page({ one_organization }), filter, values)
}

const looked_up = read(
  'employers.findEmployers',
  sqlFile(new URL('find-employers.sql', import.meta.url), {
    found_employers,
    book_rows,
    answer: pageJson('select item, position from shown', '(select count(*) from found)'),
  }),
)

/**
 * A page of employers of all organizations or of one, as the operator looks for them: of one as its partner does, of
 * all by what an index finds.
 */
export function findEmployers(ctx: ReadCtx, { search, organization_id, ...page }: OperatorEmployerFilter) {
  const digits = search && einDigits(search)
  if (search !== undefined && organization_id === undefined) {
    const looked_for = { search, ein_hashes: digits ? ctx.secrets.lookupHashes(digits) : [] }
    return isOnSeveral(ctx)
      ? findEmployersOnSeveral(ctx, {}, page, looked_for)
      : looked_up.json(ctx, { ...looked_for, ...pageValues(page) })
  }
  const none = { benefit_family: [], benefit_lifecycle_stage: [], hris_provider: [], hris_status: [] }
  const reach = { ...ctx.caller.reach, organization_ids: organization_id === undefined ? null : [organization_id] }
  const there = { ...ctx, caller: { ...ctx.caller, reach } }
  return listEmployers(there, { ...none, search, include_cancelled: true, ...page })
}
