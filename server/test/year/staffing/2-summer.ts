// June to August 2026: rosters that are wrong, leavers, and newcomers.

import { expect, it } from 'vitest'
import { codeOf } from '../../answer.ts'
import { firm } from './firm.ts'
import { called, electAll, numbers, shapes, worker } from './1-started.ts'

/** The twenty who come in May: two contractors, one with a salary, and one of whose class nobody tells. */
const newcomers = numbers(301, 320).map((number) =>
  worker(number, {
    start_date: '2026-05-25',
    ...(number <= 302 && { employee_class: 'Individual Contractor' }),
    ...(number === 303 && { compensation_type: 'Salary' }),
    ...(number === 304 && { employee_class: undefined }),
  }),
)

/** Everybody as the roster tells of them in summer, but for some. */
export const rosterWithout = (missing: number[], said: Record<number, object> = {}) => [
  ...numbers(1, 300).flatMap((number) => (missing.includes(number) ? [] : [worker(number, said[number])])),
  ...newcomers,
]

it('takes on twenty on 25 May, seventeen of them eligible, and warns of a class that is not told', async () => {
  await firm.until('2026-05-25')
  await firm.news()
  const outcome = await firm.census(rosterWithout([]))
  expect(outcome).toMatchObject({ counts: { created: 20, unchanged: 300, failed: 0 } })
  expect(outcome.warnings).toMatchObject([{ reference_id: 'HS-304', field: 'employee_class' }])
  expect(await firm.counts()).toMatchObject({ 'employee.created': 20, 'enrollment.granted': 34 })
  expect(await firm.standing(called(301))).toEqual([])
  expect(await firm.standing(called(303))).toEqual([])
  // Sixty days later it is 24 July, and then the first of a month.
  expect(await firm.standing(called(304))).toContain('MEC 2026, pending, from 2026-08-01')
  await firm.until('2026-06-08')
  await electAll(firm, '2026', 'Essential', numbers(305, 310))
})

it('loses six to a roster of 12 June that lacks them', async () => {
  await firm.until('2026-06-12')
  expect(await firm.census(rosterWithout(numbers(1, 6)))).toMatchObject({
    state: 'completed',
    counts: { terminated: 6, unchanged: 314 },
  })
  await firm.until('2026-06-13')
  // Four with essential coverage, one with Bronze and one with Silver are not on the next payday.
  expect(await shapes(firm, '2026-06-19')).toEqual({ 'MEC 11.12': 116, 'MVP 23.62': 29, 'MVP 31.50': 29 })
})

it('has the roster of 15 June held: sixty more, with those six, are more than a fifth', async () => {
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

it('catches up with the six on the payday after, to the cent', async () => {
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

it('hears on 6 July of two who leave on the 17th, and takes all that they owe with their last paycheck', async () => {
  await firm.until('2026-07-06')
  const leaving = { termination_date: '2026-07-17' }
  await firm.census(rosterWithout([], { 11: leaving, 15: leaving }))
  await firm.until('2026-07-18')
  // Of three months, 133.50 and 283.50, ten paydays took 111.25 and 236.25.
  expect(await firm.paycheck('2026-07-17')).toMatchObject({ [called(11)]: 'MEC 22.25', [called(15)]: 'MVP 47.25' })
  expect(Object.keys(await firm.paycheck('2026-07-24'))).not.toContain(called(11))
  expect(await firm.proof(called(11), 2026)).toMatchObject({
    due: '133.50',
    requested: '133.50',
    outstanding: '0.00',
  })
  expect(await firm.standing(called(11))).toContain(
    'MEC 2026, enrolled, Essential, EE, from 2026-05-01, until 2026-07-31',
  )
})

it('hears from payroll on 27 July what it could not take, and asks for it again', async () => {
  await firm.until('2026-07-27')
  const told = await firm.took('2026-07-24', [
    { reference_id: 'HS-31', taken_in_cents: 0 },
    { reference_id: 'HS-32', taken_in_cents: 500 },
    { reference_id: 'HS-999', taken_in_cents: 1_113 },
  ])
  expect(told).toMatchObject({ row_count: 3, recorded_count: 2, failures: [{ index: 2, field: 'reference_id' }] })
  await firm.until('2026-08-08')
  // 11.13 and 6.13 are owed, and no more than a deduction is asked for at once.
  expect(await firm.paycheck('2026-08-07')).toMatchObject({
    [called(31)]: 'MEC 11.12, MEC arrears 11.12',
    [called(32)]: 'MEC 11.12, MEC arrears 6.13',
  })
  expect(await firm.paycheck('2026-08-14')).toMatchObject({
    [called(31)]: 'MEC 11.13, MEC arrears 0.01',
    [called(32)]: 'MEC 11.13',
  })
})

it('covers six of the newcomers from August on', async () => {
  // Five months until December over twenty paydays.
  expect(await firm.paycheck('2026-08-07')).toMatchObject({ [called(305)]: 'MEC 11.12' })
  // 125 × 89.00, 29 × 315.00 and 30 × 420.00.
  expect(await firm.invoice('2026-08')).toMatchObject({ line_count: 184, total_in_cents: 3_286_000 })
})
