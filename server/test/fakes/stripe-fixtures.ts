import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { stripe, stripeAt } from '../../integrations/stripe/stripe.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../fixtures.ts'
import type { Invoice } from '../../../sdk/src/v1/types.gen.ts'
import type { Api } from '../harness.ts'
import { fakeStripe, stripe_secret_key, stripe_webhook_secret, totalOf, type FakeStripe } from './stripe.ts'
import { first, only, pick } from '../pick.ts'

export type Billed = { employer_id: string; invoice_id: string }

/** The path of an invoice. */
export const invoicePath = ({ employer_id, invoice_id }: Billed) =>
  `/v1/employers/${employer_id}/invoices/${invoice_id}` as const

export type StripeFixtures = {
  fake: FakeStripe
  operate(action: 'issue' | 'pay' | 'void', invoice: Billed): Promise<void>
  /** The Invoice as partners see it. */
  ours(invoice: Billed): Promise<Invoice>
  /** Drafts the invoice of an employer. */
  draft(employer_id: string): Promise<Billed>
  /** Creates an employer with two people in the same plan, and the draft of its invoice for $178.00. */
  aDraft(): Promise<Billed>
  /** Creates an issued invoice whose job waits. */
  anIssued(): Promise<Billed>
  anOpen(): Promise<Billed>
  /** The waiting jobs. */
  waiting(): Promise<{ last_error: string | null }[]>
  /** Makes every retry due now and runs it. */
  again(): Promise<void>
  /** Expects exactly one customer and one invoice with the correct lines, and no remaining work. */
  expectMirrored(invoice: Billed, status: string): Promise<void>
}

/** Harbor collects payments with a fake Stripe, which starts empty in each test. */
export function useStripe(api: Api): StripeFixtures {
  const cast = {} as StripeFixtures
  const operator = () => ({ key: api.operator_key })
  let catalog: Awaited<ReturnType<typeof importCatalog>>

  beforeAll(async () => {
    const fake = await fakeStripe(() => api.runtime.clock())
    Object.assign(cast, { fake })
    api.runtime.integrations.set(stripe, stripeAt({ url: fake.url, timeout_ms: 500 }))
    catalog = await importCatalog(api)
    const path = `/operator/v1/organizations/${api.story.organization_id}/billing-system` as const
    await api.put(path, { billing_system: 'stripe', stripe_secret_key, stripe_webhook_secret }, operator())
  })
  afterAll(() => cast.fake.stop())
  beforeEach(async () => {
    Object.assign(cast.fake, { customers: [], invoices: [], requests: [], behavior: undefined, troubles: [] })
    cast.fake.forgetKeys()
    await api.database.reads.rows('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
  })

  const invoicesOf = async (employer_id: string) =>
    (await api.get(`/v1/employers/${employer_id}/invoices?include_drafts=true`)).body.data
  return Object.assign(cast, {
    async operate(action, invoice) {
      const answer = await api.post(`/operator${invoicePath(invoice)}/${action}`, {}, operator())
      expect(answer.status, answer.text).toBe(200)
    },
    async ours({ employer_id, invoice_id }) {
      return pick(await invoicesOf(employer_id), (invoice) => invoice.invoice_id === invoice_id)
    },
    async draft(employer_id) {
      await api.post(`/operator/v1/employers/${employer_id}/invoices/run`, {}, operator())
      await api.work()
      const { invoice_id } = first(await invoicesOf(employer_id))
      return { employer_id, invoice_id }
    },
    async aDraft() {
      const employer_id = await createEmployer(api)
      const policy = { classification: 'full_time', waiting_period: 'none' }
      await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
      await openPlanYear(api, employer_id, catalog)
      await api.work()
      for (const start_date of ['2026-02-10', '2026-02-11']) {
        const { id } = await createEmployee(api, employer_id, { start_date })
        const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
        const medical = pick(data, (row) => row.benefit.category === 'Medical')
        await api.post(`/v1/enrollments/${medical.id}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' })
      }
      return cast.draft(employer_id)
    },
    async anIssued() {
      const invoice = await cast.aDraft()
      await cast.operate('issue', invoice)
      return invoice
    },
    async anOpen() {
      const invoice = await cast.anIssued()
      await api.work()
      return invoice
    },
    waiting: () => api.database.reads.rows('select last_error from graphile_worker.jobs'),
    async again() {
      await api.database.reads.rows('update graphile_worker._private_jobs set run_at = now()')
      await api.work()
    },
    async expectMirrored(invoice, status) {
      const { customers, invoices } = cast.fake
      expect(await cast.waiting()).toEqual([])
      expect(customers.map(({ metadata }) => metadata.openbenefits_employer_id)).toEqual([invoice.employer_id])
      expect(invoices.map(({ number }) => number)).toEqual([invoice.invoice_id])
      const theirs = only(invoices)
      expect(theirs).toMatchObject({ status, customer: only(customers).id })
      expect(theirs.lines.map(({ amount, description }) => [amount, description])).toEqual([
        [17_800, 'March 2026 · Essential Care · Essential Care Base · Employee only · 2 enrollments'],
      ])
      expect(totalOf(theirs)).toBe((await cast.ours(invoice)).total_in_cents)
    },
  } satisfies Omit<StripeFixtures, 'fake'>)
}
