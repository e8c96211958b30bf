// July to December 2026: a new employee, a birth, and a move.

import { expect, it } from 'vitest'
import { done } from '../employer-client.ts'
import { studio, affordable, artist, living } from './1-offered.ts'

it('deducts half of each month on each payday, after tax for a plan bought on an exchange', async () => {
  await studio.until('2026-07-16')
  const payday = {
    Omar: 'Own Choice 77.50',
    Priya: 'Own Choice 300.00',
    Quinn: 'Own Choice 75.00',
    Tomas: 'Own Choice 58.50 post-tax',
    Una: 'Own Choice 46.50',
  }
  expect(await studio.paycheck('2026-07-15')).toEqual(payday)
  expect(await studio.paycheck('2026-07-31')).toEqual(payday)
})

it("bills the plans bought through us, but not Sven's own plan", async () => {
  expect(await studio.bill('2026-07')).toEqual({
    // 155.00 + 600.00 + 150.00 + 117.00 + 93.00
    total: '3815.00, of it employees 1115.00',
    Omar: 'Own Choice EE 605.00',
    Priya: 'Own Choice EF 1500.00',
    Quinn: 'Own Choice EE 600.00',
    Rosa: 'Own Choice EE 300.00',
    Tomas: 'Own Choice EE 567.00',
    Una: 'Own Choice EE 243.00',
  })
  expect(await studio.invoice('2026-07')).toMatchObject({ issued_on: '2026-07-04', due_on: '2026-08-03' })
})

it('hires Wanda in New York on September 14, with a notice due by her first day of coverage', async () => {
  await studio.until('2026-09-14')
  await studio.hires(artist('Wanda', '1992-12-12', 'newYork', { start_date: '2026-09-14' }))
  const { id } = await studio.enrollment('Wanda', 'Silver')
  expect(done(await studio.api.get(`/v1/enrollments/${id}`)).data).toMatchObject({
    coverage_start: '2026-10-01',
    notice_due_on: '2026-10-01',
    window: { start: '2026-09-14', end: '2026-10-14' },
  })
  await studio.until('2026-09-20')
  await studio.elects('Wanda', 'Silver', 'EE')
  await studio.until('2026-10-01')
  expect(await studio.paycheck('2026-10-15')).toMatchObject({ Wanda: 'Own Choice 150.00' })
  expect(await studio.bill('2026-10')).toMatchObject({ total: '4415.00, of it employees 1415.00' })
  expect(await affordable(studio, '2026')).toMatchObject({ Wanda: 'Not Affordable' })
})

it("covers Priya's sixth child from birth at no additional cost", async () => {
  await studio.until('2026-10-10')
  await studio.brings('Priya', ['child', 'Zoe', '2026-10-08'])
  const birth = await studio.reports('Priya', 'birth', '2026-10-08')
  await studio.until('2026-10-12')
  await studio.approves(birth)
  // Only the three oldest children under 21 are charged. Four children under 21 are older than Zoe.
  const elected = await studio.elects('Priya', 'Silver', 'EF')
  expect(elected).toMatchObject({ premium_in_cents: 150_000, employee_deduction_in_cents: 60_000 })
  expect(elected.dependent_ids).toHaveLength(7)
  expect(elected.upcoming_election).toBeNull()
})

it('keeps the prices of Travis County after Omar moves to Florida, until he elects again', async () => {
  await studio.until('2026-11-05')
  await studio.changes('Omar', {
    effective_date: '2026-11-05',
    address: { address_line_1: '3 Palm Ct', ...living.florida },
  })
  const move = await studio.reports('Omar', 'change_of_residence', '2026-11-02')
  await studio.until('2026-11-09')
  await studio.approves(move)
  await studio.until('2026-11-12')
  // 55 × 9.00, less 450.00, starting on the first of the next month.
  expect(await studio.elects('Omar', 'Silver', 'EE')).toMatchObject({
    premium_in_cents: 60_500,
    upcoming_election: { effective_on: '2026-12-01', premium_in_cents: 49_500, employee_deduction_in_cents: 4_500 },
  })
  await studio.until('2026-12-01')
  expect(await studio.paycheck('2026-11-30')).toMatchObject({ Omar: 'Own Choice 77.50' })
  expect(await studio.paycheck('2026-12-15')).toMatchObject({ Omar: 'Own Choice 22.50' })
  expect(await studio.bill('2026-12')).toMatchObject({
    total: '4305.00, of it employees 1305.00',
    Omar: 'Own Choice EE 495.00',
  })
})

it('has collected everything due for 2026', async () => {
  await studio.until('2026-12-16')
  const settled = (due: string) => ({ due, requested: due, taken: null, outstanding: '0.00', difference: '0.00' })
  expect(await studio.proof('Omar', 2026)).toEqual(settled('820.00'))
  expect(await studio.proof('Priya', 2026)).toEqual(settled('3600.00'))
  expect(await studio.proof('Wanda', 2026)).toEqual(settled('900.00'))
  expect(await studio.proof('Sven', 2026)).toEqual(settled('0.00'))
  expect(await studio.reconciles('2026-12')).toBe(true)
})
