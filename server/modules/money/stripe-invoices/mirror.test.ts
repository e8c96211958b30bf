import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { useStripe, type Billed } from '../../../test/fakes/stripe-fixtures.ts'
import type { Trouble } from '../../../test/fakes/stripe.ts'
import { mirrorInvoice } from './actions.ts'

const api = useApi()
const stripe = useStripe(api)

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
    stripe.fake.mood = 'dropping'
    const invoice = await stripe.anIssued()
    await api.work()
    expect(await stripe.ours(invoice)).toMatchObject({ status: 'open' })
    await api.database.reads.rows('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
    stripe.fake.mood = undefined
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
    expect((await stripe.waiting()).map(({ last_error }) => last_error).join()).toContain('Is this another account?')
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
