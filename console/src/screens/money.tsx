import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { InvoiceAging, InvoiceAgingPage, InvoiceRow, PayrollDeductionStatementRow } from 'openbenefits'
import type { ReactNode } from 'react'
import { Months, Search, Several } from '../parts/filters.tsx'
import { Empty, Loaded, Nothing, Page, Section, Status, Tabs, type Tab } from '../parts/page.tsx'
import { RowLink } from '../parts/row-link.tsx'
import { useRows, useTrail } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { Views } from '../parts/views.tsx'
import { count, dayOf, inDollars, instantOf, inWords, monthOf, periodOf, sentence } from '../parts/words.ts'
import { moneyAt, moneyHere, type MoneyOf } from '../money-queries.ts'
import { invoice_ages, invoice_states } from '../routes.tsx'
import { stateOf } from './employer/invoice-state.ts'

const ages = [
  { age: 'not_due', field: 'not_due_in_cents', name: 'Not due yet', tone: 'over' },
  { age: 'to_30_days', field: 'overdue_to_30_days_in_cents', name: '1–30 days', tone: 'wait' },
  { age: 'to_60_days', field: 'overdue_to_60_days_in_cents', name: '31–60 days', tone: 'wait' },
  { age: 'to_90_days', field: 'overdue_to_90_days_in_cents', name: '61–90 days', tone: 'bad' },
  { age: 'longer', field: 'overdue_longer_in_cents', name: 'Over 90 days', tone: 'bad' },
] as const

/** What the address says of it, after its path. */
export type MoneySaid = {
  show?: 'employers' | 'statements' | undefined
  search?: string | undefined
  status?: (typeof invoice_states)[number][] | undefined
  age?: (typeof invoice_ages)[number][] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** What leads from a row to its page: of an invoice, of an employer whose sums they are, and of a statement. */
type Ways = {
  ofInvoice: (invoice: InvoiceRow) => ReactNode
  ofEmployer: (sums: InvoiceAging) => ReactNode
  ofStatement: (statement: PayrollDeductionStatementRow) => ReactNode
}

type MoneyProps = { of: MoneyOf; said: MoneySaid; say: (said: MoneySaid) => void; ways: Ways }

const members = getRouteApi('/money')

const ways_of_members: Ways = {
  ofInvoice: ({ employer_id, employer_name, invoice_id }) => (
    <RowLink to="/employers/$employer_id/invoices/$invoice_id" params={{ employer_id, invoice_id }}>
      {invoice_id} <span className="quiet only-phone">{employer_name}</span>
    </RowLink>
  ),
  ofEmployer: ({ employer_id, employer_name }) => (
    <RowLink to="/employers/$employer_id/invoices" params={{ employer_id }}>
      {employer_name}
    </RowLink>
  ),
  ofStatement: (statement) => (
    <RowLink
      to="/employers/$employer_id/statements/$statement_id"
      params={{ employer_id: statement.employer_id, statement_id: statement.id }}
    >
      {periodOf(statement)}
    </RowLink>
  ),
}

const tab = (label: string, show: MoneySaid['show']): Tab => ({ label, link: { to: '.', search: { show } as never } })
const tabs = [tab('Invoices', undefined), tab('By employer', 'employers'), tab('Statements', 'statements')]

/** What employers are billed and owe, each invoice or the sums by employer, and what payrolls are to take. */
export function Money() {
  const said = members.useSearch()
  const navigate = members.useNavigate()
  return (
    <Page title="Money" tabs={tabs}>
      <Shown
        of={moneyHere}
        said={said}
        say={(said) => void navigate({ search: (before) => ({ ...before, ...said }), replace: true })}
        ways={ways_of_members}
      />
    </Page>
  )
}

const operators = getRouteApi('/partners/$organization_id/money')

const ways_of_operators: Ways = {
  ofInvoice: ({ employer_id, employer_name, invoice_id }) => (
    <RowLink to="/partners/employers/$employer_id/invoices/$invoice_id" params={{ employer_id, invoice_id }}>
      {invoice_id} <span className="quiet only-phone">{employer_name}</span>
    </RowLink>
  ),
  ofEmployer: ({ employer_id, employer_name }) => (
    <RowLink to="/partners/employers/$employer_id/invoices" params={{ employer_id }}>
      {employer_name}
    </RowLink>
  ),
  ofStatement: (statement) => (
    <RowLink
      to="/partners/employers/$employer_id/statements/$statement_id"
      params={{ employer_id: statement.employer_id, statement_id: statement.id }}
    >
      {periodOf(statement)}
    </RowLink>
  ),
}

/** The same of a partner, for operators. */
export function PartnerMoney() {
  const { organization_id } = operators.useParams()
  const said = operators.useSearch()
  const navigate = operators.useNavigate()
  return (
    <>
      <Tabs label="Money" tabs={tabs} />
      <Shown
        of={moneyAt(organization_id)}
        said={said}
        say={(said) => void navigate({ search: (before) => ({ ...before, ...said }), replace: true })}
        ways={ways_of_operators}
      />
    </>
  )
}

const Shown = (props: MoneyProps) =>
  props.said.show === 'statements' ? <Statements {...props} /> : <Owed {...props} />

function Owed(props: MoneyProps) {
  const { of, said, say } = props
  const totals = useQuery(of.agingTotals())
  return (
    <>
      <Section title="Owed by employers">
        <Loaded query={totals} lines={3}>
          {(found) => <Ages of={found} chosen={said.age} choose={(age) => say({ age, show: undefined })} />}
        </Loaded>
      </Section>
      {said.show === 'employers' ? <Employers {...props} /> : <Invoices {...props} />}
    </>
  )
}

type AgesProps = {
  of: InvoiceAgingPage['totals']
  chosen: MoneySaid['age']
  choose: (ages: MoneySaid['age']) => void
}

/** All of it in one figure, and its ages as bars, each of which keeps its invoices. */
const Ages = ({ of, chosen, choose }: AgesProps) => (
  <>
    <div className="headline">
      <span className="figure number">{inDollars(of.total_in_cents)}</span>
      <span className="quiet">{count(of.invoice_count, 'invoice')}</span>
    </div>
    <Several
      label="Since when they are due"
      look="ages"
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
      choose={(values) => choose(values as MoneySaid['age'])}
    />
  </>
)

const invoiceColumns = (ways: Ways): Column<InvoiceRow>[] => [
  {
    name: 'Invoice',
    width: 14,
    phone: 45,
    cell: ways.ofInvoice,
  },
  { name: 'Employer', width: 24, only: 'middle', cell: ({ employer_name }) => employer_name },
  { name: 'Month', only: 'middle', width: 18, cell: ({ period }) => monthOf(period) },
  { name: 'Status', phone: 25, cell: (invoice) => <Status of={stateOf(invoice)} /> },
  { name: 'Due', align: 'end', only: 'middle', cell: ({ due_on }) => (due_on ? dayOf(due_on) : <Nothing />) },
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => inDollars(total_in_cents) },
]

function Invoices({ of, said: { search, status, age, from, to }, say, ways }: MoneyProps) {
  const rows = useTrail(of.invoices({ search, status, age, period_from: from, period_to: to }))
  const is_filtered = search ?? status ?? age ?? from ?? to
  return (
    <>
      <div className="filters">
        <Search label="Number, or name of an employer" value={search} search={(search) => say({ search })} />
        <Several
          label="Status"
          options={invoice_states.map((value) => ({
            value,
            label: value === 'open' ? 'Open or overdue' : sentence(value),
          }))}
          chosen={status}
          choose={(status) => say({ status: status as MoneySaid['status'] })}
        />
        <Months from={from} to={to} choose={say} />
      </div>
      <Views kind="invoices" said={{ search, status, age, from, to }} />
      <Table
        label="Invoices"
        columns={invoiceColumns(ways)}
        rows={rows}
        empty={
          is_filtered ? (
            <Empty title="No invoice is like that." />
          ) : (
            <Empty title="No invoice yet.">
              One is drafted for each employer and month once somebody is enrolled, and issued days later.
            </Empty>
          )
        }
      />
    </>
  )
}

const money = (cents: number) => (cents === 0 ? <Nothing /> : inDollars(cents))

const employerColumns = (ways: Ways): Column<InvoiceAging>[] => [
  {
    name: 'Employer',
    width: 18,
    phone: 46,
    cell: ways.ofEmployer,
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

function Employers({ of, ways }: MoneyProps) {
  const rows = useRows(of.aging())
  return (
    <Table
      label="By employer"
      columns={employerColumns(ways)}
      rows={rows}
      empty={<Empty title="Nobody owes anything.">Issued invoices are here until they are paid or void.</Empty>}
    />
  )
}

const statementColumns = (ways: Ways): Column<PayrollDeductionStatementRow>[] => [
  { name: 'Pay period', width: 30, phone: 40, cell: ways.ofStatement },
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

/** What payrolls are to take, of all employers. */
function Statements({ of, said: { search, from, to }, say, ways }: MoneyProps) {
  const rows = useTrail(of.statements({ search, period_from: from, period_to: to }))
  return (
    <>
      <div className="filters">
        <Search label="Name of an employer" value={search} search={(search) => say({ search })} />
        <Months from={from} to={to} choose={say} />
      </div>
      <Table
        label="Statements"
        columns={statementColumns(ways)}
        rows={rows}
        empty={
          search || from || to ? (
            <Empty title="No statements match." />
          ) : (
            <Empty title="No statement yet.">
              Each pay period of an employer gets one on its first day, once somebody is enrolled and pays a part.
            </Empty>
          )
        }
      />
    </>
  )
}
