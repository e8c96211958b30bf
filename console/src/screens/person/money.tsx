import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Employee, InvoiceRow, Paycheck } from 'openbenefits'
import { useState } from 'react'
import { ob } from '../../api.ts'
import { formatDay, formatMonth } from '../../format.ts'
import { employerPath } from '../../parts/page/links.tsx'
import { downloadLink } from '../../parts/page/download.ts'
import { Empty, Loaded, Dash, Section, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { type Column, moneyColumn, Table } from '../../parts/table/table.tsx'
import { latestInvoicesQuery, paychecksQuery } from '../../queries.ts'
import { invoiceState } from '../money/invoices.tsx'

/** The latest paychecks and invoices of a person, each with a link to the lines of the person. */

type EmployeeYear = { of: Employee; year: number }

/** The number of rows of each list. Older ones are on the pages of the employer. */
const max_shown = 5

/** The next expected paycheck and the latest ones on statements, newest first. */
function latestPaychecks(paychecks: Paycheck[]): Paycheck[] {
  const next = paychecks.findIndex(({ statement_id }) => statement_id === null)
  return paychecks
    .slice(0, next === -1 ? undefined : next + 1)
    .toReversed()
    .slice(0, max_shown)
}

const paycheckColumns = ({ id, employer_id }: Employee): Column<Paycheck>[] => [
  {
    name: 'Payday',
    cell: ({ period_end_date, statement_id }) =>
      statement_id === null ? (
        <>
          {formatDay(period_end_date)} <span className="quiet">expected</span>
        </>
      ) : (
        <RowLink
          to={employerPath('/statements/$statement_id')}
          params={{ employer_id, statement_id }}
          search={{ employee: id }}
        >
          {formatDay(period_end_date)}
        </RowLink>
      ),
  },
  moneyColumn('Deducted', 'total_in_cents'),
]

/** The deductions from the latest and the next paychecks, with links to the statements. */
export function EmployeePaychecks({ of, year }: EmployeeYear) {
  const found = useQuery(paychecksQuery(of.id, year))
  return (
    <Section
      title="Paychecks"
      actions={
        <Link to={employerPath('/statements')} params={{ employer_id: of.employer_id }}>
          All statements
        </Link>
      }
    >
      <Loaded query={found} lines={3}>
        {(paychecks) => (
          <>
            <Table
              label="Paychecks"
              columns={paycheckColumns(of)}
              rows={fixedRows(latestPaychecks(paychecks))}
              empty={<Empty title="No paychecks with deductions in this year." />}
            />
            {new Set(paychecks.map(({ total_in_cents }) => total_in_cents)).size > 1 && (
              <p className="quiet note">
                The cost of the year is divided among its paychecks. Amounts are rounded so that the year adds up
                exactly, so paychecks can differ by a few cents. Select a payday to see the reason for any other change.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const invoiceColumns = ({ id, employer_id }: Employee): Column<InvoiceRow>[] => [
  {
    name: 'Invoice',
    width: 50,
    cell: ({ invoice_id, period }) => (
      <RowLink
        to={employerPath('/invoices/$invoice_id')}
        params={{ employer_id, invoice_id }}
        search={{ employee: id }}
      >
        {invoice_id} <span className="quiet under">{formatMonth(period)}</span>
      </RowLink>
    ),
  },
  { name: 'Status', cell: (invoice) => <Status of={invoiceState(invoice)} /> },
  {
    name: 'Due',
    align: 'end',
    cell: ({ due_on }) => (due_on ? formatDay(due_on) : <Dash />),
  },
]

/** The latest invoices of the employer. The links show the lines of the person. */
export function EmployeeInvoices({ of }: { of: Employee }) {
  const found = useQuery(latestInvoicesQuery(of.employer_id, max_shown))
  return (
    <Section
      title="Invoices of the employer"
      actions={
        <Link to={employerPath('/invoices')} params={{ employer_id: of.employer_id }}>
          All invoices
        </Link>
      }
    >
      <Loaded query={found} lines={3}>
        {(invoices) => (
          <Table
            label="Invoices"
            columns={invoiceColumns(of)}
            rows={fixedRows(invoices)}
            empty={<Empty title="No invoices yet." />}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** Downloads the benefits statement of the year, which shows both shares of each benefit. */
export function BenefitsStatement({ of, year }: EmployeeYear) {
  const [error, setError] = useState<Error>()
  const fetchLink = async () => {
    setError(undefined)
    try {
      downloadLink((await ob.enrollments.getStatementPdf(of.id, { year })).download_url)
    } catch (thrown) {
      setError(thrown as Error)
    }
  }
  return (
    <>
      {error && <ErrorMessage error={error} />}
      <button type="button" className="button" onClick={() => void fetchLink()}>
        Benefits statement (PDF)
      </button>
    </>
  )
}
