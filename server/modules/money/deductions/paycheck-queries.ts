import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { read } from '../../../database/sql/statement.ts'
import { addDays } from '../../../kernel/days.ts'
import { causeJson } from '../../directory/evidence/queries.ts'
import { paycheckOf, paychecksAhead, type Paycheck, type PaycheckFacts } from './paycheck-rules.ts'
import {
  arrivals_json,
  billed_contributions_json,
  billed_json,
  books_fields,
  coverage_fields,
  coverage_tables,
  first_open_month,
  collectedDays,
  void_invoices,
} from './statement-queries.ts'
import type { YearFacts } from './proof-rules.ts'

/** SQL: the employee within reach, the employer, and the `newest` statement of the employer that meets a condition. */
const employeeWithNewest = (condition: string) => `
  from employees as employee
  join employers as employer
    on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
  left join lateral (
    select * from deduction_statements
     where employer_id = employee.employer_id and organization_id = employee.organization_id and ${condition}
     order by period_end_date desc limit 1) as newest on true
 cross join lateral (
   select ${first_open_month} as first_open_month, ${void_invoices} as void_invoice_ids) as correction
 where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`

/** The facts for an employee's upcoming paychecks, and the written paychecks of a year. Undefined if out of reach. */
export const findPaycheckFacts = read(
  'deductions.findPaycheckFacts',
  `select json_build_object('pay_frequency', employer.pay_frequency, 'first_pay_date', employer.first_pay_date,
                            'deductions_per_year', employer.deductions_per_year) as calendar,
          case when newest.id is not null then json_build_object(
            'pay_frequency', newest.frequency, 'first_pay_date', newest.first_pay_date,
            'deductions_per_year', newest.deductions_per_year) end as last_calendar,
          newest.period_end_date as last_end, employer.deduction_method as method, employer.final_deductions,
          employer.arrears_limit_percent, correction.first_open_month,
          (select greatest(held.first_coverage_start, employer.administered_from) from employer_benefits as held
            where held.employer_id = employer.id
              and held.organization_id = employee.organization_id) as first_coverage_start,
          (select coalesce(json_agg(shown order by shown.benefit_name, shown.enrollment_id), '[]') from (
             select enrollment.id as enrollment_id,
                    ${causeJson(
                      'enrollment.id',
                      'enrollment.organization_id',
                      `coalesce(newest.generated_at, '-infinity')`,
                      `'infinity'`,
                    )} as cause,
                    employee.hired_on, employee.terminated_on as last_day,
                    ${coverage_fields},
                    ${arrivals_json} as arrivals,
                    ${billed_json} as billed,
                    ${books_fields}
               from (select * from enrollments
                      where employee_id = employee.id
                        and organization_id = employee.organization_id offset 0) as enrollment
              ${coverage_tables}) as shown) as enrollments,
          (select coalesce(json_agg(paid order by paid.period_end_date), '[]') from (
             select statement.id as statement_id, statement.period_start_date, statement.period_end_date,
                    json_agg(json_build_object(
                      'enrollment_id', line.enrollment_id, 'benefit_name', line.benefit_name, 'kind', line.kind,
                      'reason', line.reason,
                      'cause', case when line.kind = 'correction' then ${causeJson(
                        'line.enrollment_id',
                        'line.organization_id',
                        `coalesce(former.generated_at, '-infinity')`,
                        'statement.generated_at',
                      )} end,
                      'year', line.year, 'amount_in_cents', line.amount_in_cents,
                      'tax_classification', line.tax_classification,
                      'corrected_period_start_date', line.corrected_period_start_date,
                      'corrected_period_end_date', line.corrected_period_end_date)
                      order by line.benefit_name, line.enrollment_id, line.kind desc, line.year desc,
                               line.tax_classification desc) as lines
               from (select * from deduction_lines
                      where employee_id = employee.id and organization_id = employee.organization_id
                        and year <= :year::int offset 0) as line
              cross join lateral (
                select * from deduction_statements
                 where id = line.statement_id and organization_id = line.organization_id offset 0) as statement
               left join lateral (
                 select generated_at from deduction_statements
                  where employer_id = employee.employer_id and organization_id = line.organization_id
                    and period_end_date < statement.period_end_date
                  order by period_end_date desc limit 1) as former on true
              where statement.year = :year::int and statement.generated_at is not null
              group by statement.id, statement.period_start_date, statement.period_end_date) as paid) as written,
          (select coalesce(json_agg(taken), '[]') from (
             select line.enrollment_id, line.year, line.tax_classification, line.amount_in_cents, ${collectedDays}
               from (select * from deduction_lines
                      where employee_id = employee.id and organization_id = employee.organization_id
                        and year = :year::int offset 0) as line
              cross join lateral (
                select * from deduction_statements
                 where id = line.statement_id and organization_id = line.organization_id offset 0) as statement
              where line.kind in ('deduction', 'correction')) as taken) as taken
     ${employeeWithNewest('true')}`,
).row<PaycheckFacts & { written: Omit<Paycheck, 'total_in_cents'>[] }>

/** How many days ahead paychecks are estimated: two paychecks for monthly employees. */
const days_ahead = 62

/** The written paychecks of a year, and the upcoming ones. Undefined if out of reach. */
export async function findPaychecks(ctx: ReadCtx, employee_id: string, year: number) {
  const found = await findPaycheckFacts(ctx, { employee_id, year })
  if (!found) return undefined
  const { written, ...known } = found
  const ahead = paychecksAhead(known, ctx.today, addDays(ctx.today, days_ahead))
  return [...written.map(paycheckOf), ...ahead.filter((paycheck) => paycheck.period_end_date.startsWith(`${year}-`))]
}

const collected = (kind: string) => `coalesce(sum(line.amount_in_cents) filter (where line.kind = '${kind}'), 0)`

/**
 * The facts for the deduction proof of an employee's year, with the settings of the latest statement, or the current
 * ones before the first statement. Undefined if out of reach.
 */
export const findDeductionFacts = read(
  'deductions.findDeductionFacts',
  `select json_build_object(
            'pay_frequency', coalesce(newest.frequency, employer.pay_frequency),
            'first_pay_date',
              case when newest.id is null then employer.first_pay_date else newest.first_pay_date end,
            'deductions_per_year',
              case when newest.id is null then employer.deductions_per_year else newest.deductions_per_year end
          ) as calendar, employer.final_deductions, employee.hired_on, employee.terminated_on as last_day,
          correction.first_open_month, ${arrivals_json} as arrivals,
          coalesce(newest.deduction_method, employer.deduction_method) as method, newest.period_end_date as last_end,
          (select coalesce(json_agg(shown order by shown.coverage_start, shown.enrollment_id), '[]') from (
             select enrollment.id as enrollment_id, enrollment.coverage_start,
                    ${coverage_fields}, lines.sums as lines,
                    ${billed_json} as billed,
                    ${billed_contributions_json}
                      as billed_contributions_in_cents,
                    (select coalesce(json_agg(json_build_object(
                              'year', year, 'tax_classification', tax_classification,
                              'taxed_months', taxed_months)), '[]')
                       from deduction_balances
                      where enrollment_id = enrollment.id and organization_id = enrollment.organization_id) as balances,
                    (select coalesce(sum(employee_deduction_in_cents), 0)::bigint from manual_adjustments
                      where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
                        and extract(year from month) = :year) as booked_in_cents, reported.sums as taken
               from (select * from enrollments
                      where employee_id = employee.id
                        and organization_id = employee.organization_id offset 0) as enrollment
              ${coverage_tables}
              cross join lateral (
                select json_build_object(
                         'deductions_in_cents', ${collected('deduction')},
                         'corrections_in_cents', ${collected('correction')},
                         'manual_adjustments_in_cents', ${collected('manual_adjustment')},
                         'arrears_in_cents', ${collected('arrears')}) as sums
                  from (select * from deduction_lines
                         where employee_id = employee.id and organization_id = employee.organization_id
                           and year = :year::int offset 0) as line
                 cross join lateral (
                   select generated_at from deduction_statements
                    where id = line.statement_id and organization_id = line.organization_id offset 0) as statement
                 where line.enrollment_id = enrollment.id and statement.generated_at is not null
              ) as lines
              cross join lateral (
                select json_build_object(
                         'taken_in_cents', sum(actual.taken_in_cents),
                         'shortfall_in_cents',
                         coalesce(sum(actual.requested_in_cents - actual.taken_in_cents), 0)) as sums
                  from (select * from payroll_actuals
                         where employee_id = employee.id and organization_id = employee.organization_id
                           and enrollment_id = enrollment.id offset 0) as actual
                 cross join lateral (
                   select year from deduction_statements
                    where id = actual.statement_id and organization_id = employee.organization_id offset 0) as stated
                 where stated.year = :year
              ) as reported) as shown) as enrollments
     ${employeeWithNewest('generated_at is not null')}`,
).row<YearFacts>
