import { rowsWith } from '../../../database/sql/fragments.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { statement } from '../../../database/sql/statement.ts'
import { judgedEnrollments } from '../grants/queries.ts'
import type { CountChange } from '../plan-years/queries.ts'
import { coverage_ending_notice_days } from '../../../runtime/event-types.ts'

/** SQL: the enrollments of employees, with the stored (`former`) and the calculated value for the counts (`counts`). */
const counted = `
  select enrollment.id, enrollment.organization_id, enrollment.employee_id, enrollment.plan_year_id,
         enrollment.benefit_id, enrollment.counted_as as former,
         counts_as(enrollment.answer, enrollment.inactive_on, year.coverage_end, :today) as counts
    from (select * from enrollments
           where employee_id = any(:employee_ids::text[]) and organization_id = :organization_id
          offset 0) as enrollment
    join benefit_plan_years as year on year.id = enrollment.plan_year_id
     and year.organization_id = enrollment.organization_id`

const enrollments_settled = statement(
  'enrollments.settleEnrollments',
  sqlFile(new URL('settle-enrollments.sql', import.meta.url), { judged: judgedEnrollments, counted }),
).rows<Settled & CountChange>

/**
 * Updates the enrollments of employees to match their periods of eligibility and the offered benefits. Grants missing
 * enrollments, moves starts, schedules and withdraws ends, and restores coverage after a withdrawn loss. A second run
 * changes nothing. Plan years that ended more than 92 days ago do not change, unless they end on `since` or later.
 * `multiple_ids` are the employees with several employments at the same employer. Returns the written enrollments, and
 * the changes of the counts of plan years.
 */
export async function settleEnrollments(
  ctx: Ctx,
  values: Parameters<typeof enrollments_settled>[1],
): Promise<{ settled: Settled[]; changes: CountChange[] }> {
  // Each row is one of the two, and has nulls instead of the other.
  const rows = await enrollments_settled(ctx, values)
  return { settled: rows.filter(({ id }) => id !== null), changes: rows.filter(({ id }) => id === null) }
}

/**
 * A written enrollment and its events.
 *
 * - `opens_window`: a window of its own opens today.
 * - `by_choice`: it ends where another benefit of its choice group begins.
 * - `restarted`: its first day moved.
 * - `beside_choices`: other benefits of its choice group are offered to the employee.
 * - `is_returned`: its employee returned within the service credit.
 */
export type Settled = {
  id: string
  plan_year_id: string
  change: 'granted' | 'terminated' | 'termination_rescheduled' | 'reinstated' | null
  opens_window: boolean
  by_choice: boolean
  restarted: boolean
  beside_choices: boolean
  is_returned: boolean
}

const unsettled = statement(
  'enrollments.listUnsettledEnrollments',
  `select employee_id as id from (${judgedEnrollments}) as enrollment
    union
   select employee_id from (${counted}) as present where former is distinct from counts
    order by id`,
)

/** Lists the employees for which `settleEnrollments` would write something. */
export const listUnsettledEnrollments = async (
  ctx: Ctx,
  organization_id: string,
  { employee_ids, multiple_ids }: { employee_ids: string[]; multiple_ids: string[] },
): Promise<string[]> => {
  const values = { organization_id, employee_ids, multiple_ids, since: null }
  return (await unsettled.rows<{ id: string }>(ctx, values)).map(({ id }) => id)
}

/** SQL: the plan years of an organization that begin, that open their enrollment, or that ended the day before. */
const yearsWithBoundary = (organization: string, day: string) => `
  from benefit_plan_years as year
 where year.organization_id = ${organization}
   and (year.open_enrollment_start = ${day} or year.coverage_start = ${day} or year.coverage_end = ${day}::date - 1)`

/**
 * Lists the next employees with possible changes of coverage because of today's date. Their employer has a plan year
 * that begins, that opens its enrollment or that ended; or their eligibility begins or ends; or an enrollment becomes
 * inactive. Skips employees that a write during a catch-up has already settled for a later day. The rows are read in
 * order, so that each chunk only reads the rows that it returns.
 */
export const listDueToday = statement(
  'enrollments.listDueToday',
  `select id
     from (select id
             from (select employee.id
                     from (select distinct year.employer_id ${yearsWithBoundary(':organization_id', ':today')}) as year
                    cross join lateral (
                      select id from employees
                       where employer_id = year.employer_id and organization_id = :organization_id and id > :after
                      offset 0) as employee
                    union
                   select employee_id from eligibility_statuses
                    where organization_id = :organization_id and due_on <= :today and employee_id > :after
                    union
                   select employee_id from enrollments
                    where organization_id = :organization_id and inactive_on = :today and employee_id > :after) as due
            order by id offset 0) as daily_run
    where not exists (select from eligibility_statuses as status
                       where status.employee_id = daily_run.id and status.organization_id = :organization_id
                         and status.settled_by > :today offset 0)
    order by id limit :most`,
).column

/** SQL: whether there can be such employees, or windows that open. */
export const hasDailyEnrollments = `
  (exists (select ${yearsWithBoundary('organization.id', 'daily_run.day')})
   or exists (select from eligibility_statuses as status
               where status.organization_id = organization.id and status.due_on <= daily_run.day)
   or exists (select from enrollments as enrollment
               where enrollment.organization_id = organization.id and enrollment.inactive_on = daily_run.day))`

/** SQL: the enrollments granted before today in plan years that open a window, found by their plan year. */
const openedBy = (years: string, more = '') => `
  select enrollment.id from benefit_plan_years as year
   cross join lateral (
     select id from enrollments
      where plan_year_id = year.id and organization_id = :organization_id and granted_on < :today
        and coalesce(inactive_on > :today, true)
     offset 0) as enrollment
   where year.organization_id = :organization_id and ${years} ${more}
   order by enrollment.id`

/** Lists the next enrollments granted before today in plan years that open enrollment today. */
export const listOpening = statement(
  'enrollments.listOpening',
  `${openedBy('year.open_enrollment_start = :today', 'and enrollment.id > :after')} limit :most`,
).column

/** Lists the enrollments of a plan year that were granted before today. */
export const listOpeningIn = statement('enrollments.listOpeningIn', openedBy('year.id = :plan_year_id')).column

/** Lists the enrollments of employees that are not inactive. */
export const listLiveEnrollments = statement(
  'enrollments.listLiveEnrollments',
  `select id from enrollments
    where employee_id = any(:employee_ids) and organization_id = :organization_id
      and coalesce(inactive_on > :today, true) order by id`,
).column

/**
 * Lists plan years that have not ended and that overlap or follow enrollments with a moved or withdrawn end. Returns
 * each with the employees who have neither elected nor waived the same benefit there.
 */
export const listUnansweredAgain = statement(
  'enrollments.listUnansweredAgain',
  `select year.id as plan_year_id, array_agg(distinct enrollment.employee_id) as employee_ids
     from ${rowsWith('enrollment_ids', 'enrollments', 'enrollment')}
     join benefit_plan_years as year on year.employer_id = enrollment.employer_id
      and year.organization_id = :organization_id and year.coverage_end >= :today
      and coalesce(enrollment.coverage_end >= year.coverage_start - 1, true)
    where exists (
            select from (select * from enrollments
                          where employee_id = enrollment.employee_id and organization_id = :organization_id offset 0)
                     as theirs
             where theirs.plan_year_id = year.id and theirs.benefit_id = enrollment.benefit_id
               and theirs.answer is null and coalesce(theirs.inactive_on > :today, true))
    group by year.id order by year.id`,
).rows<{ plan_year_id: string; employee_ids: string[] }>

/** Lists the covered dependents of enrollments with a last day that is past, or so near that an event announces it. */
export const listDependentsEnding = statement(
  'enrollments.listDependentsEnding',
  `select covered.dependent_id as id
     from ${rowsWith('enrollment_ids', 'covered_dependents', 'covered', 'enrollment_id')}
    where covered.covered_until <= :today::date + ${coverage_ending_notice_days}
    union
   select unnest(election.removed_dependent_ids)
     from ${rowsWith('enrollment_ids', 'elections', 'election', 'enrollment_id')}
    where election.removed_dependent_ids <> '{}'
    order by id`,
).column

/** SQL: joins a row `enrollment` with its scope `own` and its `period` of eligibility. */
export const with_period = `
  cross join lateral scope_of(enrollment.employer_id, :organization_id, enrollment.benefit_id) as own
  cross join lateral (
    select * from employee_eligibilities
     where employee_id = enrollment.employee_id and organization_id = :organization_id
       and scope = own.scope and anchored_on = enrollment.anchored_on offset 0) as period`

/**
 * SQL: after a return within the service credit, the enrollment of the same plan year and benefit that covered the
 * employee until the end of the earlier period, with its last day. Reads a row `enrollment`, its scope `own` and its
 * `period`.
 */
export const coveredUntilLeaving = `
  select former.id, former.coverage_end as last_day
    from (select member_id from employees
           where id = enrollment.employee_id and organization_id = :organization_id offset 0) as self
   cross join lateral (
     select * from employees where member_id = self.member_id and organization_id = :organization_id offset 0) as other
   cross join lateral (
     select * from enrollments where employee_id = other.id and organization_id = :organization_id offset 0) as former
   cross join lateral (
     select * from employee_eligibilities
      where employee_id = other.id and organization_id = :organization_id
        and scope = own.scope and anchored_on = former.anchored_on offset 0) as earlier
   where other.employer_id = enrollment.employer_id and former.id <> enrollment.id
     and former.plan_year_id = enrollment.plan_year_id and former.benefit_id = enrollment.benefit_id
     and former.answer = 'enrolled' and former.coverage_end >= former.coverage_start
     and earlier.anchored_on >= period.service_from and earlier.lost_on <= period.anchored_on
     and former.coverage_end >= earlier.lost_on - 1
   order by former.coverage_end desc, former.id desc limit 1`

/** SQL: see `returned` of `listFollowing`. */
const returned = `
  select enrollment.id
     from ${rowsWith('enrollment_ids', 'enrollments', 'enrollment')}
    ${with_period}
    where enrollment.answer is null and coalesce(enrollment.inactive_on > :today, true)
      and period.service_from is not null
    union
   select enrollment.id
     from unnest(:employee_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments
       where employee_id = wanted.id and organization_id = :organization_id
         and (elected_by = 'return' or resumption_withdrawn_on is not null) offset 0) as enrollment
    ${with_period}
     left join lateral (${coveredUntilLeaving}) as before on true
    where case when enrollment.answer = 'enrolled' then enrollment.elected_by = 'return' and before.id is null
               else enrollment.answer is null and before.id is not null
                    and coalesce(enrollment.inactive_on > :today, true) end`

/**
 * Lists settled enrollments without an answer, of people who returned within the service credit. Also enrollments of
 * these employees whose resumed election should be withdrawn, or whose withdrawn election should be resumed.
 */
export const listReturned = statement('enrollments.listReturned', `${returned} order by id`).column

/** Whether an employee has resumed elections, or resumed elections that were withdrawn. */
export const hasResumed = statement(
  'enrollments.hasResumed',
  `select 1 as found from enrollments
    where employee_id = :employee_id and organization_id = :organization_id
      and (elected_by = 'return' or resumption_withdrawn_on is not null) limit 1`,
).exists

/** SQL: the last election of an enrollment as text, for comparison. */
const lastElection = (enrollment: string) => `(
  select concat_ws(' ', plan_id, coverage_tier, (
           select string_agg(dependent_id, ' ' order by dependent_id) from covered_dependents
            where enrollment_id = election.enrollment_id and organization_id = :organization_id
              and effective_on = election.effective_on))
    from (select * from elections
           where enrollment_id = ${enrollment}.id and organization_id = :organization_id offset 0) as election
   order by election.effective_on desc limit 1)`

/** Lists the settled enrollments with another elected enrollment of the same plan year and benefit. */
export const listSuperseded = statement(
  'enrollments.listSuperseded',
  `select other.id, other.employer_id, other.employee_id, other.benefit_id, one.id as superseded_enrollment_id,
          coalesce(one.ended_by = 'duplicate' and one.inactive_on <= :today and one.elected_by is distinct from 'return'
                   and coalesce(other.inactive_on > :today, true)
                   and ${lastElection('one')} is distinct from ${lastElection('other')}, false) as differs
     from ${rowsWith('enrollment_ids', 'enrollments', 'one')}
    cross join lateral (
      select * from enrollments
       where employee_id = one.employee_id and organization_id = :organization_id offset 0) as other
    where other.plan_year_id = one.plan_year_id and other.benefit_id = one.benefit_id and other.id <> one.id
      and one.answer = 'enrolled' and other.answer = 'enrolled'
    order by other.id, one.id`,
).rows<Superseded>

/**
 * An enrollment with another one of the same benefit. `differs` is true if the other one ended as a duplicate and has a
 * different election.
 */
type Superseded = {
  id: string
  employer_id: string
  employee_id: string
  benefit_id: string
  superseded_enrollment_id: string
  differs: boolean
}
