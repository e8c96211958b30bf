import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'

/** SQL: what is elected in the end in a row of an enrollment. */
const lastElection = (enrollment: string) => `(
  select concat_ws(' ', plan_id, coverage_tier, (
           select string_agg(dependent_id, ' ' order by dependent_id) from covered_dependents
            where enrollment_id = election.enrollment_id and organization_id = :organization_id
              and effective_on = election.effective_on))
    from (select * from elections
           where enrollment_id = ${enrollment}.id and organization_id = :organization_id offset 0) as election
   order by election.effective_on desc limit 1)`

const superseded = statement(
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
)

/** An enrollment, and another of its benefit. `differs`: that one ended as its duplicate, and says something else. */
export type Superseded = {
  id: string
  employer_id: string
  employee_id: string
  benefit_id: string
  superseded_enrollment_id: string
  differs: boolean
}

/** Of enrollments that were settled, which others of the same plan year and benefit were elected too. */
export const listSuperseded = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  superseded.rows<Superseded>(ctx, { organization_id, enrollment_ids })
