import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { read } from '../../../database/sql/statement.ts'
import type { YearFacts } from './proof-rules.ts'
import {
  arrivalsJson,
  billedJson,
  coverageFields,
  coverageTables,
  firstOpenMonth,
  voidInvoices,
} from './statement-queries.ts'

const collected = (kind: string) => `coalesce(sum(line.amount_in_cents) filter (where line.kind = '${kind}'), 0)`

const facts = read(
  'deductions.findDeductionFacts',
  `select json_build_object(
            'pay_frequency', coalesce(newest.frequency, employer.pay_frequency),
            'first_pay_date',
              case when newest.id is null then employer.first_pay_date else newest.first_pay_date end,
            'deductions_per_year',
              case when newest.id is null then employer.deductions_per_year else newest.deductions_per_year end
          ) as calendar, employer.final_deductions, employee.hired_on, employee.terminated_on as last_day,
          reach.first_open_month, ${arrivalsJson('employee.id', 'employee.organization_id')} as arrivals,
          coalesce(newest.deduction_method, employer.deduction_method) as method, newest.period_end_date as last_end,
          (select coalesce(json_agg(shown order by shown.coverage_start, shown.enrollment_id), '[]') from (
             select enrollment.id as enrollment_id, enrollment.coverage_start,
                    ${coverageFields('employee.employer_id', 'employee.organization_id')}, lines.sums as lines,
                    ${billedJson('reach.void_invoice_ids', 'reach.first_open_month')} as billed,
                    (select coalesce(json_agg(json_build_object(
                              'year', year, 'tax_classification', tax_classification,
                              'taxed_months', taxed_months)), '[]')
                       from deduction_balances
                      where enrollment_id = enrollment.id and organization_id = enrollment.organization_id) as balances,
                    (select coalesce(sum(employee_deduction_in_cents), 0)::bigint from manual_adjustments
                      where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
                        and extract(year from month) = :year) as booked_in_cents, told.sums as taken
               from (select * from enrollments
                      where employee_id = employee.id
                        and organization_id = employee.organization_id offset 0) as enrollment
              ${coverageTables}
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
              ) as told) as shown) as enrollments
     from employees as employee
     join employers as employer
       on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
     left join lateral (
       select * from deduction_statements
        where employer_id = employee.employer_id and organization_id = employee.organization_id
          and generated_at is not null
        order by period_end_date desc limit 1) as newest on true
    cross join lateral (
      select ${firstOpenMonth('employer')} as first_open_month,
             ${voidInvoices('employer')} as void_invoice_ids) as reach
    where employee.id = :employee_id
      and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
)

/**
 * The facts by which an employee's year is proved, with the settings that the newest statement was made by, or the
 * present ones before the first; undefined out of reach.
 */
export const findDeductionFacts = (ctx: ReadCtx, employee_id: string, year: number) =>
  facts.row<YearFacts>(ctx, { employee_id, year })
