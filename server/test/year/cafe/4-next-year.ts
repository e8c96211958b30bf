// January to May 2027: a late report, a cancellation, and a return.

import { expect, it } from 'vitest'
import { refusalOf } from '../../response.ts'
import { done } from '../employer-client.ts'
import { cafe } from './1-taken-over.ts'
import { staffOfAutumn } from './3-autumn.ts'

it("begins 2027 with 27 paydays, the first one on New Year's Day", async () => {
  // Twelve months at 34.87 are 418.44, of which a 27th is 15.49.
  expect(await cafe.paycheck('2027-01-01')).toEqual({
    Agnes: 'Care 57.77, Teeth 38.30',
    Bo: 'Care 15.49, Teeth 5.53',
    Clara: 'Care 15.49',
    Dov: 'Care 15.49',
    Elsa: 'Care 15.49',
    Femi: 'Care 40.66',
    Ivo: 'Care 15.49',
    Kei: 'Care 38.22',
    Lena: 'Care 15.49',
  })
  expect(await cafe.bill('2027-01')).toEqual({
    total: '1308.00, of it employees 611.72',
    Agnes: 'Care EF 260.00, Teeth EF 103.00',
    Bo: 'Care EE 93.00, Teeth EE 32.00',
    Clara: 'Care EE 93.00',
    Dov: 'Care EE 93.00',
    Elsa: 'Care EE 93.00',
    Femi: 'Care ES 183.00',
    Ivo: 'Care EE 93.00',
    Kei: 'Care EC 172.00',
    Lena: 'Care EE 93.00',
  })
})

it('refuses the termination of Clara as of November 30, reported by the partner on February 15', async () => {
  await cafe.until('2027-02-15')
  const reported = await cafe.requests('Clara', 'terminate', { termination_date: '2026-11-30' })
  expect(refusalOf(reported)).toEqual([400, 'invalid_employee_update', 'termination_date'])
  const roster = staffOfAutumn().map((row) =>
    row.first_name === 'Clara' ? { ...row, termination_date: '2026-11-30' } : row,
  )
  for (const day of ['2027-02-15', '2027-02-16']) {
    await cafe.until(day)
    expect(await cafe.census(roster)).toMatchObject({ counts: { unchanged: 11, terminated: 0, failed: 1 } })
    expect(await cafe.tasks()).toEqual(['termination_too_old: Clara, by operator_terminate_employee'])
  }
})

it('lets the operator terminate Clara, with a warning about the rescission', async () => {
  await cafe.news()
  const input = { termination_date: '2026-11-30', reason: 'Reported late by the café' }
  const { data, warnings } = done(await cafe.operate(`employees/${cafe.idOf('Clara')}/terminate`, input))
  expect(data).toMatchObject({ status: 'terminated', termination_date: '2026-11-30' })
  expect(warnings.map((one) => [one.code, one.lost_from, one.lost_until])).toEqual([
    ['rescission', '2026-12-01', '2026-12-31'],
    ['rescission', '2027-01-01', '2027-02-16'],
  ])
  expect(await cafe.tasks()).toEqual([])
  expect(await cafe.status('Clara')).toEqual([
    'Care 2026, inactive, Base, EE, from 2026-01-01, until 2026-11-30',
    'Teeth, inactive, from 2026-07-01, until 2026-06-30',
    'Care 2027, inactive, Base, EE, from 2027-01-01, until 2026-12-31',
  ])
  expect(await cafe.news()).toEqual({
    '2027-02-16': [
      'Clara: employee.updated',
      'Clara: employee.eligibility_terminated',
      "Clara's Teeth: enrollment.terminated",
      "Clara's Care 2027: enrollment.terminated",
      "Clara's Care 2026: enrollment.termination_rescheduled",
      'Clara: employee.deactivated',
    ],
  })
})

it("refunds Clara's deductions and premiums since her termination", async () => {
  await cafe.until('2027-03-01')
  // Five paydays of 2027, and 33.37 for December.
  expect(await cafe.paycheck('2027-03-12')).toMatchObject({
    Clara: 'Care correction of 2026 -33.37, Care correction -77.48',
  })
  expect(await cafe.bill('2027-03')).toMatchObject({
    // 1215.00 − 89.00 − 93.00 − 93.00
    total: '940.00, of it employees 473.74',
    Clara:
      'Care adjustment of 2026-12 EE -89.00, Care adjustment of 2027-01 EE -93.00, ' +
      'Care adjustment of 2027-02 EE -93.00',
  })
  expect(await cafe.reconciles('2027-03')).toBe(true)
})

it('keeps coverage until March 31 when the café cancels its subscription on March 15', async () => {
  await cafe.until('2027-03-10')
  await cafe.news()
  done(await cafe.operate(`employers/${cafe.employer_id}/subscriptions/end`, { ended_on: '2027-03-15' }))
  await cafe.api.work()
  expect(await cafe.status('Bo')).toEqual([
    'Care 2026, inactive, Base, EE, from 2026-01-01, until 2026-12-31',
    'Teeth, enrolled, Teeth, EE, from 2026-07-01, until 2027-03-31',
    'Care 2027, enrolled, Base, EE, from 2027-01-01, until 2027-03-31',
  ])
  await cafe.until('2027-04-10')
  // Three months at 34.87, which is 104.61, are deducted by March 26, the seventh payday. The first six deducted 92.98.
  expect(await cafe.paycheck('2027-03-26')).toMatchObject({
    Bo: 'Care 14.95, Care correction -3.32, Teeth 5.15, Teeth correction -2.38',
  })
  expect(await cafe.paycheck('2027-04-09')).toEqual({})
  expect(await cafe.status('Bo')).toContain('Care 2027, inactive, Base, EE, from 2027-01-01, until 2027-03-31')
  await expect(cafe.invoice('2027-04')).rejects.toThrow('None')
})

it('restores all coverage when the café returns on April 20, within 60 days', async () => {
  await cafe.until('2027-04-20')
  await cafe.news()
  done(await cafe.operate(`employers/${cafe.employer_id}/subscriptions`, { started_on: '2027-04-20' }))
  await cafe.api.work()
  expect(await cafe.status('Bo')).toEqual([
    'Care 2026, inactive, Base, EE, from 2026-01-01, until 2026-12-31',
    'Teeth, enrolled, Teeth, EE, from 2026-07-01',
    'Care 2027, enrolled, Base, EE, from 2027-01-01',
  ])
  await cafe.until('2027-04-21')
  await cafe.until('2027-04-24')
  // Nine of 27 paydays should deduct 139.48, and 104.61 was deducted. For dental, 49.84 and 36.00.
  expect(await cafe.paycheck('2027-05-07')).toMatchObject({
    Bo: 'Care 15.49, Care correction 34.87, Teeth 5.54, Teeth correction 13.84',
  })
})

it('bills April after all, and May as usual', async () => {
  expect(await cafe.invoice('2027-04')).toMatchObject({ drafted_on: '2027-04-21', total_in_cents: 121_500 })
  await cafe.until('2027-05-04')
  expect(await cafe.bill('2027-05')).toMatchObject({
    total: '1215.00, of it employees 576.85',
    Bo: 'Care EE 93.00, Teeth EE 32.00',
  })
  for (const period of ['2027-03', '2027-04', '2027-05']) expect(await cafe.reconciles(period)).toBe(true)
})
