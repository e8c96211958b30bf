// January to May 2027: the renewal.

import { expect, it } from 'vitest'
import { pick, sure } from '../../pick.ts'
import { done, type EmployerClient } from '../employer-client.ts'
import { firm, called, shapes } from './1-started.ts'

/** The number of people with each outcome of a renewal. */
async function outcomes(firm: EmployerClient, plan: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const input of Object.values(await firm.renewal('2027', plan))) counts[input] = (counts[input] ?? 0) + 1
  return counts
}

it('is renewed for May, and carries people over from Bronze, which ends, to Bronze Plus', async () => {
  await firm.until('2027-03-01')
  await firm.renews(sure(firm.years.get('2026')), '2027', {
    open_enrollment_start: '2027-04-01',
    open_enrollment_end: '2027-04-15',
    plan_successors: { [sure(firm.plans.get('Bronze')).plan_id]: sure(firm.plans.get('Bronze Plus')).plan_id },
  })
  expect(await outcomes(firm, 'Essential')).toMatchObject({ 'carried Essential EE 92.00, of it 46.00': 108 })
  expect(await outcomes(firm, 'Silver')).toMatchObject({
    'carried Bronze Plus EE 330.00, of it 99.00': 25,
    'carried Silver EE 440.00, of it 132.00': 25,
  })
  expect(await firm.renewal('2027', 'Silver')).toMatchObject({ [called(36)]: 'not_carried coverage_ended' })
})

it('carries over on April 16 everyone without a submission', async () => {
  await firm.until('2027-04-08')
  await firm.waives(called(1), 'Essential')
  await firm.until('2027-04-16')
  const years = done(await firm.api.get(`/v1/employers/${firm.employer_id}/benefit-plan-years`)).data
  expect(pick(years, (year) => year.year === 2027).enrollment_rate).toMatchObject({ enrolled: 157 })
  expect(await firm.status(called(5))).toContain('MVP 2027, enrolled, Bronze Plus, EE, from 2027-05-01')
  expect(await firm.status(called(1))).toContain('MEC 2027, waived, from 2027-05-01')
  expect(await firm.tasks()).toEqual([])
})

it('deducts and bills the new prices starting in May', async () => {
  await firm.until('2027-05-01')
  expect(await firm.collected('2027-04-30')).toBe('0.00')
  // Eight months over 32 paydays: 11.50, 24.75 and 33.00.
  expect(await shapes(firm, '2027-05-07')).toEqual({ 'MEC 11.50': 107, 'MVP 24.75': 25, 'MVP 33.00': 25 })
  // 107 × 92.00, 25 × 330.00 and 25 × 440.00.
  expect(await firm.invoice('2027-05')).toMatchObject({
    line_count: 157,
    total_in_cents: 2_909_400,
    employee_deduction_in_cents: 1_069_700,
  })
  expect(await firm.reconciles('2027-05')).toBe(true)
})
