import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  fakeStripe,
  stripe_secret_key,
  stripe_webhook_secret,
  totalOf,
  webhookOf,
  type FakeStripe,
} from '../../test/fakes/stripe.ts'
import { isCustomerGone, isRefusedByStripe, stripeAt, stripeRetryAfter, type StripeAccount } from './stripe.ts'

let fake: FakeStripe
let account: StripeAccount

beforeAll(async () => {
  fake = await fakeStripe()
  account = await stripeAt({ url: fake.url }).account(stripe_secret_key, 500)
})
afterAll(() => fake.stop())
beforeEach(() => {
  Object.assign(fake, { customers: [], invoices: [], requests: [], behavior: undefined, troubles: [] })
  fake.forgetKeys()
})

const now = Date.now()
const due = { due_on: '2199-01-31', now }
const employer = { employer_id: 'er_1', organization_id: 'org_1', name: 'Bakery', address: { line1: '1 Main St' } }
const aDraft = async () => {
  const customer_id = await account.createCustomer(employer, 'customer')
  const invoice = { customer_id, invoice_id: 'INV-000001', organization_id: 'org_1', description: 'March 2026', due }
  return { customer_id, invoice, draft: await account.createInvoice(invoice, 'create') }
}
const failureOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => undefined,
    (error: unknown) => error,
  )

it('creates a draft, adds its lines, finalizes it, and marks it as paid outside Stripe', async () => {
  const { draft } = await aDraft()
  expect(draft).toMatchObject({ status: 'draft', total_in_cents: 0, paid_at: null, voided_at: null, pdf_url: null })
  const lines = [
    { key: '1', description: 'Medical', amount_in_cents: 125_000 },
    { key: '2', description: 'Adjustment', amount_in_cents: -5_005 },
  ]
  expect(await account.addLines(draft.id, lines, 'lines')).toMatchObject({ total_in_cents: 119_995 })
  expect(await account.readLineKeys(draft.id)).toEqual(['1', '2'])
  const open = await account.finalize(draft.id, due, 'finalize')
  expect(open).toMatchObject({ status: 'open', pdf_url: expect.stringContaining('https://') })
  expect(fake.invoices[0]!.due_date).toBe(Date.parse('2199-01-31T12:00-05:00') / 1000)
  expect(await account.pay(draft.id, 'pay')).toMatchObject({ status: 'paid', paid_at: expect.any(String) })
  expect(fake.invoices[0]).toMatchObject({ number: 'INV-000001', paid_out_of_band: true })
  expect(totalOf(fake.invoices[0]!)).toBe(119_995)
})

it('replaces a due date in the past with tomorrow', async () => {
  const { invoice } = await aDraft()
  const late = { ...invoice, invoice_id: 'INV-000002', due: { due_on: '2020-01-01', now } }
  expect(await account.createInvoice(late, 'late')).toMatchObject({ status: 'draft' })
})

it('finds a customer and an invoice by our ids, past the first page', async () => {
  const { customer_id, invoice, draft } = await aDraft()
  for (let n = 2; n <= 120; n++) {
    await account.createInvoice({ ...invoice, invoice_id: `INV-${n}` }, `create ${n}`)
    await account.createCustomer({ ...employer, employer_id: `er_${n}` }, `customer ${n}`)
  }
  expect(await account.findInvoice(customer_id, 'INV-000001')).toEqual(draft)
  expect(await account.findInvoice(customer_id, 'INV-999999')).toBeUndefined()
  expect(await account.findCustomer('er_1', 0)).toBe(customer_id)
  expect(await account.findCustomer('er_1', Date.now())).toBeUndefined()
})

it('returns undefined for a deleted invoice, and identifies the error of a deleted customer', async () => {
  const { draft, invoice } = await aDraft()
  await account.deleteDraft(draft.id)
  await account.deleteDraft(draft.id)
  expect(await account.readInvoice(draft.id)).toBeUndefined()
  fake.customers = []
  const error = await failureOf(account.createInvoice(invoice, 'again'))
  expect([isCustomerGone(error), isRefusedByStripe(error)]).toEqual([true, true])
})

describe('a repeated request with the same idempotency key', () => {
  it('returns the first response again if it was lost in transit', async () => {
    const { invoice } = await aDraft()
    const second = { ...invoice, invoice_id: 'INV-000002' }
    fake.troubles = [{ at: 'POST /v1/invoices', trouble: 'forgetful' }]
    expect(isRefusedByStripe(await failureOf(account.createInvoice(second, 'key')))).toBe(false)
    const created = await account.createInvoice(second, 'key')
    expect(fake.invoices.map(({ id }) => id).at(-1)).toBe(created.id)
    expect(fake.invoices).toHaveLength(2)
  })

  it('returns the first failure again, so that only another key succeeds', async () => {
    const { invoice } = await aDraft()
    const second = { ...invoice, invoice_id: 'INV-000002' }
    fake.troubles = [{ at: 'POST /v1/invoices', trouble: 'failing' }]
    for (const key of ['key', 'key']) {
      expect(isRefusedByStripe(await failureOf(account.createInvoice(second, key)))).toBe(true)
    }
    expect(await account.createInvoice(second, 'another key')).toMatchObject({ status: 'draft' })
  })

  it('is refused if its body differs', async () => {
    const { invoice } = await aDraft()
    const error = await failureOf(account.createInvoice({ ...invoice, description: 'April' }, 'create'))
    expect(isRefusedByStripe(error)).toBe(true)
    expect(fake.invoices).toHaveLength(1)
  })
})

describe('a request that can be retried unchanged', () => {
  it.each(['busy', 'at work', 'silent', 'dropping'] as const)('failed because Stripe was %s', async (behavior) => {
    const { draft } = await aDraft()
    fake.behavior = behavior
    const error = await failureOf(account.finalize(draft.id, due, 'finalize'))
    expect(error).toBeInstanceOf(Error)
    expect(isRefusedByStripe(error)).toBe(false)
    expect(stripeRetryAfter(error)).toBe(behavior === 'busy' ? '7' : undefined)
  })
})

describe('a webhook', () => {
  const read = (webhook: { body: string; signature: string }, received_at = now) =>
    stripeAt().readWebhook({ ...webhook, secret: stripe_webhook_secret, received_at })

  it('returns the invoice that it is about', async () => {
    await aDraft()
    const signed = webhookOf('invoice.paid', fake.invoices[0]!, { at: now })
    expect(await read(signed)).toEqual({ invoice_id: 'INV-000001' })
    const foreign = webhookOf('invoice.paid', { ...fake.invoices[0]!, metadata: {} }, { at: now })
    expect(await read(foreign)).toEqual({ invoice_id: null })
  })

  it('is rejected if its signature, body or time is wrong', async () => {
    await aDraft()
    const invoice = fake.invoices[0]!
    const signed = webhookOf('invoice.paid', invoice, { at: now })
    expect(await read({ ...signed, signature: '' })).toBeUndefined()
    expect(await read({ ...signed, body: signed.body.replace('INV-000001', 'INV-000002') })).toBeUndefined()
    expect(await read(webhookOf('invoice.paid', invoice, { at: now, secret: 'whsec_other' }))).toBeUndefined()
    expect(await read(signed, now + 301_000)).toBeUndefined()
  })
})
