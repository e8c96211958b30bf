import { inReach } from '../../../database/sql/reach.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { isId } from '../../../kernel/ids.ts'
import { writeCsv } from '../../../kernel/formats/csv.ts'
import { keyOf, keysetPageJson, isAfterAnchor, isAfterTextAnchor, readKeysetPage } from '../../../database/sql/pages.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { downloadLink, type DownloadedFile, type DownloadKey } from '../../../http/files/downloads.ts'
import { affordabilityFacts } from '../../directory/ichra/queries.ts'
import { namePatterns } from '../../directory/people/queries.ts'
import type { RowKey } from '../../../database/sql/page-anchors.ts'
import { electionInForce, electionStatusBy, hasLifeEventWindow, isCoveredNow } from '../enrollments/queries.ts'
import { affordabilityFor, missingFiguresFor, type PersonalAffordability } from '../plan-years/contribution-rules.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import type { PlanYearEnrollmentFilter, PlanYearEnrollmentRow } from './schemas.ts'

/** SQL: the election status of a row of a page, with a subquery for its employee. */
const electionStatus = electionStatusBy('target', hasLifeEventWindow)

/** SQL: the condition for many rows. The employees with a window of a life event are collected once, as `reopened`. */
const has_window_of_many = 'enrollment.employee_id in (select employee_id from reopened)'
const electionStatusOfMany = electionStatusBy('target', has_window_of_many)

/** SQL: the employees with an open or future window of a life event, at the employer of the plan year. */
const reopened = `
  select event.employee_id
    from target
    join qualifying_life_events as event
      on event.employer_id = target.employer_id and event.organization_id = target.organization_id
   where event.decision = 'approved' and event.window_end >= :today::date and event.window_end > '-infinity'`

/**
 * SQL: the last day on which a row `enrollment` in a plan year `target` can be answered: the last day of the window of
 * the grant, of open enrollment, or of a life event, whichever is last. Null if no window is open or in the future.
 */
const windowEnd = `
  case when coalesce(enrollment.inactive_on > :today::date, true)
       then (select max(period.last_day)
               from (values (enrollment.window_ends_on), (target.open_enrollment_end)
                     union all
                     select event.window_end from qualifying_life_events as event
                      where event.employee_id = enrollment.employee_id
                        and event.organization_id = enrollment.organization_id and event.decision = 'approved')
                    as period (last_day)
              where period.last_day >= :today::date) end`

const dayText = (day: string) => `to_char(${day}, 'YYYY-MM-DD')`

/** SQL: the sort key of a row `enrollment` for `:sort`. Rows without a future day are last. */
const sortingWords = `
  (case :sort::text
   when 'name' then (
     select member.last_name_key || ' ' || member.name_key
       from employees as employee
       join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
      where employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id)
   when 'window_end' then coalesce(${dayText(windowEnd)}, '~')
   when 'coverage_start' then ${dayText('enrollment.coverage_start')}
   else case when enrollment.coverage_end >= greatest(:today::date, enrollment.coverage_start)
             then ${dayText('enrollment.coverage_end')} else '~' end end) collate "C"`

/** The orders of a list: newest first, or by a sort key. */
const orders = {
  newest: {
    words: `''::text`,
    words_of: () => `''::text`,
    instant_of: (row: string) => `${row}.created_at`,
    lies_ahead: (row: string) => isAfterAnchor(row),
    key_of: (row: string) => keyOf(row),
  },
  sorted: {
    words: sortingWords,
    words_of: (row: string) => `${row}.words`,
    instant_of: () => 'null::timestamptz',
    lies_ahead: (row: string) => isAfterTextAnchor(row, 'words'),
    key_of: (row: string) => keyOf(row, { by: 'words' }),
  },
}

/** The shared parts of the lists: the rows of a page, and the response that contains them. */
const sharedBy = ({ words_of, instant_of, key_of, lies_ahead }: (typeof orders)[keyof typeof orders]) => ({
  in_reach: inReach,
  lies_ahead,
  rows: sqlFile(new URL('plan-year-enrollment-rows.sql', import.meta.url), {
    election_status: electionStatus,
    election_in_force: electionInForce,
    covered_now: isCoveredNow,
    window_end: windowEnd,
    words_of,
    instant_of,
    key_of,
    affordability_facts: affordabilityFacts(),
  }),
  answer: keysetPageJson('select * from shown', 'select * from totals'),
})

/** SQL: whether the filter includes the election status. Each of the four values is checked once. */
const isChosen = electionStatusBy(
  'target',
  has_window_of_many,
  (status) => `(select '${status.toLowerCase()}' = any(:election_statuses::text[]))`,
)

/** SQL: the totals of all enrollments of a plan year. Enrollments never leave this list, so pages need no counting. */
const totals_of_all =
  'select enrollment_count as total, enrollment_count - :pages_before::bigint * :limit::int as ahead from target'

/**
 * SQL: the number of selected enrollments, and how many of them are on this page or later ones. Counts them without
 * materializing the rows. Returns no row without a target.
 */
const totals_of_chosen = `
  select counted.*
    from target
   cross join lateral (
     select count(*) as total, count(*) filter (where ${isAfterAnchor('enrollment')}) as ahead
       from enrollments as enrollment
      where enrollment.plan_year_id = target.id and enrollment.organization_id = target.organization_id
        and ${isChosen}) as counted`

const all_enrollments = `
  select * from enrollments where plan_year_id = target.id and organization_id = target.organization_id`

const searched_enrollments = sqlFile(new URL('search-enrollments.sql', import.meta.url))

const listed_enrollments = readVariants(
  'plan-years.listPlanYearEnrollments',
  { order: ['newest', 'sorted'], statuses: [false, true], search: [false, true] },
  ({ order, statuses, search }) => {
    const shared = sharedBy(orders[order])
    const chosen = { reopened, is_chosen: statuses ? isChosen : 'true' }
    if (order === 'newest' && !search) {
      // With fewer remaining rows than a page, this avoids a scan of the index to its end.
      const counted = statuses
        ? { totals: totals_of_chosen, most: 'least(:limit::int, (select ahead from totals))' }
        : { totals: totals_of_all, most: ':limit::int' }
      return sqlFile(new URL('list-plan-year-enrollments.sql', import.meta.url), { ...shared, ...chosen, ...counted })
    }
    const { words, instant_of } = orders[order]
    return sqlFile(new URL('filter-plan-year-enrollments.sql', import.meta.url), {
      ...shared,
      ...chosen,
      words,
      instant_of,
      candidates: search ? searched_enrollments : all_enrollments,
    })
  },
)

type PlanYearPath = { employer_id: string; benefit_plan_year_id: string }

/**
 * A page of the enrollments of a plan year as the whole response, in the requested order. Undefined if the plan year is
 * out of reach.
 */
export async function listPlanYearEnrollments(
  ctx: ReadCtx,
  plan_year: PlanYearPath,
  { election_status: election_statuses, search, sort, ...page }: PlanYearEnrollmentFilter,
): Promise<string | undefined> {
  const order = sort === 'newest' ? 'newest' : 'sorted'
  const chosen = listed_enrollments({ order, statuses: election_statuses.length > 0, search: search !== undefined })
  const patterns = search === undefined ? null : patternsOf(search)
  const values = { ...plan_year, election_statuses, search: search ?? null, patterns, sort }
  return withAffordability(await readKeysetPage(ctx, chosen, page, values))
}

/** Replaces the affordability facts in rows of ICHRA with the calculated affordability. */
function withAffordability(page: string | undefined): string | undefined {
  // Within a JSON string this text cannot occur, because its quotes would be escaped.
  if (!page?.includes('"affordability":{')) return page
  type EnrollmentRow = { affordability: PersonalAffordability | null }
  const { data, pagination } = JSON.parse(page) as { data: EnrollmentRow[]; pagination: object }
  const rows = data.map((row) => {
    const { affordability: facts } = row
    return facts ? { ...row, affordability: affordabilityFor(facts), missing_figures: missingFiguresFor(facts) } : row
  })
  return JSON.stringify({ data: rows, pagination })
}

/** The search patterns for a name. Null if the search is an id or contains no letters. */
function patternsOf(search: string): string[] | null {
  const is_id = (['mbr', 'empl', 'grpmbr'] as const).some((prefix) => isId(prefix, search))
  const patterns = namePatterns(search)
  return is_id || patterns.length === 0 ? null : patterns
}

const summarized = read(
  'plan-years.summarizePlanYearEnrollments',
  sqlFile(new URL('summarize-plan-year-enrollments.sql', import.meta.url), {
    in_reach: inReach,
    reopened,
    election_status: electionStatusOfMany,
  }),
)

/**
 * The counts of the enrollments of a plan year, with a link to a CSV file of all of them, as the whole response.
 * Undefined if the plan year is out of reach.
 */
export async function summarizePlanYearEnrollments(ctx: ReadCtx, plan_year: PlanYearPath): Promise<string | undefined> {
  const found = await summarized.row<{ organization_id: string; json: string }>(ctx, plan_year)
  if (!found) return undefined
  const { organization_id, json } = found
  const { download_url: csv_url } = await downloadLink(ctx, {
    kind: 'plan_year_enrollments_csv',
    organization_id,
    id: plan_year.benefit_plan_year_id,
  })
  return JSON.stringify({ data: { ...JSON.parse(json), csv_url } })
}

const csv_columns = [
  'member_last_name',
  'member_first_name',
  'employee_id',
  'employee_external_reference_id',
  'benefit_name',
  'election_status',
  'window_ends_on',
  'policy_status',
  'coverage_start',
  'coverage_end',
  'carrier',
  'plan',
  'tier',
  'dependent_count',
  'premium',
  'employer_contribution',
  'employee_deduction',
  'affordability',
  'enrollment_id',
]

const inColumns = (row: PlanYearEnrollmentRow) => ({
  ...row,
  premium: row.premium_in_cents,
  employer_contribution: row.employer_contribution_in_cents,
  employee_deduction: row.employee_deduction_in_cents,
})

const rows_in_piece = 500
type EnrollmentPiece = { json: string; last_key: RowKey | null }

/** The enrollments of a plan year as a file, in the order of their list, on the current day of their organization. */
export async function openEnrollmentsCsv(
  requested: Ctx,
  { organization_id, id }: Omit<DownloadKey, 'kind'>,
): Promise<DownloadedFile | undefined> {
  const ctx = withClock(requested, await findClock(requested.db, organization_id))
  const plan_year = await locatePlanYear(ctx, { benefit_plan_year_id: id })
  if (!plan_year) return undefined
  const listed = listed_enrollments({ order: 'newest', statuses: false, search: false })
  const readRows = async function* () {
    const whole = { ...plan_year, election_statuses: [], search: null, patterns: null, sort: 'newest' }
    let after: RowKey | null = null
    do {
      const page: EnrollmentPiece | undefined = await listed.row<EnrollmentPiece>(ctx, {
        ...whole,
        limit: rows_in_piece,
        page: 1,
        offset: '0',
        pages_before: 0,
        after,
      })
      const { data } = JSON.parse(withAffordability(page?.json) ?? '{"data":[]}') as { data: PlanYearEnrollmentRow[] }
      yield data.map(inColumns)
      after = data.length < rows_in_piece ? null : (page?.last_key ?? null)
    } while (after)
  }
  return {
    file_name: `enrollments-${ctx.today}.csv`,
    content_type: 'text/csv; charset=utf-8',
    body: writeCsv(readRows(), csv_columns, ['premium', 'employer_contribution', 'employee_deduction']),
  }
}
