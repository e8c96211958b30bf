import { coverage_ending_notice_days } from '../../../runtime/event-types.ts'
import { statement } from '../../../database/sql/statement.ts'

/**
 * Lists plan years that have not ended and that overlap or follow enrollments with a moved or withdrawn end. Returns
 * each with the employees who have neither elected nor waived the same benefit there.
 */
export const listUnansweredAgain = statement(
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
).rows<{ plan_year_id: string; employee_ids: string[] }>

/** Lists the covered dependents of enrollments with a last day that is past, or so near that an event announces it. */
export const listDependentsEnding = statement(
  'enrollments.listDependentsEnding',
  `select covered.dependent_id as id
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from covered_dependents where enrollment_id = wanted.id and organization_id = :organization_id offset 0)
        as covered
    where covered.covered_until <= :today::date + ${coverage_ending_notice_days}
    union
   select unnest(election.removed_dependent_ids)
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from elections where enrollment_id = wanted.id and organization_id = :organization_id offset 0)
        as election
    where election.removed_dependent_ids <> '{}'
    order by id`,
).column

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

/**
 * Lists settled enrollments without an answer, of people who returned within the service credit. Also enrollments of
 * these employees whose resumed election should be withdrawn, or whose withdrawn election should be resumed.
 */
export const listReturned = statement('enrollments.listReturned', `${returned} order by id`).column

/** SQL: the last election of a row of an enrollment as text, for comparison. */
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
     from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments where id = wanted.id and organization_id = :organization_id offset 0) as one
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
