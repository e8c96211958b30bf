import { extractText } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { invoicePath, useStripe, type Billed } from '../../../test/fakes/stripe-fixtures.ts'
import { webhookOf, type Trouble } from '../../../test/fakes/stripe.ts'
import { mirrorInvoice } from './actions.ts'

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
    stripe.fake.behavior = 'failing'
    await api.work()
    stripe.fake.behavior = undefined
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

  it('is refused the same way for a bad signature, an unknown organization and one without Stripe', async () => {
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

  it('is rendered here again once the invoice is void, regardless of the state at Stripe', async () => {
    const invoice = await stripe.anOpen()
    const payable = async () =>
      (await api.get(`/v1/employers/${invoice.employer_id}/invoices`)).body.data.map(({ payment_url }) => payment_url)
    expect(await payable()).toEqual([`https://pay.stripe.example/invoice/${stripe.fake.invoices[0]!.id}`])
    await stripe.operate('void', invoice)
    expect(await payable()).toEqual([null])
    stripe.fake.behavior = 'failing'
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

  it.each<Trouble>(['failing', 'busy', 'silent', 'dropping'])('results in 502 when Stripe is %s', async (behavior) => {
    const invoice = await stripe.anOpen()
    stripe.fake.behavior = behavior
    const answer = await api.get(`${invoicePath(invoice)}/pdf`)
    expect(codeOf(answer)).toEqual([502, 'upstream_error'])
    expect(answer.headers.get('retry-after')).toBe(behavior === 'busy' ? '7' : null)
  })

  it('results in 502 when Stripe no longer has it', async () => {
    const invoice = await stripe.anOpen()
    stripe.fake.invoices = []
    expect((await api.get(`${invoicePath(invoice)}/pdf`)).status).toBe(502)
  })
})

/** Runs the day again. Of the resulting jobs, only this invoice remains. */
async function runToday(): Promise<void> {
  const { organization_id } = api.story
  await api.database.reads.rows('update organizations set daily_run_on = daily_run_on - 1 where id = $1', [
    organization_id,
  ])
  await api.runDays()
  await api.database.reads.rows(
    `select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key <> $1))`,
    [`mirror_invoice:${organization_id}:${(await newest()).invoice_id}`],
  )
}

const newest = async () =>
  (await api.database.reads.row<Billed>('select invoice_id from invoices order by number desc limit 1'))!

describe('an invoice at Stripe', () => {
  it('is created when it is issued, then open, with the same due date and without personal data', async () => {
    const invoice = await stripe.aDraft()
    expect(stripe.fake.requests).toEqual([])
    await stripe.operate('issue', invoice)
    await api.work()
    await stripe.expectMirrored(invoice, 'open')
    const { due_on } = await stripe.ours(invoice)
    expect(new Date(stripe.fake.invoices[0]!.due_date! * 1000).toISOString()).toMatch(new RegExp(`^${due_on}`))
    expect(JSON.stringify([stripe.fake.customers, stripe.fake.invoices])).not.toMatch(/Ana|Costa|empl_|enrl_/)
  })

  it('is marked as paid outside Stripe when it is marked as paid here', async () => {
    const invoice = await stripe.anOpen()
    await stripe.operate('pay', invoice)
    await api.work()
    await stripe.expectMirrored(invoice, 'paid')
    expect(stripe.fake.invoices[0]!.paid_out_of_band).toBe(true)
  })

  it('is void when it is voided here before it was created there', async () => {
    const invoice = await stripe.anOpen()
    await stripe.operate('void', invoice)
    await api.work()
    await stripe.expectMirrored(invoice, 'void')

    const early = await stripe.anIssued()
    await stripe.operate('void', early)
    await api.work()
    expect(stripe.fake.invoices.map(({ number }) => number)).toEqual([invoice.invoice_id])
    expect(await stripe.waiting()).toEqual([])
  })

  it('is deleted when it is voided here while it is a draft there', async () => {
    const invoice = await stripe.anIssued()
    stripe.fake.troubles = [{ at: 'POST /v1/invoices/', trouble: 'busy' }]
    await api.work()
    expect(stripe.fake.invoices.map(({ status }) => status)).toEqual(['draft'])
    await stripe.operate('void', invoice)
    await stripe.again()
    expect([stripe.fake.invoices, await stripe.waiting()]).toEqual([[], []])
    expect((await stripe.ours(invoice)).status).toBe('void')
  })

  it("shares its customer with the employer's other invoices", async () => {
    const invoice = await stripe.anOpen()
    await stripe.operate('void', invoice)
    const second = await stripe.draft(invoice.employer_id)
    await stripe.operate('issue', second)
    await api.work()
    expect(stripe.fake.customers).toHaveLength(1)
    expect(stripe.fake.invoices.map(({ number, status }) => [number, status])).toEqual([
      [invoice.invoice_id, 'void'],
      [second.invoice_id, 'open'],
    ])
  })

  it('is never finalized with another amount, and waits for a manual correction', async () => {
    const invoice = await stripe.anIssued()
    stripe.fake.troubles = [{ at: 'POST /v1/invoices/in', trouble: 'busy' }]
    await api.work()
    const foreign = { id: 'il_0', amount: 1, description: 'Added manually', metadata: {} }
    stripe.fake.invoices[0]!.lines.push(foreign)
    await stripe.again()
    expect(stripe.fake.invoices[0]!.status).toBe('draft')
    expect((await stripe.waiting())[0]!.last_error).toContain('has a total of 17801 instead of 17800')
    stripe.fake.invoices[0]!.lines = stripe.fake.invoices[0]!.lines.filter((line) => line !== foreign)
    await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })
})

const steps = ['POST /v1/customers', 'POST /v1/invoices', 'POST /v1/invoices/in'] as const

describe('when a step of the mirroring fails', () => {
  const troubles: Trouble[] = ['busy', 'failing', 'failing late', 'forgetful', 'dropping', 'silent', 'at work']
  const cases = troubles.flatMap((trouble) => [...steps, 'GET /v1/invoices/in' as const].map((at) => ({ trouble, at })))

  it.each(cases)('Stripe still has exactly one customer and one invoice: $trouble at $at', async ({ trouble, at }) => {
    const invoice = await stripe.anIssued()
    // The client itself retries once after a broken connection, and our retry follows.
    stripe.fake.troubles = [1, 2].map(() => ({ at, trouble }))
    await api.work()
    expect(await stripe.waiting()).toHaveLength(1)
    for (let n = 0; n < 4; n++) await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })

  it.each(steps)('Stripe still has exactly one customer and one invoice if the worker is killed: %s', async (at) => {
    const invoice = await stripe.anIssued()
    const { organization_id } = api.story
    stripe.fake.troubles = [1, 2].map(() => ({ at, trouble: 'forgetful' as const }))
    await api.work()
    // A day later, Stripe no longer has the keys.
    stripe.fake.forgetKeys()
    await Promise.allSettled([1, 2].map(() => mirrorInvoice(api.runtime, { organization_id, ...invoice })))
    await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })

  it('nothing is lost or blocked while Stripe is down, and the daily run repeats requests that gave up', async () => {
    stripe.fake.behavior = 'dropping'
    const invoice = await stripe.anIssued()
    await api.work()
    expect(await stripe.ours(invoice)).toMatchObject({ status: 'open' })
    await api.database.reads.rows('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
    stripe.fake.behavior = undefined
    await runToday()
    await api.work()
    await stripe.expectMirrored(invoice, 'open')
  })

  it('the daily run finds a payment whose webhooks were all lost', async () => {
    const invoice = await stripe.anOpen()
    Object.assign(stripe.fake.invoices[0]!, { status: 'paid' })
    await runToday()
    await api.work()
    expect((await stripe.ours(invoice)).status).toBe('paid')
    await stripe.expectMirrored(invoice, 'paid')
  })

  it('a wrong Stripe account never gets a second invoice for the same amount', async () => {
    const invoice = await stripe.anOpen()
    const theirs = stripe.fake.invoices
    stripe.fake.invoices = []
    await runToday()
    await api.work()
    expect((await stripe.waiting()).map(({ last_error }) => last_error).join()).toContain(
      'Check whether the account was changed.',
    )
    expect(stripe.fake.invoices).toEqual([])
    stripe.fake.invoices = theirs
    await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })

  it('a draft or customer that was deleted in Stripe is replaced', async () => {
    const invoice = await stripe.anIssued()
    stripe.fake.troubles = [{ at: 'POST /v1/invoices/in', trouble: 'busy' }]
    await api.work()
    stripe.fake.invoices = []
    stripe.fake.customers = []
    for (let n = 0; n < 3; n++) await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })
})
