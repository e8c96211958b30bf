import { useParams } from '@tanstack/react-router'
import type { PayrollDeductionStatement } from 'openbenefits'
import { statement_columns } from 'openbenefits/list-columns'
import { formatDay, formatInstant, formatPeriod } from '../../format.ts'
import { employerPath } from '../../parts/page/links.tsx'
import { Empty } from '../../parts/page/page.tsx'
import { Export } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, moneyColumn, numberColumn, Table } from '../../parts/table/table.tsx'
import { statementsList } from '../../queries.ts'

type ListedStatement = PayrollDeductionStatement & { employer_name?: string }

const employer_column: Column<ListedStatement> = {
  name: 'Employer',
  width: 24,
  phone: 34,
  cell: ({ employer_name }) => employer_name,
}

/** The columns of the statements of an employer, or of all employers. */
export const statementColumns = (of: 'employer' | 'all'): Column<ListedStatement>[] => [
  linkColumn(
    'Pay period',
    (statement) => [
      formatPeriod(statement),
      {
        to: employerPath('/statements/$statement_id'),
        params: { employer_id: statement.employer_id, statement_id: statement.id },
      },
    ],
    { width: 28, phone: 42 },
  ),
  of === 'all' ? employer_column : numberColumn('Deductions', 'line_count', { only: 'middle' }),
  numberColumn('Employees', 'employee_count', { only: 'middle' }),
  moneyColumn('Total', 'total_in_cents'),
  { name: 'Generated', align: 'end', only: 'wide', width: 20, cell: ({ generated_at }) => formatInstant(generated_at) },
  {
    name: 'File',
    align: 'end',
    width: 8,
    ...(of === 'all' ? { only: 'middle' } : { phone: 16 }),
    cell: ({ csv, employer_name = 'the period', period_start_date }) => (
      <a href={csv.download_url} download aria-label={`CSV of ${employer_name} from ${formatDay(period_start_date)}`}>
        CSV
      </a>
    ),
  },
]

/** Explains an empty list of statements. */
export const NoStatements = () => (
  <Empty title="No statements yet.">
    Once an enrolled employee pays part of the premium, a statement is generated on the first day of each pay period.
  </Empty>
)

/** The deductions for payroll, by pay period. */
export function Statements() {
  const { employer_id = '' } = useParams({ strict: false })
  const list = statementsList(employer_id)
  const rows = useRows(list)
  return (
    <>
      {rows.total !== 0 && (
        <div className="filters">
          <Export name="statements" list={list} columns={statement_columns.slice(1)} />
        </div>
      )}
      <Table label="Statements" columns={statementColumns('employer')} rows={rows} empty={<NoStatements />} />
    </>
  )
}
