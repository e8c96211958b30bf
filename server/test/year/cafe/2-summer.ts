// July to September 2026: a birth, a departure, and a missed deduction.

import { expect, it } from 'vitest'
import { staff, cafe } from './1-taken-over.ts'

/** Hired in July and included in every later roster. */
export const lena = staff('Lena', '2003-03-23', { start_date: '2026-07-06' })

it('deducts dental in addition to medical from the first payday of July on', async () => {
  await cafe.until('2026-07-01')
  // Six months of 12.00 and of 83.00 over thirteen paydays.
  expect(await cafe.paycheck('2026-07-03')).toMatchObject({
    Agnes: 'Care 58.10, Teeth 38.30',
    Bo: 'Care 15.57, Teeth 5.53',
    Clara: 'Care 15.57',
    Femi: 'Care 40.84',
  })
  expect(await cafe.bill('2026-07')).toMatchObject({
    total: '1298.00, of it employees 604.72',
    Agnes: 'Care EF 249.00, Teeth EF 103.00',
    Bo: 'Care EE 89.00, Teeth EE 32.00',
  })
})

it('makes Lena, hired on July 6, eligible on the first of a month after a wait of 30 days', async () => {
  await cafe.until('2026-07-06')
  await cafe.news()
  await cafe.hires(lena)
  expect(await cafe.status('Lena')).toEqual(['Care 2026, pending, from 2026-09-01', 'Teeth, pending, from 2026-09-01'])
  await cafe.until('2026-07-15')
  await cafe.elects('Lena', 'Base', 'EE')
  expect(await cafe.news()).toEqual({
    '2026-07-06': [
      'Lena: employee.created',
      "Lena's Care 2026: enrollment.granted",
      "Lena's Care 2026: enrollment.started",
      "Lena's Teeth: enrollment.granted",
      "Lena's Teeth: enrollment.started",
    ],
    '2026-07-15': ["Lena's Care 2026: enrollment.elected", "Lena's Care 2026: enrollment.accepted"],
  })
})

it("covers Kei's daughter from her birth on July 18 and corrects the deductions for the higher price", async () => {
  await cafe.until('2026-07-20')
  await cafe.brings('Kei', ['child', 'Lou', '2026-07-18'])
  const birth = await cafe.reports('Kei', 'birth', '2026-07-18')
  await cafe.until('2026-07-22')
  expect(await cafe.approves(birth)).toMatchObject({ window_start: '2026-07-22', window_end: '2026-08-21' })
  await cafe.until('2026-07-25')
  expect(await cafe.elects('Kei', 'Base', 'EC')).toMatchObject({
    coverage_tier: 'EC',
    premium_in_cents: 16_500,
    employee_deduction_in_cents: 8_250,
    upcoming_election: null,
  })
  await cafe.until('2026-08-01')
  // On July 1, Kei was still covered alone, so August is the first month at 82.50: five months over ten paydays. June
  // and July, 66.74, are fully deducted by July 31. Of the 77.86 deducted by then, 11.12 is refunded.
  expect(await cafe.paycheck('2026-08-14')).toEqual({
    Agnes: 'Care 58.10, Teeth 38.31',
    Bo: 'Care 15.57, Teeth 5.54',
    Clara: 'Care 15.57',
    Elsa: 'Care 38.50',
    Femi: 'Care 40.84',
    Hana: 'Care 15.57',
    Ivo: 'Care 15.57',
    Kei: 'Care 41.25, Care correction -11.12',
    Nora: 'Care 22.57',
  })
  expect(await cafe.bill('2026-08')).toMatchObject({
    total: '1374.00, of it employees 653.85',
    Kei: 'Care EC 165.00',
  })
})

it("announces on August 1 that coverage of Elsa's son ends in 60 days because of his age", async () => {
  const { '2026-08-01': today } = await cafe.news()
  expect(today).toContain('Finn: dependent.coverage_ending')
})

it('terminates Hana on August 14, too late to deduct the balance on the last payday', async () => {
  await cafe.until('2026-08-10')
  await cafe.news()
  expect((await cafe.requests('Hana', 'terminate', { termination_date: '2026-08-14' })).status).toBe(200)
  expect(await cafe.status('Hana')).toEqual([
    'Care 2026, enrolled, Base, EE, from 2026-01-01, until 2026-08-31',
    'Teeth, pending, from 2026-07-01',
  ])
  await cafe.until('2026-08-15')
  expect(await cafe.news()).toEqual({
    '2026-08-10': ['Hana: employee.updated', "Hana's Care 2026: enrollment.termination_rescheduled"],
    '2026-08-15': [
      'Hana: employee.eligibility_terminated',
      "Hana's Care 2026: enrollment.terminated",
      "Hana's Teeth: enrollment.terminated",
      'Hana: employee.deactivated',
    ],
  })
  expect(Object.keys(await cafe.paycheck('2026-08-28'))).not.toContain('Hana')
  // Three months at 33.37 are due, of which six paydays deducted 93.43. The statement of the last payday was generated
  // on August 1.
  expect(await cafe.proof('Hana', 2026)).toEqual({
    due: '100.11',
    requested: '93.43',
    taken: null,
    outstanding: '6.68',
    difference: '0.00',
  })
})

it('collects the deductions that Femi missed on unpaid leave later, at half a deduction per payday', async () => {
  await cafe.until('2026-08-31')
  expect(await cafe.paycheck('2026-08-28')).toMatchObject({ Femi: 'Care 40.83' })
  expect(
    await cafe.took('2026-08-28', [{ reference_id: 'CK-Femi', benefit_name: 'Care', taken_in_cents: 0 }]),
  ).toMatchObject({ recorded_count: 1, failures: [] })
  await cafe.until('2026-09-26')
  expect(await cafe.paycheck('2026-09-11')).toMatchObject({ Femi: 'Care 40.83', Lena: 'Care 16.68' })
  expect(await cafe.paycheck('2026-09-25')).toMatchObject({ Femi: 'Care 40.84, Care arrears 20.42' })
  expect(await cafe.paycheck('2026-10-09')).toMatchObject({ Femi: 'Care 40.83, Care arrears 20.41' })
})

it('bills Lena but not Hana in September', async () => {
  expect(await cafe.bill('2026-09')).toEqual({
    total: '1374.00, of it employees 653.85',
    Agnes: 'Care EF 249.00, Teeth EF 103.00',
    Bo: 'Care EE 89.00, Teeth EE 32.00',
    Clara: 'Care EE 89.00',
    Elsa: 'Care EC 165.00',
    Femi: 'Care ES 175.00',
    Ivo: 'Care EE 89.00',
    Kei: 'Care EC 165.00',
    Lena: 'Care EE 89.00',
    Nora: 'Care EE 129.00',
  })
  expect(await cafe.reconciles('2026-09')).toBe(true)
})
