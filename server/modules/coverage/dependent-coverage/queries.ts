import { rowsWith } from '../../../database/sql/fragments.ts'
import { statement } from '../../../database/sql/statement.ts'
import { coverage_ending_notice_days } from '../../../runtime/event-types.ts'
import type { EnrollmentKey } from '../enrollments/queries.ts'
import type { CoverageLost } from '../life-events/queries.ts'

/** SQL: the covered dependents with a last day right before `day`, or with an end to be announced on `day`. */
const endingBy = (day: string) =>
  `covered.covered_until in (${day}::date - 1, ${day}::date + ${coverage_ending_notice_days})`

/** SQL: whether such dependents exist. */
export const hasDependentsEnding = `
  exists (select from covered_dependents as covered
           where covered.organization_id = organization.id and ${endingBy('daily_run.day')})`

/** Lists the next dependents with an end of coverage yesterday, or with an end to be announced today. */
export const listEndingDependents = statement(
  'dependent-coverage.listEndingDependents',
  `select distinct covered.dependent_id as id from covered_dependents as covered
    where covered.organization_id = :organization_id and ${endingBy(':today')} and covered.dependent_id > :after
    order by id limit :most`,
).column

/** SQL: dependents by `:dependent_ids`, with the last day on which they can be covered. */
const dependents_in_scope = `
  select dependent.id, dependent.member_id,
         dependent_covered_until(dependent.relationship, dependent.date_of_birth, dependent.ended_on,
                                 dependent.disabled_until) as covered_until
    from ${rowsWith('dependent_ids', 'dependents', 'dependent')}`

/** SQL: the enrollments that cover a row `dependent` on a day, by the election in force on that day. */
const coveringEnrollmentsSql = (day: string) => `
  select enrollment.* from covered_dependents as covered
    join enrollments as enrollment on enrollment.id = covered.enrollment_id
     and enrollment.organization_id = covered.organization_id
   where covered.dependent_id = dependent.id and covered.organization_id = :organization_id
     and greatest(covered.effective_on, enrollment.coverage_start) <= ${day}
     and coalesce(enrollment.coverage_end, ${day}) >= ${day}
     and not exists (
       select from elections as next
        where next.enrollment_id = enrollment.id and next.organization_id = enrollment.organization_id
          and next.effective_on > covered.effective_on and next.effective_on <= ${day})`

const coveringOnLastDay = coveringEnrollmentsSql('dependent.covered_until')

/** Deletes published ends of coverage that no longer apply. Returns the dependents with continued coverage. */
export const deleteEnds = statement(
  'dependent-coverage.deleteEnds',
  `with withdrawn as (
     delete from dependent_coverage_ends as change using (${dependents_in_scope}) as dependent
      where change.dependent_id = dependent.id and change.organization_id = :organization_id
        and change.covered_until is distinct from dependent.covered_until
     returning change.dependent_id as id, change.covered_until, dependent.covered_until as covered_until_now)
   select distinct dependent.id as dependent_id, 'reinstated' as change from withdrawn as dependent
    where coalesce(dependent.covered_until_now > dependent.covered_until, true)
      and exists (${coveringEnrollmentsSql('dependent.covered_until + 1')})
    order by dependent_id`,
).rows<CoverageChange>

/** An event to publish about a dependent's coverage: an announced end, an end on its day, or a withdrawn end. */
type CoverageChange = { dependent_id: string; change: 'ending' | 'ended' | 'reinstated' }

/** Saves the past and upcoming ends of the coverage of dependents. Returns the ends that were not published before. */
export const saveEnds = statement(
  'dependent-coverage.saveEnds',
  `insert into dependent_coverage_ends (organization_id, dependent_id, covered_until, ended_at)
   select :organization_id, dependent.id, dependent.covered_until,
          case when dependent.covered_until < :today::date then :now::timestamptz end
     from (${dependents_in_scope}) as dependent
    where dependent.covered_until <= :today::date + ${coverage_ending_notice_days} and exists (${coveringOnLastDay})
   on conflict (dependent_id, organization_id, covered_until) do update set ended_at = excluded.ended_at
    where dependent_coverage_ends.ended_at is null and excluded.ended_at is not null
   returning dependent_id, case when ended_at is null then 'ending' else 'ended' end as change`,
).rows<CoverageChange>

/**
 * Lists the current employments for which a dependent's coverage ended without a window being opened. There is no
 * window if the employee had left by the end of the coverage.
 */
export const listCoverageLosses = statement(
  'dependent-coverage.listCoverageLosses',
  `select distinct enrollment.employee_id, enrollment.employer_id, dependent.covered_until
     from (${dependents_in_scope}) as dependent
    cross join lateral (${coveringOnLastDay}) as enrollment
    where coalesce(enrollment.inactive_on > :today, true) and dependent.covered_until < :today::date
      and not exists (
        select from qualifying_life_events as event
         where event.employee_id = enrollment.employee_id and event.organization_id = :organization_id
           and event.type = 'dependent_coverage_ended' and event.occurred_on = dependent.covered_until)`,
).rows<CoverageLost>

/**
 * Lists the enrollments that name dependents with a past last day, that were updated for an earlier end, or that would
 * name dependents if they had not ended before.
 */
export const listEnrollmentsNaming = statement(
  'dependent-coverage.listEnrollmentsNaming',
  `select distinct enrollment.id as enrollment_id, enrollment.organization_id, enrollment.employer_id,
          enrollment.employee_id
     from (${dependents_in_scope}) as dependent
     join covered_dependents as covered on covered.dependent_id = dependent.id
      and covered.organization_id = :organization_id
     join enrollments as enrollment on enrollment.id = covered.enrollment_id
      and enrollment.organization_id = covered.organization_id
    where dependent.covered_until < :today::date
       or exists (select from elections as election
                   where election.enrollment_id = enrollment.id and election.follows
                     and election.organization_id = enrollment.organization_id)
    union
   select enrollment.id, enrollment.organization_id, enrollment.employer_id, enrollment.employee_id
     from (${dependents_in_scope}) as dependent
     join employees as employee on employee.member_id = dependent.member_id
      and employee.organization_id = :organization_id
    cross join lateral (
      select * from enrollments
       where employee_id = employee.id and organization_id = :organization_id offset 0) as enrollment
    where exists (select from elections as election
                   where election.enrollment_id = enrollment.id
                     and election.organization_id = enrollment.organization_id
                     and dependent.id = any(election.removed_dependent_ids))
    order by enrollment_id`,
).rows<EnrollmentKey>
