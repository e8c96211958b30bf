import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useSearch } from '@tanstack/react-router'
import type { InvoiceLine, InvoiceRow, Reconciliation } from 'openbenefits'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatCount, formatDay, formatDollars, formatMonth, toSentence } from '../../format.ts'
import { describeCause, coverageLevelLabel } from '../../parts/benefits/labels.ts'
import { employerPath, HereLink } from '../../parts/page/links.tsx'
import { Empty, type Fact, Facts, Loaded, Dash, Section, Status } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, moneyColumn, Table } from '../../parts/table/table.tsx'
import { invoiceLinesList, invoiceQuery, fetchPdfLink, reconciliationQuery } from '../../queries.ts'
import { isOperator, isRoleAllowed } from '../../session.ts'
import { invoiceState } from './invoices.tsx'

const members = getRouteApi('/employers/$employer_id/invoices/$invoice_id')

const linePlan = ({ plan_name, benefit_name, coverage_tier }: InvoiceLine) =>
  [plan_name ?? benefit_name, coverageLevelLabel(coverage_tier)].filter(Boolean).join(', ')

const columns: Column<InvoiceLine>[] = [
  {
    name: 'Person',
    width: 18,
    phone: 46,
    cell: (line) => (
      <RowLink to="/people/$employee_id" params={line} search={{ why: line.enrollment_id }}>
        {line.employee_name} <span className="quiet only-phone">{linePlan(line)}</span>
        {line.cause && <span className="quiet only-phone">{describeCause(line.cause)}</span>}
      </RowLink>
    ),
  },
  { name: 'Month', width: 14, phone: 32, cell: ({ month }) => formatMonth(month) },
  {
    name: 'Plan',
    width: 40,
    only: 'middle',
    wraps: true,
    cell: (line) => (
      <>
        {linePlan(line)}
        {line.kind !== 'coverage' && (
          <span className="quiet block">{line.cause ? describeCause(line.cause) : toSentence(line.kind)}</span>
        )}
      </>
    ),
  },
  moneyColumn('Employee', 'employee_deduction_in_cents', { only: 'wide' }),
  moneyColumn('Employer', 'employer_contribution_in_cents', { only: 'wide' }),
  moneyColumn('Premium', 'premium_in_cents'),
]

const exported_lines: ExportColumn<InvoiceLine>[] = [
  { name: 'Person', of: ({ employee_name }) => employee_name },
  { name: 'Month', of: ({ month }) => month },
  { name: 'Benefit', of: ({ benefit_name }) => benefit_name },
  { name: 'Plan', of: ({ plan_name }) => plan_name },
  { name: 'Coverage level', of: ({ coverage_tier }) => coverageLevelLabel(coverage_tier) },
  { name: 'Kind', of: ({ kind }) => toSentence(kind) },
  { name: 'Why', of: ({ cause }) => cause && describeCause(cause) },
  { name: 'Employee', kind: 'cents', of: (line) => line.employee_deduction_in_cents },
  { name: 'Employer', kind: 'cents', of: (line) => line.employer_contribution_in_cents },
  { name: 'Premium', kind: 'cents', of: (line) => line.premium_in_cents },
]

type OneInvoiceProps = InvoiceOfEmployer & {
  /** the actions on the invoice */
  actions?: (invoice: InvoiceRow) => ReactNode
}

/** An invoice with its reconciliation and its lines, beside its PDF. */
export function InvoiceView({ employer_id, invoice_id, actions }: OneInvoiceProps) {
  const found = useQuery(invoiceQuery(employer_id, invoice_id))
  const { employee } = useSearch({ strict: false })
  const list = invoiceLinesList(employer_id, invoice_id, employee)
  const lines = useRows(list)
  const proof = useQuery(reconciliationQuery(employer_id, invoice_id))
  const invoice = found.data
  if (invoice === null) return <Empty title="Invoice not found." />
  return (
    <>
      <div className={shows_pdf ? 'beside' : undefined}>
        <div>
          <Section
            title={invoice ? `${invoice_id}, ${formatMonth(invoice.period)}` : invoice_id}
            actions={
              <>
                {invoice && <Status of={invoiceState(invoice)} />}
                <DownloadPdf employer_id={employer_id} invoice_id={invoice_id} />
              </>
            }
          >
            <Loaded query={found}>
              {(invoice) =>
                invoice && (
                  <>
                    <InvoiceFacts of={invoice} />
                    {actions?.(invoice)}
                  </>
                )
              }
            </Loaded>
          </Section>
          <Section title="Reconciliation">
            <Loaded query={proof}>{(found) => <InvoiceReconciliation of={found} status={invoice?.status} />}</Loaded>
          </Section>
        </div>
        <InvoicePdf employer_id={employer_id} invoice_id={invoice_id} />
      </div>
      <Section
        title="Lines"
        actions={
          <>
            {employee && <HereLink change={{ employee: undefined }}>Show all employees</HereLink>}
            <Export name={`${invoice_id}-lines`} list={list} columns={exported_lines} />
          </>
        }
      >
        {(invoice?.status === 'open' || invoice?.status === 'paid') && lines.total !== 0 && (
          <p className="quiet note">
            Is a line wrong? Select the person to see the reasons for the coverage, and correct the facts there. An
            issued invoice does not change: the next one adjusts the amount and names the cause.
          </p>
        )}
        <Table
          label="Lines"
          columns={columns}
          rows={lines}
          empty={
            <Empty
              title={
                employee
                  ? 'This invoice has no lines for this employee.'
                  : 'No lines: this month has no coverage and no adjustments.'
              }
            />
          }
        />
      </Section>
    </>
  )
}

export const Invoice = () => <InvoiceView {...members.useParams()} />

const InvoiceFacts = ({ of: invoice }: { of: InvoiceRow }) => (
  <Facts
    of={[
      ['Total', <strong className="number">{formatDollars(invoice.total_in_cents)}</strong>],
      ['Employees pay', <span className="number">{formatDollars(invoice.employee_deduction_in_cents)}</span>],
      ['Employer pays', <span className="number">{formatDollars(invoice.employer_contribution_in_cents)}</span>],
      ['Issued', invoice.issued_on && formatDay(invoice.issued_on)],
      ['Due', invoice.due_on && formatDay(invoice.due_on)],
      ...(invoice.voided_on
        ? ([
            ['Voided', formatDay(invoice.voided_on)],
            ['Reason', invoice.void_reason ?? <span className="quiet">No reason given.</span>],
            [
              'Replaced by',
              invoice.replaced_by ? (
                <Link
                  to={employerPath('/invoices/$invoice_id')}
                  params={{ employer_id: invoice.employer_id, invoice_id: invoice.replaced_by }}
                >
                  {invoice.replaced_by}
                </Link>
              ) : (
                <span className="quiet">No invoice yet. The next one bills this month.</span>
              ),
            ],
          ] satisfies Fact[])
        : ([['Paid', invoice.paid_on && formatDay(invoice.paid_on)]] satisfies Fact[])),
    ]}
  />
)

const formatMonthSpan = (months: string[]) =>
  months.length === 1 ? formatMonth(months[0]!) : `${formatMonth(months[0]!)} to ${formatMonth(months.at(-1)!)}`

/** How the differences of an invoice are settled. */
const differencesNote = (status: InvoiceRow['status'] | undefined): string =>
  status !== 'paid' && isOperator() && isRoleAllowed('bill')
    ? 'The next invoice adjusts these amounts. To correct this invoice instead, void it and bill the month again.'
    : 'The next invoice adjusts these amounts.'

type InvoiceReconciliationProps = { of: Reconciliation; status: InvoiceRow['status'] | undefined }

function InvoiceReconciliation({ of, status }: InvoiceReconciliationProps) {
  const { months, due, billed, difference, difference_count, differences, lines } = of
  const rows = [
    ['Premium', 'premium_in_cents'],
    ['Employer pays', 'employer_contribution_in_cents'],
    ['Employees pay', 'employee_deduction_in_cents'],
  ] as const
  return (
    <>
      <p className="verdict">
        {difference_count === 0 && lines.difference_in_cents === 0 ? (
          <Status of="Reconciled" tone="good" />
        ) : (
          <Status of={formatCount(difference_count, 'difference')} tone="bad" />
        )}{' '}
        <span className="quiet">
          {formatCount(lines.line_count, 'line')}, {formatDollars(lines.total_in_cents)}. Due and billed,{' '}
          {formatMonthSpan(months)}:
        </span>
      </p>
      <table className="small-table" aria-label="Amounts due and billed">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Amount</span>
            </th>
            <th scope="col" className="number">
              Due
            </th>
            <th scope="col" className="number">
              Billed
            </th>
            <th scope="col" className="number">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, field]) => (
            <tr key={field}>
              <th scope="row">{name}</th>
              <td className="number">{formatDollars(due[field])}</td>
              <td className="number">{formatDollars(billed[field])}</td>
              <td className="number">{difference[field] === 0 ? <Dash /> : formatDollars(difference[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length > 0 && <p className="quiet note">{differencesNote(status)}</p>}
      {differences.length > 0 && (
        <ul className="lines">
          {differences.map((each) => (
            <li key={`${each.enrollment_id}${each.month}`}>
              <Link
                to="/people/$employee_id"
                params={{ employee_id: each.employee_id }}
                search={{ why: each.enrollment_id }}
              >
                {each.employee_name}
              </Link>
              <span className="quiet">
                {formatMonth(each.month)}
                {each.cause && `. ${describeCause(each.cause)}`}
              </span>
              <span className="number">{formatDollars(each.difference.premium_in_cents)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export type InvoiceOfEmployer = { employer_id: string; invoice_id: string }

/** Whether this browser can display a PDF inside a page. Others only download it. */
export const shows_pdf = navigator.pdfViewerEnabled

/** The link lasts 15 minutes, so the file is fetched immediately. A PDF on another origin is only linked. */
const pdfQuery = ({ employer_id, invoice_id }: InvoiceOfEmployer) => ({
  queryKey: ['invoices', invoice_id, 'pdf'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { download_url } = await fetchPdfLink(employer_id, invoice_id, signal)
    const is_ours = new URL(download_url, location.href).origin === location.origin
    const answer = shows_pdf && is_ours ? await fetch(download_url, { signal }) : undefined
    // Force the PDF type, so that the file is never rendered as a page.
    const bytes = answer?.ok ? await answer.arrayBuffer() : undefined
    return { download_url, file: bytes ? new Blob([bytes], { type: 'application/pdf' }) : null }
  },
  // Reload the PDF of a draft when the draft changes.
  staleTime: 60_000,
})

export function DownloadPdf(invoice: InvoiceOfEmployer) {
  const { data, error } = useQuery(pdfQuery(invoice))
  if (error) return <span className="quiet">The PDF is not available now.</span>
  const label = 'Download the PDF'
  // Reserves the space of the link until it is available.
  if (!data) return <span className="button quiet">{label}</span>
  return (
    <a className="button" href={data.download_url} download>
      {label}
    </a>
  )
}

/** The PDF of the invoice beside its data. A phone and browsers without a PDF viewer have only the download button. */
export const InvoicePdf = (invoice: InvoiceOfEmployer) =>
  shows_pdf && (
    <div className="only-middle">
      <Section title="PDF">
        <InvoicePreview {...invoice} />
      </Section>
    </div>
  )

function InvoicePreview(invoice: InvoiceOfEmployer) {
  const pdf = useQuery(pdfQuery(invoice))
  return (
    <Loaded query={pdf} lines={12}>
      {({ file }) =>
        file ? (
          <PdfFrame file={file} title={`PDF of ${invoice.invoice_id}`} />
        ) : (
          <p className="quiet">The PDF is stored in the billing system. Download it to view it.</p>
        )
      }
    </Loaded>
  )
}

function PdfFrame({ file, title }: { file: Blob; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    // Fits the width and hides the browser's PDF sidebar.
    if (frame.current) frame.current.src = `${url}#view=FitH&navpanes=0`
    return () => URL.revokeObjectURL(url)
  }, [file])
  // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a sandboxed frame
  return <iframe ref={frame} className="sheet" title={title} />
}
