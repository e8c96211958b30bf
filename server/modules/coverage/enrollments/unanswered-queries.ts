import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import { decided } from './choice-queries.ts'

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

const dependents_ending = statement(
  'enrollments.listDependentsEnding',
  `select covered.dependent_id as id
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from covered_dependents where enrollment_id = wanted.id and organization_id = :organization_id offset 0)
        as covered
    where covered.covered_until <= :today::date + 60
    union
   select unnest(election.left_dependent_ids)
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from elections where enrollment_id = wanted.id and organization_id = :organization_id offset 0)
        as election
    where election.left_dependent_ids <> '{}'
    order by id`,
)

/** The dependents whom enrollments cover, and whose last day is past, or so near that it is told of ahead. */
export async function listDependentsEnding(
  ctx: Ctx,
  organization_id: string,
  enrollment_ids: string[],
): Promise<string[]> {
  const rows = await dependents_ending.rows<{ id: string }>(ctx, { organization_id, enrollment_ids })
  return rows.map(({ id }) => id)
}

/**
 * SQL: the enrollment, of the same plan year and benefit, by which somebody who came back within their service had been
 * covered until they left, and its last day: of a row `enrollment`, its scope `own` and its `period`.
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
    union
   select enrollment.id
     from unnest(:employee_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments
       where employee_id = wanted.id and organization_id = :organization_id
         and (elected_by = 'return' or resumption_withdrawn_on is not null) offset 0) as enrollment
    cross join lateral scope_of(enrollment.employer_id, :organization_id, enrollment.benefit_id) as own
    cross join lateral (
      select * from employee_eligibilities
       where employee_id = enrollment.employee_id and organization_id = :organization_id
         and scope = own.scope and anchored_on = enrollment.anchored_on offset 0) as period
     left join lateral (${coveredUntilLeaving}) as before on true
    where case when enrollment.answer = 'enrolled' then enrollment.elected_by = 'return' and before.id is null
               else enrollment.answer is null and before.id is not null
                    and coalesce(enrollment.inactive_on > :today, true) end`

const following = statement(
  'enrollments.listFollowing',
  `select 'decided' as what, decided.id from (${decided}) as decided
    union all
   select 'returned', returned.id from (${returned}) as returned
    order by what, id`,
)

/**
 * What else follows from a recalculation. `decided`: employees who were known to hold two benefits of a choice group,
 * and do no more. `returned`: of enrollments that were settled those that nobody has answered of people who came back
 * in time, so that their service counts; and all of these employees in which an election was resumed that would not be
 * by what is known now, or in which that was withdrawn and would be again.
 */
export async function listFollowing(
  ctx: Ctx,
  organization_id: string,
  { employee_ids, enrollment_ids }: { employee_ids: string[]; enrollment_ids: string[] },
): Promise<{ decided: string[]; returned: string[] }> {
  const rows = await following.rows<{ what: string; id: string }>(ctx, {
    organization_id,
    employee_ids,
    enrollment_ids,
  })
  const idsOf = (what: string) => rows.filter((row) => row.what === what).map(({ id }) => id)
  return { decided: idsOf('decided'), returned: idsOf('returned') }
}

const unanswered_again = statement(
  'enrollments.withdrawResumptions',
  `with returned as materialized (
     select theirs.id, theirs.organization_id, theirs.employee_id, theirs.answered_at
       from unnest(:enrollment_ids::text[]) as wanted (id)
      cross join lateral (
        select * from enrollments where id = wanted.id and organization_id = :organization_id offset 0) as theirs
   ), beside as materialized (
     select returned.id, returned.organization_id from returned
      union
     select rival.id, rival.organization_id from returned
      cross join lateral (
        select * from enrollments
         where employee_id = returned.employee_id and organization_id = :organization_id offset 0) as rival
      where rival.answer = 'waived' and (rival.answered_at = returned.answered_at or rival.elected_by = 'return'))
   update enrollments as stored
      set answer = null, answered_at = null, elected_by = null, waiver_reason = null, waiver_code = null, choice = 0,
          resumption_withdrawn_on = case when stored.answer = 'enrolled' then :today::date
                                         else stored.resumption_withdrawn_on end,
          window_ends_on = case when coalesce(stored.inactive_on > :today, true)
                                then greatest(stored.window_ends_on, :today::date + 30)
                                else stored.window_ends_on end,
          updated_at = :now
     from beside
    where stored.id = beside.id and stored.organization_id = beside.organization_id
   returning stored.id, coalesce(stored.inactive_on > :today, true) as is_live`,
)

/**
 * Takes answers away that were resumed, and with them the waivers of the others of their choice groups, which were
 * given in the same instant, or by the rules since. What is not inactive has 30 days in which to be answered.
 */
export const withdrawResumptions = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  unanswered_again.rows<{ id: string; is_live: boolean }>(ctx, { organization_id, enrollment_ids })
