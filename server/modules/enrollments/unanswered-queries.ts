import type { Ctx } from '../../platform/ctx.ts'
import { statement } from '../../platform/database/statement.ts'

const unanswered = statement(
  'enrollments.listUnansweredAgain',
  `select year.id as plan_year_id, array_agg(distinct enrollment.employee_id) as employee_ids
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments where id = wanted.id and organization_id = :organization_id offset 0) as enrollment
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
)

/**
 * Of enrollments whose end was moved or taken back: the plan years that are not over, which they reach up to or into,
 * with the employees who have not answered there for the same benefit.
 */
export const listUnansweredAgain = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  unanswered.rows<{ plan_year_id: string; employee_ids: string[] }>(ctx, { organization_id, enrollment_ids })

const returned = statement(
  'enrollments.listReturned',
  `select enrollment.id
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments where id = wanted.id and organization_id = :organization_id offset 0) as enrollment
    cross join lateral scope_of(enrollment.employer_id, :organization_id, enrollment.benefit_id) as own
    cross join lateral (
      select service_from from employee_eligibilities
       where employee_id = enrollment.employee_id and organization_id = :organization_id
         and scope = own.scope and anchored_on = enrollment.anchored_on offset 0) as period
    where enrollment.answer is null and coalesce(enrollment.inactive_on > :today, true)
      and period.service_from is not null
    order by enrollment.id`,
)

/** Of enrollments those that nobody has answered of people who came back in time, so that their service counts. */
export const listReturned = async (ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<string[]> =>
  (await returned.rows<{ id: string }>(ctx, { organization_id, enrollment_ids })).map(({ id }) => id)
