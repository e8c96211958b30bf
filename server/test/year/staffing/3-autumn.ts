// September to December 2026: the end of the season, and late reports.

import { expect, it } from 'vitest'
import { codeOf } from '../../response.ts'
import { sure } from '../../pick.ts'
import { done } from '../employer-client.ts'
import { firm, called, numbers, shapes } from './1-started.ts'
import { rosterWithout } from './2-summer.ts'

const pickers = numbers(261, 300)

it('deducts the balance of forty seasonal employees who leave on September 11', async () => {
  await firm.until('2026-09-04')
  const leaving = Object.fromEntries(pickers.map((number) => [number, { termination_date: '2026-09-11' }]))
  expect(await firm.census(rosterWithout([11, 15], leaving))).toMatchObject({
    state: 'completed',
    counts: { failed: 0 },
  })
  await firm.counts()
  await firm.until('2026-09-12')
  expect(await firm.counts()).toMatchObject({ 'employee.deactivated': 40, 'employee.eligibility_terminated': 40 })
  // For five months, 222.50, 472.50 and 630.00 are due, of which seventeen paydays deducted 189.12, 401.62 and 535.50.
  expect(await shapes(firm, '2026-09-11')).toEqual({
    'MEC 11.13': 109,
    'MEC 33.38': 16,
    'MVP 23.63': 25,
    'MVP 70.88': 4,
    'MVP 31.50': 26,
    'MVP 94.50': 4,
  })
  expect(await firm.collected('2026-09-11')).toBe('3818.52')
  await firm.until('2026-10-01')
  // 109 × 89.00, 25 × 315.00 and 26 × 420.00.
  expect(await firm.invoice('2026-10')).toMatchObject({ line_count: 160, total_in_cents: 2_849_600 })
})

it('opens one task for the operator when the roster reports in October a termination in July', async () => {
  for (const day of ['2026-10-05', '2026-10-06']) {
    await firm.until(day)
    const roster = rosterWithout([11, 15, ...pickers], { 44: { termination_date: '2026-07-24' } })
    const outcome = await firm.census(roster)
    expect(outcome).toMatchObject({ state: 'completed', counts: { failed: 1, terminated: 0 } })
    expect(outcome.failures).toMatchObject([{ reference_id: 'HS-44', field: 'termination_date' }])
    expect(await firm.tasks()).toEqual([`termination_too_old: ${called(44)}, by operator_terminate_employee`])
  }
  const input = { termination_date: '2026-07-24', reason: 'Reported late by the branch' }
  const { warnings } = done(await firm.operate(`employees/${firm.idOf(called(44))}/terminate`, input))
  expect(warnings).toMatchObject([{ code: 'rescission', lost_from: '2026-08-01', lost_until: '2026-10-06' }])
  expect(await firm.tasks()).toEqual([])
  await firm.until('2026-10-10')
  // 22 paydays deducted 244.75, and three months cost 133.50.
  expect(await firm.paycheck('2026-10-16')).toMatchObject({ [called(44)]: 'MEC correction -111.25' })
})

it('drafts the invoice for November again without an employee who has changed to another plan', async () => {
  await firm.until('2026-11-02')
  // 108 × 89.00, 25 × 315.00, 26 × 420.00, and a refund of three months at 89.00.
  expect(await firm.invoice('2026-11')).toMatchObject({
    status: 'draft',
    line_count: 162,
    total_in_cents: 2_814_000,
  })
  const { id } = await firm.enrollment(called(36), 'Silver')
  const correction = { coverage_end: '2026-10-31', reason: 'On the plan of a spouse since November' }
  done(await firm.operate(`enrollments/${id}/corrections`, correction))
  const { invoice_id } = await firm.invoice('2026-11')
  expect(await firm.reconciles('2026-11')).toBe(false)
  await firm.settles('2026-11', 'void')
  done(await firm.operate(`employers/${firm.employer_id}/invoices/run`))
  await firm.api.work()
  const renewed = await firm.invoice('2026-11')
  expect(renewed.invoice_id).not.toBe(invoice_id)
  expect(renewed).toMatchObject({ status: 'draft', line_count: 161, total_in_cents: 2_772_000 })
  expect(await firm.reconciles('2026-11')).toBe(true)
  await firm.until('2026-11-07')
  // Payroll had deducted a quarter of November on November 6.
  expect(await firm.paycheck('2026-11-13')).toMatchObject({ [called(36)]: 'MVP correction -31.50' })
})

it('records a June payment by check, outside the correction window, as a manual adjustment', async () => {
  await firm.until('2026-12-07')
  const { id } = await firm.enrollment(called(51), 'Essential')
  const booked = { employee_deduction_in_cents: -4_450, tax_classification: 'Pre-tax', reason: 'Paid by check' }
  const book = (month: string) => firm.operate(`enrollments/${id}/manual-adjustments`, { ...booked, month })
  expect(codeOf(await book('2026-11'))).toEqual([422, 'month_in_correction_window'])
  done(await book('2026-06'))
  await firm.until('2027-01-01')
  expect(await firm.paycheck('2026-12-18')).toMatchObject({
    [called(51)]: 'MEC manual_adjustment -44.50, MEC 11.12',
    [called(52)]: 'MEC 11.12',
  })
  // 108 × 89.00, 25 × 315.00, 25 × 420.00, less 44.50.
  expect(await firm.invoice('2027-01')).toMatchObject({ line_count: 159, total_in_cents: 2_794_250 })
})

it('has deducted in 2026 what it was billed for its people, including the manual adjustment', async () => {
  const { invoice_id } = await firm.invoice('2026-12')
  const path = `/v1/employers/${firm.employer_id}/invoices/${invoice_id}/reconciliation` as const
  // 932 months of essential coverage, 223 of Bronze and 226 of Silver: 41,474.00, 21,073.50 and 28,476.00.
  expect(sure(done(await firm.api.get(path)).data.deductions)).toMatchObject({
    year: 2026,
    billed_in_cents: 9_102_350,
    manual_adjustments_in_cents: -4_450,
    collected_in_cents: 9_097_900,
    difference_in_cents: 0,
  })
})
