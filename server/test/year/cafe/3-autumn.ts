// October to December 2026: mistakes, and the renewal.

import { expect, it } from 'vitest'
import { sure } from '../../pick.ts'
import { cafe, contributions, roster } from './1-taken-over.ts'
import { lena } from './2-summer.ts'

/** The employees in autumn: without Hana, who has left, and with Lena. */
export const staffOfAutumn = () => [...roster.filter(({ first_name }) => first_name !== 'Hana'), lena]
const without = (name: string) => staffOfAutumn().filter(({ first_name }) => first_name !== name)

it("continues Elsa's coverage without her son, who turned 26 in September", async () => {
  await cafe.news()
  await cafe.until('2026-10-01')
  expect((await cafe.news())['2026-10-01']).toEqual([
    'Finn: dependent.coverage_ended',
    "Elsa's Care 2026: enrollment.started",
    "Elsa's Teeth: enrollment.started",
  ])
  expect(await cafe.status('Elsa')).toContain('Care 2026, enrolled, Base, EE, from 2026-01-01')
  expect(await cafe.bill('2026-10')).toMatchObject({
    total: '1298.00, of it employees 604.72',
    Elsa: 'Care EE 89.00',
  })
})

it('terminates Ivo when the roster of October 9 omits him by mistake', async () => {
  await cafe.until('2026-10-09')
  expect(await cafe.census(without('Ivo'))).toMatchObject({
    state: 'completed',
    counts: { created: 0, unchanged: 11, terminated: 1, failed: 0 },
  })
  await cafe.until('2026-10-10')
  expect(await cafe.news()).toEqual({
    '2026-10-04': ['INV-000005: invoice.issued'],
    '2026-10-09': [
      'Ivo: employee.updated',
      "Ivo's Care 2026: enrollment.termination_rescheduled",
      'A census: census_sync.completed',
    ],
    '2026-10-10': [
      'Ivo: employee.eligibility_terminated',
      "Ivo's Care 2026: enrollment.terminated",
      "Ivo's Teeth: enrollment.terminated",
      'Ivo: employee.deactivated',
    ],
  })
  expect(await cafe.status('Ivo')).toContain('Care 2026, enrolled, Base, EE, from 2026-01-01, until 2026-10-31')
})

it('deducts nothing from Ivo on the next payday, and refunds Elsa the deductions for her son', async () => {
  const payday = await cafe.paycheck('2026-10-23')
  expect(Object.keys(payday)).not.toContain('Ivo')
  // June to September at 82.50, and a sixth of October to December at 33.37, are 346.68. Ten paydays deducted 385.00.
  expect(payday).toMatchObject({ Elsa: 'Care 16.69, Care correction -38.32', Bo: 'Care 15.57, Teeth 5.54' })
})

it('reinstates Ivo without a gap when the roster of October 15 includes him again', async () => {
  await cafe.until('2026-10-15')
  expect(await cafe.census(staffOfAutumn())).toMatchObject({
    state: 'completed',
    counts: { created: 0, updated: 1, unchanged: 11, rehired: 0, terminated: 0, failed: 0 },
  })
  expect(await cafe.news()).toEqual({
    '2026-10-15': [
      'Ivo: employee.reinstated',
      'Ivo: employee.eligibility_granted',
      "Ivo's Care 2026: enrollment.reinstated",
      "Ivo's Teeth: enrollment.reinstated",
      "Ivo's Teeth: enrollment.started",
      'A census: census_sync.completed',
    ],
  })
  expect(await cafe.status('Ivo')).toContain('Care 2026, enrolled, Base, EE, from 2026-01-01')
})

it("restores Bo's coverage when a part-time class reported on October 20 is corrected the next day", async () => {
  await cafe.until('2026-10-20')
  await cafe.changes('Bo', { effective_date: '2026-10-20', employee_class: 'Part Time' })
  expect(await cafe.status('Bo')).toEqual([
    'Care 2026, enrolled, Base, EE, from 2026-01-01, until 2026-10-31',
    'Teeth, enrolled, Teeth, EE, from 2026-07-01, until 2026-10-31',
  ])
  await cafe.until('2026-10-21')
  await cafe.changes('Bo', { effective_date: '2026-10-20', employee_class: 'Full Time' })
  expect(await cafe.status('Bo')).toEqual([
    'Care 2026, enrolled, Base, EE, from 2026-01-01',
    'Teeth, enrolled, Teeth, EE, from 2026-07-01',
  ])
  expect(await cafe.news()).toEqual({
    '2026-10-20': [
      'Bo: employee.updated',
      'Bo: employee.eligibility_terminated',
      "Bo's Care 2026: enrollment.terminated",
      "Bo's Teeth: enrollment.terminated",
    ],
    '2026-10-21': [
      'Bo: employee.updated',
      'Bo: employee.eligibility_granted',
      "Bo's Care 2026: enrollment.reinstated",
      "Bo's Teeth: enrollment.reinstated",
    ],
  })
})

it("catches up on Ivo's deductions on the payday of November 6, and has nothing to correct for Bo", async () => {
  await cafe.until('2026-11-01')
  expect(await cafe.paycheck('2026-11-06')).toMatchObject({
    Bo: 'Care 15.58, Teeth 5.54',
    Ivo: 'Care 15.58, Care correction 15.57',
  })
  expect(await cafe.bill('2026-11')).toMatchObject({ total: '1298.00, of it employees 604.72', Ivo: 'Care EE 89.00' })
  expect(await cafe.reconciles('2026-11')).toBe(true)
})

it('previews the employees to be carried over into 2027, and that Nora is not because her plan ends', async () => {
  const window = { open_enrollment_start: '2026-11-02', open_enrollment_end: '2026-11-20' }
  const next = await cafe.renews(sure(cafe.years.get('2026')), '2027', window)
  const { plan_id, benefit_id } = sure(cafe.plans.get('Base'))
  const benefits = [{ benefit_id, plan_ids: [plan_id], contribution_tiers: contributions }]
  const changed = await cafe.api.patch(
    `/operator/v1/benefit-plan-years/${next}`,
    { benefits },
    { key: cafe.api.operator_key },
  )
  expect(changed.status, changed.text).toBe(200)
  const alone = 'carried Base EE 93.00, of it 34.87'
  expect(await cafe.renewal('2027', 'Base')).toEqual({
    Agnes: 'carried Base EF 260.00, of it 130.00',
    Bo: alone,
    Clara: alone,
    Dov: 'carried waived',
    Elsa: alone,
    Femi: 'carried Base ES 183.00, of it 91.50',
    Ivo: alone,
    Hana: 'not_carried coverage_ended',
    Kei: 'carried Base EC 172.00, of it 86.00',
    Lena: alone,
    Nora: 'lapses plan_not_offered',
  })
  expect(await cafe.tasks()).toEqual([])
})

it('opens enrollment on November 2, with a task for the operator about Nora', async () => {
  await cafe.until('2026-11-02')
  expect(await cafe.tasks()).toEqual(["enrollment_lapsing: Nora's Care 2027, by operator_correct_enrollment"])
  await cafe.until('2026-11-10')
  await cafe.elects('Dov', 'Base', 'EE')
  await cafe.until('2026-11-20')
  expect(await cafe.renewal('2027', 'Base')).toMatchObject({ Dov: 'answered Base EE 93.00, of it 34.87' })
})

it('carries over the eight employees who have not submitted by November 21, but not Nora', async () => {
  await cafe.news()
  await cafe.until('2026-11-21')
  const { '2026-11-21': today = [] } = await cafe.news()
  const carried = ['Agnes', 'Bo', 'Clara', 'Elsa', 'Femi', 'Ivo', 'Kei', 'Lena']
  expect(today.toSorted()).toEqual(carried.map((name) => `${name}'s Care 2027: enrollment.renewed`))
  expect(await cafe.status('Kei')).toContain('Care 2027, enrolled, Base, EC, from 2027-01-01')
  expect(await cafe.status('Nora')).toContain('Care 2027, pending, from 2027-01-01')
  expect(await cafe.tasks()).toEqual(["enrollment_lapsing: Nora's Care 2027, by operator_correct_enrollment"])
})

it("has collected everything due in 2026 except Hana's balance", async () => {
  await cafe.until('2026-12-05')
  const settled = (due: string) => ({ due, requested: due, taken: null, outstanding: '0.00', difference: '0.00' })
  expect(await cafe.proof('Bo', 2026)).toEqual(settled('305.59'))
  expect(await cafe.proof('Agnes', 2026)).toEqual(settled('1369.50'))
  expect(await cafe.proof('Ivo', 2026)).toEqual(settled('233.59'))
  // Two months at 33.37 and five at 82.50, or four at 82.50 and three at 33.37.
  expect(await cafe.proof('Kei', 2026)).toEqual(settled('479.24'))
  expect(await cafe.proof('Elsa', 2026)).toEqual(settled('430.11'))
  expect(await cafe.proof('Femi', 2026)).toEqual({
    ...settled('612.50'),
    requested: '653.33',
    // Payroll reported only one payday, with no deduction.
    taken: '0.00',
  })
  expect(await cafe.proof('Hana', 2026)).toMatchObject({ due: '100.11', outstanding: '6.68' })
})

it("ends 2026 with Nora's coverage ended and all other coverage unchanged", async () => {
  await cafe.news()
  await cafe.until('2026-12-31')
  expect(await cafe.news()).toEqual({})
  await cafe.until('2027-01-01')
  expect(await cafe.status('Nora')).toContain('Care 2026, inactive, Plus, EE, from 2026-01-01, until 2026-12-31')
  expect(await cafe.tasks()).toEqual([])
})
