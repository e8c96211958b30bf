// June to August 2026: incorrect rosters, departures, and new employees.

import { expect, it } from 'vitest'
import { codeOf } from '../../response.ts'
import { firm, called, electAll, numbers, shapes, worker } from './1-started.ts'

/** The twenty people hired in May: two contractors, one with a salary, and one without a reported class. */
const newcomers = numbers(301, 320).map((number) =>
  worker(number, {
    start_date: '2026-05-25',
    ...(number <= 302 && { employee_class: 'Individual Contractor' }),
    ...(number === 303 && { compensation_type: 'Salary' }),
    ...(number === 304 && { employee_class: undefined }),
  }),
)

/** The summer roster without some people, and with changed rows for others. */
export const rosterWithout = (missing: number[], input: Record<number, object> = {}) => [
  ...numbers(1, 300).flatMap((number) => (missing.includes(number) ? [] : [worker(number, input[number])])),
  ...newcomers,
]

it('hires twenty people on May 25, seventeen of them eligible, with a warning about an unknown class', async () => {
  await firm.until('2026-05-25')
  await firm.news()
  const outcome = await firm.census(rosterWithout([]))
  expect(outcome).toMatchObject({ counts: { created: 20, unchanged: 300, failed: 0 } })
  expect(outcome.warnings).toMatchObject([{ reference_id: 'HS-304', field: 'employee_class' }])
  expect(await firm.counts()).toMatchObject({ 'employee.created': 20, 'enrollment.granted': 34 })
  expect(await firm.status(called(301))).toEqual([])
  expect(await firm.status(called(303))).toEqual([])
  // Sixty days later is July 24, and coverage starts on the first of the next month.
  expect(await firm.status(called(304))).toContain('MEC 2026, pending, from 2026-08-01')
  await firm.until('2026-06-08')
  await electAll(firm, '2026', 'Essential', numbers(305, 310))
})

it('terminates six people who are missing from the roster of June 12', async () => {
  await firm.until('2026-06-12')
  expect(await firm.census(rosterWithout(numbers(1, 6)))).toMatchObject({
    state: 'completed',
    counts: { terminated: 6, unchanged: 314 },
  })
  await firm.until('2026-06-13')
  // Four people with essential coverage, one with Bronze and one with Silver are not on the next payday.
  expect(await shapes(firm, '2026-06-19')).toEqual({ 'MEC 11.12': 116, 'MVP 23.62': 29, 'MVP 31.50': 29 })
})

it('holds the roster of June 15: sixty more missing people, with those six, exceed a fifth', async () => {
  await firm.until('2026-06-15')
  const held = await firm.census(rosterWithout(numbers(1, 66)))
  expect(held).toMatchObject({ state: 'held', missing_count: 60, counts: { terminated: 0 } })
  await firm.until('2026-06-16')
  await firm.news()
  expect(await firm.census(rosterWithout([]))).toMatchObject({
    state: 'completed',
    counts: { updated: 6, unchanged: 314, rehired: 0, terminated: 0 },
  })
  const confirm = `/v1/employers/${firm.employer_id}/census-sync/${held.census_sync_id}/confirm` as const
  expect(codeOf(await firm.api.post(confirm))).toEqual([409, 'census_sync_superseded'])
  expect(await firm.counts()).toMatchObject({ 'employee.reinstated': 6, 'enrollment.reinstated': 12 })
})

it('catches up on the deductions of the six on the following payday, to the cent', async () => {
  await firm.until('2026-07-01')
  expect(await shapes(firm, '2026-06-26')).toEqual({
    'MEC 11.13': 116,
    'MEC 11.13, MEC correction 11.12': 4,
    'MVP 23.63': 29,
    'MVP 23.63, MVP correction 23.62': 1,
    'MVP 31.50': 29,
    'MVP 31.50, MVP correction 31.50': 1,
  })
  expect(await firm.invoice('2026-07')).toMatchObject({ line_count: 180, total_in_cents: 3_273_000 })
})

it('deducts the balance of two people who leave on July 17 from their last paychecks', async () => {
  await firm.until('2026-07-06')
  const leaving = { termination_date: '2026-07-17' }
  await firm.census(rosterWithout([], { 11: leaving, 15: leaving }))
  await firm.until('2026-07-18')
  // For three months, 133.50 and 283.50 are due, of which ten paydays deducted 111.25 and 236.25.
  expect(await firm.paycheck('2026-07-17')).toMatchObject({ [called(11)]: 'MEC 22.25', [called(15)]: 'MVP 47.25' })
  expect(Object.keys(await firm.paycheck('2026-07-24'))).not.toContain(called(11))
  expect(await firm.proof(called(11), 2026)).toMatchObject({
    due: '133.50',
    requested: '133.50',
    outstanding: '0.00',
  })
  expect(await firm.status(called(11))).toContain(
    'MEC 2026, enrolled, Essential, EE, from 2026-05-01, until 2026-07-31',
  )
})

it('requests deductions again that payroll reported as missed on July 27', async () => {
  await firm.until('2026-07-27')
  const reported = await firm.took('2026-07-24', [
    { reference_id: 'HS-31', taken_in_cents: 0 },
    { reference_id: 'HS-32', taken_in_cents: 500 },
    { reference_id: 'HS-999', taken_in_cents: 1_113 },
  ])
  expect(reported).toMatchObject({ row_count: 3, recorded_count: 2, failures: [{ index: 2, field: 'reference_id' }] })
  await firm.until('2026-08-08')
  // 11.13 and 6.13 are owed. Arrears are limited to one deduction per payday.
  expect(await firm.paycheck('2026-08-07')).toMatchObject({
    [called(31)]: 'MEC 11.12, MEC arrears 11.12',
    [called(32)]: 'MEC 11.12, MEC arrears 6.13',
  })
  expect(await firm.paycheck('2026-08-14')).toMatchObject({
    [called(31)]: 'MEC 11.13, MEC arrears 0.01',
    [called(32)]: 'MEC 11.13',
  })
})

it('covers six of the new employees starting in August', async () => {
  // Five months until December over twenty paydays.
  expect(await firm.paycheck('2026-08-07')).toMatchObject({ [called(305)]: 'MEC 11.12' })
  // 125 × 89.00, 29 × 315.00 and 30 × 420.00.
  expect(await firm.invoice('2026-08')).toMatchObject({ line_count: 184, total_in_cents: 3_286_000 })
})
