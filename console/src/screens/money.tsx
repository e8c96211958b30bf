import { useQuery } from '@tanstack/react-query'
import type { InvoiceAging, InvoiceAgingPage } from 'openbenefits'
import { Empty, Loaded, Nothing, Page, Section } from '../parts/page.tsx'
import { RowLink } from '../parts/row-link.tsx'
import { useRows } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { count, dayOf, inDollars } from '../parts/words.ts'
import { aging, agingTotals } from '../queries.ts'

const ages = [
  { field: 'not_due_in_cents', name: 'Not due yet', tone: 'over' },
  { field: 'overdue_to_30_days_in_cents', name: '1–30 days', tone: 'wait' },
  { field: 'overdue_to_60_days_in_cents', name: '31–60 days', tone: 'wait' },
  { field: 'overdue_to_90_days_in_cents', name: '61–90 days', tone: 'bad' },
  { field: 'overdue_longer_in_cents', name: 'Over 90 days', tone: 'bad' },
] as const

const money = (cents: number) => (cents === 0 ? <Nothing /> : inDollars(cents))

const columns: Column<InvoiceAging>[] = [
  {
    name: 'Employer',
    width: 18,
    phone: 60,
    cell: ({ employer_id, employer_name }) => (
      <RowLink to="/employers/$employer_id/invoices" params={{ employer_id }}>
        {employer_name}
      </RowLink>
    ),
  },
  { name: 'Due since', only: 'wide', width: 12, cell: ({ oldest_due_on }) => dayOf(oldest_due_on) },
  ...ages.map(({ field, name }): Column<InvoiceAging> => ({
    name,
    align: 'end',
    only: 'middle',
    cell: (row) => money(row[field]),
  })),
  { name: 'Total', align: 'end', cell: ({ total_in_cents }) => <strong>{inDollars(total_in_cents)}</strong> },
]

/** What employers owe, by how long ago it was due. */
export function Money() {
  const totals = useQuery(agingTotals())
  const rows = useRows(aging())
  return (
    <Page title="Money">
      <Section title="Owed by employers">
        <Loaded query={totals} lines={2}>
          {(found) => <Owed of={found} />}
        </Loaded>
      </Section>
      <Section title="By employer">
        <Table
          label="By employer"
          columns={columns}
          rows={rows}
          empty={<Empty title="Nobody owes anything.">Issued invoices are here until they are paid or void.</Empty>}
        />
      </Section>
    </Page>
  )
}

/** All of it in one figure, and its ages as bars. */
const Owed = ({ of }: { of: InvoiceAgingPage['totals'] }) => (
  <>
    <div className="headline">
      <span className="figure number">{inDollars(of.total_in_cents)}</span>
      <span className="quiet">{count(of.invoice_count, 'invoice')}</span>
    </div>
    <ul className="ages">
      {ages.map(({ field, name, tone }) => (
        <li key={field}>
          <span className="quiet">{name}</span>
          <span className="number">{inDollars(of[field])}</span>
          <span className="age-bar" aria-hidden="true">
            <span
              className={tone}
              style={{ width: `${of.total_in_cents > 0 ? (of[field] / of.total_in_cents) * 100 : 0}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  </>
)
