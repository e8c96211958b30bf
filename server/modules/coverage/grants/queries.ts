import { sqlFile } from '../../../database/sql/sql-file.ts'

/**
 * SQL: the first day on which an enrollment is not covered because its plan is closed. Null if there is no such day.
 */
const planClosesOn = (enrollment: string, offer: string) => `
  case when ${enrollment}.answer = 'enrolled' and ${offer}.closed_plans <> '{}'
       then (select min(greatest(step.effective_on, (closure.input ->> 'from')::date))
               from (select greatest(effective_on, ${enrollment}.coverage_start) as effective_on, plan_id,
                            lead(effective_on, 1, 'infinity') over (order by effective_on) as next_on
                       from elections
                      where enrollment_id = ${enrollment}.id and organization_id = :organization_id) as step
              cross join jsonb_array_elements(${offer}.closed_plans -> step.plan_id) as closure (input)
              where greatest(step.effective_on, (closure.input ->> 'from')::date)
                    < least(step.next_on, (closure.input ->> 'until')::date)) end`

/**
 * SQL: the enrollments that employees (`:employee_ids`) should have by their periods of eligibility and the offers of
 * their plan years. One row for each enrollment that is missing or differs from the stored one.
 */
export const judgedEnrollments = sqlFile(new URL('judge-enrollments.sql', import.meta.url), {
  offered_benefits: sqlFile(new URL('offered-benefits.sql', import.meta.url)),
  periods: sqlFile(new URL('periods.sql', import.meta.url)),
  persons: sqlFile(new URL('persons.sql', import.meta.url)),
  grantable_benefits: sqlFile(new URL('grantable-benefits.sql', import.meta.url)),
  plan_closes_on: planClosesOn,
})
