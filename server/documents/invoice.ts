/**
 * The content of an invoice. Days are `YYYY-MM-DD`. All values are plain data, and `renderInvoice` needs nothing else.
 */
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
  /** The first day of the billed month. */
  period: string
  /** Drafts and void invoices are marked as such. */
  status: 'draft' | 'open' | 'paid' | 'void'
  drafted_on: string
  /** Null for a draft, and for an invoice that was voided as a draft. */
  issued_on: string | null
  due_on: string | null
  voided_on: string | null
  void_reason: string | null
  /** The invoice that replaces this one, if there is one. */
  replaced_by: string | null
  /** In the order in which lines of the same kind are printed. */
  lines: InvoiceDocumentLine[]
  /** The totals of all lines, coverage and adjustments. */
  totals: InvoiceAmounts
}

export type InvoiceDocumentLine = InvoiceAmounts & {
  employee_name: string
  benefit_name: string
  plan_name: string
  coverage_tier: string
  /** The first day of the billed month, or of an earlier month for an adjustment. */
  month: string
  kind: 'coverage' | 'adjustment'
  /** The cause of an adjustment. Null for coverage, and if no fact of the enrollment explains it. */
  cause: InvoiceCause | null
}

/** A fact of the API, the instant at which it was reported, and the reporter. */
export type InvoiceCause = {
  action: string
  reported_at: string
  reported_by: { kind: string } | null
  coverage_end: string | null
  reason: string | null
}

/** Amounts in cents, negative for some adjustments. Premium = employer contribution + employee deduction. */
export type InvoiceAmounts = {
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}
