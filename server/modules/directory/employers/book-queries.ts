import { onlyOrganization } from '../../../http/authorize.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { canSeeMoney } from '../../../runtime/caller.ts'
import {
  rowsAfterAnchor,
  anchorKey,
  keysetPageJson,
  max_after_anchor,
  isAfterAnchor,
  pageJson,
  pageValues,
  readKeysetPage,
  searchStrategyOf,
} from '../../../database/sql/pages.ts'
import { spansServers } from '../../../database/sql/distributed-lists.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { einDigits } from './rules.ts'
import {
  findEmployersAcrossTenants,
  listBookAcrossTenants,
  book_rows,
  bookRows,
  current_entry,
  found_employers,
  isCancelled,
  isOwnedByChosen,
  matchesFilters,
  matchesFiltersToday,
  sort_keys,
} from './book-row-queries.ts'
import type { EmployerCountFilter, EmployerFilter, OperatorEmployerFilter } from './schemas.ts'

/** SQL: whether an entry of the book comes after the anchor of the page. */
const isAfterAnchorInBook = (entry: string): string => isAfterAnchor(entry, { id: 'employer_id' })

/** SQL: an equality for callers of one organization, which lets PostgreSQL read an index in its order. */
const ofTheOrganization = (one_organization: boolean) => (column: string) =>
  one_organization ? `${column} = (:reach_organization_ids::text[])[1]` : 'true'

/** The parts that all lists share. */
const shared = (one_organization: boolean) => ({
  in_reach: inReach,
  of_the_organization: ofTheOrganization(one_organization),
  book_rows,
  answer: keysetPageJson('select * from shown', 'select * from totals'),
})

/** SQL: whether an entry is of a kind, valid today, and within reach. */
const isOfKind = (one_organization: boolean) => (entry: string, kind: string) =>
  `
  ${inReach(`${entry}.organization_id`, `${entry}.employer_id`)}
  and ${ofTheOrganization(one_organization)(`${entry}.organization_id`)} and ${entry}.kind = ${kind}
  and ${entry}.valid_from <= :today::date and ${entry}.valid_until > :today::date`

/**
 * SQL: the few entries that do not match the state of their employer today, because the daily run is still due or the
 * organization's clock is ahead.
 */
const movedEntries = (one_organization: boolean) => {
  const entries = (why: string) => `
    select entry.employer_id, entry.organization_id, entry.kind
      from book_entries as entry
     where ${inReach('entry.organization_id', 'entry.employer_id')}
       and ${ofTheOrganization(one_organization)('entry.organization_id')} and ${why}`
  return `${entries('entry.valid_until <= :today::date')} union all ${entries('entry.valid_from > :today::date')}`
}

/** SQL: whether a page is too deep to have an anchor. A function finds the key after which it begins. */
const deep = `:offset::bigint >= ${max_after_anchor}`

/** SQL: the key after which a page of the whole book starts. Not for tokens of one employer, whose book has one row. */
const pageStart = (one_organization: boolean) => {
  const anchor = 'select anchor.* from (select ' + anchorKey() + ') as anchor (created_at, id)'
  if (!one_organization) return anchor
  return `
    ${anchor} where not ${deep}
    union all
    select key.* from counted
     cross join lateral book_page_start(
       (:reach_organization_ids::text[])[1], case when not :with_cancelled::boolean then :today::date end,
       :offset::bigint - 1, counted.total - :offset::bigint) as key
     where ${deep} and :reach_employer_id::text is null`
}

/** SQL: how many employers come after the anchor, in the whole book and in the filtered book. */
const ahead = {
  whole: (one_organization: boolean) =>
    rowsAfterAnchor(
      'total',
      `select from employers as employer
        where ${inReach('employer.organization_id', 'employer.id')}
          and ${ofTheOrganization(one_organization)('employer.organization_id')}
          and (:with_cancelled::boolean or not ${isCancelled}) and ${isAfterAnchor('employer')}`,
    ),
  filtered: (one_organization: boolean) =>
    rowsAfterAnchor(
      'total',
      `select from (select distinct kind from kinds) as wanted
        cross join lateral (
          select from book_entries as entry
           where ${isOfKind(one_organization)('entry', 'wanted.kind')} and ${isAfterAnchorInBook('entry')}) as entry
       union all
       select from moved where ${matchesFilters('moved')} and ${isAfterAnchorInBook('moved')}`,
    ),
}

/** SQL: the search pattern in the normal form of the stored name keys. */
const pattern = 'lower(:name_pattern::text collate pg_c_utf8) collate "default"'

/** SQL: employers whose display name or legal name contains the search text. */
const named = {
  by_letters_in_one: `select * from employers_found((:reach_organization_ids::text[])[1], ${pattern})`,
  by_letters_in_some: `
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

/** SQL: the ids of employers that match the search, each part by its own index. */
const foundBy = (name_search: string, one_organization: boolean) => {
  const isOurs = ofTheOrganization(one_organization)
  const isReached = (row: string, employer_id: string) =>
    `${inReach(`${row}.organization_id`, employer_id)} and ${isOurs(`${row}.organization_id`)}`
  return `
    select named.id from (${name_search}) as named
    union all
    select employer.id from employers as employer
     where ${isReached('employer', 'employer.id')} and employer.id = :search::text
    union all
    select employer.id from employers as employer
     where ${isReached('employer', 'employer.id')} and employer.ein_hash = any (:ein_hashes::bytea[])
    union all
    select admin.employer_id from employer_admins as admin
     where ${isReached('admin', 'admin.employer_id')} and admin.email_key = lower(:search::text)
       and admin.disabled_at is null`
}

const searched_page = readVariants(
  'employers.searchEmployers',
  { reach: ['one', 'some', 'all'], search: ['by_letters', 'by_each'] },
  ({ reach, search }) => {
    const one_organization = reach === 'one'
    return sqlFile(new URL('search-employers.sql', import.meta.url), {
      ...shared(one_organization),
      found: foundBy(
        search === 'by_each' ? named.by_each(one_organization) : named[`by_letters_in_${reach}`],
        one_organization,
      ),
      is_wanted_today: matchesFiltersToday,
      lies_ahead: (row) => isAfterAnchor(row),
    })
  },
)

const filtered_page = readVariants(
  'employers.filterEmployers',
  { one_organization: [false, true] },
  ({ one_organization }) =>
    sqlFile(new URL('filter-employers.sql', import.meta.url), {
      ...shared(one_organization),
      moved_entries: movedEntries(one_organization),
      is_wanted: (row) => matchesFilters(row),
      is_of_kind: isOfKind(one_organization),
      lies_ahead_in_book: isAfterAnchorInBook,
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
      page_start: `(${pageStart(one_organization)})`,
      page_offset: one_organization ? `case when ${deep} then 0 else :offset::bigint end` : ':offset::bigint',
      ahead: ahead.whole(one_organization),
    }),
)

/** Lists of one organization that read all of its employers, or only the employers that match a search. */
const searches = ['none', 'by_letters', 'by_each'] as const
type Search = (typeof searches)[number]

/** SQL: the employers of one organization that match the search, as rows `held` of the book. */
const matchingEntries = (search: Search) => {
  const names = search === 'by_each' ? named.by_each(true) : named.by_letters_in_one
  return {
    found: search === 'none' ? '' : `found as materialized (${foundBy(names, true)}),`,
    from: 'book_entries as held',
    where: `${inReach('held.organization_id', 'held.employer_id')}
      and ${ofTheOrganization(true)('held.organization_id')}
      ${search === 'none' ? '' : 'and held.employer_id = any (array(select found.id from found))'}`,
  }
}

const strategyFor = (search: string | undefined): Search =>
  search === undefined ? 'none' : searchStrategyOf([search.toLowerCase()])

const sorted_page = readVariants('employers.sortEmployers', { order: ['asc', 'desc'], search: searches }, (chosen) => {
  const { order, search } = chosen
  const held = matchingEntries(search)
  const sorting = ['leads', 'number', 'word', 'id'].map((column) => `sorted.${column} ${order}`).join(', ')
  const lies_ahead = `(:after::text[] is null or (sorted.leads, sorted.number, sorted.word, sorted.id)
    ${order === 'asc' ? '>' : '<'} ((:after::text[])[1]::boolean, (:after::text[])[2]::bigint,
                                    (:after::text[])[3] collate "C", (:after::text[])[4]))`
  const key = 'json_build_array(page.leads::text, page.number::text, page.word, page.id)'
  return `
    with ${held.found} sorted as materialized (
      -- \`leads\` sorts employers without a value last in both orders.
      select employer.id, employer.organization_id, employer.created_at,
             keys.number is ${order === 'asc' ? '' : 'not'} null as leads, coalesce(keys.number, 0) as number, keys.word
        from ${held.from}
        join employers as employer
          on employer.id = held.employer_id and employer.organization_id = held.organization_id
        left join employer_benefits as known
          on known.employer_id = employer.id and known.organization_id = employer.organization_id
        left join lateral (
          select known.* where known.valid_from <= :today::date and known.valid_until > :today::date
          union all
          select fresh.* from employer_benefits_on(employer.id, employer.organization_id, :today::date) as fresh
           where known.valid_from > :today::date or known.valid_until <= :today::date) as benefits on true
       cross join lateral (${sort_keys}) as keys
       where ${held.where} and ${matchesFiltersToday('held')} and ${isOwnedByChosen('employer.owner_user_id')}),
    page as (
      select sorted.*, row_number() over (order by ${sorting}) as rank from sorted where ${lies_ahead}
       order by ${sorting} limit :limit::int offset :offset::bigint),
    shown as (select * from (${bookRows('page.rank', key)}) as book_row)
    ${keysetPageJson(
      'select * from shown',
      `select count(*) as total, count(*) filter (where ${lies_ahead}) as ahead from sorted`,
    )}`
})

/** SQL: the number of employers for each value of an expression over `kinds`, as JSON. */
const countsBy = (value: string, except: Parameters<typeof matchesFilters>[1] | 'owner', from = 'kinds') => `
  (select coalesce(json_agg(counted order by counted.value), '[]')
     from (select ${value} as value, sum(kinds.employer_count)::int as employer_count from ${from}
            where ${value} <> '' and ${matchesFilters('kinds', except === 'owner' ? undefined : except)}
              and ${except === 'owner' ? 'true' : isOwnedByChosen('kinds.owner_user_id')} group by 1) as counted)`

const counted = readVariants('employers.countEmployers', { search: searches }, ({ search }) => {
  const { found, from, where } = matchingEntries(search)
  const families = "kinds cross join lateral unnest(string_to_array(kinds.families, ',')) as family"
  return `
    with ${found} kinds as materialized (
      select entry.stage, entry.families, entry.provider, entry.hris_status, employer.owner_user_id,
             count(*) as employer_count
        from ${from}
       cross join lateral (${current_entry}) as entry
        join employers as employer
          on employer.id = held.employer_id and employer.organization_id = held.organization_id
       where ${where}
       group by entry.stage, entry.families, entry.provider, entry.hris_status, employer.owner_user_id)
    select json_build_object('data', json_build_object(
             'benefit_lifecycle_stage', ${countsBy('kinds.stage', 'stage')},
             'benefit_family', ${countsBy('family', 'family', families)},
             'hris_status', ${countsBy('kinds.hris_status', 'hris_status')},
             'hris_provider', ${countsBy('kinds.provider', 'provider')},
             'owner', ${countsBy('kinds.owner_user_id', 'owner')}))::text as json`
})

function valuesOf(ctx: ReadCtx, filter: EmployerCountFilter) {
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

/** The number of employers of the caller's only organization for each value of each filter. */
export const countEmployers = (ctx: ReadCtx, filter: EmployerCountFilter) =>
  counted({ search: strategyFor(filter.search) }).json(ctx, {
    ...valuesOf(ctx, filter),
    owner_user_ids: filter.owner_user_id,
  })

/** A page of the employer book. Only the book of one organization can be sorted. */
export function listEmployers(ctx: ReadCtx, filter: EmployerFilter): Promise<string | undefined> {
  const { benefit_family, benefit_lifecycle_stage, hris_provider, hris_status, search, sort } = filter
  const { owner_user_id: owner_user_ids } = filter
  const filtered = [benefit_family, benefit_lifecycle_stage, hris_provider, hris_status].some(
    ({ length }) => length > 0,
  )
  const values = { ...valuesOf(ctx, filter), sees_money: canSeeMoney(ctx.caller) }
  if (sort !== 'newest' || owner_user_ids.length > 0) {
    onlyOrganization(ctx.caller)
    const order = sort === 'newest' ? 'desc' : filter.order
    const page = sorted_page({ order, search: strategyFor(search) })
    return readKeysetPage(ctx, page, filter, { ...values, sort, owner_user_ids })
  }
  if (spansServers(ctx)) return listBookAcrossTenants(ctx, { searched: search !== undefined }, filter, values)
  const reached = ctx.caller.reach.organization_ids
  const one_organization = reached?.length === 1
  if (search !== undefined) {
    const reach = reached === null ? 'all' : one_organization ? 'one' : 'some'
    return readKeysetPage(
      ctx,
      searched_page({ reach, search: searchStrategyOf([search.toLowerCase()]) }),
      filter,
      values,
    )
  }
  const page = filtered ? filtered_page : whole_page
  return readKeysetPage(ctx, page({ one_organization }), filter, values)
}

const matches_found = read(
  'employers.findEmployers',
  `with
     found as materialized (${found_employers}),
     page as (
       select employer.id, employer.organization_id, employer.created_at from found as employer
        order by employer.created_at desc, employer.id desc limit :limit::int offset :offset::bigint),
     shown as (${book_rows})
   ${pageJson('select item, position from shown', '(select count(*) from found)')}`,
)

/**
 * A page of employers for the operator. In one organization, the search works as for its partner. Across all
 * organizations, it uses only indexed lookups.
 */
export function findEmployers(ctx: ReadCtx, { search, organization_id, ...page }: OperatorEmployerFilter) {
  const digits = search && einDigits(search)
  if (search !== undefined && organization_id === undefined) {
    const terms = { search, ein_hashes: digits ? ctx.secrets.lookupHashes(digits) : [], sees_money: true }
    return spansServers(ctx)
      ? findEmployersAcrossTenants(ctx, {}, page, terms)
      : matches_found.json(ctx, { ...terms, ...pageValues(page) })
  }
  const newest = { sort: 'newest', order: 'asc' } as const
  const none = {
    benefit_family: [],
    benefit_lifecycle_stage: [],
    hris_provider: [],
    hris_status: [],
    owner_user_id: [],
    ...newest,
  }
  const reach = { ...ctx.caller.reach, organization_ids: organization_id === undefined ? null : [organization_id] }
  const organization_ctx = { ...ctx, caller: { ...ctx.caller, reach } }
  return listEmployers(organization_ctx, { ...none, search, include_cancelled: true, ...page })
}
