import { extractText } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { invoicePath, useStripe, type Billed } from '../../../test/fakes/stripe-fixtures.ts'
import { webhookOf, type Trouble } from '../../../test/fakes/stripe.ts'

const api = useApi()
const stripe = useStripe(api)

describe('a webhook', () => {
  const path = () => `/v1/billing/stripe-webhooks/${api.story.organization_id}` as const
  const send = ({ body, signature }: { body: string; signature: string }, to = path()) =>
    api.call('POST', to, { key: null, raw: body, headers: { 'stripe-signature': signature } })
  const report = (type: string) => send(webhookOf(type, stripe.fake.invoices[0]!, { at: api.runtime.clock() }))
  const pay = () => {
    Object.assign(stripe.fake.invoices[0]!, { status: 'paid' })
    stripe.fake.invoices[0]!.status_transitions.paid_at = stripe.fake.seconds()
  }

  it('makes the service read from Stripe that an invoice was paid, however often it arrives', async () => {
    const invoice = await stripe.anOpen()
    pay()
    for (let n = 0; n < 3; n++)
      expect(await report('invoice.paid')).toMatchObject({ status: 200, body: { received: true } })
    expect(await stripe.waiting()).toHaveLength(1)
    await api.work()
    expect(await stripe.ours(invoice)).toMatchObject({ status: 'paid', paid_on: '2026-03-10' })
    await report('invoice.paid')
    await api.work()
    await stripe.expectMirrored(invoice, 'paid')
    expect(stripe.fake.invoices[0]!.paid_out_of_band).toBe(false)
  })

  it('can arrive in any order, because only the state at Stripe counts', async () => {
    const invoice = await stripe.anOpen()
    const early = webhookOf('invoice.finalized', stripe.fake.invoices[0]!, { at: api.runtime.clock() })
    pay()
    await report('invoice.paid')
    await api.work()
    await send(early)
    await api.work()
    expect((await stripe.ours(invoice)).status).toBe('paid')
    await stripe.expectMirrored(invoice, 'paid')
  })

  it('with false content changes nothing', async () => {
    const invoice = await stripe.anOpen()
    const paid = { ...stripe.fake.invoices[0]!, status: 'paid' as const }
    await send(webhookOf('invoice.paid', paid, { at: api.runtime.clock() }))
    await api.work()
    expect((await stripe.ours(invoice)).status).toBe('open')
  })

  it('makes the service read that an invoice was voided at Stripe', async () => {
    const invoice = await stripe.anOpen()
    stripe.fake.invoices[0]!.status = 'void'
    await report('invoice.voided')
    await api.work()
    expect((await stripe.ours(invoice)).status).toBe('void')
    await stripe.expectMirrored(invoice, 'void')
  })

  it('is processed after Stripe was down, and does not change invoices paid there and voided here', async () => {
    const invoice = await stripe.anOpen()
    pay()
    await report('invoice.paid')
    await stripe.operate('void', invoice)
    stripe.fake.mood = 'failing'
    await api.work()
    stripe.fake.mood = undefined
    await stripe.again()
    expect((await stripe.ours(invoice)).status).toBe('void')
    await stripe.expectMirrored(invoice, 'paid')
  })

  it('about another resource is accepted and ignored', async () => {
    await stripe.anOpen()
    const [theirs] = stripe.fake.invoices
    for (const metadata of [{}, { openbenefits_invoice_id: 'INV-999999' }] as Record<string, string>[]) {
      expect(
        (await send(webhookOf('invoice.paid', { ...theirs!, metadata }, { at: api.runtime.clock() }))).status,
      ).toBe(200)
    }
    expect(await stripe.waiting()).toEqual([])
  })

  it('is refused in the same way for a wrong, old or missing signature, and for unknown organizations or those without Stripe', async () => {
    await stripe.anOpen()
    const [theirs] = stripe.fake.invoices
    const now = api.runtime.clock()
    const good = webhookOf('invoice.paid', theirs!, { at: now })
    const unknown = '/v1/billing/stripe-webhooks/org_01jzzzzzzzzzzzzzzzzzzzzzzz'
    const answers = [
      await send(webhookOf('invoice.paid', theirs!, { at: now, secret: 'whsec_wrong' })),
      await send(webhookOf('invoice.paid', theirs!, { at: now - 600_000 })),
      await send({ ...good, body: good.body.replace('open', 'paid') }),
      await api.call('POST', path(), { key: null, raw: good.body }),
      await api.call('POST', path(), { key: null }),
      await send(good, unknown),
      await send(good, '/v1/billing/stripe-webhooks/%00'),
      await send(good, `/v1/billing/stripe-webhooks/${api.story.rival_organization_id}`),
    ]
    const reported = answers.map(({ status, error }) => [status, error.code, error.message])
    expect(new Set(reported.map(String)).size).toBe(1)
    expect(reported[0]!.slice(0, 2)).toEqual([400, 'invalid_signature'])
    expect(await stripe.waiting()).toEqual([])
  })

  it('accepts only POST requests with JSON of at most 512 KiB', async () => {
    expect((await api.get(path(), { key: null })).status).toBe(405)
    expect((await api.call('POST', path(), { key: null, raw: ' '.repeat(600_000) })).status).toBe(413)
    const text = { key: null, raw: 'x', headers: { 'content-type': 'text/plain' } }
    expect((await api.call('POST', path(), text)).status).toBe(415)
  })
})

describe('the PDF', () => {
  const ours = expect.stringContaining(`/v1/downloads/`)
  const linkTo = async (invoice: Billed) => {
    const { status, body } = await api.get(`${invoicePath(invoice)}/pdf`)
    return [status, body.data.download_url] as const
  }

  it('is rendered here until Stripe has the invoice', async () => {
    const invoice = await stripe.aDraft()
    expect(await linkTo(invoice)).toEqual([200, ours])
    await stripe.operate('issue', invoice)
    stripe.fake.troubles = [{ at: 'POST /v1/invoices/in', trouble: 'busy' }]
    for (const when of ['before a request to Stripe', 'while it is a draft there']) {
      const [status, url] = await linkTo(invoice)
      expect([status, url], when).toEqual([200, ours])
      expect((await fetch(url)).status, when).toBe(200)
      await api.work()
    }
  })

  it('is rendered here again once the invoice is void, whatever the state at Stripe', async () => {
    const invoice = await stripe.anOpen()
    const payable = async () =>
      (await api.get(`/v1/employers/${invoice.employer_id}/invoices`)).body.data.map(({ payment_url }) => payment_url)
    expect(await payable()).toEqual([`https://pay.stripe.example/invoice/${stripe.fake.invoices[0]!.id}`])
    await stripe.operate('void', invoice)
    expect(await payable()).toEqual([null])
    stripe.fake.mood = 'failing'
    const [status, url] = await linkTo(invoice)
    expect([status, url]).toEqual([200, ours])
    const { text } = await extractText(new Uint8Array(await (await fetch(url)).arrayBuffer()), { mergePages: true })
    expect(text).toContain('VOID')
  })

  it('is the one at Stripe', async () => {
    const invoice = await stripe.anOpen()
    const { status, body } = await api.get(`${invoicePath(invoice)}/pdf`)
    expect([status, body.data]).toEqual([
      200,
      {
        download_url: `https://pay.stripe.example/invoice/${stripe.fake.invoices[0]!.id}/pdf`,
        expires_at: new Date(api.runtime.clock() + 15 * 60_000).toISOString(),
      },
    ])
  })

  it.each<Trouble>(['failing', 'busy', 'silent', 'dropping'])('results in 502 when Stripe is %s', async (mood) => {
    const invoice = await stripe.anOpen()
    stripe.fake.mood = mood
    const answer = await api.get(`${invoicePath(invoice)}/pdf`)
    expect(codeOf(answer)).toEqual([502, 'upstream_error'])
    expect(answer.headers.get('retry-after')).toBe(mood === 'busy' ? '7' : null)
  })

  it('results in 502 when Stripe no longer has it', async () => {
    const invoice = await stripe.anOpen()
    stripe.fake.invoices = []
    expect((await api.get(`${invoicePath(invoice)}/pdf`)).status).toBe(502)
  })
})
