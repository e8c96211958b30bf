import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { PayrollDeductionStatement } from 'openbenefits'
import Papa from 'papaparse'
import { count, inDollars, instantOf, inWords, periodOf, sentence } from '../../format.ts'
import { causeOfLine } from '../../parts/benefits/labels.ts'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Facts, Loaded, Nothing, Section, Status } from '../../parts/page/page.tsx'
import { Toggles } from '../../parts/table/filters.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { rowsOf } from '../../parts/table/rows.ts'
import { type Column, moneyColumn, Table } from '../../parts/table/table.tsx'
import { statementsWith } from '../../queries.ts'
import { deduction_changes } from '../../routes/filter-values.ts'
import { listOf } from '../../routes/search.ts'

/** A difference with its sign: `+$4.00`. */
const withSign = (cents: number) =>
  cents === 0 ? <Nothing /> : `${cents > 0 ? '+' : '−'}${inDollars(Math.abs(cents))}`

const extra_words: Record<string, string> = {
  correction: 'to correct earlier pay periods',
  manual_adjustment: 'manual adjustment',
  arrears: 'arrears from earlier paychecks',
}

function whyOf({ change, extras, corrected, cause }: Taken): string {
  const reasons = Object.entries(extras).map(([kind, cents]) => {
    const what = kind === 'correction' && corrected ? `to correct ${periodOf(corrected)}` : extra_words[kind]
    return `${inDollars(cents)} ${what ?? sentence(kind)}`
  })
  if (cause) reasons.push(causeOfLine(cause))
  if (change === 'new') return ['Not deducted before', ...reasons].join(', ')
  if (change === 'ended') return 'No longer deducted'
  return reasons.join(', ')
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
  moneyColumn('Before', 'before_in_cents', { only: 'middle' }),
  moneyColumn('Now', 'now_in_cents'),
  { name: 'Difference', align: 'end', phone: 24, cell: (one) => withSign(one.now_in_cents - one.before_in_cents) },
  { name: 'Why', width: 30, only: 'wide', wraps: true, cell: (one) => whyOf(one) },
]

/** The deductions of a pay period, compared with the previous one. */
export function Statement() {
  const { employer_id = '', statement_id = '' } = useParams({ strict: false })
  const found = useQuery(statementsWith(employer_id, statement_id))
  return (
    <Loaded query={found}>
      {(pair) =>
        pair === null ? (
          <Empty title="Statement not found." />
        ) : (
          <>
            <About of={pair.statement} before={pair.before} />
            <Differences statement={pair.statement} before={pair.before} />
          </>
        )
      }
    </Loaded>
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
          Download CSV
        </a>
      }
    >
      <Facts
        of={[
          ['Total', <strong className="number">{inDollars(statement.total_in_cents)}</strong>],
          [
            'Change since last pay period',
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

function Differences({ statement, before }: Pair & { statement: PayrollDeductionStatement }) {
  const show = listOf(useSearch({ strict: false }).show, deduction_changes)
  const change = useChangeSearch()
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
          const shown = taken.filter(({ change }) => show === undefined || show.includes(change))
          const of = Map.groupBy(taken, ({ change }) => change)
          return (
            <>
              <div className="filters">
                <Toggles
                  label="Change"
                  values={deduction_changes}
                  labelOf={(value) =>
                    `${sentence(value === 'same' ? 'unchanged' : value)} ${of.get(value)?.length ?? 0}`
                  }
                  chosen={show}
                  choose={(values) => void change({ show: values })}
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

/** The columns of a statement file that a comparison needs. */
type Line = {
  employee_id: string
  enrollment_id: string
  first_name: string
  last_name: string
  benefit_name: string
  kind: 'deduction' | 'correction' | 'manual_adjustment' | 'arrears'
  amount_in_cents: string
  cause: string
  cause_reported_on: string
  cause_reported_by: string
  corrected_period_start_date: string
  corrected_period_end_date: string
}

/** The deductions of a person for a benefit in this statement and in the previous one. */
export type Taken = {
  key: string
  employee_id: string
  enrollment_id: string
  name: string
  benefit_name: string
  before_in_cents: number
  now_in_cents: number
  change: 'new' | 'ended' | 'changed' | 'same'
  /** the amounts other than the regular deduction, by kind */
  extras: Partial<Record<Line['kind'], number>>
  /** the cause of a correction: the change, its date and its reporter */
  cause: Pick<Line, 'cause' | 'cause_reported_on' | 'cause_reported_by'> | undefined
  /** the first and last day of the corrected pay periods. Null without a correction */
  corrected: { period_start_date: string; period_end_date: string } | null
}

export async function fetchLines(download_url: string, signal: AbortSignal): Promise<Line[]> {
  const answer = await fetch(download_url, { signal })
  if (!answer.ok) throw new Error('The statement file could not be read.')
  const text = (await answer.text()).replace(/^\uFEFF/, '')
  return Papa.parse<Line>(text, { header: true, skipEmptyLines: 'greedy' }).data
}

const keyOf = ({ employee_id, benefit_name }: Line) => `${employee_id} ${benefit_name}`

const sumOf = (lines: Line[]) => lines.reduce((sum, { amount_in_cents }) => sum + Number(amount_in_cents), 0)

function takenOf(key: string, before: Line[], now: Line[]): Taken {
  const { employee_id, enrollment_id, first_name, last_name, benefit_name } = (now[0] ?? before[0])!
  const [before_in_cents, now_in_cents] = [sumOf(before), sumOf(now)]
  const extras: Taken['extras'] = {}
  for (const [kind, lines] of Map.groupBy(now, (line) => line.kind))
    if (kind !== 'deduction') extras[kind] = sumOf(lines)
  return {
    key,
    employee_id,
    enrollment_id,
    name: `${first_name} ${last_name}`,
    benefit_name,
    before_in_cents,
    now_in_cents,
    change:
      before.length === 0 ? 'new' : now.length === 0 ? 'ended' : before_in_cents === now_in_cents ? 'same' : 'changed',
    extras,
    cause: now.find(({ cause }) => cause),
    corrected: correctedBy(now),
  }
}

/** The first and last day of the pay periods that are corrected by these lines. Null if no line is a correction. */
function correctedBy(lines: Line[]): Taken['corrected'] {
  const dated = lines.filter((line) => line.corrected_period_start_date !== '')
  const [period_start_date] = dated.map((line) => line.corrected_period_start_date).toSorted()
  const period_end_date = dated
    .map((line) => line.corrected_period_end_date)
    .toSorted()
    .at(-1)
  return period_start_date && period_end_date ? { period_start_date, period_end_date } : null
}

/** Compares two statements by person and benefit. Differences come first, ordered by name. */
export function compare(before: Line[], now: Line[]): Taken[] {
  const [former, present] = [Map.groupBy(before, keyOf), Map.groupBy(now, keyOf)]
  return [...new Set([...present.keys(), ...former.keys()])]
    .map((key) => takenOf(key, former.get(key) ?? [], present.get(key) ?? []))
    .toSorted(
      (a, b) =>
        Number(a.change === 'same') - Number(b.change === 'same') ||
        a.name.localeCompare(b.name) ||
        a.benefit_name.localeCompare(b.benefit_name),
    )
}
