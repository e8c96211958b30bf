import { drawHead, drawStamp, footOf, textsOf, titleOf } from './invoice-page.ts'
import { monthName, sectionsOf } from './invoice-tables.ts'
import { writePdf } from './paper.ts'

/** What an invoice says, days as `YYYY-MM-DD`. Everything is plain data; `renderInvoice` asks nobody for more. */
export type InvoiceDocument = {
  invoice_id: string
  organization_name: string
  employer: {
    name: string
    legal_name: string
    address_line_1: string
    address_line_2: string | null
    city: string
    state: string
    zipcode: string
  }
  /** The first day of the month that is billed. */
  period: string
  /** A draft says that it is one, and a void invoice that nothing is to be paid. */
  status: 'draft' | 'open' | 'paid' | 'void'
  drafted_on: string
  /** Null in a draft, and in one that was voided as such. */
  issued_on: string | null
  due_on: string | null
  voided_on: string | null
  void_reason: string | null
  /** The invoice that bills its month instead, once there is one. */
  replaced_by: string | null
  /** In the order in which they are printed within their kind. */
  lines: InvoiceDocumentLine[]
  /** Of all lines, coverage and adjustments. */
  totals: InvoiceAmounts
}

export type InvoiceDocumentLine = InvoiceAmounts & {
  employee_name: string
  benefit_name: string
  plan_name: string
  coverage_tier: string
  /** The first day of the month that is billed; for an adjustment, an earlier one. */
  month: string
  kind: 'coverage' | 'adjustment'
  /** The cause of an adjustment. Null for coverage, and if no fact of the enrollment explains it. */
  cause: InvoiceCause | null
}

/** A fact as the interface names it, the instant at which it was reported, and by whom. */
export type InvoiceCause = {
  action: string
  reported_at: string
  reported_by: { kind: string } | null
  coverage_end: string | null
  reason: string | null
}

/** Cents; an adjustment's may be negative. Premium = employer contribution + employee deduction. */
export type InvoiceAmounts = {
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}

/** The PDF of an invoice. */
export async function renderInvoice(document: InvoiceDocument): Promise<Buffer> {
  const sections = sectionsOf(document)
  const month = monthName(document.period)
  return writePdf({
    info: {
      Title: `${titleOf(document)} ${document.invoice_id}, ${month}, ${document.employer.legal_name}`,
      Author: document.organization_name,
      Subject: `Benefits billed for ${month}`,
      made_on: document.voided_on ?? document.issued_on ?? document.drafted_on,
    },
    lang: 'en-US',
    sections,
    texts: textsOf(document),
    drawHead: (pen, root) => drawHead(pen, document, root),
    drawUnder: (pen) => drawStamp(pen, document),
    foot: footOf(document),
    pageOf: (number, count) => `Page ${number} of ${count}`,
  })
}
