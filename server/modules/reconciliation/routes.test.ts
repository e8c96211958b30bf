import { expect, it } from 'vitest'
import { createCoveredEmployer, importCatalog } from '../../test/cast.ts'
import { useApi } from '../../test/harness.ts'
import { first } from '../../test/pick.ts'

// That it agrees with the lines after every invoice is held by the histories of billing.
const api = useApi()
const operator = () => ({ key: api.operator_key })

it('lays the part of the employees beside what their pay was deducted', async () => {
  const bakery = await createCoveredEmployer(api, await importCatalog(api))
  await api.put(`/v1/employers/${bakery}/settings`, { pay_frequency: 'monthly' })
  await api.post(`/operator/v1/employers/${bakery}/invoices/run`, {}, operator())
  await api.work()
  const proof = async () => (await api.get(`/v1/employers/${bakery}/invoices/INV-000001/reconciliation`)).body.data
  const { differences: apart, ...deductions } = (await proof()).deductions
  expect(deductions).toEqual({
    year: 2026,
    through: null,
    billed_in_cents: 3_600,
    manual_adjustments_in_cents: 0,
    collected_in_cents: 0,
    difference_in_cents: 3_600,
    difference_count: apart.length,
  })
  expect(apart.reduce((sum, one) => sum + one.difference_in_cents, 0)).toBe(3_600)
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
  // a statement whose lines are still being written counts from when it is whole
  await api.database.pool.query('update deduction_statements set generated_at = null')
  await api.database.pool.query('update deduction_balances set collected_in_cents = 3600')
  expect((await proof()).deductions).toMatchObject({ through: null, collected_in_cents: 0, difference_in_cents: 3_600 })
})
