import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import type { RecordedActual, RequestedDeduction } from './rules.ts'

export type StatementKey = EmployerKey & { statement_id: string }

/** SQL: the requested statement of an employer within reach. Excludes statements that are still being written. */
const namedStatement = `
  stated.id = :statement_id and stated.employer_id = :employer_id and stated.generated_at is not null
  and ${inReach('stated.organization_id', 'stated.employer_id')}`

export const locateStatement = read(
  'payroll-actuals.locateStatement',
  `select stated.id as statement_id, stated.employer_id, stated.organization_id
     from deduction_statements as stated where ${namedStatement}`,
).row<StatementKey>

/**
 * The deductions that a statement requests for the employees in the rows, by enrollment, including enrollments without
 * a request. Reads nothing else of the statement.
 */
export const listRequested = statement(
  'payroll-actuals.listRequested',
  `with people as materialized (
     select employee.id, employee.reference_id from unnest(:employee_ids::text[]) as input (id)
      cross join lateral (
        select id, reference_id, employer_id from employees
         where id = input.id and organization_id = :organization_id offset 0) as employee
      where employee.employer_id = :employer_id
      union
     select employee.id, employee.reference_id from (
       select :employer_id || reference_id as reference_key from unnest(:reference_ids::text[]) as each (reference_id)
       offset 0) as input
      cross join lateral (
        select id, reference_id from employees
         where reference_key = input.reference_key and organization_id = :organization_id
        offset 0) as employee
   )
   select people.id as employee_id, people.reference_id, line.enrollment_id, line.benefit_name, line.requested_in_cents,
          false as is_reimbursed
     from people cross join lateral (
       select enrollment_id, min(benefit_name) as benefit_name, sum(amount_in_cents)::bigint as requested_in_cents
         from deduction_lines
        where statement_id = :statement_id and employee_id = people.id and organization_id = :organization_id
        group by enrollment_id) as line
    union all
   select enrollment.employee_id, employee.reference_id, enrollment.id, null, 0,
          exists (select from elections
                   where enrollment_id = enrollment.id and organization_id = :organization_id
                     and individual_plan_name is not null)
     from unnest(:enrollment_ids::text[]) as input (id)
    cross join lateral (
      select id, employee_id, employer_id from enrollments
       where id = input.id and organization_id = :organization_id offset 0) as enrollment
    cross join lateral (
      select reference_id from employees
       where id = enrollment.employee_id and organization_id = :organization_id offset 0) as employee
    where enrollment.employer_id = :employer_id
      and not exists (select from deduction_lines
                       where statement_id = :statement_id and employee_id = enrollment.employee_id
                         and enrollment_id = enrollment.id and organization_id = :organization_id offset 0)`,
).rows<RequestedDeduction>

const saved = statement(
  'payroll-actuals.saveActuals',
  `with input as materialized (
     select * from jsonb_to_recordset(:actuals::jsonb) as row (
              employee_id text, enrollment_id text, requested_in_cents bigint, taken_in_cents bigint)
   ), changed as materialized (
     select input.enrollment_id,
            input.requested_in_cents - input.taken_in_cents
            - coalesce(former.requested_in_cents - former.taken_in_cents, 0) as more
       from input
       left join payroll_actuals as former
              on former.statement_id = :statement_id and former.employee_id = input.employee_id
             and former.enrollment_id = input.enrollment_id and former.organization_id = :organization_id
   ), written as (
     insert into payroll_actuals (organization_id, statement_id, employee_id, enrollment_id, requested_in_cents,
                                  taken_in_cents, reported_at)
     select :organization_id, :statement_id, employee_id, enrollment_id, requested_in_cents, taken_in_cents, :now
       from input
     on conflict (statement_id, employee_id, enrollment_id, organization_id)
     do update set requested_in_cents = excluded.requested_in_cents, taken_in_cents = excluded.taken_in_cents,
                   reported_at = excluded.reported_at)
   insert into payroll_shortfalls as held (organization_id, enrollment_id, shortfall_in_cents)
   select :organization_id, enrollment_id, more from changed where more <> 0
   on conflict (enrollment_id, organization_id)
   do update set shortfall_in_cents = held.shortfall_in_cents + excluded.shortfall_in_cents`,
)

/** Saves the amounts that payroll deducted, and the resulting shortfalls. Replaces earlier reports. */
export const saveActuals = (ctx: Ctx, { organization_id, statement_id }: StatementKey, actuals: RecordedActual[]) =>
  saved.rows(ctx, { organization_id, statement_id, actuals: JSON.stringify(actuals) })

/** A page of the amounts that payroll reported for a statement. */
export const listActuals = targetList('payroll-actuals.listActuals', {
  target: `select stated.id, stated.organization_id from deduction_statements as stated where ${namedStatement}`,
  from: `payroll_actuals as actual
          where actual.statement_id = target.id and actual.organization_id = target.organization_id`,
  row: 'actual',
  order: 'actual.employee_id, actual.enrollment_id',
  item: `(select row_to_json(shown) from (
            select actual.employee_id, actual.enrollment_id, actual.requested_in_cents, actual.taken_in_cents,
                   actual.requested_in_cents - actual.taken_in_cents as difference_in_cents,
                   iso(actual.reported_at) as reported_at) as shown)`,
})
