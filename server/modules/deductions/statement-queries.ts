import type { EmployerKey } from '../auth/queries.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Day } from '../../kernel/days.ts'
import type { PayCalendar } from '../../kernel/pay-calendar.ts'
import { lapsesJson } from '../employers/queries.ts'
import type { Deducted, FinalDeductions, Line } from './line-rules.ts'
import type { DeductionMethod } from './rules.ts'

/** A statement before its first chunk. */
export type NewStatement = {
  id: string
  employer_id: string
  year: number
  number: number
  period_count: number
  period_start_date: Day
  period_end_date: Day
  frequency: PayCalendar['pay_frequency']
  first_pay_date: Day | null
  deductions_per_year: number | null
  deduction_method: DeductionMethod
}

const inserted = statement(
  'deductions.insertStatements',
  `insert into deduction_statements (id, organization_id, employer_id, year, number, period_count, period_start_date,
                                     period_end_date, frequency, first_pay_date, deductions_per_year,
                                     deduction_method, created_at)
   select id, :organization_id, employer_id, year, number, period_count, period_start_date, period_end_date, frequency,
          first_pay_date, deductions_per_year, deduction_method, :now
     from jsonb_to_recordset(:statements::jsonb) as said (
            id text, employer_id text, year int, number int, period_count int, period_start_date date,
            period_end_date date, frequency text, first_pay_date date, deductions_per_year int,
            deduction_method text)`,
)

export const insertStatements = (ctx: Ctx, organization_id: string, statements: NewStatement[]) =>
  inserted.rows(ctx, { organization_id, statements: JSON.stringify(statements) })

/**
 * A statement that is not whole yet, how far it is, and what its lines follow from besides: the employer's settings,
 * the first month that an invoice may still bill, and the invoices that billed nothing.
 */
export type OpenStatement = NewStatement & {
  through_employee_id: string | null
  final_deductions: FinalDeductions
  arrears_limit_percent: number
  first_open_month: Day
  void_invoice_ids: string[]
  /** whether no other one waits */
  is_last: boolean
}

/**
 * SQL: the first month that an invoice of an employer may still bill. The next one is of the earliest month that is
 * still to be billed, or of the present one, or once that has its invoice, of the one after it.
 */
export const firstOpenMonth = (employer: string) => `
  (select (least((select min(period) from invoice_runs
                   where employer_id = ${employer}.id and organization_id = ${employer}.organization_id
                     and finished_at is null),
                 case when exists (select from invoices
                                    where employer_id = ${employer}.id
                                      and organization_id = ${employer}.organization_id
                                      and period = present.month and voided_at is null)
                      then present.month + interval '1 month' else present.month end)
           - make_interval(months => ${employer}.correction_reach_months))::date
     from (select date_trunc('month', :today::date)::date as month) as present)`

/** SQL: the invoices of an employer that are void. */
export const voidInvoices = (employer: string) => `
  array(select invoice_id from invoices
         where employer_id = ${employer}.id and organization_id = ${employer}.organization_id
           and voided_at is not null)`

const open_statement = statement(
  'deductions.findOpenStatement',
  `select statement.id, statement.employer_id, statement.year, statement.number, statement.period_count,
          statement.period_start_date, statement.period_end_date, statement.frequency, statement.first_pay_date,
          statement.deductions_per_year, statement.deduction_method, statement.through_employee_id,
          employer.final_deductions, employer.arrears_limit_percent, ${firstOpenMonth('employer')} as first_open_month,
          ${voidInvoices('employer')} as void_invoice_ids, count(*) over () = 1 as is_last
     from deduction_statements as statement
     join employers as employer on employer.id = :employer_id and employer.organization_id = :organization_id
    where statement.employer_id = :employer_id and statement.organization_id = :organization_id
      and statement.generated_at is null
    order by statement.period_end_date limit 1`,
)

/** The first statement of an employer that is not whole yet. */
export const findOpenStatement = (ctx: Ctx, employer: EmployerKey) => open_statement.row<OpenStatement>(ctx, employer)

const employees_after = statement(
  'deductions.listEmployeesAfter',
  `select id from employees
    where employer_id = :employer_id and organization_id = :organization_id and id > :after order by id limit :count`,
)

/** The next employees of an employer, former ones too, in the order of their ids. */
export async function listEmployeesAfter(
  ctx: Ctx,
  employer: EmployerKey,
  after: string | null,
  count: number,
): Promise<string[]> {
  const rows = await employees_after.rows<{ id: string }>(ctx, { ...employer, after: after ?? '', count })
  return rows.map((row) => row.id)
}

/**
 * SQL: what a row `enrollment` of an employer is charged by: its Coverage, and the benefit; only who enrolled has
 * elections.
 */
export const coverageFields = (employer_id: string, organization_id: string) => `
  product.name as benefit_name, product.category,
  json_build_object(
    'coverage_start', enrollment.coverage_start, 'coverage_end', least(enrollment.coverage_end, year.coverage_end),
    'lapses', ${lapsesJson(employer_id, organization_id)},
    'elections', coalesce((
      select json_agg(json_build_object(
               'effective_on', effective_on, 'employee_deduction_in_cents', employee_deduction_in_cents,
               'domestic_partner_share_in_cents', domestic_partner_share_in_cents,
               'elected_on', (elected_at at time zone 'America/New_York')::date,
               'is_carried', elected_by in ('renewal', 'return'), 'follows', follows,
               'bought_on_exchange', bought_on_exchange, 'is_unbilled', individual_plan_name is not null,
               'partial_month_rule', (
                 select partial_month_rule from plans
                  where id = elections.plan_id and organization_id = ${organization_id})))
        from elections
       where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
         and enrollment.answer = 'enrolled'), '[]')) as coverage`

export const coverageTables = `
  cross join lateral (
    select * from benefit_plan_years
     where id = enrollment.plan_year_id and organization_id = enrollment.organization_id offset 0) as year
  cross join lateral (
    select * from benefit_products
     where id = enrollment.benefit_id and organization_id = enrollment.organization_id offset 0) as product`

/** SQL: the windows of approved births, adoptions and placements of an employee. */
export const arrivalsJson = (employee_id: string, organization_id: string) => `
  (select coalesce(json_agg(json_build_object(
            'occurred_on', occurred_on, 'start', window_start, 'end', window_end)), '[]')
     from qualifying_life_events
    where employee_id = ${employee_id} and organization_id = ${organization_id} and decision = 'approved'
      and type in ('birth', 'adoption', 'placement'))`

/** SQL: what invoices that are not void billed an enrollment's employee for months before one. */
export const billedJson = (void_invoice_ids: string, first_open_month: string) => `
  (select coalesce(json_agg(json_build_array(line.month, line.employee_deduction_in_cents)), '[]')
     from (select * from invoice_lines
            where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
              and month < ${first_open_month} offset 0) as line
    where line.kind <> 'manual_adjustment' and line.employee_deduction_in_cents <> 0
      and line.invoice_id <> all(${void_invoice_ids}))`

/** SQL: what was collected of a row `enrollment`, booked by hand for it, and not taken by payroll. */
export const booksFields = (organization_id: string) => `
  coalesce((select json_agg(json_build_object(
              'year', held.year, 'tax_classification', held.tax_classification,
              'collected_in_cents', held.collected_in_cents, 'adjusted_in_cents', held.adjusted_in_cents,
              'arrears_in_cents', held.arrears_in_cents))
              from deduction_balances as held
             where held.enrollment_id = enrollment.id and held.organization_id = ${organization_id}), '[]') as balances,
  coalesce((select json_agg(row_to_json(sums))
              from (select extract(year from month)::int as year, tax_classification,
                           sum(employee_deduction_in_cents)::bigint as amount_in_cents
                      from manual_adjustments
                     where enrollment_id = enrollment.id and organization_id = ${organization_id}
                     group by 1, 2) as sums), '[]') as booked,
  coalesce((select shortfall_in_cents from payroll_shortfalls
             where enrollment_id = enrollment.id and organization_id = ${organization_id}), 0) as shortfall_in_cents`

type DeductedEnrollment = Deducted & { employee_id: string; enrollment_id: string; benefit_name: string }

const deducted = statement(
  'deductions.listDeducted',
  `select employee.id as employee_id, enrollment.id as enrollment_id,
          ${coverageFields(':employer_id', ':organization_id')}, employee.hired_on, employee.terminated_on as last_day,
          employee.arrivals, coalesce(balance.balances, '[]') as balances, coalesce(by_hand.booked, '[]') as booked,
          ${billedJson(':void_invoice_ids::text[]', ':first_open_month::date')} as billed,
          coalesce(shortfall.shortfall_in_cents, 0)::bigint as shortfall_in_cents
     from (select theirs.id, theirs.hired_on, theirs.terminated_on, wanted.position,
                  ${arrivalsJson('theirs.id', ':organization_id')} as arrivals
             from unnest(:employee_ids::text[]) with ordinality as wanted (id, position)
            cross join lateral (
              select * from employees where id = wanted.id and organization_id = :organization_id offset 0) as theirs
          ) as employee
    cross join lateral (
      select * from enrollments
       where employee_id = employee.id and organization_id = :organization_id offset 0) as enrollment
    ${coverageTables}
     left join lateral (
      select json_agg(json_build_object(
               'year', held.year, 'tax_classification', held.tax_classification,
               'collected_in_cents', held.collected_in_cents, 'adjusted_in_cents', held.adjusted_in_cents,
               'arrears_in_cents', held.arrears_in_cents)) as balances,
             max(held.year) as newest_year
        from deduction_balances as held
       where held.enrollment_id = enrollment.id and held.organization_id = :organization_id) as balance on true
     left join lateral (
      select json_agg(row_to_json(sums)) as booked
        from (select extract(year from month)::int as year, tax_classification,
                     sum(employee_deduction_in_cents)::bigint as amount_in_cents
                from manual_adjustments
               where enrollment_id = enrollment.id and organization_id = :organization_id
               group by 1, 2) as sums) as by_hand on true
     left join lateral (
      select shortfall_in_cents from payroll_shortfalls
       where enrollment_id = enrollment.id and organization_id = :organization_id offset 0) as shortfall on true
    where balance.newest_year >= :year::int - 1 or by_hand.booked is not null
       or enrollment.answer = 'enrolled' and enrollment.coverage_start < make_date(:year + 1, 1, 1)
          and least(enrollment.coverage_end, year.coverage_end) >= make_date(:year - 1, 1, 1)
    order by employee.position, enrollment.id`,
)

type OfStatement = Pick<OpenStatement, 'year' | 'first_open_month' | 'void_invoice_ids'>

/**
 * The enrollments of an employer's employees that a statement may have lines for: charged in its year or the one
 * before, collected, or booked by hand.
 */
export const listDeducted = (
  ctx: Ctx,
  employer: EmployerKey,
  employee_ids: string[],
  { year, first_open_month, void_invoice_ids }: OfStatement,
) => deducted.rows<DeductedEnrollment>(ctx, { ...employer, employee_ids, year, first_open_month, void_invoice_ids })

export type NewLine = Line & { employee_id: string; enrollment_id: string; benefit_name: string }

const lines_saved = statement(
  'deductions.saveLines',
  `with written as (
     insert into deduction_lines (organization_id, statement_id, employee_id, enrollment_id, year, kind,
                                  amount_in_cents, benefit_name, tax_classification, reason)
     select :organization_id, :statement_id, employee_id, enrollment_id, year, kind, amount_in_cents, benefit_name,
            tax_classification, reason
       from jsonb_to_recordset(:lines::jsonb) as said (
              employee_id text, enrollment_id text, year int, kind text, amount_in_cents bigint, benefit_name text,
              tax_classification text, reason text)
     returning enrollment_id, year, kind, tax_classification, amount_in_cents)
   insert into deduction_balances (organization_id, enrollment_id, year, tax_classification, collected_in_cents,
                                   adjusted_in_cents, arrears_in_cents)
   select :organization_id, enrollment_id, year, tax_classification,
          coalesce(sum(amount_in_cents) filter (where kind in ('deduction', 'correction')), 0),
          coalesce(sum(amount_in_cents) filter (where kind = 'manual_adjustment'), 0),
          coalesce(sum(amount_in_cents) filter (where kind = 'arrears'), 0)
     from written group by enrollment_id, year, tax_classification
   on conflict (enrollment_id, year, organization_id, tax_classification)
   do update set collected_in_cents = deduction_balances.collected_in_cents + excluded.collected_in_cents,
                 adjusted_in_cents = deduction_balances.adjusted_in_cents + excluded.adjusted_in_cents,
                 arrears_in_cents = deduction_balances.arrears_in_cents + excluded.arrears_in_cents`,
)

/** Writes lines of a statement, and with them what is collected of each enrollment and year. */
export const saveLines = (ctx: Ctx, organization_id: string, statement_id: string, lines: NewLine[]) =>
  lines_saved.rows(ctx, { organization_id, statement_id, lines: JSON.stringify(lines) })

type Progress = { through_employee_id: string; employee_count: number; line_count: number; total_in_cents: number }

const progress_saved = statement(
  'deductions.saveProgress',
  `update deduction_statements
      set through_employee_id = :through_employee_id, employee_count = employee_count + :employee_count,
          line_count = line_count + :line_count, total_in_cents = total_in_cents + :total_in_cents
    where id = :statement_id and organization_id = :organization_id`,
)

/** Notes how far a statement is, and adds what a chunk of it holds. */
export const saveProgress = (ctx: Ctx, organization_id: string, statement_id: string, chunk: Progress) =>
  progress_saved.rows(ctx, { organization_id, statement_id, ...chunk })

const generated_saved = statement(
  'deductions.saveGenerated',
  `update deduction_statements set generated_at = :now where id = :statement_id and organization_id = :organization_id`,
)

/** Marks a statement as whole. */
export const saveGenerated = (ctx: Ctx, organization_id: string, statement_id: string) =>
  generated_saved.rows(ctx, { organization_id, statement_id })

const deducted_employees = statement(
  'deductions.listDeductedEmployees',
  `select distinct employee_id from deduction_lines
    where statement_id = :statement_id and organization_id = :organization_id order by employee_id`,
)

/** The employees with lines in a statement. */
export async function listDeductedEmployees(
  ctx: Ctx,
  organization_id: string,
  statement_id: string,
): Promise<string[]> {
  const rows = await deducted_employees.rows<{ employee_id: string }>(ctx, { organization_id, statement_id })
  return rows.map((row) => row.employee_id)
}
