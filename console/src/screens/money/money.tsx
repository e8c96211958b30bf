import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { InvoiceAging, InvoiceAgingPage, InvoiceRow } from 'openbenefits'
import { formatCount, formatDollars, formatMonth, toSentence } from '../../format.ts'
import { operatorMoney, memberMoney, type MoneyQueries } from '../../money-queries.ts'
import { employerPath, useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { Empty, Loaded, Dash, Page, Section, Status, type Tab, Tabs } from '../../parts/page/page.tsx'
import { Export } from '../../parts/table/export.tsx'
import { MonthRangeFilter, SearchField, ToggleFilter } from '../../parts/table/filters.tsx'
import { linkColumn, RowLink } from '../../parts/table/row-link.tsx'
import { useCursorRows, useRows } from '../../parts/table/rows.ts'
import { SavedViews } from '../../parts/table/saved-views.tsx'
import { type Column, dateColumn, moneyColumn, Table } from '../../parts/table/table.tsx'
import { invoice_ages, invoice_states } from '../../routes/filter-values.ts'
import { invoiceState } from './invoices.tsx'
import { NoStatements, statementColumns } from './statements.tsx'

const ages = {
  not_due: { field: 'not_due_in_cents', name: 'Not due yet', tone: 'over' },
  to_30_days: { field: 'overdue_to_30_days_in_cents', name: '1–30 days', tone: 'wait' },
  to_60_days: { field: 'overdue_to_60_days_in_cents', name: '31–60 days', tone: 'wait' },
  to_90_days: { field: 'overdue_to_90_days_in_cents', name: '61–90 days', tone: 'bad' },
  longer: { field: 'overdue_longer_in_cents', name: 'Over 90 days', tone: 'bad' },
} as const

/** The search parameters of the URL. */
export type MoneySearch = {
  show?: 'employers' | 'statements' | undefined
  search?: string | undefined
  status?: (typeof invoice_states)[number][] | undefined
  age?: (typeof invoice_ages)[number][] | undefined
  from?: string | undefined
  to?: string | undefined
}

type MoneyProps = { of: MoneyQueries; current: MoneySearch; change: (changes: MoneySearch) => void }

const members = getRouteApi('/money')

const tab = (label: string, show: MoneySearch['show']): Tab => ({ label, link: { to: '.', search: { show } as never } })
const tabs = [tab('Invoices', undefined), tab('By employer', 'employers'), tab('Statements', 'statements')]

/** Invoices, balances by employer, and deduction statements. */
export function MoneyPage() {
  const current = members.useSearch()
  const change = useChangeSearch()
  return (
    <Page title="Money" tabs={tabs}>
      <MoneyTab of={memberMoney} current={current} change={change} />
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
      <MoneyTab of={operatorMoney(organization_id)} current={current} change={change} />
    </>
  )
}

const MoneyTab = (props: MoneyProps) =>
  props.current.show === 'statements' ? <Statements {...props} /> : <Receivables {...props} />

function Receivables(props: MoneyProps) {
  const { of, current, change } = props
  const totals = useQuery(of.agingTotals())
  return (
    <>
      <Section title="Owed by employers">
        <Loaded query={totals} lines={3}>
          {(found) => <AgeFilters of={found} chosen={current.age} choose={(age) => change({ age, show: undefined })} />}
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
const AgeFilters = ({ of, chosen, choose }: AgesProps) => (
  <>
    <div className="headline">
      <span className="figure number">{formatDollars(of.total_in_cents)}</span>
      <span className="quiet">{formatCount(of.invoice_count, 'invoice')}</span>
    </div>
    <ToggleFilter
      label="Receivables by age"
      variant="ages"
      values={invoice_ages}
      labelOf={(age) => <AgeFilter of={of} {...ages[age]} />}
      chosen={chosen}
      choose={choose}
    />
  </>
)

type AgeProps = { of: InvoiceAgingPage['totals'] } & (typeof ages)[keyof typeof ages]

const AgeFilter = ({ of, field, name, tone }: AgeProps) => (
  <>
    <span className="quiet">{name}</span>
    <span className="number">{formatDollars(of[field])}</span>
    <span className="age-bar" aria-hidden="true">
      <span
        className={tone}
        style={{ width: `${of.total_in_cents > 0 ? Math.max(0, of[field] / of.total_in_cents) * 100 : 0}%` }}
      />
    </span>
  </>
)

const invoice_columns: Column<InvoiceRow>[] = [
  {
    name: 'Invoice',
    width: 14,
    phone: 40,
    cell: ({ employer_id, employer_name, invoice_id }) => (
      <RowLink to={employerPath('/invoices/$invoice_id')} params={{ employer_id, invoice_id }}>
        {invoice_id} <span className="quiet only-phone">{employer_name}</span>
      </RowLink>
    ),
  },
  { name: 'Employer', width: 24, only: 'middle', cell: ({ employer_name }) => employer_name },
  { name: 'Month', only: 'middle', width: 18, cell: ({ period }) => formatMonth(period) },
  { name: 'Status', phone: 30, cell: (invoice) => <Status of={invoiceState(invoice)} /> },
  dateColumn('Due', 'due_on', { only: 'middle' }),
  moneyColumn('Total', 'total_in_cents'),
]

function Invoices({ of, current: { search, status, age, from, to }, change }: MoneyProps) {
  const list = of.invoices({ search, status, age, period_from: from, period_to: to })
  const rows = useCursorRows(list)
  const is_filtered = search ?? status ?? age ?? from ?? to
  return (
    <>
      <div className="filters">
        <SearchField label="Invoice number or employer name" value={search} search={(search) => change({ search })} />
        <ToggleFilter
          label="Status"
          values={invoice_states}
          labelOf={(state) => (state === 'open' ? 'Open or overdue' : toSentence(state))}
          chosen={status}
          choose={(status) => change({ status })}
        />
        <MonthRangeFilter from={from} to={to} choose={change} />
        <Export
          name="invoices"
          list={list}
          scheduled={{
            list: 'invoices',
            parameters: { search, status, age, period_from: from, period_to: to, include_drafts: 'true' },
          }}
        />
      </div>
      <SavedViews kind="invoices" current={{ search, status, age, from, to }} />
      <Table
        label="Invoices"
        columns={invoice_columns}
        rows={rows}
        empty={
          is_filtered ? (
            <NoMatches rows="invoices" />
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

const money = (cents: number) => (cents === 0 ? <Dash /> : formatDollars(cents))

const employer_columns: Column<InvoiceAging>[] = [
  linkColumn(
    'Employer',
    ({ employer_id, employer_name }) => [employer_name, { to: employerPath('/invoices'), params: { employer_id } }],
    { width: 18, phone: 46 },
  ),
  dateColumn('Due since', 'oldest_due_on', { only: 'wide', width: 12 }),
  ...Object.values(ages).map(({ field, name }): Column<InvoiceAging> => ({
    name,
    align: 'end',
    only: 'middle',
    cell: (row) => money(row[field]),
  })),
  { name: 'Overdue', align: 'end', only: 'phone', cell: (row) => money(row.total_in_cents - row.not_due_in_cents) },
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => <strong>{formatDollars(total_in_cents)}</strong> },
]

function Employers({ of }: MoneyProps) {
  const list = of.aging()
  const rows = useRows(list)
  return (
    <Section title="By employer" actions={<Export name="owed" list={list} scheduled={{ list: 'receivables' }} />}>
      <Table
        label="By employer"
        columns={employer_columns}
        rows={rows}
        empty={<Empty title="No unpaid invoices.">Issued invoices stay here until they are paid or void.</Empty>}
      />
    </Section>
  )
}

/** The deduction statements of all employers. */
function Statements({ of, current: { search, from, to }, change }: MoneyProps) {
  const filter = { search, period_from: from, period_to: to }
  const list = of.statements(filter)
  const rows = useCursorRows(list)
  return (
    <>
      <div className="filters">
        <SearchField label="Employer name" value={search} search={(search) => change({ search })} />
        <MonthRangeFilter from={from} to={to} choose={change} />
        <Export name="statements" list={list} scheduled={{ list: 'statements', parameters: filter }} />
      </div>
      <Table
        label="Statements"
        columns={statementColumns('all')}
        rows={rows}
        empty={search || from || to ? <NoMatches rows="statements" /> : <NoStatements />}
      />
    </>
  )
}
