import { expect, it, describe } from 'vitest'
import type { InvoiceDocument } from './invoice.ts'
import { renderInvoice } from './invoice-page.ts'
import { renderInWorker } from './pdf-rendering.ts'
import { extractText } from 'unpdf'
import { renderConfirmation, type ConfirmedChoice } from './confirmation.ts'

const amounts = { premium_in_cents: 500, employer_contribution_in_cents: 300, employee_deduction_in_cents: 200 }

const anInvoice = (more: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  invoice_id: 'INV-000001',
  organization_name: 'Harbor Benefits',
  employer: {
    name: 'Sunrise Bakery',
    legal_name: 'Sunrise Bakery, LLC',
    address_line_1: '1200 Market Street',
    address_line_2: null,
    city: 'San Francisco',
    state: 'CA',
    zipcode: '94102',
  },
  period: '2026-03-01',
  status: 'open',
  drafted_on: '2026-03-01',
  issued_on: '2026-03-04',
  due_on: '2026-04-03',
  voided_on: null,
  void_reason: null,
  replaced_by: null,
  lines: [],
  totals: { premium_in_cents: 0, employer_contribution_in_cents: 0, employee_deduction_in_cents: 0 },
  ...more,
})

it('renders the same PDF in a thread, and reports errors in a document', async () => {
  const [first, wrong, second] = await Promise.allSettled(
    [anInvoice(), anInvoice({ totals: amounts }), anInvoice({ invoice_id: 'INV-000002' })].map((document) =>
      renderInWorker('invoice', JSON.stringify(document)),
    ),
  )
  expect(first).toEqual({ status: 'fulfilled', value: await renderInvoice(anInvoice()) })
  expect(String((wrong as PromiseRejectedResult).reason)).toContain('are not the sums of its lines')
  expect(second?.status).toBe('fulfilled')
})

describe('a confirmation', () => {
  const answer = (benefit_name: string, effective_on: string, cents: number): ConfirmedChoice => ({
    benefit_name,
    answer: 'enrolled',
    plan_name: 'Base',
    covered: ['Noor'],
    effective_on,
    per_month_in_cents: 2 * cents,
    per_paycheck_in_cents: cents,
    reimbursed_in_cents: null,
  })

  const [medical, dental] = [answer('Medical', '2026-05-01', 10_000), answer('Dental', '2026-05-01', 850)]
  const former = answer('Medical', '2025-05-01', 18_925)

  it.each([
    ['is shown for benefits that apply at the same time', [medical, dental], '$108.50'],
    ['is not shown when one enrollment follows another', [former, medical, dental], undefined],
  ])('a total %s', async (_, answers, sum) => {
    const pdf = await renderConfirmation({
      language: 'en',
      organization_name: 'Harbor Benefits',
      employer_name: 'Granite Freight',
      employee_name: 'Noor Haddad',
      today: '2026-03-10',
      plan_years: [{ start: '2026-01-01', end: '2026-12-31', answers }],
      beneficiaries: [],
      paychecks: [],
      signature: null,
    })
    const { text } = await extractText(new Uint8Array(pdf), { mergePages: true })
    expect(/Total\s+\$\S+\s+(\S+)/.exec(text)?.[1]).toBe(sum)
  })
})
