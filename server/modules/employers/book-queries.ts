import { inReach } from '../../platform/caller.ts'
import type { ReadCtx } from '../../platform/ctx.ts'
import { most_found } from '../../kernel/pages.ts'
import {
  aheadOf,
  beginsWith,
  keyOf,
  keysetPageJson,
  liesAhead,
  pageJson,
  pageValues,
  readKeysetPage,
} from '../../platform/database/pages.ts'
import { isOnSeveral, listOfSeveral } from '../../platform/database/lists-of-several.ts'
import { sqlFile } from '../../platform/database/sql-file.ts'
import { read, readVariants } from '../../platform/database/statement.ts'
import { employerFields, enrollmentRateJson } from './queries.ts'
import { einDigits } from './rules.ts'
import type { EmployerFilter, OperatorEmployerFilter } from './schemas.ts'

const isCancelled = 'coalesce(employer.subscription_ended_on <= :today::date, false)'

const stage = `
  lifecycle_stage(employer.subscription_ended_on, benefits.latest_coverage_end, benefits.open_enrollment_start,
                  benefits.open_enrollment_end, :today::date)`

/** The day of each stage (decisions.md, section 3). */
const stageDay = `
  case ${stage}
  when 'cancelled' then employer.subscription_ended_on
  when 'onboarding' then benefits.first_coverage_start
  when 'open_enrollment' then benefits.open_enrollment_end
  when 'renewal' then benefits.latest_coverage_end + 1
  else benefits.coverage_start end`

const book_rows = sqlFile(new URL('book-rows.sql', import.meta.url), {
  employer_fields: `select ${employerFields}`,
  enrollment_rate: enrollmentRateJson,
  key_of: (row) => keyOf(row),
  stage,
  stage_day: stageDay,
})

/** SQL: whether the filters keep what a row of the book is, an entry or a kind. */
const isWanted = (row: string): string => `(
  (:with_cancelled::boolean or ${row}.stage <> 'cancelled')
  and (:stages::text[] = '{}' or ${row}.stage = any (:stages))
  and (:families::text[] = '{}' or string_to_array(${row}.families, ',') && :families)
  and (:hris_providers::text[] = '{}' or ${row}.provider = any (:hris_providers))
  and (:hris_statuses::text[] = '{}' or ${row}.hris_status = any (:hris_statuses)))`

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

const searched_page = readVariants(
  'employers.searchEmployers',
  { one_organization: [false, true] },
  ({ one_organization }) =>
    sqlFile(new URL('search-employers.sql', import.meta.url), {
      ...shared(one_organization),
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
      is_cancelled: isCancelled,
      lies_ahead: (row: string) => liesAhead(row),
      ahead: ahead.whole(one_organization),
    }),
)

/** A page of the employer book as the whole answer. */
export function listEmployers(ctx: ReadCtx, filter: EmployerFilter): Promise<string | undefined> {
  const { benefit_family, benefit_lifecycle_stage: wanted_stages, hris_provider, hris_status, search } = filter
  const filtered = [benefit_family, wanted_stages, hris_provider, hris_status].some((values) => values.length > 0)
  const one_organization = ctx.caller.reach.organization_ids?.length === 1
  const page = search === undefined ? (filtered ? filtered_page : whole_page) : searched_page
  const digits = search && einDigits(search)
  return readKeysetPage(ctx, page({ one_organization }), filter, {
    with_cancelled: filter.include_cancelled || wanted_stages.includes('cancelled'),
    stages: wanted_stages,
    families: benefit_family.map((family) => family.toUpperCase()),
    hris_providers: hris_provider,
    hris_statuses: hris_status,
    name_pattern: search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    search: search ?? null,
    ein_hashes: digits ? ctx.secrets.lookupHashes(digits) : [],
  })
}

const found_employers = sqlFile(new URL('found-employers.sql', import.meta.url), {
  in_reach: inReach,
  begins: (name_key: string) => beginsWith(name_key, 'lower(:search::text collate pg_c_utf8)'),
  most: () => String(most_found),
})

const looked_up = read(
  'employers.findEmployers',
  sqlFile(new URL('find-employers.sql', import.meta.url), {
    found_employers,
    book_rows,
    answer: pageJson('select item, position from shown', '(select count(*) from found)'),
  }),
)

/** SQL: the row of the book of a row `employer`. */
const bookJson = `
  with page as (select employer.id, employer.organization_id, employer.created_at)
  select book_row.item from (${book_rows}) as book_row`

const of_book = {
  row: 'employer',
  reach: inReach('employer.organization_id', 'employer.id'),
  choices: {},
  where: () => 'true',
  order: {},
  item: bookJson,
}
const foundOnSeveral = listOfSeveral('employers.found', {
  ...of_book,
  from: `(${found_employers}) as employer`,
  ends: true,
})
const bookOnSeveral = listOfSeveral('employers.book', { ...of_book, from: 'employers as employer', ends: false })

/**
 * A page of employers of all organizations or of one, as the operator looks for them: of one as its partner does, of
 * all by what an index finds.
 */
export function findEmployers(ctx: ReadCtx, { search, organization_id, ...page }: OperatorEmployerFilter) {
  const digits = search && einDigits(search)
  if (search !== undefined && organization_id === undefined) {
    const looked_for = { search, ein_hashes: digits ? ctx.secrets.lookupHashes(digits) : [] }
    return isOnSeveral(ctx)
      ? foundOnSeveral(ctx, {}, page, looked_for)
      : looked_up.json(ctx, { ...looked_for, ...pageValues(page) })
  }
  const none = { benefit_family: [], benefit_lifecycle_stage: [], hris_provider: [], hris_status: [] }
  const reach = { ...ctx.caller.reach, organization_ids: organization_id === undefined ? null : [organization_id] }
  const there = { ...ctx, caller: { ...ctx.caller, reach } }
  return isOnSeveral(there)
    ? bookOnSeveral(there, {}, page, {})
    : listEmployers(there, { ...none, search, include_cancelled: true, ...page })
}
