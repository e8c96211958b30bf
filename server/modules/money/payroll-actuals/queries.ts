import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Page } from '../../../kernel/pages.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import type { RecordedActual, RequestedDeduction } from './rules.ts'

type Named = { employer_id: string; statement_id: string }

/** A statement, and whose. */
export type StatementKey = EmployerKey & { statement_id: string }

/** SQL: the named statement of an employer within reach; one that is still being written is not there yet. */
const namedStatement = `
  stated.id = :statement_id and stated.employer_id = :employer_id and stated.generated_at is not null
  and ${inReach('stated.organization_id', 'stated.employer_id')}`

const located = read(
  'payroll-actuals.locateStatement',
  `select stated.id as statement_id, stated.employer_id, stated.organization_id
     from deduction_statements as stated where ${namedStatement}`,
)

/** A statement within reach. */
export const locateStatement = (ctx: ReadCtx, named: Named) => located.row<StatementKey>(ctx, named)

const requested = statement(
  'payroll-actuals.listRequested',
  `with people as materialized (
     select employee.id, employee.reference_id from unnest(:employee_ids::text[]) as said (id)
      cross join lateral (
        select id, reference_id, employer_id from employees
         where id = said.id and organization_id = :organization_id offset 0) as employee
      where employee.employer_id = :employer_id
      union
     select employee.id, employee.reference_id from (
       select :employer_id || reference_id as reference_key from unnest(:reference_ids::text[]) as each (reference_id)
       offset 0) as said
      cross join lateral (
        select id, reference_id from employees
         where reference_key = said.reference_key and organization_id = :organization_id
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
     from unnest(:enrollment_ids::text[]) as said (id)
    cross join lateral (
      select id, employee_id, employer_id from enrollments
       where id = said.id and organization_id = :organization_id offset 0) as enrollment
    cross join lateral (
      select reference_id from employees
       where id = enrollment.employee_id and organization_id = :organization_id offset 0) as employee
    where enrollment.employer_id = :employer_id
      and not exists (select from deduction_lines
                       where statement_id = :statement_id and employee_id = enrollment.employee_id
                         and enrollment_id = enrollment.id and organization_id = :organization_id offset 0)`,
)

type NamedByRows = { employee_ids: string[]; reference_ids: string[]; enrollment_ids: string[] }

/**
 * What a statement asks for of the employees who are named, by enrollment, and those of these enrollments that it asks
 * nothing for. Nothing else of the statement is read.
 */
export const listRequested = (ctx: Ctx, key: StatementKey, named: NamedByRows) =>
  requested.rows<RequestedDeduction>(ctx, { ...key, ...named })

const saved = statement(
  'payroll-actuals.saveActuals',
  `with said as materialized (
     select * from jsonb_to_recordset(:actuals::jsonb) as row (
              employee_id text, enrollment_id text, requested_in_cents bigint, taken_in_cents bigint)
   ), changed as materialized (
     select said.enrollment_id,
            said.requested_in_cents - said.taken_in_cents
            - coalesce(former.requested_in_cents - former.taken_in_cents, 0) as more
       from said
       left join payroll_actuals as former
              on former.statement_id = :statement_id and former.employee_id = said.employee_id
             and former.enrollment_id = said.enrollment_id and former.organization_id = :organization_id
   ), written as (
     insert into payroll_actuals (organization_id, statement_id, employee_id, enrollment_id, requested_in_cents,
                                  taken_in_cents, reported_at)
     select :organization_id, :statement_id, employee_id, enrollment_id, requested_in_cents, taken_in_cents, :now
       from said
     on conflict (statement_id, employee_id, enrollment_id, organization_id)
     do update set requested_in_cents = excluded.requested_in_cents, taken_in_cents = excluded.taken_in_cents,
                   reported_at = excluded.reported_at)
   insert into payroll_shortfalls as held (organization_id, enrollment_id, shortfall_in_cents)
   select :organization_id, enrollment_id, more from changed where more <> 0
   on conflict (enrollment_id, organization_id)
   do update set shortfall_in_cents = held.shortfall_in_cents + excluded.shortfall_in_cents`,
)

/** Writes what payroll took, in place of what it told before, and with it by how much that falls short. */
export const saveActuals = (ctx: Ctx, { organization_id, statement_id }: StatementKey, actuals: RecordedActual[]) =>
  saved.rows(ctx, { organization_id, statement_id, actuals: JSON.stringify(actuals) })

const listed = read(
  'payroll-actuals.listActuals',
  `with place as materialized (
     select stated.id, stated.organization_id from deduction_statements as stated where ${namedStatement})
   ${pageJson(
     `select (select row_to_json(shown) from (
                select actual.employee_id, actual.enrollment_id, actual.requested_in_cents, actual.taken_in_cents,
                       actual.requested_in_cents - actual.taken_in_cents as difference_in_cents,
                       iso(actual.reported_at) as reported_at) as shown) as item,
             row_number() over (order by actual.employee_id, actual.enrollment_id) as position
        from place cross join lateral (
          select * from payroll_actuals
           where statement_id = place.id and organization_id = place.organization_id
           order by employee_id, enrollment_id limit :limit::int offset :offset::bigint) as actual`,
     `(select (select count(*) from payroll_actuals
                where statement_id = place.id and organization_id = place.organization_id) from place)`,
   )}`,
)

/** A page of what payroll told of a statement, as the whole answer; undefined out of reach. */
export const listActuals = (ctx: ReadCtx, named: Named, page: Page) =>
  listed.json(ctx, { ...named, ...pageValues(page) })
