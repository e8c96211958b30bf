import { inReach } from '../../platform/caller.ts'
import type { ReadCtx } from '../../platform/ctx.ts'
import { most_found } from '../../kernel/pages.ts'
import {
  beginsWith,
  keyOf,
  keysetPageJson,
  liesAhead,
  pageJson,
  pageValues,
  readKeysetPage,
} from '../../platform/database/pages.ts'
import { sqlFile } from '../../platform/database/sql-file.ts'
import { read, readVariants } from '../../platform/database/statement.ts'
import { employerFields, enrollmentRateJson } from './queries.ts'
import { einDigits } from './rules.ts'
import type { EmployerFilter, OperatorEmployerFilter } from './schemas.ts'

const isCancelled = 'coalesce(employer.subscription_ended_on <= :today::date, false)'

/**
 * The stages in their order (decisions.md, section 3): when each holds, and its day. The last holds if no other does.
 */
const stages = [
  ['cancelled', isCancelled, 'employer.subscription_ended_on'],
  ['onboarding', 'benefits.latest_coverage_end is null', 'benefits.first_coverage_start'],
  [
    'open_enrollment',
    ':today::date between benefits.open_enrollment_start and benefits.open_enrollment_end',
    'benefits.open_enrollment_end',
  ],
  ['renewal', 'benefits.latest_coverage_end - 90 <= :today::date', 'benefits.latest_coverage_end + 1'],
  ['active', 'true', 'benefits.coverage_start'],
]
const stage = `case ${stages.map(([name, holds]) => `when ${holds} then '${name}'`).join(' ')} end`
const stageDay = `case ${stages.map(([, holds, day]) => `when ${holds} then ${day}`).join(' ')} end`

const book_rows = sqlFile(new URL('book-rows.sql', import.meta.url), {
  employer_fields: `select ${employerFields}`,
  enrollment_rate: enrollmentRateJson,
  key_of: (row) => keyOf(row),
  stage,
  stage_day: stageDay,
})

/** What both lists are made of; who reaches one organization alone is told so by an equality. */
const shared = (one_organization: boolean) => ({
  in_reach: inReach,
  of_the_organization: (column: string) =>
    one_organization ? `${column} = (:reach_organization_ids::text[])[1]` : 'true',
  is_cancelled: isCancelled,
  lies_ahead: (row: string) => liesAhead(row),
  book_rows,
  answer: keysetPageJson('select * from shown', 'select * from totals'),
})

const book_page = readVariants(
  'employers.listEmployers',
  { filtered: [false, true], one_organization: [false, true] },
  ({ filtered, one_organization }) =>
    filtered
      ? sqlFile(new URL('search-employers.sql', import.meta.url), { ...shared(one_organization), stage })
      : sqlFile(new URL('list-employers.sql', import.meta.url), shared(one_organization)),
)

/** A page of the employer book as the whole answer. */
export function listEmployers(ctx: ReadCtx, filter: EmployerFilter): Promise<string | undefined> {
  const { benefit_family, benefit_lifecycle_stage: wanted_stages, hris_provider, hris_status, search } = filter
  const filtered =
    search !== undefined ||
    [benefit_family, wanted_stages, hris_provider, hris_status].some((values) => values.length > 0)
  const one_organization = ctx.caller.reach.organization_ids?.length === 1
  const digits = search && einDigits(search)
  return readKeysetPage(ctx, book_page({ filtered, one_organization }), filter, {
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

const looked_up = read(
  'employers.findEmployers',
  sqlFile(new URL('find-employers.sql', import.meta.url), {
    in_reach: inReach,
    begins: (name_key: string) => beginsWith(name_key, 'lower(:search::text collate pg_c_utf8)'),
    most: () => String(most_found),
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
  if (search !== undefined && organization_id === undefined)
    return looked_up.json(ctx, {
      search,
      ein_hashes: digits ? ctx.secrets.lookupHashes(digits) : [],
      ...pageValues(page),
    })
  const none = { benefit_family: [], benefit_lifecycle_stage: [], hris_provider: [], hris_status: [] }
  const reach = { ...ctx.caller.reach, organization_ids: organization_id === undefined ? null : [organization_id] }
  const there = { ...ctx, caller: { ...ctx.caller, reach } }
  return listEmployers(there, { ...none, search, include_cancelled: true, ...page })
}
