import type { EmployerKey } from '../auth/queries.ts'
import { inReach } from '../../platform/caller.ts'
import { chunksOf } from '../../kernel/chunks.ts'
import type { Ctx, ReadCtx, DailyChunk } from '../../platform/ctx.ts'
import { read, statement } from '../../platform/database/statement.ts'
import type { Day } from '../../kernel/days.ts'
import { downloadLink, type DownloadedFile, type DownloadKey } from '../../platform/http/downloads.ts'
import type { Page } from '../../kernel/pages.ts'
import { pageJson, pageValues } from '../../platform/database/pages.ts'
import type { PayCalendar } from '../../kernel/pay-calendar.ts'
import { writeCsv } from '../../kernel/write-csv.ts'
import { lapsesJson } from '../employers/queries.ts'
import type { Deducted, DeductionMethod, Line, YearFacts } from './rules.ts'
import type { PayrollDeductionStatement } from './schemas.ts'

/** How an employer pays, and how far its statements reach. `has_open`: the newest one is not whole yet. */
export type PayingEmployer = PayCalendar & {
  employer_id: string
  deduction_method: DeductionMethod
  first_coverage_start: Day
  last_end: Day | null
  has_open: boolean
}

/**
 * SQL: the employers of an organization that may be due a statement on a day or have one that is not whole. No pay
 * period is longer than a month, so coverage that begins later can't be due yet. For three months after a subscription
 * ended, statements still collect or pay back what came out late.
 */
const payingEmployers = (organization: string, day: string, condition = '') => `
  select held.employer_id, employer.pay_frequency, employer.first_pay_date, employer.deduction_method,
         greatest(held.first_coverage_start, employer.administered_from) as first_coverage_start,
         newest.period_end_date as last_end,
         newest.employer_id is not null and newest.generated_at is null as has_open
    from employer_benefits as held
   cross join lateral (
     select * from employers
      where id = held.employer_id and organization_id = held.organization_id offset 0) as employer
    left join lateral (
     select * from deduction_statements as statement
      where statement.employer_id = held.employer_id and statement.organization_id = held.organization_id
      order by period_end_date desc limit 1) as newest on true
   where held.organization_id = ${organization} ${condition}
     and held.first_coverage_start <= ${day}::date + 31
     and coalesce(employer.subscription_ended_on + 92 > ${day}, true)
     and (newest.period_end_date is null or newest.period_end_date < ${day} or newest.generated_at is null)`

const paying = statement(
  'deductions.listPayingEmployers',
  `${payingEmployers(':organization_id', ':today', 'and held.employer_id > :after')}
   order by held.employer_id limit :most`,
)

/** The next employers of an organization that may be due a statement today or have one that is not whole. */
export const listPayingEmployers = (ctx: Ctx, organization_id: string, { after, most }: DailyChunk) =>
  paying.rows<PayingEmployer>(ctx, { organization_id, after: after ?? '', most })

const paying_one = statement(
  'deductions.findPayingEmployer',
  payingEmployers(':organization_id', ':today', 'and held.employer_id = :employer_id'),
)

/** An employer, in a list of its own, when it is one of them. */
export const findPayingEmployer = (ctx: Ctx, organization_id: string, employer_id: string) =>
  paying_one.rows<PayingEmployer>(ctx, { organization_id, employer_id })

/** SQL: whether there are such employers. */
export const hasStatementsDue = `exists (${payingEmployers('organization.id', 'daily_run.day')})`

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
  deduction_method: DeductionMethod
}

const inserted = statement(
  'deductions.insertStatements',
  `insert into deduction_statements (id, organization_id, employer_id, year, number, period_count, period_start_date,
                                     period_end_date, frequency, first_pay_date, deduction_method, created_at)
   select id, :organization_id, employer_id, year, number, period_count, period_start_date, period_end_date, frequency,
          first_pay_date, deduction_method, :now
     from jsonb_to_recordset(:statements::jsonb) as said (
            id text, employer_id text, year int, number int, period_count int, period_start_date date,
            period_end_date date, frequency text, first_pay_date date, deduction_method text)`,
)

export const insertStatements = (ctx: Ctx, organization_id: string, statements: NewStatement[]) =>
  inserted.rows(ctx, { organization_id, statements: JSON.stringify(statements) })

/** A statement that is not whole yet, and how far it is. */
export type OpenStatement = NewStatement & { through_employee_id: string | null }

const open_statement = statement(
  'deductions.findOpenStatement',
  `select id, employer_id, year, number, period_count, period_start_date, period_end_date, frequency, first_pay_date,
          deduction_method, through_employee_id
     from deduction_statements
    where employer_id = :employer_id and organization_id = :organization_id and generated_at is null
    order by period_end_date limit 1`,
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
const coverageFields = (employer_id: string, organization_id: string) => `
  product.name as benefit_name, product.category,
  json_build_object(
    'coverage_start', enrollment.coverage_start, 'coverage_end', least(enrollment.coverage_end, year.coverage_end),
    'lapses', ${lapsesJson(employer_id, organization_id)},
    'elections', coalesce((
      select json_agg(json_build_object(
               'effective_on', effective_on, 'employee_deduction_in_cents', employee_deduction_in_cents,
               'bought_on_exchange', bought_on_exchange))
        from elections
       where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
         and enrollment.answer = 'enrolled'), '[]')) as coverage`

const coverageTables = `
  cross join lateral (
    select * from benefit_plan_years
     where id = enrollment.plan_year_id and organization_id = enrollment.organization_id offset 0) as year
  cross join lateral (
    select * from benefit_products
     where id = enrollment.benefit_id and organization_id = enrollment.organization_id offset 0) as product`

type DeductedEnrollment = Deducted & { employee_id: string; enrollment_id: string; benefit_name: string }

const deducted = statement(
  'deductions.listDeducted',
  `select enrollment.employee_id, enrollment.id as enrollment_id, ${coverageFields(':employer_id', ':organization_id')},
          coalesce(balance.collected, '{}') as collected
     from unnest(:employee_ids::text[]) with ordinality as wanted (id, position)
    cross join lateral (
      select * from enrollments
       where employee_id = wanted.id and organization_id = :organization_id offset 0) as enrollment
    ${coverageTables}
     left join lateral (
      select json_object_agg(deduction_balances.year, collected_in_cents) as collected from deduction_balances
       where enrollment_id = enrollment.id and deduction_balances.year in (:year::int, :year - 1)
         and organization_id = enrollment.organization_id) as balance on true
    where balance.collected is not null
       or enrollment.answer = 'enrolled' and enrollment.coverage_start < make_date(:year + 1, 1, 1)
          and least(enrollment.coverage_end, year.coverage_end) >= make_date(:year - 1, 1, 1)
    order by wanted.position, enrollment.id`,
)

/**
 * The enrollments of an employer's employees that a statement of a year may have lines for: charged in it or the year
 * before, or collected.
 */
export const listDeducted = (ctx: Ctx, employer: EmployerKey, employee_ids: string[], year: number) =>
  deducted.rows<DeductedEnrollment>(ctx, { ...employer, employee_ids, year })

export type NewLine = Line & { employee_id: string; enrollment_id: string; benefit_name: string }

const lines_saved = statement(
  'deductions.saveLines',
  `with written as (
     insert into deduction_lines (organization_id, statement_id, employee_id, enrollment_id, year, kind,
                                  amount_in_cents, benefit_name, tax_classification)
     select :organization_id, :statement_id, employee_id, enrollment_id, year, kind, amount_in_cents, benefit_name,
            tax_classification
       from jsonb_to_recordset(:lines::jsonb) as said (
              employee_id text, enrollment_id text, year int, kind text, amount_in_cents bigint, benefit_name text,
              tax_classification text)
     returning enrollment_id, year, amount_in_cents)
   insert into deduction_balances (organization_id, enrollment_id, year, collected_in_cents)
   select :organization_id, enrollment_id, year, sum(amount_in_cents) from written group by enrollment_id, year
   on conflict (enrollment_id, year, organization_id)
   do update set collected_in_cents = deduction_balances.collected_in_cents + excluded.collected_in_cents`,
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

const listed = read(
  'deductions.listStatements',
  `with place as materialized (
     select employer.id, employer.organization_id from employers as employer
      where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')})
   ${pageJson(
     `select (select row_to_json(shown) from (select
               statement.id, statement.employer_id, statement.period_start_date, statement.period_end_date,
               statement.frequency, statement.year, statement.number, statement.period_count, statement.employee_count,
               statement.line_count, statement.total_in_cents, iso(statement.generated_at) as generated_at,
               statement.organization_id) as shown) as item,
             row_number() over (order by statement.period_end_date desc) as position
        from place cross join lateral (
          select * from deduction_statements
           where employer_id = place.id and organization_id = place.organization_id and generated_at is not null
           order by period_end_date desc limit :limit::int offset :offset::bigint) as statement`,
     `(select (select count(*) from deduction_statements
                where employer_id = place.id and organization_id = place.organization_id
                  and generated_at is not null) from place)`,
   )}`,
)

type Row = Omit<PayrollDeductionStatement, 'csv'> & { organization_id: string }

/**
 * A page of an employer's statements, newest first, as the whole answer with a link to each; undefined out of reach.
 */
export async function listStatements(ctx: ReadCtx, employer_id: string, page: Page): Promise<string | undefined> {
  const text = await listed.json(ctx, { employer_id, ...pageValues(page) })
  if (text === undefined) return undefined
  const { data, pagination } = JSON.parse(text) as { data: Row[]; pagination: object }
  const linked = data.map(async ({ organization_id, ...statement }) => ({
    ...statement,
    csv: await downloadLink(ctx, { kind: 'payroll_deduction_statement_csv', organization_id, id: statement.id }),
  }))
  return JSON.stringify({ data: await Promise.all(linked), pagination })
}

const csv_columns = [
  'employee_id',
  'reference_id',
  'last_name',
  'first_name',
  'benefit_name',
  'kind',
  'year',
  'amount',
  'amount_in_cents',
  'tax_classification',
  'frequency',
  'period_start_date',
  'period_end_date',
  'enrollment_id',
]

/** Employees whose lines are read at once. */
const employees_in_piece = 500

const csv_found = statement(
  'deductions.findStatementCsv',
  `select statement.period_start_date, statement.period_end_date, (
            select string_agg(line.employee_id, ','
                              order by lower(member.last_name), lower(member.first_name), line.employee_id)
              from (select distinct employee_id from deduction_lines
                     where statement_id = statement.id and organization_id = :organization_id) as line
              left join lateral (
                select member_id from employees
                 where id = line.employee_id and organization_id = :organization_id offset 0) as employee on true
              left join lateral (
                select last_name, first_name from members
                 where id = employee.member_id and organization_id = :organization_id offset 0) as member on true
          ) as employee_ids
     from deduction_statements as statement
    where statement.id = :id and statement.organization_id = :organization_id and statement.generated_at is not null`,
)

/** The lines of some employees in a statement, in their order. */
const csv_lines = statement(
  'deductions.listCsvLines',
  `select line.employee_id, employee.reference_id, member.last_name, member.first_name, line.benefit_name, line.kind,
          line.year, line.amount_in_cents as amount, line.amount_in_cents, line.tax_classification, statement.frequency,
          statement.period_start_date, statement.period_end_date, line.enrollment_id
     from unnest(:employee_ids::text[]) with ordinality as wanted (id, position)
    cross join lateral (
      select * from deduction_lines
       where statement_id = :statement_id and employee_id = wanted.id
         and organization_id = :organization_id offset 0) as line
    cross join lateral (
      select frequency, period_start_date, period_end_date from deduction_statements
       where id = :statement_id and organization_id = :organization_id offset 0) as statement
     left join lateral (
       select reference_id, member_id from employees
        where id = wanted.id and organization_id = :organization_id offset 0) as employee on true
     left join lateral (
       select last_name, first_name from members
        where id = employee.member_id and organization_id = :organization_id offset 0) as member on true
    order by wanted.position, line.benefit_name, line.enrollment_id, line.kind desc, line.year desc`,
)

/** The lines of a statement as a file, by name; people are called as they are called now. */
export async function findStatementCsv(
  ctx: Ctx,
  { organization_id, id }: Omit<DownloadKey, 'kind'>,
): Promise<DownloadedFile | undefined> {
  const found = await csv_found.row<{ period_start_date: Day; period_end_date: Day; employee_ids: string | null }>(
    ctx,
    {
      organization_id,
      id,
    },
  )
  if (!found) return undefined
  const pieces = chunksOf(found.employee_ids?.split(',') ?? [], employees_in_piece)
  const readLines = async function* () {
    for (const employee_ids of pieces)
      yield await csv_lines.rows(ctx, { organization_id, statement_id: id, employee_ids })
  }
  return {
    file_name: `payroll-deductions-${found.period_start_date}-${found.period_end_date}.csv`,
    content_type: 'text/csv; charset=utf-8',
    body: writeCsv(readLines(), csv_columns, ['amount']),
  }
}

const collected = (kind: string) => `coalesce(sum(line.amount_in_cents) filter (where line.kind = '${kind}'), 0)`

const facts = read(
  'deductions.findDeductionFacts',
  `select json_build_object(
            'pay_frequency', coalesce(newest.frequency, employer.pay_frequency),
            'first_pay_date',
              case when newest.id is null then employer.first_pay_date else newest.first_pay_date end) as calendar,
          coalesce(newest.deduction_method, employer.deduction_method) as method, newest.period_end_date as last_end,
          (select coalesce(json_agg(shown order by shown.coverage_start, shown.enrollment_id), '[]') from (
             select enrollment.id as enrollment_id, enrollment.coverage_start,
                    ${coverageFields('employee.employer_id', 'employee.organization_id')}, lines.sums as lines
               from (select * from enrollments
                      where employee_id = employee.id
                        and organization_id = employee.organization_id offset 0) as enrollment
              ${coverageTables}
              cross join lateral (
                select json_build_object('deductions_in_cents', ${collected('deduction')},
                                         'corrections_in_cents', ${collected('correction')}) as sums
                  from (select * from deduction_lines
                         where employee_id = employee.id and organization_id = employee.organization_id
                           and year = :year::int offset 0) as line
                 cross join lateral (
                   select generated_at from deduction_statements
                    where id = line.statement_id and organization_id = line.organization_id offset 0) as statement
                 where line.enrollment_id = enrollment.id and statement.generated_at is not null
              ) as lines) as shown) as enrollments
     from employees as employee
     join employers as employer
       on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
     left join lateral (
       select * from deduction_statements
        where employer_id = employee.employer_id and organization_id = employee.organization_id
          and generated_at is not null
        order by period_end_date desc limit 1) as newest on true
    where employee.id = :employee_id
      and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
)

/**
 * The facts by which an employee's year is proved, with the settings that the newest statement was made by, or the
 * present ones before the first; undefined out of reach.
 */
export const findDeductionFacts = (ctx: ReadCtx, employee_id: string, year: number) =>
  facts.row<YearFacts>(ctx, { employee_id, year })
