import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { type Page, max_found } from '../../../kernel/pages.ts'
import { distributedList } from '../../../database/sql/distributed-lists.ts'
import { read } from '../../../database/sql/statement.ts'
import { beginsWith, keyOf } from '../../../database/sql/pages.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { employerFields, enrollmentRateJson } from './queries.ts'

export const isCancelled = 'coalesce(employer.subscription_ended_on <= :today::date, false)'

const stage = `
  lifecycle_stage(employer.subscription_ended_on, benefits.latest_coverage_end, benefits.open_enrollment_start,
                  benefits.open_enrollment_end, :today::date)`

/** SQL: the date that belongs to each stage (docs/design/coverage/plan-years.md). */
const stageDay = `
  case ${stage}
  when 'cancelled' then employer.subscription_ended_on
  when 'onboarding' then benefits.first_coverage_start
  when 'open_enrollment' then benefits.open_enrollment_end
  when 'renewal' then benefits.latest_coverage_end + 1
  else benefits.coverage_start end`

/** SQL: the number of current employees of an `employer`. */
const employeeCount = `
  employer.employee_count - (
    select coalesce(sum(ended.employee_count), 0)::bigint from roster_terminations as ended
     where ended.employer_id = employer.id and ended.organization_id = employer.organization_id
       and ended.terminated_on < :today::date)`

/** SQL: the total of the latest issued invoice of an `employer`, for callers with access to money. */
const monthlyPremium = `
  select invoice.total_in_cents from invoices as invoice
   where :sees_money::boolean and invoice.employer_id = employer.id
     and invoice.organization_id = employer.organization_id
     and invoice.issued_at is not null and invoice.voided_at is null
   order by invoice.period desc, invoice.number desc limit 1`

/** SQL: the coming dates of an `employer` with its current `benefits`, each with its kind. */
const comingDates = `
  select coming.kind, coming.date
    from (values ('enrollment_closes', benefits.open_enrollment_end),
                 ('coverage_starts', benefits.first_coverage_start),
                 ('goes_live', employer.administered_from),
                 ('renews', benefits.latest_coverage_end + 1)) as coming (kind, date)
   where coming.date >= :today::date and not ${isCancelled}`

/** SQL: the sort keys of the book, from an `employer` and its current `benefits`. */
export const sort_keys = `
  select case :sort::text
         when 'newest' then (extract(epoch from employer.created_at) * 1000000)::bigint
         when 'employee_count' then ${employeeCount}
         when 'monthly_premium' then (${monthlyPremium})
         when 'next_date' then (select min(coming.date) - date '2000-01-01' from (${comingDates}) as coming)
         when 'enrollment' then (
           select 10000 * year.enrolled_count / nullif(year.eligible_count, 0) from benefit_plan_years as year
            where year.id = benefits.plan_year_id and year.organization_id = employer.organization_id) end as number,
         case when :sort = 'name' then employer.name_key else '' end collate "C" as word`

/** SQL: the book rows of the employers of a `page`. `position` and `key`: the position of a row, and its key. */
export const bookRows = (position: string, key: string): string =>
  sqlFile(new URL('book-rows.sql', import.meta.url), {
    employer_fields: `select ${employerFields}`,
    enrollment_rate: enrollmentRateJson,
    employee_count: employeeCount,
    monthly_premium: monthlyPremium,
    coming_dates: comingDates,
    position,
    key,
    stage,
    stage_day: stageDay,
  })

/** SQL: the book rows of a `page`, newest first. */
export const book_rows = bookRows('row_number() over (order by page.created_at desc, page.id desc)', keyOf('page'))

/**
 * SQL: the current state of an employer in the book: its entry `held` if valid today, else computed from its plan years
 * and subscriptions.
 */
export const current_entry = `
  select held.stage, held.families, held.provider, held.hris_status
   where held.valid_from <= :today::date and held.valid_until > :today::date
   union all
  select fresh.stage, fresh.families, fresh.provider, fresh.hris_status
    from book_entry_on(held.employer_id, held.organization_id, :today::date) as fresh
   where held.valid_from > :today::date or held.valid_until <= :today::date`

/** SQL: whether a row matches each filter of the book. The row is an entry of the book, or the counts of a kind. */
const passes = {
  stage: (row: string) => `(:with_cancelled::boolean or ${row}.stage <> 'cancelled')
    and (:stages::text[] = '{}' or ${row}.stage = any (:stages))`,
  family: (row: string) => `(:families::text[] = '{}' or string_to_array(${row}.families, ',') && :families)`,
  provider: (row: string) => `(:hris_providers::text[] = '{}' or ${row}.provider = any (:hris_providers))`,
  hris_status: (row: string) => `(:hris_statuses::text[] = '{}' or ${row}.hris_status = any (:hris_statuses))`,
}

/** SQL: whether a row matches all filters of the book. `except` names a filter to ignore. */
export const matchesFilters = (row: string, except?: keyof typeof passes): string =>
  `(${Object.entries(passes)
    .flatMap(([name, passesIt]) => (name === except ? [] : passesIt(row)))
    .join(' and ')})`

const isValidToday = (entry: string): string =>
  `${entry}.valid_from <= :today::date and ${entry}.valid_until > :today::date`

/**
 * SQL: whether the employer of an entry matches all filters today. Computes the state of the employer only if the entry
 * is not valid today. This costs less per row than a join with `current_entry`.
 */
export const matchesFiltersToday = (entry: string): string => `
  case when ${isValidToday(entry)} then ${matchesFilters(entry)}
       else exists (select from book_entry_on(${entry}.employer_id, ${entry}.organization_id, :today::date) as fresh
                     where ${matchesFilters('fresh')}) end`

/** SQL: whether one of the chosen members owns an employer. `owner` is the column of its owner. */
export const isOwnedByChosen = (owner: string): string =>
  `(:owner_user_ids::text[] = '{}' or coalesce(${owner} = any (:owner_user_ids), false))`

/** SQL: employers of all organizations found by indexed lookups. */
export const found_employers = sqlFile(new URL('found-employers.sql', import.meta.url), {
  in_reach: inReach,
  begins: (name_key: string) => beginsWith(name_key, 'lower(:search::text collate pg_c_utf8)'),
  most: () => String(max_found),
})

const bookJson = `
  with page as (select employer.id, employer.organization_id, employer.created_at)
  select book_row.item from (${book_rows}) as book_row`

/** SQL: whether an employer matches the search. */
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

/** A page of the employers of all organizations that match a search. */
export const findEmployersAcrossTenants = distributedList('employers.found', {
  ...of_book,
  from: `(${found_employers}) as employer`,
  choices: {},
  where: () => 'true',
  pages: 'of_first',
})

const listed = distributedList('employers.book', {
  ...of_book,
  from: `employers as employer
    join book_entries as entry on entry.employer_id = employer.id and entry.organization_id = employer.organization_id`,
  choices: { searched: [false, true] },
  // Always true. Makes PostgreSQL use the index in the order of the book (docs/design/data/sql.md).
  where: ({ searched }) => `
    employer.created_at > '-infinity' ${searched ? `and ${isSearched}` : ''}
    and case when ${isValidToday('entry')} then ${matchesFilters('entry')}
             else employer.id = any(:moved_ids::text[]) end`,
  pages: 'by_key',
})

const moved = read(
  'employers.listMoved',
  `select entry.organization_id, entry.employer_id from book_entries as entry
    where ${inReach('entry.organization_id', 'entry.employer_id')} and entry.valid_until <= :today::date
   union all
   select entry.organization_id, entry.employer_id from book_entries as entry
    where ${inReach('entry.organization_id', 'entry.employer_id')} and entry.valid_from > :today::date`,
)

const moved_kept = read(
  'employers.listMovedKept',
  `select fresh.employer_id
     from (select * from unnest(:employer_ids::text[]) as requested (employer_id)) as requested
    cross join lateral book_entry_on(requested.employer_id, :organization_id, :today::date) as fresh
    where ${inReach(':organization_id')} and ${matchesFilters('fresh')}`,
)

/** The ids of employers whose entry is not valid today and who pass the filters with their current state. */
async function listMovedKept(ctx: ReadCtx, values: BookValues): Promise<string[]> {
  const rows = await moved.rows<{ organization_id: string; employer_id: string }>(ctx)
  const kept: string[] = []
  for (const [organization_id, of_one] of Map.groupBy(rows, (row) => row.organization_id)) {
    const employer_ids = of_one.map(({ employer_id }) => employer_id)
    kept.push(...(await moved_kept.column(ctx, { ...values, organization_id, employer_ids })))
  }
  return kept
}

type BookValues = {
  with_cancelled: boolean
  stages: string[]
  families: string[]
  hris_providers: string[]
  hris_statuses: string[]
  sees_money: boolean
  name_pattern: string | null
  search: string | null
  ein_hashes: Buffer[]
}

/** A page of the book of several organizations. */
export async function listBookAcrossTenants(
  ctx: ReadCtx,
  chosen: { searched: boolean },
  page: Page,
  values: BookValues,
): Promise<string | undefined> {
  return listed(ctx, chosen, page, { ...values, moved_ids: await listMovedKept(ctx, values) })
}
