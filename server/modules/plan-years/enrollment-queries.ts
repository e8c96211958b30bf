import { inReach } from '../../platform/caller.ts'
import type { ReadCtx } from '../../platform/ctx.ts'
import { isId } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/person-names.ts'
import { keyOf, keysetPageJson, liesAhead, readKeysetPage } from '../../platform/database/pages.ts'
import { readVariants } from '../../platform/database/statement.ts'
import { namePattern } from '../people/queries.ts'
import type { PlanYearEnrollmentFilter } from './schemas.ts'

const inReachOfYear = inReach('year.organization_id', 'year.employer_id')

/** SQL: Pending while a window is open or still to come: that of the grant, open enrollment, or a life event. */
const electionStatus = `
  case enrollment.answer when 'enrolled' then 'Enrolled' when 'waived' then 'Waived'
  else case when coalesce(enrollment.inactive_on > :today::date, true)
             and (enrollment.window_ends_on >= :today or place.open_enrollment_end >= :today or exists (
                    select from qualifying_life_events as event
                     where event.employee_id = enrollment.employee_id
                       and event.organization_id = enrollment.organization_id
                       and event.decision = 'approved' and event.window_end >= :today))
            then 'Pending' else 'Expired' end end`

const policyStatus = `
  case when enrollment.answer = 'enrolled' then
    case when enrollment.coverage_end < enrollment.coverage_start then 'Cancelled'
         when enrollment.coverage_start > :today then 'Coverage Upcoming'
         when enrollment.coverage_end < :today then 'Coverage Ended'
         else 'Coverage Effective' end end`

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

const elected = `
  select election.*, plan.name as plan, carrier.name as carrier
    from (${electionInForce}) as election
    join plans as plan on plan.id = election.plan_id and plan.organization_id = election.organization_id
    join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id`

const dependentCount = `
  (select count(*) from covered_dependents as covered
    where covered.enrollment_id = enrollment.id and covered.organization_id = enrollment.organization_id
      and covered.effective_on = elected.effective_on and ${coveredNow})`

/**
 * SQL: the row of a `page`. Asked for each, and not joined: the planner takes a page of unknown length for a tenth of
 * all, and would read the whole tables of enrollments and people for it.
 */
const enrollmentJson = `
  select row_to_json(shown) from (
    select employee.member_id, enrollment.employee_id, employee.reference_id as employee_external_reference_id,
           member.first_name as member_first_name, member.last_name as member_last_name,
           ${electionStatus} as election_status, ${policyStatus} as policy_status, ${dependentCount} as dependent_count,
           elected.carrier, elected.plan, elected.coverage_tier as tier, elected.premium_in_cents,
           elected.employer_contribution_in_cents, elected.employee_deduction_in_cents,
           enrollment.id as enrollment_id, enrollment.benefit_id, product.name as benefit_name
      from enrollments as enrollment
      join employees as employee on employee.id = enrollment.employee_id
       and employee.organization_id = enrollment.organization_id
      join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
      join benefit_products as product on product.id = enrollment.benefit_id
       and product.organization_id = enrollment.organization_id
      left join lateral (${elected}) as elected on true
     where enrollment.id = page.id and enrollment.organization_id = page.organization_id) as shown`

/** SQL: whom the id of a membership in a group means, which names it for good, or the reference of a present one. */
const groupMembers = `
  select member_id from group_members as membership
   where membership.id = :search and membership.organization_id = place.organization_id
   union
  select membership.member_id from groups as club
   cross join lateral (
     select member_id from group_members
      where group_id || reference_id = club.id || :search and organization_id = club.organization_id
        and left_at is null offset 0) as membership
   where club.organization_id = place.organization_id`

/**
 * SQL: the people whom a search means, each by an index, and those whose name it is part of, by the index of the
 * roster. They are found before their enrollments, of which there are several for each.
 */
const foundPeople = `
  meant as materialized (
    select employee.id from place
     cross join lateral (
       select id from employees
        where id = :search::text and employer_id = place.employer_id and organization_id = place.organization_id
        union
       select id from employees
        where member_id = :search and employer_id = place.employer_id and organization_id = place.organization_id
        union
       select id from employees
        where employer_id || reference_id = place.employer_id || :search and organization_id = place.organization_id
        union
       select employee.id from (${groupMembers}) as grouped
        cross join lateral (
          select * from employees
           where member_id = grouped.member_id and organization_id = place.organization_id offset 0) as employee
        where employee.employer_id = place.employer_id) as employee),
  found as materialized (
    select id from meant
     union all
    select employee.id from place
      join employees as employee on employee.employer_id = place.employer_id
       and employee.organization_id = place.organization_id
     where :pattern::text is not null and employee.search_key like :pattern
       and employee.id <> all (array(select id from meant)))`

const inPlanYear = 'enrollment.plan_year_id = place.id and enrollment.organization_id = place.organization_id'
const ofAll = `place join enrollments as enrollment on ${inPlanYear}`

/** From so many found on, their enrollments are looked for among all of the plan year, and not for each of them. */
const many = 500

/**
 * SQL: the enrollments of the found. Each is looked up, whatever is believed of the table; of many, all of the plan
 * year are read and compared with them ("is true" keeps that from becoming a look-up for each again).
 */
const ofFound = `place cross join lateral (
    select theirs.* from found
     cross join lateral (
       select * from enrollments
        where employee_id = found.id and organization_id = place.organization_id offset 0) as theirs
     where theirs.plan_year_id = place.id and (select count(*) from found) < ${many}
     union all
    select enrollment.* from enrollments as enrollment
     where ${inPlanYear} and (select count(*) from found) >= ${many}
       and (enrollment.employee_id in (select id from found)) is true) as enrollment`

const newest = 'order by enrollment.created_at desc, enrollment.id desc limit :limit offset :offset'

/** SQL: all of a plan year, by its index in the order of the list. */
const wholePage = `cross join lateral (
  select * from enrollments as enrollment where ${inPlanYear} and ${liesAhead('enrollment')} ${newest}) as page`
const wholeTotals = `
  select enrollment_count as total, enrollment_count - :behind::bigint * :limit::int as ahead from place`

/** SQL: what the filters keep. They are asked once, for the page and its totals. */
const keptPage = `cross join (select * from kept as enrollment where ${liesAhead('enrollment')} ${newest}) as page`
const keptTotals = `
  select counted.* from place cross join (
    select count(*) as total, count(*) filter (where ${liesAhead('kept')}) as ahead from kept) as counted`

const listed_enrollments = readVariants(
  'plan-years.listPlanYearEnrollments',
  { statuses: [false, true], search: [false, true] },
  ({ statuses, search }) => {
    const filtered = statuses || search
    const place = `
      place as materialized (
        select year.id, year.organization_id, year.employer_id, year.open_enrollment_end, year.enrollment_count
          from benefit_plan_years as year
         where year.id = :benefit_plan_year_id and year.employer_id = :employer_id and ${inReachOfYear})`
    const kept = `
      kept as materialized (
        select enrollment.id, enrollment.organization_id, enrollment.created_at from ${search ? ofFound : ofAll}
        ${statuses ? `where lower(${electionStatus}) = any(:election_statuses::text[])` : ''})`
    const ctes = [place, ...(search ? [foundPeople] : []), ...(filtered ? [kept] : [])]
    const rows = `
      select (${enrollmentJson}) as item,
             row_number() over (order by page.created_at desc, page.id desc) as position, ${keyOf('page')} as key
        from place ${filtered ? keptPage : wholePage}`
    return `with ${ctes.join(', ')} ${keysetPageJson(rows, filtered ? keptTotals : wholeTotals)}`
  },
)

/** A page of a plan year's enrollments as the whole answer, newest first; undefined out of reach. */
export function listPlanYearEnrollments(
  ctx: ReadCtx,
  place: { employer_id: string; benefit_plan_year_id: string },
  { election_status: election_statuses, search, ...page }: PlanYearEnrollmentFilter,
): Promise<string | undefined> {
  const chosen = listed_enrollments({ statuses: election_statuses.length > 0, search: search !== undefined })
  const pattern = search === undefined ? null : patternOf(search)
  return readKeysetPage(ctx, chosen, page, { ...place, election_statuses, search: search ?? null, pattern })
}

/** What a name is compared with; null for an id, and for what holds nothing that a name could. */
function patternOf(search: string): string | null {
  const is_id = (['mbr', 'empl', 'grpmbr'] as const).some((prefix) => isId(prefix, search))
  return is_id || foldName(search) === '' ? null : namePattern(search)
}
