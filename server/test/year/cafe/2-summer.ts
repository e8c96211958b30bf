// July to September 2026: a birth, a leaver, and what payroll did not take.

import { expect, it } from 'vitest'
import { staff } from './1-taken-over.ts'
import { cafe } from './cafe.ts'

/** Hired in July; each later roster tells of her too. */
export const lena = staff('Lena', '2003-03-23', { start_date: '2026-07-06' })

it('takes dental beside medical from the first payday of July on', async () => {
  await cafe.until('2026-07-01')
  // Six months of 12.00 over thirteen paydays, and of 83.00.
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

it('hires Lena on 6 July, who waits 30 days and for the first of a month', async () => {
  await cafe.until('2026-07-06')
  await cafe.news()
  await cafe.hires(lena)
  expect(await cafe.standing('Lena')).toEqual([
    'Care 2026, pending, from 2026-09-01',
    'Teeth, pending, from 2026-09-01',
  ])
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

it('covers Kei’s daughter from her birth on 18 July, and corrects what the higher price changes', async () => {
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
  // July was hers alone on its first, so August is the first month at 82.50: five months over ten paydays. June and
  // July, 66.74, are taken by 31 July in full, and of 77.86 that were taken by then 11.12 come back.
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

it('tells on 1 August that Elsa’s son grows out of coverage in 60 days', async () => {
  const { '2026-08-01': today } = await cafe.news()
  expect(today).toContain('Finn: dependent.coverage_ending')
})

it('loses Hana on 14 August, too late for the payday to take what is still due', async () => {
  await cafe.until('2026-08-10')
  await cafe.news()
  expect((await cafe.asks('Hana', 'terminate', { termination_date: '2026-08-14' })).status).toBe(200)
  expect(await cafe.standing('Hana')).toEqual([
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
  // Three months at 33.37, of which six paydays took 93.43: the statement of the last one was written on the 1st.
  expect(await cafe.proof('Hana', 2026)).toEqual({
    due: '100.11',
    requested: '93.43',
    taken: null,
    outstanding: '6.68',
    difference: '0.00',
  })
})

it('hears on 31 August that Femi was on unpaid leave, and asks for it again at half a deduction a time', async () => {
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

it('is billed for Lena and not for Hana in September', async () => {
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
