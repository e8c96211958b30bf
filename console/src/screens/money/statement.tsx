import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { PayrollDeductionStatement } from 'openbenefits'
import Papa from 'papaparse'
import { formatCount, formatDollars, formatInstant, formatNumber, formatPeriod, toSentence } from '../../format.ts'
import { describeLineCause } from '../../parts/benefits/labels.ts'
import { HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Facts, Loaded, Dash, Section, Status } from '../../parts/page/page.tsx'
import { ToggleFilter } from '../../parts/table/filters.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { type Column, moneyColumn, Table } from '../../parts/table/table.tsx'
import { statementPairQuery } from '../../queries.ts'
import { deduction_changes } from '../../routes/filter-values.ts'
import { parseList } from '../../routes/search.ts'
import { compareStatements, type StatementLine, type DeductionChange } from './statement-differences.ts'

/** A difference with its sign: `+$4.00`. */
const formatSigned = (cents: number) =>
  cents === 0 ? <Dash /> : `${cents > 0 ? '+' : '−'}${formatDollars(Math.abs(cents))}`

const extra_words: Record<string, string> = {
  correction: 'to correct earlier pay periods',
  manual_adjustment: 'manual adjustment',
  arrears: 'arrears from earlier paychecks',
}

function describeChange({
  change,
  extras,
  former_extras,
  corrected,
  cause,
  before_in_cents,
  now_in_cents,
}: DeductionChange): string {
  const reasons = Object.entries(extras).map(([kind, cents]) => {
    const what = kind === 'correction' && corrected ? `to correct ${formatPeriod(corrected)}` : extra_words[kind]
    return `${formatDollars(cents)} ${what ?? toSentence(kind)}`
  })
  if (cause) reasons.push(describeLineCause(cause))
  if (change === 'new') return ['Not deducted before', ...reasons].join(', ')
  if (change === 'ended') return 'No longer deducted'
  if (change === 'same' && now_in_cents !== before_in_cents) return 'Rounded, so that the year adds up exactly'
  const former = Object.entries(former_extras).map(([kind, cents]) => `${formatDollars(cents)} ${extra_words[kind]}`)
  if (change === 'changed' && former.length > 0)
    reasons.push(`${reasons.length > 0 ? 'the' : 'The'} previous paycheck included ${former.join(', ')}`)
  return reasons.join(', ')
}

const columns: Column<DeductionChange>[] = [
  {
    name: 'Person',
    width: 17,
    phone: 30,
    cell: ({ employee_id, enrollment_id, name, benefit_name }) => (
      <RowLink to="/people/$employee_id" params={{ employee_id }} search={{ why: enrollment_id }}>
        {name} <span className="quiet only-phone">{benefit_name}</span>
      </RowLink>
    ),
  },
  { name: 'Benefit', width: 16, only: 'middle', cell: ({ benefit_name }) => benefit_name },
  {
    name: 'Change',
    width: 13,
    phone: 25,
    cell: ({ change }) => (change === 'same' ? <Dash /> : <Status of={change} />),
  },
  moneyColumn('Before', 'before_in_cents', { only: 'middle' }),
  moneyColumn('Now', 'now_in_cents'),
  { name: 'Difference', align: 'end', phone: 24, cell: (one) => formatSigned(one.now_in_cents - one.before_in_cents) },
  { name: 'Why', width: 30, only: 'wide', wraps: true, cell: (one) => describeChange(one) },
]

/** The deductions of a pay period, compared with the previous one. */
export function StatementPage() {
  const { employer_id = '', statement_id = '' } = useParams({ strict: false })
  const found = useQuery(statementPairQuery(employer_id, statement_id))
  return (
    <Loaded query={found}>
      {(pair) =>
        pair === null ? (
          <Empty title="Statement not found." />
        ) : (
          <>
            <StatementFacts of={pair.statement} before={pair.before} />
            <StatementDifferences statement={pair.statement} before={pair.before} />
          </>
        )
      }
    </Loaded>
  )
}

type PreviousStatement = { before: PayrollDeductionStatement | undefined }

function StatementFacts({ of: statement, before }: PreviousStatement & { of: PayrollDeductionStatement }) {
  const { number, period_count, year, csv } = statement
  return (
    <Section
      title={formatPeriod(statement)}
      actions={
        <a className="button" href={csv.download_url} download>
          Download CSV
        </a>
      }
    >
      <Facts
        of={[
          ['Total', <strong className="number">{formatDollars(statement.total_in_cents)}</strong>],
          [
            'Change since last pay period',
            before ? formatSigned(statement.total_in_cents - before.total_in_cents) : 'First statement',
          ],
          ['Employees', formatNumber(statement.employee_count)],
          ['Pay period', `${number} of ${period_count} in ${year}`],
          ['Generated', formatInstant(statement.generated_at)],
        ]}
      />
    </Section>
  )
}

function StatementDifferences({ statement, before }: PreviousStatement & { statement: PayrollDeductionStatement }) {
  const search = useSearch({ strict: false })
  const show = parseList(search.show, deduction_changes)
  const change = useChangeSearch()
  const compared = useQuery({
    queryKey: ['statement-differences', statement.id, before?.id],
    queryFn: async ({ signal }) => {
      const [now, former] = await Promise.all([
        fetchLines(statement.csv.download_url, signal),
        before ? fetchLines(before.csv.download_url, signal) : [],
      ])
      return compareStatements(former, now)
    },
    staleTime: Infinity,
  })
  return (
    <Section title={before ? `Compared with ${formatPeriod(before)}` : 'Lines'}>
      <Loaded query={compared} lines={8}>
        {(all) => {
          const taken = search.employee ? all.filter(({ employee_id }) => employee_id === search.employee) : all
          const shown = taken.filter(({ change }) => show === undefined || show.includes(change))
          const of = Map.groupBy(taken, ({ change }) => change)
          return (
            <>
              <div className="filters">
                <ToggleFilter
                  label="Change"
                  values={deduction_changes}
                  labelOf={(value) =>
                    `${toSentence(value === 'same' ? 'unchanged' : value)} ${of.get(value)?.length ?? 0}`
                  }
                  chosen={show}
                  choose={(values) => void change({ show: values })}
                />
                <span className="quiet" role="status">
                  {formatCount(shown.length, 'deduction')}
                </span>
                {search.employee && <HereLink change={{ employee: undefined }}>Show all employees</HereLink>}
              </div>
              <Table
                label="Deductions"
                columns={columns}
                rows={fixedRows(shown)}
                empty={<Empty title={taken.length === 0 ? 'No deductions.' : 'No deductions match.'} />}
              />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

async function fetchLines(download_url: string, signal: AbortSignal): Promise<StatementLine[]> {
  const answer = await fetch(download_url, { signal })
  if (!answer.ok) throw new Error('The statement file could not be read.')
  const text = (await answer.text()).replace(/^\uFEFF/, '')
  return Papa.parse<StatementLine>(text, { header: true, skipEmptyLines: 'greedy' }).data
}
