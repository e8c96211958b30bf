import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PayrollDeductionStatement } from 'openbenefits'
import { Several } from '../../parts/filters.tsx'
import { Empty, Facts, Loaded, Nothing, Section, Status } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { rowsOf } from '../../parts/rows.ts'
import { causeOfLine } from '../../parts/cause.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { count, inDollars, instantOf, inWords, periodOf, sentence } from '../../parts/words.ts'
import { statementsWith } from '../../queries.ts'
import { changes } from '../../routes.tsx'
import { compare, fetchLines, type Taken } from './statement-lines.ts'

const members = getRouteApi('/employers/$employer_id/statements/$statement_id')
const operators = getRouteApi('/partners/employers/$employer_id/statements/$statement_id')

type Changes = (typeof changes)[number][] | undefined

/** A difference with its sign: `+$4.00`. */
const withSign = (cents: number) =>
  cents === 0 ? <Nothing /> : `${cents > 0 ? '+' : '−'}${inDollars(Math.abs(cents))}`

const extra_words: Record<string, string> = {
  correction: 'to correct earlier pay periods',
  manual_adjustment: 'booked by hand',
  arrears: 'in arrears from earlier pays',
}

function whyOf({ change, extras, corrected, cause }: Taken): string {
  const said = Object.entries(extras).map(([kind, cents]) => {
    const what = kind === 'correction' && corrected ? `to correct ${periodOf(corrected)}` : extra_words[kind]
    return `${inDollars(cents)} ${what ?? sentence(kind)}`
  })
  if (cause) said.push(causeOfLine(cause))
  if (change === 'new') return ['Not deducted before', ...said].join(', ')
  if (change === 'ended') return 'No longer deducted'
  return said.join(', ')
}

const columns: Column<Taken>[] = [
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
    cell: ({ change }) => (change === 'same' ? <Nothing /> : <Status of={change} />),
  },
  { name: 'Before', align: 'end', only: 'middle', cell: ({ before_in_cents }) => inDollars(before_in_cents) },
  { name: 'Now', align: 'end', cell: ({ now_in_cents }) => inDollars(now_in_cents) },
  { name: 'Difference', align: 'end', phone: 24, cell: (one) => withSign(one.now_in_cents - one.before_in_cents) },
  { name: 'Why', width: 30, only: 'wide', wraps: true, cell: (one) => whyOf(one) },
]

type StatementProps = {
  employer_id: string
  statement_id: string
  /** which changes are shown */
  show: Changes
  choose: (show: Changes) => void
}

/** What one pay takes from whom, and how that differs from the pay before. */
function OneStatement({ employer_id, statement_id, show, choose }: StatementProps) {
  const found = useQuery(statementsWith(employer_id, statement_id))
  return (
    <Loaded query={found}>
      {(pair) =>
        pair === null ? (
          <Empty title="No such statement." />
        ) : (
          <>
            <About of={pair.statement} before={pair.before} />
            <Differences statement={pair.statement} before={pair.before} show={show} choose={choose} />
          </>
        )
      }
    </Loaded>
  )
}

/** As members see it. */
export function Statement() {
  const navigate = members.useNavigate()
  return (
    <OneStatement
      {...members.useParams()}
      show={members.useSearch().show}
      choose={(show) => void navigate({ search: (before) => ({ ...before, show }), replace: true, resetScroll: false })}
    />
  )
}

/** The same for operators. */
export function OperatedStatement() {
  const navigate = operators.useNavigate()
  return (
    <OneStatement
      {...operators.useParams()}
      show={operators.useSearch().show}
      choose={(show) => void navigate({ search: (before) => ({ ...before, show }), replace: true, resetScroll: false })}
    />
  )
}

type Pair = { before: PayrollDeductionStatement | undefined }

function About({ of: statement, before }: Pair & { of: PayrollDeductionStatement }) {
  const { number, period_count, year, csv } = statement
  return (
    <Section
      title={periodOf(statement)}
      actions={
        <a className="button" href={csv.download_url} download>
          Download the CSV
        </a>
      }
    >
      <Facts
        of={[
          ['Total', <strong className="number">{inDollars(statement.total_in_cents)}</strong>],
          [
            'Change since last pay',
            before ? withSign(statement.total_in_cents - before.total_in_cents) : 'First statement',
          ],
          ['Employees', inWords(statement.employee_count)],
          ['Pay period', `${number} of ${period_count} in ${year}`],
          ['Generated', instantOf(statement.generated_at)],
        ]}
      />
    </Section>
  )
}

type DifferencesProps = Pair & Pick<StatementProps, 'show' | 'choose'> & { statement: PayrollDeductionStatement }

function Differences({ statement, before, show, choose }: DifferencesProps) {
  const compared = useQuery({
    queryKey: ['statement-differences', statement.id, before?.id],
    queryFn: async ({ signal }) => {
      const [now, former] = await Promise.all([
        fetchLines(statement.csv.download_url, signal),
        before ? fetchLines(before.csv.download_url, signal) : [],
      ])
      return compare(former, now)
    },
    staleTime: Infinity,
  })
  return (
    <Section title={before ? `Compared with ${periodOf(before)}` : 'Lines'}>
      <Loaded query={compared} lines={8}>
        {(taken) => {
          const shown = taken.filter(({ change }) => show === undefined || show.includes(change as never))
          const of = Map.groupBy(taken, ({ change }) => change)
          return (
            <>
              <div className="filters">
                <Several
                  label="Change"
                  options={changes.map((value) => ({
                    value,
                    label: `${sentence(value === 'same' ? 'unchanged' : value)} ${of.get(value)?.length ?? 0}`,
                  }))}
                  chosen={show}
                  choose={(values) => choose(values as Changes)}
                />
                <span className="quiet" role="status">
                  {count(shown.length, 'deduction')}
                </span>
              </div>
              <Table
                label="Deductions"
                columns={columns}
                rows={rowsOf(shown)}
                empty={<Empty title={taken.length === 0 ? 'No deductions.' : 'No deductions match.'} />}
              />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
