import type { PropertyDeclarations } from 'lit'
import type { Day, EmployerId, Invoice, InvoiceLine } from 'openbenefits'
import { all } from '../core/lists.ts'
import { Widget } from '../core/widget.ts'
import type { BillingWords } from './words-en.ts'

export type BillingView = 'invoices' | 'invoice'
export const filters = ['all', 'open', 'overdue', 'paid', 'void'] as const
export type InvoiceFilter = (typeof filters)[number]

export const isOverdue = ({ status, due_on }: Invoice, today: Day): boolean =>
  status === 'open' && due_on !== null && due_on < today

/** What is to be paid by now, what of it is late, and what is owed the other way. */
export function balanceOf(invoices: Invoice[], today: Day) {
  const sum = (some: Invoice[]) => some.reduce((total, { total_in_cents }) => total + total_in_cents, 0)
  const open = invoices.filter(({ status }) => status === 'open')
  const owed = open.filter(({ total_in_cents }) => total_in_cents > 0)
  return {
    open: sum(owed),
    overdue: sum(owed.filter((one) => isOverdue(one, today))),
    credit: -sum(open.filter(({ total_in_cents }) => total_in_cents < 0)),
    next: owed.toSorted((a, b) => ((a.due_on ?? '') < (b.due_on ?? '') ? -1 : 1))[0],
  }
}

/** What the views of Employer Billing draw from. */
export abstract class BillingHost extends Widget<BillingWords, BillingView> {
  static override properties: PropertyDeclarations = { invoice: { reflect: true } }

  /** Which invoice is shown: for deep links. */
  declare invoice: string
  filter: InvoiceFilter = 'all'

  get self() {
    return this.use('self', (ob) => ob.authentication.getToken())
  }

  get today(): Day | undefined {
    return this.self?.today
  }

  get employer_id(): EmployerId | undefined {
    return (this.for || this.self?.bound_entity?.id || undefined) as EmployerId | undefined
  }

  get employer() {
    const { employer_id: id } = this
    return id ? this.use('employer', (ob) => ob.employers.get(id)) : undefined
  }

  get invoices(): Invoice[] | undefined {
    const { employer_id: id } = this
    return id ? this.use('invoices', (ob) => all(ob.invoices.list(id, { include_drafts: true }))) : undefined
  }

  get lines(): InvoiceLine[] | undefined {
    const { employer_id: id, invoice } = this
    return id && invoice ? this.use(`lines ${invoice}`, (ob) => all(ob.invoices.listLines(id, invoice))) : undefined
  }

  get reconciliation() {
    const { employer_id: id, invoice } = this
    return id && invoice
      ? this.use(`reconciliation ${invoice}`, (ob) => ob.invoices.getReconciliation(id, invoice))
      : undefined
  }

  show(invoice: string): void {
    this.invoice = invoice
    this.go('invoice')
  }

  /** Opens the PDF by a link that lasts 15 minutes; the page is opened at once, or browsers would bar it. */
  async openPdf(): Promise<void> {
    const { employer_id: id, invoice } = this
    const page = open('', '_blank')
    if (page) page.opener = null
    const link = await this.act((ob) => ob.invoices.getPdf(id!, invoice)).catch(() => undefined)
    if (link && page) page.location.href = link.download_url
    else page?.close()
  }
}
