import { columnsOf } from '../../../database/sql/fragments.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import { lapsesJson } from '../../directory/employers/queries.ts'
import type { CollectedLine } from './proof-rules.ts'
import type {
  BalanceChange,
  NewLine,
  NewStatement,
  OpenStatement,
  Progress,
  StatedEmployee,
} from './statement-rules.ts'

const inserted = statement(
  'deductions.insertStatements',
  `insert into deduction_statements (id, organization_id, employer_id, year, number, period_count, period_start_date,
                                     period_end_date, frequency, first_pay_date, deductions_per_year,
                                     deduction_method, created_at)
   select id, :organization_id, employer_id, year, number, period_count, period_start_date, period_end_date, frequency,
          first_pay_date, deductions_per_year, deduction_method, :now
     from jsonb_to_recordset(:statements::jsonb) as input (
            id text, employer_id text, year int, number int, period_count int, period_start_date date,
            period_end_date date, frequency text, first_pay_date date, deductions_per_year int,
            deduction_method text)`,
)

export const insertStatements = (ctx: Ctx, organization_id: string, statements: NewStatement[]) =>
  inserted.rows(ctx, { organization_id, statements: JSON.stringify(statements) })

/**
 * SQL: the first month that an invoice of a row `employer` may still bill. It is derived from the next invoice: that of
 * the earliest scheduled month, of the current month, or of the next month if the current one has an invoice.
 */
export const first_open_month = `
  (select (least((select min(period) from invoice_runs
                   where employer_id = employer.id and organization_id = employer.organization_id
                     and finished_at is null),
                 case when exists (select from invoices
                                    where employer_id = employer.id
                                      and organization_id = employer.organization_id
                                      and period = present.month and voided_at is null)
                      then present.month + interval '1 month' else present.month end)
           - make_interval(months => employer.correction_reach_months))::date
     from (select date_trunc('month', :today::date)::date as month) as present)`

/** SQL: the void invoices of a row `employer`. */
export const void_invoices = `
  array(select invoice_id from invoices
         where employer_id = employer.id and organization_id = employer.organization_id
           and voided_at is not null)`

/** SQL: whether a statement is incomplete, or its events are not all published. */
export const isOpen = (row: string) => `${row}.generated_at is null or ${row}.publishing_after is not null`

/** The first open statement of each employer, in the order of the employers. */
export const listOpenStatements = statement(
  'deductions.listOpenStatements',
  `select statement.id, statement.employer_id, statement.year, statement.number, statement.period_count,
          statement.period_start_date, statement.period_end_date, statement.frequency, statement.first_pay_date,
          statement.deductions_per_year, statement.deduction_method, statement.through_employee_id,
          statement.publishing_after as publishing_after, statement.is_last,
          employer.final_deductions, employer.arrears_limit_percent,
          ${lapsesJson('employer.id', 'employer.organization_id')} as lapses,
          ${first_open_month} as first_open_month, ${void_invoices} as void_invoice_ids
     from unnest(:employer_ids::text[]) with ordinality as named (employer_id, position)
    cross join lateral (
      select * from employers where id = named.employer_id and organization_id = :organization_id offset 0) as employer
    cross join lateral (
      select *, count(*) over () = 1 as is_last from deduction_statements as each
       where employer_id = named.employer_id and organization_id = :organization_id and (${isOpen('each')})
       order by period_end_date limit 1) as statement
    order by named.position`,
).rows<OpenStatement>

/**
 * SQL: the next employees of the employers `:employer_ids`, each after one of `:after`, employer by employer, in the
 * order of their rosters. Employees who are added in the meantime come last. Only these employees are read.
 */
export const nextEmployees = `
  select named.employer_id, named.position, one.*
    from unnest(:employer_ids::text[], :after::text[]) with ordinality as named (employer_id, after, position)
   cross join lateral (
     select coalesce((select roster_number from employees
                       where id = named.after and organization_id = :organization_id), 0) as number offset 0) as last
   cross join lateral (
     select id, roster_number, member_id, hired_on, terminated_on from employees
      where employer_id = named.employer_id and organization_id = :organization_id and roster_number > last.number
      order by roster_number limit :count::int) as one
   order by named.position, one.roster_number limit :count`

const stated_employees = statement(
  'deductions.listStatedEmployees',
  `select employer_id, id, hired_on, terminated_on as last_day from (${nextEmployees}) as next
    order by position, roster_number`,
)

/** The next employees of statements, including former ones, statement by statement, each in the order of the roster. */
export async function listStatedEmployees(
  ctx: Ctx,
  organization_id: string,
  statements: OpenStatement[],
  count: number,
): Promise<StatedEmployee[]> {
  const rows = await stated_employees.rows<Omit<StatedEmployee, 'statement'> & { employer_id: string }>(ctx, {
    organization_id,
    employer_ids: statements.map(({ employer_id }) => employer_id),
    after: statements.map(({ through_employee_id }) => through_employee_id ?? ''),
    count,
  })
  const statement_of_employer = new Map(statements.map((statement) => [statement.employer_id, statement]))
  return rows.map(({ employer_id, ...employee }) => ({
    ...employee,
    statement: statement_of_employer.get(employer_id)!,
  }))
}

/** SQL: the Coverage of an `enrollment` of an `employee`, and its benefit. Only enrolled employees have elections. */
export const coverage_fields = `
  product.name as benefit_name, product.category,
  json_build_object(
    'coverage_start', enrollment.coverage_start, 'coverage_end', least(enrollment.coverage_end, year.coverage_end),
    'lapses', ${lapsesJson('employee.employer_id', 'employee.organization_id')},
    'elections', coalesce((
      select json_agg(json_build_object(
               'effective_on', effective_on, 'employee_deduction_in_cents', employee_deduction_in_cents,
               'domestic_partner_share_in_cents', domestic_partner_share_in_cents,
               'premium_in_cents', premium_in_cents,
               'employer_contribution_in_cents', employer_contribution_in_cents,
               'elected_on', (elected_at at time zone 'America/New_York')::date,
               'is_carried', elected_by in ('renewal', 'return'), 'follows', follows,
               'bought_on_exchange', bought_on_exchange, 'is_unbilled', individual_plan_name is not null,
               'partial_month_rule', (
                 select partial_month_rule from plans
                  where id = elections.plan_id and organization_id = employee.organization_id)))
        from elections
       where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
         and enrollment.answer = 'enrolled'), '[]')) as coverage`

export const coverage_tables = `
  cross join lateral (
    select * from benefit_plan_years
     where id = enrollment.plan_year_id and organization_id = enrollment.organization_id offset 0) as year
  cross join lateral (
    select * from benefit_products
     where id = enrollment.benefit_id and organization_id = enrollment.organization_id offset 0) as product`

/** SQL: the windows of approved births, adoptions and placements of a row `employee`. */
export const arrivals_json = `
  (select coalesce(json_agg(json_build_object(
            'occurred_on', occurred_on, 'start', window_start, 'end', window_end)), '[]')
     from qualifying_life_events
    where employee_id = employee.id and organization_id = employee.organization_id and decision = 'approved'
      and type in ('birth', 'adoption', 'placement'))`

/** SQL: the employee's share that valid invoices billed for an enrollment, for months before a row `correction`. */
export const billed_json = `
  (select coalesce(json_agg(json_build_array(line.month, line.employee_deduction_in_cents)), '[]')
     from (select * from invoice_lines
            where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
              and month < correction.first_open_month offset 0) as line
    where line.kind <> 'manual_adjustment' and line.employee_deduction_in_cents <> 0
      and line.invoice_id <> all(correction.void_invoice_ids))`

/** SQL: the employer's shares that valid invoices billed for an enrollment, one for each month of `:year` before it. */
export const billed_contributions_json = `
  (select coalesce(json_agg(billed.contribution_in_cents), '[]')
     from (select sum(line.employer_contribution_in_cents)::bigint as contribution_in_cents
             from (select * from invoice_lines
                    where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
                      and month < correction.first_open_month offset 0) as line
            where line.kind <> 'manual_adjustment' and extract(year from line.month) = :year
              and line.invoice_id <> all(correction.void_invoice_ids)
            group by line.month having sum(line.premium_in_cents) <> 0) as billed)`

/** SQL: the balances, manual adjustments and payroll shortfalls of a row `enrollment`. */
export const books_fields = `
  coalesce((select json_agg(json_build_object(
              'year', held.year, 'tax_classification', held.tax_classification,
              'collected_in_cents', held.collected_in_cents, 'adjusted_in_cents', held.adjusted_in_cents,
              'arrears_in_cents', held.arrears_in_cents, 'taxed_months', held.taxed_months))
              from deduction_balances as held
             where held.enrollment_id = enrollment.id
               and held.organization_id = employee.organization_id), '[]') as balances,
  coalesce((select json_agg(row_to_json(sums))
              from (select extract(year from month)::int as year, tax_classification,
                           sum(employee_deduction_in_cents)::bigint as amount_in_cents
                      from manual_adjustments
                     where enrollment_id = enrollment.id and organization_id = employee.organization_id
                     group by 1, 2) as sums), '[]') as booked,
  coalesce((select shortfall_in_cents from payroll_shortfalls
             where enrollment_id = enrollment.id
               and organization_id = employee.organization_id), 0) as shortfall_in_cents`

const lines_saved = statement(
  'deductions.insertLines',
  `insert into deduction_lines (organization_id, statement_id, employee_id, enrollment_id, year, kind, amount_in_cents,
                                benefit_name, tax_classification, reason, corrected_period_start_date,
                                corrected_period_end_date)
   select :organization_id, line.*
     from unnest(:statement_id::text[], :employee_id::text[], :enrollment_id::text[], :year::int[], :kind::text[],
                 :amount_in_cents::bigint[], :benefit_name::text[], :tax_classification::text[], :reason::text[],
                 :corrected_period_start_date::date[], :corrected_period_end_date::date[]) as line`,
)

const line_columns = [
  ...(['statement_id', 'employee_id', 'enrollment_id', 'year', 'kind', 'amount_in_cents', 'benefit_name'] as const),
  ...(['tax_classification', 'reason', 'corrected_period_start_date', 'corrected_period_end_date'] as const),
]

/** Writes lines of statements. `saveBalances` writes the balances in parallel. */
export const insertLines = (ctx: Ctx, organization_id: string, lines: NewLine[]) =>
  lines_saved.rows(ctx, { organization_id, ...columnsOf(lines, line_columns) })

/** SQL: the days to which a row `line` of a row `statement` applies. */
export const collectedDays = `
  case when line.kind = 'correction' then line.corrected_period_start_date
       else statement.period_start_date end as start_date,
  case when line.kind = 'correction' then line.corrected_period_end_date
       else statement.period_end_date end as end_date`

const taken_lines = statement(
  'deductions.listCollectedLines',
  `select line.enrollment_id, line.year, line.tax_classification, line.amount_in_cents, ${collectedDays}
     from unnest(:employee_ids::text[]) as named (id)
    cross join lateral (
      select * from deduction_lines
       where employee_id = named.id and organization_id = :organization_id and year = :year::int offset 0) as line
    cross join lateral (
      select period_start_date, period_end_date from deduction_statements
       where id = line.statement_id and organization_id = :organization_id offset 0) as statement
    where line.kind in ('deduction', 'correction')`,
)

/** The lines of earlier statements for employees and a year, by enrollment. */
export async function listCollectedLines(ctx: Ctx, organization_id: string, year: number, employee_ids: string[]) {
  const values = { organization_id, year, employee_ids: [...new Set(employee_ids)] }
  const rows = await taken_lines.rows<CollectedLine & { enrollment_id: string }>(ctx, values)
  return Map.groupBy(rows, ({ enrollment_id }) => enrollment_id)
}

// Only one writer at a time works on the statements of an employer and has read its balances, so it knows which ones
// are new.
const balances_saved = statement(
  'deductions.saveBalances',
  `with reported as materialized (
     select * from unnest(:enrollment_id::text[], :year::int[], :tax_classification::text[],
                          :collected_in_cents::bigint[], :adjusted_in_cents::bigint[], :arrears_in_cents::bigint[],
                          :taxed_months::smallint[], :is_new::bool[])
                   as reported (enrollment_id, year, tax_classification, collected, adjusted, arrears, months, is_new)
   ), changed as (
     update deduction_balances as held
        set collected_in_cents = held.collected_in_cents + reported.collected,
            adjusted_in_cents = held.adjusted_in_cents + reported.adjusted,
            arrears_in_cents = held.arrears_in_cents + reported.arrears, taxed_months = reported.months
       from reported
      where not reported.is_new and held.enrollment_id = reported.enrollment_id and held.year = reported.year
        and held.organization_id = :organization_id and held.tax_classification = reported.tax_classification
   )
   insert into deduction_balances (organization_id, enrollment_id, year, tax_classification, collected_in_cents,
                                   adjusted_in_cents, arrears_in_cents, taxed_months)
   select :organization_id, enrollment_id, year, tax_classification, collected, adjusted, arrears, months
     from reported where is_new`,
)

const balance_columns = [
  ...(['enrollment_id', 'year', 'tax_classification', 'collected_in_cents', 'adjusted_in_cents'] as const),
  ...(['arrears_in_cents', 'taxed_months', 'is_new'] as const),
]

/** Adds the amounts of lines to the balances of their enrollments. */
export const saveBalances = (
  ctx: Ctx,
  organization_id: string,
  changes: (BalanceChange & { enrollment_id: string })[],
) => balances_saved.rows(ctx, { organization_id, ...columnsOf(changes, balance_columns) })

const progress_saved = statement(
  'deductions.saveProgress',
  `update deduction_statements as statement
      set through_employee_id = coalesce(chunk.through_employee_id, statement.through_employee_id),
          employee_count = statement.employee_count + chunk.employee_count,
          line_count = statement.line_count + chunk.line_count,
          total_in_cents = statement.total_in_cents + chunk.total_in_cents,
          generated_at = case when chunk.is_complete then :now::timestamptz end,
          publishing_after = case when chunk.is_published_later then '' end
     from jsonb_to_recordset(:chunks::jsonb) as chunk (
            statement_id text, through_employee_id text, employee_count int, line_count int, total_in_cents bigint,
            is_complete bool, is_published_later bool)
    where statement.id = chunk.statement_id and statement.organization_id = :organization_id`,
)

/** Saves the progress of statements. Complete statements become visible everywhere. */
export const saveProgress = (ctx: Ctx, organization_id: string, chunks: Progress[]) =>
  progress_saved.rows(ctx, { organization_id, chunks: JSON.stringify(chunks) })

/** The next employees with lines in a statement, by id. */
export const listDeductedEmployees = statement(
  'deductions.listDeductedEmployees',
  `select distinct employee_id from deduction_lines
    where statement_id = :statement_id and organization_id = :organization_id and employee_id > :after
    order by employee_id limit :count::int`,
).column

/** Saves the last employee whose event is published. Null if all are. */
export const savePublishing = statement(
  'deductions.savePublishing',
  `update deduction_statements set publishing_after = :publishing_after
    where id = :statement_id and organization_id = :organization_id`,
).rows
