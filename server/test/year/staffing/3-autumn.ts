// September to December 2026: the season ends, and what was told late.

import { expect, it } from 'vitest'
import { codeOf } from '../../answer.ts'
import { sure } from '../../pick.ts'
import { done } from '../told-employer.ts'
import { firm } from './firm.ts'
import { called, numbers, shapes } from './1-started.ts'
import { rosterWithout } from './2-summer.ts'

const pickers = numbers(261, 300)

it('hears on 4 September of forty who leave when the harvest is in, on the 11th', async () => {
  await firm.until('2026-09-04')
  const leaving = Object.fromEntries(pickers.map((number) => [number, { termination_date: '2026-09-11' }]))
  expect(await firm.census(rosterWithout([11, 15], leaving))).toMatchObject({
    state: 'completed',
    counts: { failed: 0 },
  })
  await firm.counts()
  await firm.until('2026-09-12')
  expect(await firm.counts()).toMatchObject({ 'employee.deactivated': 40, 'employee.eligibility_terminated': 40 })
  // Five months, 222.50, 472.50 and 630.00, less what seventeen paydays took: 189.12, 401.62 and 535.50.
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

it('hears in October of somebody who left in July: a task for the operator, and one alone', async () => {
  for (const day of ['2026-10-05', '2026-10-06']) {
    await firm.until(day)
    const roster = rosterWithout([11, 15, ...pickers], { 44: { termination_date: '2026-07-24' } })
    const outcome = await firm.census(roster)
    expect(outcome).toMatchObject({ state: 'completed', counts: { failed: 1, terminated: 0 } })
    expect(outcome.failures).toMatchObject([{ reference_id: 'HS-44', field: 'termination_date' }])
    expect(await firm.tasks()).toEqual([`termination_beyond_reach: ${called(44)}, by operator_terminate_employee`])
  }
  const said = { termination_date: '2026-07-24', reason: 'The branch told us late' }
  const { warnings } = done(await firm.operate(`employees/${firm.idOf(called(44))}/terminate`, said))
  expect(warnings).toMatchObject([{ code: 'rescission', lost_from: '2026-08-01', lost_until: '2026-10-06' }])
  expect(await firm.tasks()).toEqual([])
  await firm.until('2026-10-10')
  // Of 244.75 that 22 paydays took, three months are 133.50.
  expect(await firm.paycheck('2026-10-16')).toMatchObject({ [called(44)]: 'MEC correction -111.25' })
})

it('has its invoice of November voided and drafted again, without who has another plan by now', async () => {
  await firm.until('2026-11-02')
  // 108 × 89.00, 25 × 315.00, 26 × 420.00, and three months at 89.00 that are given back.
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
  const anew = await firm.invoice('2026-11')
  expect(anew.invoice_id).not.toBe(invoice_id)
  expect(anew).toMatchObject({ status: 'draft', line_count: 161, total_in_cents: 2_772_000 })
  expect(await firm.reconciles('2026-11')).toBe(true)
  await firm.until('2026-11-07')
  // Payroll had taken a quarter of November on the 6th.
  expect(await firm.paycheck('2026-11-13')).toMatchObject({ [called(36)]: 'MVP correction -31.50' })
})

it('books by hand on 7 December what was paid by check in June, which no invoice reaches any more', async () => {
  await firm.until('2026-12-07')
  const { id } = await firm.enrollment(called(51), 'Essential')
  const booked = { employee_deduction_in_cents: -4_450, tax_classification: 'Pre-tax', reason: 'Paid by check' }
  const book = (month: string) => firm.operate(`enrollments/${id}/manual-adjustments`, { ...booked, month })
  expect(codeOf(await book('2026-11'))).toEqual([422, 'month_within_reach'])
  done(await book('2026-06'))
  await firm.until('2027-01-01')
  expect(await firm.paycheck('2026-12-18')).toMatchObject({
    [called(51)]: 'MEC manual_adjustment -44.50, MEC 11.12',
    [called(52)]: 'MEC 11.12',
  })
  // 108 × 89.00, 25 × 315.00, 25 × 420.00, less 44.50.
  expect(await firm.invoice('2027-01')).toMatchObject({ line_count: 159, total_in_cents: 2_794_250 })
})

it('has taken from pay in 2026 what it was billed for its people, and what was booked', async () => {
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
