import { inReach } from '../../../database/sql/reach.ts'
import { chunksOf } from '../../../kernel/chunks.ts'
import { causeJson } from '../../directory/evidence/queries.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { easternDay, type Day } from '../../../kernel/days.ts'
import { downloadLink, type DownloadedFile, type DownloadKey } from '../../../http/files/downloads.ts'
import type { Page } from '../../../kernel/pages.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { writeCsv } from '../../../kernel/write-csv.ts'
import type { PayrollDeductionStatement } from './schemas.ts'

/** SQL: what is told of a row `statement`. */
export const statementFields = `
  statement.id, statement.employer_id, statement.period_start_date, statement.period_end_date, statement.frequency,
  statement.year, statement.number, statement.period_count, statement.employee_count, statement.line_count,
  statement.total_in_cents, iso(statement.generated_at) as generated_at, statement.organization_id`

const listed = read(
  'deductions.listStatements',
  `with place as materialized (
     select employer.id, employer.organization_id from employers as employer
      where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')})
   ${pageJson(
     `select (select row_to_json(shown) from (select ${statementFields}) as shown) as item,
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

export type StatementRowFound = Pick<
  PayrollDeductionStatement,
  'id' | 'period_start_date' | 'period_end_date' | 'total_in_cents' | 'generated_at' | 'frequency'
> & { organization_id: string }

const frequency_labels: Record<string, string> = {
  weekly: 'Weekly',
  bi_weekly: 'Bi-weekly',
  semi_monthly: 'Semi-monthly',
  monthly: 'Monthly',
}

/** The same in the words in which clients of like services read it. */
const inOtherWords = (row: StatementRowFound, csv_file_url: string) => ({
  statement_id: row.id,
  period_start: row.period_start_date,
  period_end: row.period_end_date,
  run_date: easternDay(Date.parse(row.generated_at)),
  total_deduction_cents: row.total_in_cents,
  csv_file_url,
  deduction_frequency: row.frequency,
  deduction_frequency_label: frequency_labels[row.frequency]!,
})

/** A statement as it is shown: with a link to its lines. */
export async function linkStatement<Row extends StatementRowFound>(ctx: ReadCtx, row: Row) {
  const { organization_id, ...statement } = row
  const csv = await downloadLink(ctx, { kind: 'payroll_deduction_statement_csv', organization_id, id: statement.id })
  return { ...statement, csv, ...inOtherWords(row, csv.download_url) }
}

/**
 * A page of an employer's statements, newest first, as the whole answer with a link to each; undefined out of reach.
 */
export async function listStatements(ctx: ReadCtx, employer_id: string, page: Page): Promise<string | undefined> {
  const text = await listed.json(ctx, { employer_id, ...pageValues(page) })
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
