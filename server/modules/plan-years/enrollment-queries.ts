import { inReach } from '../../platform/caller.ts'
import type { ReadCtx } from '../../platform/ctx.ts'
import { isId } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/person-names.ts'
import { keyOf, keysetPageJson, liesAhead, readKeysetPage } from '../../platform/database/pages.ts'
import { sqlFile } from '../../platform/database/sql-file.ts'
import { readVariants } from '../../platform/database/statement.ts'
import { affordabilityFacts } from '../ichra/queries.ts'
import { namePattern } from '../people/queries.ts'
import { affordabilityFor, type PersonalAffordability } from './rules.ts'
import type { PlanYearEnrollmentFilter } from './enrollment-schemas.ts'

/**
 * SQL: the state of election of a row `enrollment` in a plan year `place`. Pending while a window is open or still to
 * come: that of the grant, open enrollment, or a life event.
 */
const electionStatus = `
  case enrollment.answer when 'enrolled' then 'Enrolled' when 'waived' then 'Waived'
  else case when coalesce(enrollment.inactive_on > :today::date, true)
             and (enrollment.window_ends_on >= :today or place.open_enrollment_end >= :today or exists (
                    select from qualifying_life_events as event
                     where event.employee_id = enrollment.employee_id
                       and event.organization_id = enrollment.organization_id
                       and event.decision = 'approved' and event.window_end >= :today))
            then 'Pending' else 'Expired' end end`

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

/** What the lists are made of: the rows of a page, and the answer that they are put into. */
const shared = {
  in_reach: inReach,
  lies_ahead: (row: string) => liesAhead(row),
  rows: sqlFile(new URL('plan-year-enrollment-rows.sql', import.meta.url), {
    election_status: electionStatus,
    election_in_force: electionInForce,
    covered_now: coveredNow,
    key_of: (row) => keyOf(row),
    affordability_facts: affordabilityFacts,
  }),
  answer: keysetPageJson('select * from shown', 'select * from totals'),
}

const isChosen = `lower(${electionStatus}) = any(:election_statuses::text[])`

const listed_enrollments = readVariants(
  'plan-years.listPlanYearEnrollments',
  { statuses: [false, true], search: [false, true] },
  ({ statuses, search }) => {
    const is_chosen = statuses ? isChosen : 'true'
    if (search) return sqlFile(new URL('search-plan-year-enrollments.sql', import.meta.url), { ...shared, is_chosen })
    if (statuses) return sqlFile(new URL('filter-plan-year-enrollments.sql', import.meta.url), { ...shared, is_chosen })
    return sqlFile(new URL('list-plan-year-enrollments.sql', import.meta.url), shared)
  },
)

/** A page of a plan year's enrollments as the whole answer, newest first; undefined out of reach. */
export async function listPlanYearEnrollments(
  ctx: ReadCtx,
  plan_year: { employer_id: string; benefit_plan_year_id: string },
  { election_status: election_statuses, search, ...page }: PlanYearEnrollmentFilter,
): Promise<string | undefined> {
  const chosen = listed_enrollments({ statuses: election_statuses.length > 0, search: search !== undefined })
  const pattern = search === undefined ? null : patternOf(search)
  const values = { ...plan_year, election_statuses, search: search ?? null, pattern }
  return withAffordability(await readKeysetPage(ctx, chosen, page, values))
}

/** A page where rows of ICHRA have what their affordability follows from, with the affordability in its place. */
function withAffordability(page: string | undefined): string | undefined {
  // A text of somebody's can't hold this: its quotes are escaped.
  if (!page?.includes('"affordability":{')) return page
  type EnrollmentRow = { affordability: PersonalAffordability | null }
  const { data, pagination } = JSON.parse(page) as { data: EnrollmentRow[]; pagination: object }
  const rows = data.map((row) => ({ ...row, affordability: row.affordability && affordabilityFor(row.affordability) }))
  return JSON.stringify({ data: rows, pagination })
}

/** What a name is compared with; null for an id, and for what holds nothing that a name could. */
function patternOf(search: string): string | null {
  const is_id = (['mbr', 'empl', 'grpmbr'] as const).some((prefix) => isId(prefix, search))
  return is_id || foldName(search) === '' ? null : namePattern(search)
}
