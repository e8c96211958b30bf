import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { CountChange } from '../plan-years/queries.ts'

/** SQL: the first day on which a row of an enrollment is not covered, since its plan is closed; null: on none. */
const planClosesOn = (enrollment: string, offer: string) => `
  case when ${enrollment}.answer = 'enrolled' and ${offer}.closed_plans <> '{}'
       then (select min(greatest(step.effective_on, (closure.said ->> 'from')::date))
               from (select greatest(effective_on, ${enrollment}.coverage_start) as effective_on, plan_id,
                            lead(effective_on, 1, 'infinity') over (order by effective_on) as next_on
                       from elections
                      where enrollment_id = ${enrollment}.id and organization_id = :organization_id) as step
              cross join jsonb_array_elements(${offer}.closed_plans -> step.plan_id) as closure (said)
              where greatest(step.effective_on, (closure.said ->> 'from')::date)
                    < least(step.next_on, (closure.said ->> 'until')::date)) end`

const judged = sqlFile(new URL('judge-enrollments.sql', import.meta.url), {
  offered_benefits: sqlFile(new URL('offered-benefits.sql', import.meta.url)),
  periods: sqlFile(new URL('periods.sql', import.meta.url)),
  persons: sqlFile(new URL('persons.sql', import.meta.url)),
  grantable_benefits: sqlFile(new URL('grantable-benefits.sql', import.meta.url)),
  plan_closes_on: planClosesOn,
})

const settled = statement(
  'enrollments.settleEnrollments',
  sqlFile(new URL('settle-enrollments.sql', import.meta.url), { judged }),
)

/**
 * An enrollment that was written, what the counts held of it before, and what is to be told of it; by_choice: it ends
 * where another benefit of its choice group begins; opens_window: a window of its own opens today; beside_choices:
 * others of a choice group are offered beside it; is_returned: its employee came back within their service; restarted:
 * its first day was moved.
 */
export type Settled = {
  id: string
  plan_year_id: string
  former: 'enrolled' | 'eligible' | null
  told: 'granted' | 'terminated' | 'termination_rescheduled' | 'reinstated' | null
  opens_window: boolean
  by_choice: boolean
  restarted: boolean
  beside_choices: boolean
  is_returned: boolean
}

/**
 * Brings the enrollments of employees into step with their periods of eligibility and what is offered: grants what is
 * missing, moves starts, schedules and withdraws ends, and gives back what a loss took that is no more. Run again it
 * changes nothing. Plan years that ended more than 92 days ago stay as they are, unless they end on `since` or later.
 * several_ids: those of them with several employments at the same employer.
 */
export const settleEnrollments = (
  ctx: Ctx,
  organization_id: string,
  { employee_ids, several_ids, since }: { employee_ids: string[]; several_ids: string[]; since: Day | null },
) => settled.rows<Settled>(ctx, { organization_id, employee_ids, several_ids, since })

/** SQL: enrollments of employees, with what the counts hold of each and what they are to hold. */
const counts = `
  select *, counted is distinct from counts as differs
    from (select known.id, known.organization_id, known.employee_id, known.plan_year_id, known.benefit_id,
                 known.counted as noted,
                 case when known.written_id is not null then known.former else known.counted end as counted,
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
     update enrollments as stored set counted = present.counts from present
      where present.noted is distinct from present.counts
        and stored.id = present.id and stored.organization_id = present.organization_id
   ), heads as (
     select plan_year_id, case when grouping(benefit_id) = 0 then benefit_id end as benefit_id,
            bool_or(counts is not null)::int - bool_or(counted is not null)::int as eligible,
            coalesce(bool_or(counts = 'enrolled'), false)::int
              - coalesce(bool_or(counted = 'enrolled'), false)::int as enrolled
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
 * Notes at the enrollments of employees what the counts of their plan years are to hold of them, and returns by how
 * much those change: of each benefit, and of the plan year, where an employee counts once. `written`: those that bear
 * their note already.
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
    // null: it did not count before
    formers: written.map(({ former }) => former) as string[],
  })
}

const unsettled = statement(
  'enrollments.listUnsettledEnrollments',
  `select employee_id as id from (${judged}) as enrollment
    union
   select employee_id from (${counts}) as present where differs or noted is distinct from counts
    order by id`,
)

/** Those of these employees of whom `settleEnrollments` would write something, or `saveCounted`. */
export const listUnsettledEnrollments = async (
  ctx: Ctx,
  organization_id: string,
  { employee_ids, several_ids }: { employee_ids: string[]; several_ids: string[] },
): Promise<string[]> => {
  const values = { organization_id, employee_ids, several_ids, since: null, written_ids: [], formers: [] }
  return (await unsettled.rows<{ id: string }>(ctx, values)).map(({ id }) => id)
}
