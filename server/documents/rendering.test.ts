import { afterEach, expect, it, vi } from 'vitest'
import { rest_ms } from '../kernel/background-thread.ts'
import { type InvoiceDocument, renderInvoice } from './invoice.ts'
import { renderApart, renderIn } from './rendering.ts'

afterEach(() => void vi.useRealTimers())

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

/** Renders in a thread that answers messages by this function, written out. */
const renderBy = (answer: string) => {
  const script = `import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', ${answer})`
  return renderIn(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
}

it('renders the same in its thread, and tells there what is wrong with a document', async () => {
  const [first, wrong, second] = await Promise.allSettled(
    [anInvoice(), anInvoice({ totals: amounts }), anInvoice({ invoice_id: 'INV-000002' })].map((document) =>
      renderApart('invoice', JSON.stringify(document)),
    ),
  )
  expect(first).toEqual({ status: 'fulfilled', value: await renderInvoice(anInvoice()) })
  expect(String((wrong as PromiseRejectedResult).reason)).toContain('are not the sums of its lines')
  expect(second?.status).toBe('fulfilled')
})

it('loses with a thread that crashes the one document that it had, and goes on in a new one', async () => {
  // Answers which thread it is, and crashes as it is told.
  const render = renderBy(`({ request, document: invoice_id }) => {
    if (invoice_id === 'throws') throw new Error('crashed')
    if (invoice_id === 'exits') process.exit(3)
    parentPort.postMessage({ request, pdf: Buffer.from(String(threadId)) })
  }`)
  const said = await Promise.allSettled(
    ['a', 'b', 'throws', 'c', 'd', 'exits', 'e'].map((one) => render('invoice', one)),
  )
  const told = said.map((one) => (one.status === 'fulfilled' ? one.value.toString() : one.reason.message))
  const [a, b, thrown, c, d, exited, e] = told
  expect([thrown, exited]).toEqual(['crashed', 'The thread that renders PDFs ended.'])
  expect([b, d]).toEqual([a, c])
  expect(new Set([a, c, e]).size).toBe(3)
})

it('takes nothing for the answer that is not, such as what Node posts when it watches files', async () => {
  const render = renderBy(`({ request, document: invoice_id }) => {
    const pdf = (text) => Buffer.from(text)
    for (const foreign of [null, 'text', {}, { 'watch:import': ['file:///a.ts'] }, { pdf: pdf('old') }])
      parentPort.postMessage(foreign)
    parentPort.postMessage({ request: request - 1, pdf: pdf('of the one before') })
    parentPort.postMessage({ request, pdf: pdf(invoice_id) })
    parentPort.postMessage({ 'watch:require': ['/b.js'] })
  }`)
  const drawn = await Promise.all(['a', 'b', 'c'].map((one) => render('invoice', one)))
  expect(drawn.map(String)).toEqual(['a', 'b', 'c'])
})

it('ends its thread after a rest, and renders the next document in a new one', async () => {
  const render = renderBy('({ request }) => parentPort.postMessage({ request, pdf: Buffer.from(String(threadId)) })')
  const threadOfNext = async () => String(await render('invoice', ''))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const first = await threadOfNext()
  await vi.advanceTimersByTimeAsync(rest_ms - 1)
  expect(await threadOfNext()).toBe(first)
  await vi.advanceTimersByTimeAsync(rest_ms)
  expect(await threadOfNext()).not.toBe(first)
})
