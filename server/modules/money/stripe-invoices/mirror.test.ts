import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { useStripe, type Billed } from '../../../test/fakes/stripe-cast.ts'
import type { Trouble } from '../../../test/fakes/stripe.ts'
import { mirrorInvoice } from './actions.ts'

const api = useApi()
const stripe = useStripe(api)

/** The day is run once more; of all that it asks for, only this invoice is left to look at. */
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
  it('is not there until it is issued, and then open, due on the same day, without a person in it', async () => {
    const invoice = await stripe.aDraft()
    expect(stripe.fake.requests).toEqual([])
    await stripe.operate('issue', invoice)
    await api.work()
    await stripe.expectMirrored(invoice, 'open')
    const { due_on } = await stripe.ours(invoice)
    expect(new Date(stripe.fake.invoices[0]!.due_date! * 1000).toISOString()).toMatch(new RegExp(`^${due_on}`))
    expect(JSON.stringify([stripe.fake.customers, stripe.fake.invoices])).not.toMatch(/Ana|Costa|empl_|enrl_/)
  })

  it('is marked as paid elsewhere when it is marked so here', async () => {
    const invoice = await stripe.anOpen()
    await stripe.operate('pay', invoice)
    await api.work()
    await stripe.expectMirrored(invoice, 'paid')
    expect(stripe.fake.invoices[0]!.paid_out_of_band).toBe(true)
  })

  it('is void when it is voided here, before it got there too', async () => {
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

  it('shares its customer with the others of the employer', async () => {
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

  it('is never finalized over another amount, and waits until somebody sets that right', async () => {
    const invoice = await stripe.anIssued()
    stripe.fake.troubles = [{ at: 'POST /v1/invoices/in', trouble: 'busy' }]
    await api.work()
    const foreign = { id: 'il_0', amount: 1, description: 'Somebody was here', metadata: {} }
    stripe.fake.invoices[0]!.lines.push(foreign)
    await stripe.again()
    expect(stripe.fake.invoices[0]!.status).toBe('draft')
    expect((await stripe.waiting())[0]!.last_error).toContain('is over 17801, not 17800')
    stripe.fake.invoices[0]!.lines = stripe.fake.invoices[0]!.lines.filter((line) => line !== foreign)
    await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })
})

const steps = ['POST /v1/customers', 'POST /v1/invoices', 'POST /v1/invoices/in'] as const

describe('trouble', () => {
  const troubles: Trouble[] = ['busy', 'failing', 'failing late', 'forgetful', 'dropping', 'silent', 'at work']
  const cases = troubles.flatMap((trouble) => [...steps, 'GET /v1/invoices/in' as const].map((at) => ({ trouble, at })))

  it.each(cases)('leaves one of each: $trouble at $at', async ({ trouble, at }) => {
    const invoice = await stripe.anIssued()
    // The client itself tries once more when a connection breaks: ours is the next.
    stripe.fake.troubles = [1, 2].map(() => ({ at, trouble }))
    await api.work()
    expect(await stripe.waiting()).toHaveLength(1)
    for (let n = 0; n < 4; n++) await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })

  it.each(steps)('of a worker that is killed between steps leaves one of each: %s', async (at) => {
    const invoice = await stripe.anIssued()
    const { organization_id } = api.story
    stripe.fake.troubles = [1, 2].map(() => ({ at, trouble: 'forgetful' as const }))
    await api.work()
    // A day later Stripe has forgotten the keys.
    stripe.fake.forgetKeys()
    await Promise.allSettled([1, 2].map(() => mirrorInvoice(api.runtime, { organization_id, ...invoice })))
    await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })

  it('while Stripe is down loses and blocks nothing; the daily run asks again for what was given up', async () => {
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

  it('that loses every webhook is made good by the daily run', async () => {
    const invoice = await stripe.anOpen()
    Object.assign(stripe.fake.invoices[0]!, { status: 'paid' })
    await runToday()
    await api.work()
    expect((await stripe.ours(invoice)).status).toBe('paid')
    await stripe.expectMirrored(invoice, 'paid')
  })

  it('of a wrong account never asks for the same money again', async () => {
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

  it('of a draft or a customer that somebody deleted there is mended by another', async () => {
    const invoice = await stripe.anIssued()
    stripe.fake.troubles = [{ at: 'POST /v1/invoices/in', trouble: 'busy' }]
    await api.work()
    stripe.fake.invoices = []
    stripe.fake.customers = []
    for (let n = 0; n < 3; n++) await stripe.again()
    await stripe.expectMirrored(invoice, 'open')
  })
})
