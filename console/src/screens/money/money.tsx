import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { InvoiceAging, InvoiceAgingPage, InvoiceRow, PayrollDeductionStatementRow } from 'openbenefits'
import { Months, Search, Toggles } from '../../parts/table/filters.tsx'
import { Empty, Loaded, Nothing, orNothing, Page, Section, Status, type Tab, Tabs } from '../../parts/page/page.tsx'
import { employerPath } from '../../parts/page/employer-path.ts'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows, useCursorRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { Views } from '../../parts/table/saved-views.tsx'
import { count, dayOf, inDollars, instantOf, inWords, monthOf, periodOf, sentence } from '../../format.ts'
import { moneyAt, moneyHere, type MoneyOf } from '../../money-queries.ts'
import { invoice_ages, invoice_states } from '../../routes/filter-values.ts'
import { stateOf } from './invoice-status.ts'
import { useChangeSearch } from '../../parts/page/here-link.tsx'

const ages = [
  { age: 'not_due', field: 'not_due_in_cents', name: 'Not due yet', tone: 'over' },
  { age: 'to_30_days', field: 'overdue_to_30_days_in_cents', name: '1–30 days', tone: 'wait' },
  { age: 'to_60_days', field: 'overdue_to_60_days_in_cents', name: '31–60 days', tone: 'wait' },
  { age: 'to_90_days', field: 'overdue_to_90_days_in_cents', name: '61–90 days', tone: 'bad' },
  { age: 'longer', field: 'overdue_longer_in_cents', name: 'Over 90 days', tone: 'bad' },
] as const

/** The search of the URL. */
export type MoneySearch = {
  show?: 'employers' | 'statements' | undefined
  search?: string | undefined
  status?: (typeof invoice_states)[number][] | undefined
  age?: (typeof invoice_ages)[number][] | undefined
  from?: string | undefined
  to?: string | undefined
}

type MoneyProps = { of: MoneyOf; current: MoneySearch; change: (changes: MoneySearch) => void }

const members = getRouteApi('/money')

const tab = (label: string, show: MoneySearch['show']): Tab => ({ label, link: { to: '.', search: { show } as never } })
const tabs = [tab('Invoices', undefined), tab('By employer', 'employers'), tab('Statements', 'statements')]

/** Invoices, balances by employer, and deduction statements. */
export function Money() {
  const current = members.useSearch()
  const change = useChangeSearch()
  return (
    <Page title="Money" tabs={tabs}>
      <Shown of={moneyHere} current={current} change={change} />
    </Page>
  )
}

const operators = getRouteApi('/partners/$organization_id/money')

/** The money page of a partner, for operators. */
export function PartnerMoney() {
  const { organization_id } = operators.useParams()
  const current = operators.useSearch()
  const change = useChangeSearch()
  return (
    <>
      <Tabs label="Money" tabs={tabs} />
      <Shown of={moneyAt(organization_id)} current={current} change={change} />
    </>
  )
}

const Shown = (props: MoneyProps) =>
  props.current.show === 'statements' ? <Statements {...props} /> : <Owed {...props} />

function Owed(props: MoneyProps) {
  const { of, current, change } = props
  const totals = useQuery(of.agingTotals())
  return (
    <>
      <Section title="Owed by employers">
        <Loaded query={totals} lines={3}>
          {(found) => <Ages of={found} chosen={current.age} choose={(age) => change({ age, show: undefined })} />}
        </Loaded>
      </Section>
      {current.show === 'employers' ? <Employers {...props} /> : <Invoices {...props} />}
    </>
  )
}

type AgesProps = {
  of: InvoiceAgingPage['totals']
  chosen: MoneySearch['age']
  choose: (ages: MoneySearch['age']) => void
}

/** The total receivables, with bars by age. Each bar filters the invoices. */
const Ages = ({ of, chosen, choose }: AgesProps) => (
  <>
    <div className="headline">
      <span className="figure number">{inDollars(of.total_in_cents)}</span>
      <span className="quiet">{count(of.invoice_count, 'invoice')}</span>
    </div>
    <Toggles
      label="Receivables by age"
      variant="ages"
      options={ages.map(({ age, field, name, tone }) => ({
        value: age,
        label: (
          <>
            <span className="quiet">{name}</span>
            <span className="number">{inDollars(of[field])}</span>
            <span className="age-bar" aria-hidden="true">
              <span
                className={tone}
                style={{ width: `${of.total_in_cents > 0 ? Math.max(0, of[field] / of.total_in_cents) * 100 : 0}%` }}
              />
            </span>
          </>
        ),
      }))}
      chosen={chosen}
      choose={(values) => choose(values as MoneySearch['age'])}
    />
  </>
)

const invoice_columns: Column<InvoiceRow>[] = [
  {
    name: 'Invoice',
    width: 14,
    phone: 45,
    cell: ({ employer_id, employer_name, invoice_id }) => (
      <RowLink to={employerPath('/invoices/$invoice_id')} params={{ employer_id, invoice_id }}>
        {invoice_id} <span className="quiet only-phone">{employer_name}</span>
      </RowLink>
    ),
  },
  { name: 'Employer', width: 24, only: 'middle', cell: ({ employer_name }) => employer_name },
  { name: 'Month', only: 'middle', width: 18, cell: ({ period }) => monthOf(period) },
  { name: 'Status', phone: 25, cell: (invoice) => <Status of={stateOf(invoice)} /> },
  { name: 'Due', align: 'end', only: 'middle', cell: ({ due_on }) => orNothing(due_on, dayOf) },
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => inDollars(total_in_cents) },
]

function Invoices({ of, current: { search, status, age, from, to }, change }: MoneyProps) {
  const rows = useCursorRows(of.invoices({ search, status, age, period_from: from, period_to: to }))
  const is_filtered = search ?? status ?? age ?? from ?? to
  return (
    <>
      <div className="filters">
        <Search label="Invoice number or employer name" value={search} search={(search) => change({ search })} />
        <Toggles
          label="Status"
          options={invoice_states.map((value) => ({
            value,
            label: value === 'open' ? 'Open or overdue' : sentence(value),
          }))}
          chosen={status}
          choose={(status) => change({ status: status as MoneySearch['status'] })}
        />
        <Months from={from} to={to} choose={change} />
      </div>
      <Views kind="invoices" current={{ search, status, age, from, to }} />
      <Table
        label="Invoices"
        columns={invoice_columns}
        rows={rows}
        empty={
          is_filtered ? (
            <Empty title="No invoices match." />
          ) : (
            <Empty title="No invoices yet.">
              Once employees are enrolled, an invoice is drafted for each employer and month and issued a few days
              later.
            </Empty>
          )
        }
      />
    </>
  )
}

const money = (cents: number) => (cents === 0 ? <Nothing /> : inDollars(cents))

const employer_columns: Column<InvoiceAging>[] = [
  {
    name: 'Employer',
    width: 18,
    phone: 46,
    cell: ({ employer_id, employer_name }) => (
      <RowLink to={employerPath('/invoices')} params={{ employer_id }}>
        {employer_name}
      </RowLink>
    ),
  },
  { name: 'Due since', align: 'end', only: 'wide', width: 12, cell: ({ oldest_due_on }) => dayOf(oldest_due_on) },
  ...ages.map(({ field, name }): Column<InvoiceAging> => ({
    name,
    align: 'end',
    only: 'middle',
    cell: (row) => money(row[field]),
  })),
  { name: 'Overdue', align: 'end', only: 'phone', cell: (row) => money(row.total_in_cents - row.not_due_in_cents) },
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => <strong>{inDollars(total_in_cents)}</strong> },
]

function Employers({ of }: MoneyProps) {
  const rows = useRows(of.aging())
  return (
    <Table
      label="By employer"
      columns={employer_columns}
      rows={rows}
      empty={<Empty title="No unpaid invoices.">Issued invoices stay here until they are paid or void.</Empty>}
    />
  )
}

const statement_columns: Column<PayrollDeductionStatementRow>[] = [
  {
    name: 'Pay period',
    width: 30,
    phone: 40,
    cell: (statement) => (
      <RowLink
        to={employerPath('/statements/$statement_id')}
        params={{ employer_id: statement.employer_id, statement_id: statement.id }}
      >
        {periodOf(statement)}
      </RowLink>
    ),
  },
  { name: 'Employer', width: 24, phone: 34, cell: ({ employer_name }) => employer_name },
  { name: 'Employees', align: 'end', only: 'middle', cell: ({ employee_count }) => inWords(employee_count) },
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => inDollars(total_in_cents) },
  { name: 'Generated', align: 'end', only: 'wide', width: 20, cell: ({ generated_at }) => instantOf(generated_at) },
  {
    name: 'File',
    align: 'end',
    width: 7,
    only: 'middle',
    cell: ({ csv, employer_name, period_start_date }) => (
      <a href={csv.download_url} download aria-label={`CSV of ${employer_name} from ${dayOf(period_start_date)}`}>
        CSV
      </a>
    ),
  },
]

/** The deduction statements of all employers. */
function Statements({ of, current: { search, from, to }, change }: MoneyProps) {
  const rows = useCursorRows(of.statements({ search, period_from: from, period_to: to }))
  return (
    <>
      <div className="filters">
        <Search label="Employer name" value={search} search={(search) => change({ search })} />
        <Months from={from} to={to} choose={change} />
      </div>
      <Table
        label="Statements"
        columns={statement_columns}
        rows={rows}
        empty={
          search || from || to ? (
            <Empty title="No statements match." />
          ) : (
            <Empty title="No statements yet.">
              Once an enrolled employee pays part of the premium, a statement is generated on the first day of each pay
              period.
            </Empty>
          )
        }
      />
    </>
  )
}
