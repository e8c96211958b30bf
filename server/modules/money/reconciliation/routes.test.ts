import { expect, it } from 'vitest'
import { createCoveredEmployer, importCatalog } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'

// The histories of billing check that it agrees with the lines after every invoice.
const api = useApi()
const operator = () => ({ key: api.operator_key })

it("compares the employees' share with their deductions", async () => {
  const bakery = await createCoveredEmployer(api, await importCatalog(api))
  await api.put(`/v1/employers/${bakery}/settings`, { pay_frequency: 'monthly' })
  await api.post(`/operator/v1/employers/${bakery}/invoices/run`, {}, operator())
  await api.work()
  const proof = async () => (await api.get(`/v1/employers/${bakery}/invoices/INV-000001/reconciliation`)).body.data
  const { differences: validation_worker, ...deductions } = (await proof()).deductions
  expect(deductions).toEqual({
    year: 2026,
    through: null,
    billed_in_cents: 3_600,
    manual_adjustments_in_cents: 0,
    collected_in_cents: 0,
    difference_in_cents: 3_600,
    difference_count: validation_worker.length,
  })
  expect(validation_worker.reduce((sum, one) => sum + one.difference_in_cents, 0)).toBe(3_600)
  await api.post(`/operator/v1/employers/${bakery}/payroll-deduction-statements/run`, {}, operator())
  await api.work()
  expect(await proof()).toMatchObject({
    months: ['2025-12', '2026-01', '2026-02', '2026-03'],
    due: { premium_in_cents: 9_600, employer_contribution_in_cents: 6_000, employee_deduction_in_cents: 3_600 },
    billed: { premium_in_cents: 9_600 },
    difference_count: 0,
    deductions: {
      through: '2026-03-31',
      billed_in_cents: 3_600,
      collected_in_cents: 3_600,
      difference_in_cents: 0,
      difference_count: 0,
      differences: [],
    },
  })
  const more = 'update invoice_lines set premium_in_cents = premium_in_cents + 700, employer_contribution_in_cents ='
  await api.database.pool.query(`${more} employer_contribution_in_cents + 700`)
  const { data: lines } = (await api.get(`/v1/employers/${bakery}/invoices/INV-000001/lines`)).body
  const named = <Named extends { employee_name: string; benefit_name: string; month: string }>(all: Named[]) =>
    all.map(({ employee_name, benefit_name, month }) => [employee_name, benefit_name, month].join()).toSorted()
  const { differences, deductions: agreeing } = await proof()
  expect(named(differences)).toEqual(named(lines))
  expect(first(differences).difference).toMatchObject({ premium_in_cents: -700, employee_deduction_in_cents: 0 })
  expect(agreeing.differences).toEqual([])
  await api.database.pool.query('update deduction_balances set collected_in_cents = 3300')
  const { difference_count, differences: of_pay } = (await proof()).deductions
  const { employee_id, employee_name, enrollment_id, benefit_name } = first(lines)
  expect([difference_count, of_pay]).toEqual([
    1,
    [
      {
        employee_id,
        employee_name,
        enrollment_id,
        benefit_name,
        billed_in_cents: 3_600,
        manual_adjustments_in_cents: 0,
        collected_in_cents: 3_300,
        difference_in_cents: 300,
      },
    ],
  ])
  // A statement that is being written counts once it is complete.
  await api.database.pool.query('update deduction_statements set generated_at = null')
  await api.database.pool.query('update deduction_balances set collected_in_cents = 3600')
  expect((await proof()).deductions).toMatchObject({ through: null, collected_in_cents: 0, difference_in_cents: 3_600 })
})

it('is the same for a year with each of its invoices, if an employer left and returned', async () => {
  const catalog = await importCatalog(api)
  const shop = await createCoveredEmployer(api, catalog)
  await api.put(`/v1/employers/${shop}/settings`, { pay_frequency: 'monthly' })
  const subscriptions = `/operator/v1/employers/${shop}/subscriptions` as const
  const onDay = async (day: string) => {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }
  /** For each invoice, newest first: its month, and the billed and deducted cents with the difference. */
  const reported = async () => {
    const { data } = (await api.get(`/v1/employers/${shop}/invoices?include_drafts=true`)).body
    const proofs = data.map(async ({ invoice_id, period }) => {
      const path = `/v1/employers/${shop}/invoices/${invoice_id}/reconciliation` as const
      const { deductions, difference_count } = (await api.get(path)).body.data
      const { billed_in_cents, collected_in_cents, difference_in_cents } = deductions
      expect(difference_count).toBe(0)
      return [period, billed_in_cents, collected_in_cents, difference_in_cents]
    })
    return Promise.all(proofs)
  }
  // One employee, covered from January on, whose share is 12.00 per month.
  for (const day of ['2026-03-11', '2026-04-01', '2026-05-01']) await onDay(day)
  await api.post(`${subscriptions}/end`, { ended_on: '2026-05-15' }, operator())
  await onDay('2026-06-01')
  const until_may = ['2026-05', '2026-04', '2026-03']
  expect(await reported()).toEqual(until_may.map((month) => [month, 6_000, 6_000, 0]))
  await api.post(subscriptions, { started_on: '2026-06-10' }, operator())
  // June is billed the day after. Its statement was written before, so July's statement collects it too.
  await onDay('2026-06-11')
  expect(await reported()).toEqual(['2026-06', ...until_may].map((month) => [month, 7_200, 6_000, 1_200]))
  await onDay('2026-07-01')
  expect(await reported()).toEqual(['2026-07', '2026-06', ...until_may].map((month) => [month, 8_400, 8_400, 0]))
})
