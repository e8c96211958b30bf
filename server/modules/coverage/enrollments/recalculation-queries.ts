import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { statement } from '../../../database/sql/statement.ts'
import { judgedEnrollments } from '../grants/queries.ts'
import type { CountChange } from '../plan-years/queries.ts'

/**
 * Updates the enrollments of employees to match their periods of eligibility and the offered benefits. Grants missing
 * enrollments, moves starts, schedules and withdraws ends, and restores coverage after a withdrawn loss. A second run
 * changes nothing. Plan years that ended more than 92 days ago do not change, unless they end on `since` or later.
 * `multiple_ids` are the employees with several employments at the same employer.
 */
export const settleEnrollments = statement(
  'enrollments.settleEnrollments',
  sqlFile(new URL('settle-enrollments.sql', import.meta.url), { judged: judgedEnrollments }),
).rows<Settled>

/**
 * A written enrollment, how its plan year counted it before, and its events.
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
  former: 'enrolled' | 'eligible' | null
  change: 'granted' | 'terminated' | 'termination_rescheduled' | 'reinstated' | null
  opens_window: boolean
  by_choice: boolean
  restarted: boolean
  beside_choices: boolean
  is_returned: boolean
}

/** SQL: the enrollments of employees, with the stored and the calculated value for the counts of the plan year. */
const counts = `
  select *, counted_as is distinct from counts as differs
    from (select known.id, known.organization_id, known.employee_id, known.plan_year_id, known.benefit_id,
                 known.counted_as as noted,
                 case when known.written_id is not null then known.former else known.counted_as end as counted_as,
                 counts_as(known.answer, known.inactive_on, year.coverage_end, :today) as counts
            from (select enrollment.*, written.id as written_id, written.former
                    from (select * from enrollments
                           where employee_id = any(:employee_ids::text[]) and organization_id = :organization_id
                          offset 0) as enrollment
                    full join unnest(:written_ids::text[], :formers::text[]) as written (id, former)
                      on written.id = enrollment.id
                  offset 0) as known
            join benefit_plan_years as year on year.id = known.plan_year_id
             and year.organization_id = known.organization_id
          offset 0) as each`

const saved_counted = statement(
  'enrollments.saveCounted',
  `with present as materialized (${counts}
   ), noted as (
     update enrollments as stored set counted_as = present.counts from present
      where present.noted is distinct from present.counts
        and stored.id = present.id and stored.organization_id = present.organization_id
   ), heads as (
     select plan_year_id, case when grouping(benefit_id) = 0 then benefit_id end as benefit_id,
            bool_or(counts is not null)::int - bool_or(counted_as is not null)::int as eligible,
            coalesce(bool_or(counts = 'enrolled'), false)::int
              - coalesce(bool_or(counted_as = 'enrolled'), false)::int as enrolled
       from (select present.*, moved.plan_year_id as moved
               from present
               full join (select employee_id, plan_year_id from present where differs group by 1, 2) as moved
                 on moved.employee_id = present.employee_id and moved.plan_year_id = present.plan_year_id
             offset 0) as theirs
      where moved is not null
      group by grouping sets ((employee_id, plan_year_id), (employee_id, plan_year_id, benefit_id)))
   select plan_year_id, benefit_id, sum(eligible)::int as eligible, sum(enrolled)::int as enrolled
     from heads group by plan_year_id, benefit_id having sum(abs(eligible)) + sum(abs(enrolled)) > 0`,
)

/**
 * Saves with each enrollment how it counts in its plan year. Returns the changes of the counts: for each benefit, and
 * for the plan year, where an employee counts once. The enrollments in `written` already have the new value.
 */
export function saveCounted(
  ctx: Ctx,
  organization_id: string,
  employee_ids: string[],
  written: Settled[],
): Promise<CountChange[]> {
  return saved_counted.rows<CountChange>(ctx, {
    organization_id,
    employee_ids,
    written_ids: written.map(({ id }) => id),
    // Null if it did not count before.
    formers: written.map(({ former }) => former) as string[],
  })
}

const unsettled = statement(
  'enrollments.listUnsettledEnrollments',
  `select employee_id as id from (${judgedEnrollments}) as enrollment
    union
   select employee_id from (${counts}) as present where differs or noted is distinct from counts
    order by id`,
)

/** Lists the employees for which `settleEnrollments` or `saveCounted` would write something. */
export const listUnsettledEnrollments = async (
  ctx: Ctx,
  organization_id: string,
  { employee_ids, multiple_ids }: { employee_ids: string[]; multiple_ids: string[] },
): Promise<string[]> => {
  const values = { organization_id, employee_ids, multiple_ids, since: null, written_ids: [], formers: [] }
  return (await unsettled.rows<{ id: string }>(ctx, values)).map(({ id }) => id)
}

/** SQL: the plan years of an organization that begin, that open their enrollment, or that ended the day before. */
const yearsWithBoundary = (organization: string, day: string) => `
  from benefit_plan_years as year
 where year.organization_id = ${organization}
   and (year.open_enrollment_start = ${day} or year.coverage_start = ${day} or year.coverage_end = ${day}::date - 1)`

const due_today = statement(
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
)

/**
 * Lists the next employees with possible changes of coverage because of today's date. Their employer has a plan year
 * that begins, that opens its enrollment or that ended; or their eligibility begins or ends; or an enrollment becomes
 * inactive. Skips employees that a write during a catch-up has already settled for a later day. The rows are read in
 * order, so that each chunk only reads the rows that it returns.
 */
export const listDueToday = (ctx: Ctx, organization_id: string, { after, most }: DailyChunk) =>
  due_today.column(ctx, { organization_id, after: after ?? '', most })

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

const opening = statement(
  'enrollments.listOpening',
  `${openedBy('year.open_enrollment_start = :today', 'and enrollment.id > :after')} limit :most`,
)

/** Lists the next enrollments granted before today in plan years that open enrollment today. */
export const listOpening = (ctx: Ctx, organization_id: string, { after, most }: DailyChunk) =>
  opening.column(ctx, { organization_id, after: after ?? '', most })

/** Lists the enrollments of a plan year that were granted before today. */
export const listOpeningIn = statement('enrollments.listOpeningIn', openedBy('year.id = :plan_year_id')).column

/** Lists the enrollments of employees that are not inactive. */
export const listLiveEnrollments = statement(
  'enrollments.listLiveEnrollments',
  `select id from enrollments
    where employee_id = any(:employee_ids) and organization_id = :organization_id
      and coalesce(inactive_on > :today, true) order by id`,
).column
