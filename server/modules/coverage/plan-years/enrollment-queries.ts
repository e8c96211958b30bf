import { inReach } from '../../../database/sql/reach.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { isId } from '../../../kernel/ids.ts'
import { foldName } from '../../../kernel/person-names.ts'
import { writeCsv } from '../../../kernel/write-csv.ts'
import { keyOf, keysetPageJson, liesAhead, liesAheadByWords, readKeysetPage } from '../../../database/sql/pages.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { downloadLink, type DownloadedFile, type DownloadKey } from '../../../http/files/downloads.ts'
import { affordabilityFacts } from '../../directory/ichra/queries.ts'
import { namePattern } from '../../directory/people/queries.ts'
import type { RowKey } from '../../../database/sql/page-anchors.ts'
import { locatePlanYear } from './queries.ts'
import { affordabilityFor, missingFiguresFor, type PersonalAffordability } from './affordability-rules.ts'
import type { PlanYearEnrollmentFilter, PlanYearEnrollmentRow } from './enrollment-schemas.ts'

/**
 * SQL: the state of election of a row `enrollment` in a plan year `place`. Pending while a window is open or still to
 * come: that of the grant, open enrollment, or a life event.
 */
const electionStatusBy = (hasWindow: string, say = (status: string) => `'${status}'`): string => `
  case enrollment.answer when 'enrolled' then ${say('Enrolled')} when 'waived' then ${say('Waived')}
  else case when coalesce(enrollment.inactive_on > :today::date, true)
             and (enrollment.window_ends_on >= :today or place.open_enrollment_end >= :today or ${hasWindow})
            then ${say('Pending')} else ${say('Expired')} end end`

/** SQL: the same of a row of a page, whose employee is asked about. */
const electionStatus = electionStatusBy(`exists (
  select from qualifying_life_events as event
   where event.employee_id = enrollment.employee_id and event.organization_id = enrollment.organization_id
     and event.decision = 'approved' and event.window_end >= :today)`)

/** SQL: the same of each of many, where who has a window of a life event is collected once, as `reopened`. */
const has_window_of_many = 'enrollment.employee_id in (select employee_id from reopened)'
const electionStatusOfMany = electionStatusBy(has_window_of_many)

/** SQL: whose window of a life event is open or still to come, at the employer of the plan year. */
const reopened = `
  select event.employee_id
    from place
    join qualifying_life_events as event
      on event.employer_id = place.employer_id and event.organization_id = place.organization_id
   where event.decision = 'approved' and event.window_end >= :today::date and event.window_end > '-infinity'`

/**
 * SQL: the election of a row `enrollment` in force today, on the last day of coverage that has ended, or the first one.
 */
export const electionInForce = `
  select * from elections
   where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
     and effective_on <= least(:today::date, enrollment.coverage_end)
   order by effective_on desc limit 1`

/**
 * SQL: whether a row `covered` of an election in force is of somebody who is covered on that day, or is going to be.
 */
export const coveredNow = `
  coalesce(covered.covered_until >= greatest(least(:today::date, enrollment.coverage_end), enrollment.coverage_start),
           true)`

/**
 * SQL: the last day on which a row `enrollment` in a plan year `place` can be answered: of the window of the grant, of
 * open enrollment, or of a life event, whichever ends last; null when none is open or still to come.
 */
const windowEnd = `
  case when coalesce(enrollment.inactive_on > :today::date, true)
       then (select max(period.last_day)
               from (values (enrollment.window_ends_on), (place.open_enrollment_end)
                     union all
                     select event.window_end from qualifying_life_events as event
                      where event.employee_id = enrollment.employee_id
                        and event.organization_id = enrollment.organization_id and event.decision = 'approved')
                    as period (last_day)
              where period.last_day >= :today::date) end`

const asWords = (day: string) => `to_char(${day}, 'YYYY-MM-DD')`

/** SQL: by what a row `enrollment` is sorted, as `:sort` says. What has no day ahead comes after every day. */
const sortingWords = `
  (case :sort::text
   when 'name' then (
     select member.last_name_key || ' ' || member.name_key
       from employees as employee
       join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
      where employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id)
   when 'window_end' then coalesce(${asWords(windowEnd)}, '~')
   when 'coverage_start' then ${asWords('enrollment.coverage_start')}
   else case when enrollment.coverage_end >= greatest(:today::date, enrollment.coverage_start)
             then ${asWords('enrollment.coverage_end')} else '~' end end) collate "C"`

/** The order of a list: the newest first, or by words. */
const orders = {
  newest: {
    words: `''::text`,
    words_of: () => `''::text`,
    instant_of: (row: string) => `${row}.created_at`,
    lies_ahead: (row: string) => liesAhead(row),
    key_of: (row: string) => keyOf(row),
  },
  sorted: {
    words: sortingWords,
    words_of: (row: string) => `${row}.words`,
    instant_of: () => 'null::timestamptz',
    lies_ahead: (row: string) => liesAheadByWords(row, 'words'),
    key_of: (row: string) => keyOf(row, { by: 'words' }),
  },
}

/** What the lists are made of: the rows of a page, and the answer that they are put into. */
const sharedBy = ({ words_of, instant_of, key_of, lies_ahead }: (typeof orders)[keyof typeof orders]) => ({
  in_reach: inReach,
  lies_ahead,
  rows: sqlFile(new URL('plan-year-enrollment-rows.sql', import.meta.url), {
    election_status: electionStatus,
    election_in_force: electionInForce,
    covered_now: coveredNow,
    window_end: windowEnd,
    words_of,
    instant_of,
    key_of,
    affordability_facts: affordabilityFacts,
  }),
  answer: keysetPageJson('select * from shown', 'select * from totals'),
})

/** SQL: whether that state is asked for, which is looked up once for each of the four. */
const isChosen = electionStatusBy(
  has_window_of_many,
  (status) => `(select '${status.toLowerCase()}' = any(:election_statuses::text[]))`,
)

/** SQL: of all enrollments of a plan year none leaves the list, so that pages need no counting. */
const totals_of_all =
  'select enrollment_count as total, enrollment_count - :behind::bigint * :limit::int as ahead from place'

/** SQL: how many are chosen, and how many of them are from the page on. They are counted and not collected. */
const totals_of_chosen = `
  select count(*) as total, count(*) filter (where ${liesAhead('enrollment')}) as ahead
    from place
    join enrollments as enrollment
      on enrollment.plan_year_id = place.id and enrollment.organization_id = place.organization_id
   where ${isChosen}`

const listed_enrollments = readVariants(
  'plan-years.listPlanYearEnrollments',
  { order: ['newest', 'sorted'], statuses: [false, true], search: [false, true] },
  ({ order, statuses, search }) => {
    const shared = sharedBy(orders[order])
    const chosen = { reopened, is_chosen: statuses ? isChosen : 'true' }
    if (order === 'newest' && !search) {
      // Where fewer are left, the index is not walked to its end for more.
      const counted = statuses
        ? { totals: totals_of_chosen, most: 'least(:limit::int, (select ahead from totals))' }
        : { totals: totals_of_all, most: ':limit::int' }
      return sqlFile(new URL('list-plan-year-enrollments.sql', import.meta.url), { ...shared, ...chosen, ...counted })
    }
    const { words, instant_of } = orders[order]
    const pieces = { ...shared, ...chosen, words, instant_of }
    if (search) return sqlFile(new URL('search-plan-year-enrollments.sql', import.meta.url), pieces)
    return sqlFile(new URL('filter-plan-year-enrollments.sql', import.meta.url), pieces)
  },
)

type PlanYearPath = { employer_id: string; benefit_plan_year_id: string }

/** A page of a plan year's enrollments as the whole answer, in the order asked for; undefined out of reach. */
export async function listPlanYearEnrollments(
  ctx: ReadCtx,
  plan_year: PlanYearPath,
  { election_status: election_statuses, search, sort, ...page }: PlanYearEnrollmentFilter,
): Promise<string | undefined> {
  const order = sort === 'newest' ? 'newest' : 'sorted'
  const chosen = listed_enrollments({ order, statuses: election_statuses.length > 0, search: search !== undefined })
  const pattern = search === undefined ? null : patternOf(search)
  const values = { ...plan_year, election_statuses, search: search ?? null, pattern, sort }
  return withAffordability(await readKeysetPage(ctx, chosen, page, values))
}

/** A page where rows of ICHRA have what their affordability follows from, with the affordability in its place. */
function withAffordability(page: string | undefined): string | undefined {
  // A text of somebody's can't hold this: its quotes are escaped.
  if (!page?.includes('"affordability":{')) return page
  type EnrollmentRow = { affordability: PersonalAffordability | null }
  const { data, pagination } = JSON.parse(page) as { data: EnrollmentRow[]; pagination: object }
  const rows = data.map((row) => {
    const { affordability: facts } = row
    return facts ? { ...row, affordability: affordabilityFor(facts), missing_figures: missingFiguresFor(facts) } : row
  })
  return JSON.stringify({ data: rows, pagination })
}

/** What a name is compared with; null for an id, and for what holds nothing that a name could. */
function patternOf(search: string): string | null {
  const is_id = (['mbr', 'empl', 'grpmbr'] as const).some((prefix) => isId(prefix, search))
  return is_id || foldName(search) === '' ? null : namePattern(search)
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
 * How the enrollments of a plan year stand, with a link to all of them as CSV, as the whole answer; undefined out of
 * reach.
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

/** The enrollments of a plan year as a file, in the order of their list, by the day of their organization. */
export async function openEnrollmentsCsv(
  asked: Ctx,
  { organization_id, id }: Omit<DownloadKey, 'kind'>,
): Promise<DownloadedFile | undefined> {
  const ctx = withClock(asked, await findClock(asked.db, organization_id))
  const plan_year = await locatePlanYear(ctx, { benefit_plan_year_id: id })
  if (!plan_year) return undefined
  const listed = listed_enrollments({ order: 'newest', statuses: false, search: false })
  const readRows = async function* () {
    const whole = { ...plan_year, election_statuses: [], search: null, pattern: null, sort: 'newest' }
    let after: RowKey | null = null
    do {
      const page: EnrollmentPiece | undefined = await listed.row<EnrollmentPiece>(ctx, {
        ...whole,
        limit: rows_in_piece,
        page: 1,
        offset: '0',
        behind: 0,
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
