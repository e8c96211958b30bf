import type { PropertyDeclarations } from 'lit'
import type { Day, Invoice, InvoiceLine } from 'openbenefits'
import type { BillingView } from '../../types/elements.d.ts'
import { EmployerWidget } from '../core/widget.ts'
import type { BillingWords } from './words-en.ts'

export type InvoiceFilter = 'all' | 'open' | 'overdue' | 'paid' | 'void'
export type InvoicePeriod = 'all' | 'this_year' | 'last_year'

/** Invoices per request: eight years of monthly invoices. */
const invoices_of_page = 100

export const isOverdue = ({ status, due_on }: Invoice, today: Day): boolean =>
  status === 'open' && due_on !== null && due_on < today

/** The months of a period, as query parameters of the list. */
function monthsOf(period: InvoicePeriod, today: Day): { period_from?: string; period_to?: string } {
  if (period === 'all') return {}
  const year = Number(today.slice(0, 4)) - (period === 'last_year' ? 1 : 0)
  return { period_from: `${year}-01`, period_to: `${year}-12` }
}

/** Data and state behind the views of Employer Billing. */
export abstract class BillingHost extends EmployerWidget<BillingWords, BillingView> {
  static override properties: PropertyDeclarations = { invoice: { reflect: true } }

  /** The invoice shown, for deep links. */
  declare invoice: string
  filter: InvoiceFilter = 'all'
  period: InvoicePeriod = 'all'

  override forget(): void {
    this.filter = 'all'
    this.period = 'all'
  }

  /** The latest invoices, and the totals of all invoices. */
  get latest() {
    const { employer_id: id } = this
    const query = { include_drafts: true, limit: invoices_of_page }
    return id ? this.use('latest', async (ob) => ob.invoices.list(id, query)) : undefined
  }

  /** The invoices that match the filters. */
  get shown(): Invoice[] | undefined {
    const { employer_id: id, filter, period, latest, today } = this
    if (!id || !today || !latest) return undefined
    if (filter === 'all' && period === 'all' && latest.next_offset === null) return latest.data
    const months = monthsOf(period, today)
    const status = filter === 'all' ? { include_drafts: true } : { status: [filter] }
    return this.use(`shown ${filter} ${period}`, (ob) =>
      Array.fromAsync(ob.invoices.list(id, { ...status, ...months })),
    )
  }

  /** The selected invoice. Null if the employer has no such invoice. */
  get one(): Invoice | null | undefined {
    const { employer_id: id, latest, invoice } = this
    if (!id || !latest) return undefined
    const here = latest.data.find(({ invoice_id }) => invoice_id === invoice)
    if (here || latest.next_offset === null) return here ?? null
    const rest = this.use('rest', (ob) =>
      Array.fromAsync(ob.invoices.list(id, { include_drafts: true, limit: invoices_of_page })),
    )
    return rest && (rest.find(({ invoice_id }) => invoice_id === invoice) ?? null)
  }

  get lines(): InvoiceLine[] | undefined {
    const { employer_id: id, invoice } = this
    return id && invoice
      ? this.use(`lines ${invoice}`, (ob) => Array.fromAsync(ob.invoices.listLines(id, invoice)))
      : undefined
  }

  get reconciliation() {
    const { employer_id: id, invoice } = this
    return id && invoice
      ? this.use(`reconciliation ${invoice}`, (ob) => ob.invoices.getReconciliation(id, invoice))
      : undefined
  }

  /** Changes the filters of the list. */
  narrow(changes: { filter?: InvoiceFilter; period?: InvoicePeriod }): void {
    Object.assign(this, changes)
    this.requestUpdate()
  }

  show(invoice: string): void {
    this.invoice = invoice
    this.go('invoice')
  }

  /**
   * Opens the PDF through a 15-minute link. Opens the page before the link arrives, because browsers block later
   * popups.
   */
  async openPdf(): Promise<void> {
    const { employer_id: id, invoice } = this
    const page = open('', '_blank')
    if (page) page.opener = null
    const link = await this.act((ob) => ob.invoices.getPdf(id!, invoice)).catch(() => undefined)
    if (link && page) page.location.href = link.download_url
    else page?.close()
  }
}
