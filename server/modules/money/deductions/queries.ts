import { target_employer } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { chunksOf } from '../../../kernel/concurrency/chunks.ts'
import { causeJson } from '../../directory/evidence/queries.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { statement, readVariants } from '../../../database/sql/statement.ts'
import { easternDay, type Day } from '../../../kernel/days.ts'
import { downloadLink, type DownloadedFile, type DownloadKey } from '../../../http/files/downloads.ts'
import type { Page } from '../../../kernel/pages.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { writeCsv } from '../../../kernel/formats/csv.ts'
import type { PayrollDeductionStatement, StatementRowFilter } from './schemas.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'
import type { DeductionMethod } from './rules.ts'
import { isOpen } from './statement-queries.ts'

const statementFields = `
  statement.id, statement.employer_id, statement.period_start_date, statement.period_end_date, statement.frequency,
  statement.year, statement.number, statement.period_count, statement.employee_count, statement.line_count,
  statement.total_in_cents, iso(statement.generated_at) as generated_at, statement.organization_id`

const listed_of_employer = targetList('deductions.listStatements', {
  target: target_employer,
  from: `deduction_statements as statement
          where statement.employer_id = target.id and statement.organization_id = target.organization_id
            and statement.generated_at is not null`,
  row: 'statement',
  order: 'statement.period_end_date desc',
  item: `(select row_to_json(shown) from (select ${statementFields}) as shown)`,
})

type StatementRowFound = Pick<
  PayrollDeductionStatement,
  'id' | 'period_start_date' | 'period_end_date' | 'total_in_cents' | 'generated_at' | 'frequency'
> & { organization_id: string }

const frequency_labels: Record<string, string> = {
  weekly: 'Weekly',
  bi_weekly: 'Bi-weekly',
  semi_monthly: 'Semi-monthly',
  monthly: 'Monthly',
}

/** The same values under the field names of similar services. */
const aliasFields = (row: StatementRowFound, csv_file_url: string) => ({
  statement_id: row.id,
  period_start: row.period_start_date,
  period_end: row.period_end_date,
  run_date: easternDay(Date.parse(row.generated_at)),
  total_deduction_cents: row.total_in_cents,
  csv_file_url,
  deduction_frequency: row.frequency,
  deduction_frequency_label: frequency_labels[row.frequency]!,
})

/** Adds the link to the CSV file to a statement. */
async function linkStatement<Row extends StatementRowFound>(ctx: ReadCtx, row: Row) {
  const { organization_id, ...statement } = row
  const csv = await downloadLink(ctx, { kind: 'payroll_deduction_statement_csv', organization_id, id: statement.id })
  return { ...statement, csv, ...aliasFields(row, csv.download_url) }
}

/** A page of an employer's statements with links, newest first. Undefined if out of reach. */
export async function listStatements(ctx: ReadCtx, employer_id: string, page: Page): Promise<string | undefined> {
  const text = await listed_of_employer(ctx, { employer_id }, page)
  if (text === undefined) return undefined
  const { data, pagination } = JSON.parse(text) as { data: StatementRowFound[]; pagination: object }
  return JSON.stringify({ data: await Promise.all(data.map((row) => linkStatement(ctx, row))), pagination })
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
  'reason',
  'corrected_period_start_date',
  'corrected_period_end_date',
  'cause',
  'cause_reported_on',
  'cause_reported_by',
]

/** How many employees are read per query. */
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

/** The lines of employees in a statement, in order. */
const csv_lines = statement(
  'deductions.listCsvLines',
  `select line.employee_id, employee.reference_id, member.last_name, member.first_name, line.benefit_name, line.kind,
          line.year, line.amount_in_cents as amount, line.amount_in_cents, line.tax_classification, statement.frequency,
          statement.period_start_date, statement.period_end_date, line.enrollment_id, line.reason,
          line.corrected_period_start_date, line.corrected_period_end_date,
          followed.cause ->> 'action' as cause,
          ((followed.cause ->> 'reported_at')::timestamptz at time zone 'America/New_York')::date as cause_reported_on,
          followed.cause -> 'reported_by' ->> 'kind' as cause_reported_by
     from unnest(:employee_ids::text[]) with ordinality as wanted (id, position)
    cross join lateral (
      select * from deduction_lines
       where statement_id = :statement_id and employee_id = wanted.id
         and organization_id = :organization_id offset 0) as line
    cross join lateral (
      select employer_id, frequency, period_start_date, period_end_date, generated_at from deduction_statements
       where id = :statement_id and organization_id = :organization_id offset 0) as statement
    cross join lateral (
      select case when line.kind = 'correction' then ${causeJson(
        'line.enrollment_id',
        ':organization_id',
        `coalesce((
           select generated_at from deduction_statements
            where employer_id = statement.employer_id and organization_id = :organization_id
              and period_end_date < statement.period_end_date
            order by period_end_date desc limit 1), '-infinity')`,
        'statement.generated_at',
      )} end as cause) as followed
     left join lateral (
       select reference_id, member_id from employees
        where id = wanted.id and organization_id = :organization_id offset 0) as employee on true
     left join lateral (
       select last_name, first_name from members
        where id = employee.member_id and organization_id = :organization_id offset 0) as member on true
    order by wanted.position, line.benefit_name, line.enrollment_id, line.kind desc, line.year desc,
             line.tax_classification desc`,
)

/** The lines of a statement as a CSV file, sorted by the current names of people. */
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

/** The maximum number of employers that a search by name returns. */
const max_employers = 100

const in_order = 'order by statement.period_end_date desc, statement.id desc'

/**
 * SQL: whether a statement follows the anchor and is in the requested months. Excludes statements that are still being
 * written.
 */
const liesAhead = `
  ${inReach('statement.organization_id', 'statement.employer_id')} and statement.organization_id = :organization_id
  and statement.generated_at is not null
  and statement.period_end_date >= (case when :period_from::date is null then '-infinity' else :period_from end)
  and statement.period_end_date < (case when :period_to::date is null then 'infinity'
                                        else :period_to + interval '1 month' end)
  and (statement.period_end_date, statement.id)
      < (case when :after_day::date is null then 'infinity' else :after_day end,
         case when :after_id::text is null then '' else :after_id end)`

const sources = {
  all: `select statement.* from deduction_statements as statement
         where ${liesAhead} and statement.period_end_date > '-infinity' ${in_order} limit :limit::int + 1`,
  search: `
    select statement.*
      from (select employer.id from employers as employer
             where employer.organization_id = :organization_id and ${inReach('employer.organization_id')}
               and (employer.name ilike :name_pattern::text or employer.legal_name ilike :name_pattern)
             order by employer.id limit ${max_employers}) as employer
     cross join lateral (
       select statement.* from deduction_statements as statement
        where statement.employer_id = employer.id and ${liesAhead} ${in_order} limit :limit::int + 1) as statement`,
}

const listed_across = readVariants(
  'deductions.listStatementsAcross',
  { source: Object.keys(sources) as (keyof typeof sources)[] },
  ({ source }) => `
    select coalesce((
             select json_agg(shown order by shown.period_end_date desc, shown.id desc)
               from (select ${statementFields}, employer.name as employer_name
                       from (select * from (${sources[source]}) as statement ${in_order} limit :limit + 1) as statement
                       join employers as employer
                         on employer.id = statement.employer_id
                        and employer.organization_id = :organization_id) as shown), '[]') as rows
      from organizations as organization
     where organization.id = :organization_id and ${inReach('organization.id')}`,
)

type StatementsAcrossWanted = Pick<StatementRowFilter, 'limit' | 'search'> & {
  /** The 1st of a month. Null for no limit. */
  period_from: Day | null
  period_to: Day | null
  after: [Day, string] | undefined
}

/**
 * A page of the statements of an organization with links, newest first, and the position of the next page. The position
 * is null on the last page. Undefined if out of reach.
 */
export async function listStatementsAcross(ctx: ReadCtx, organization_id: string, wanted: StatementsAcrossWanted) {
  const { limit, search, period_from, period_to, after } = wanted
  const found = await listed_across({ source: search === undefined ? 'all' : 'search' }).row<{
    rows: (StatementRowFound & { employer_name: string })[]
  }>(ctx, {
    organization_id,
    limit,
    name_pattern: search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    period_from,
    period_to,
    after_day: after?.[0] ?? null,
    after_id: after?.[1] ?? null,
  })
  if (!found) return undefined
  const page = found.rows.slice(0, limit)
  const last = found.rows.length > limit ? page.at(-1) : undefined
  const data = await Promise.all(page.map((row) => linkStatement(ctx, row)))
  return { data, next: last ? ([last.period_end_date, last.id] as const) : null }
}

/**
 * The pay calendar of an employer, and its latest statement. `has_open`: the latest statement is incomplete, or its
 * events are not all published.
 */
export type PayingEmployer = Required<PayCalendar> & {
  employer_id: string
  employee_count: number
  deduction_method: DeductionMethod
  first_coverage_start: Day
  /** The end and the calendar of the latest statement. */
  last_end: Day | null
  last_calendar: PayCalendar | null
  has_open: boolean
}

/**
 * SQL: the employers of an organization that may be due a statement on a day or have an open one. No pay period is
 * longer than a month, so later coverage cannot be due yet. After a subscription ends, statements continue for the
 * correction window, to collect or refund late changes. After that, they continue if an invoice was drafted or voided
 * since the latest statement, because payroll follows invoices.
 */
const payingEmployers = (organization: string, day: string, condition = '') => `
  select held.employer_id, employer.employee_count, employer.pay_frequency, employer.first_pay_date,
         employer.deduction_method, employer.deductions_per_year,
         greatest(held.first_coverage_start, employer.administered_from) as first_coverage_start,
         newest.period_end_date as last_end,
         case when newest.id is not null then json_build_object(
           'pay_frequency', newest.frequency, 'first_pay_date', newest.first_pay_date,
           'deductions_per_year', newest.deductions_per_year) end as last_calendar,
         newest.employer_id is not null and (${isOpen('newest')}) as has_open
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
     and (coalesce(
            employer.subscription_ended_on + 92 + 31 * greatest(employer.correction_reach_months - 3, 0) > ${day}, true)
          or exists (select from invoices as invoice
                      where invoice.employer_id = held.employer_id and invoice.organization_id = held.organization_id
                        and greatest(invoice.drafted_at, invoice.voided_at) >= newest.generated_at))
     and (newest.period_end_date is null or newest.period_end_date < ${day} or ${isOpen('newest')})`

/** The next employers of an organization that may be due a statement today or have an open one. */
export const listPayingEmployers = statement(
  'deductions.listPayingEmployers',
  `${payingEmployers(':organization_id', ':today', 'and held.employer_id > :after')}
   order by held.employer_id limit :most`,
).rows<PayingEmployer>

/** Returns the employer in a list if it is one of them. */
export const findPayingEmployer = statement(
  'deductions.findPayingEmployer',
  payingEmployers(':organization_id', ':today', 'and held.employer_id = :employer_id'),
).rows<PayingEmployer>

/** SQL: whether there are such employers. */
export const hasStatementsDue = `exists (${payingEmployers('organization.id', 'daily_run.day')})`
