import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../../kernel/concurrency/time-slices.ts'
import { matchActuals as steps, type RequestedDeduction } from './rules.ts'
import type { NewActual } from './schemas.ts'

const request = (
  employee_id: string,
  enrollment_id: string,
  benefit_name: string | null,
  input: Partial<RequestedDeduction> = {},
): RequestedDeduction => ({
  employee_id,
  reference_id: null,
  enrollment_id,
  benefit_name,
  requested_in_cents: benefit_name === null ? 0 : 1_200,
  is_reimbursed: false,
  ...input,
})

const requested = [
  request('ana', 'teeth', 'Dental', { reference_id: 'E-1' }),
  request('ana', 'eyes', 'Vision', { reference_id: 'E-1' }),
  request('ana', 'former', null, { reference_id: 'E-1' }),
  request('ben', 'ben-teeth', 'Dental', { reference_id: 'E-2' }),
  request('eva', 'eva-teeth', 'Dental', { reference_id: 'E-3' }),
  request('eva-again', 'eva-teeth-again', 'Dental', { reference_id: 'E-3' }),
  request('dan', 'dan-2026', 'Dental'),
  request('dan', 'dan-2027', 'Dental'),
]

const matchActuals = (rows: NewActual[], all: RequestedDeduction[]) => runToEnd(steps(rows, all))

const row = (input: Partial<NewActual>): NewActual => ({
  employee_id: undefined,
  reference_id: undefined,
  enrollment_id: undefined,
  benefit_name: undefined,
  taken_in_cents: 1_000,
  ...input,
})

describe('a row of payroll', () => {
  it.each<[string, Partial<NewActual>, string]>([
    ['by employee and enrollment', { employee_id: 'ana', enrollment_id: 'eyes' }, 'eyes'],
    ['by employee and benefit, in any case', { employee_id: 'ana', benefit_name: 'dENTAL' }, 'teeth'],
    ['by reference', { reference_id: 'E-1', benefit_name: 'Vision' }, 'eyes'],
    ['by only the employee, who has one benefit', { employee_id: 'ben' }, 'ben-teeth'],
    ['by an enrollment without a request', { employee_id: 'ana', enrollment_id: 'former' }, 'former'],
  ])('is matched %s', (_, input, enrollment_id) => {
    const { recorded, failures } = matchActuals([row(input)], requested)
    expect(failures).toEqual([])
    expect(recorded).toMatchObject([{ enrollment_id, taken_in_cents: 1_000 }])
  })

  it.each<[string, Partial<NewActual>, string]>([
    ['without an employee', {}, 'reference_id'],
    ['of an unknown employee', { employee_id: 'zoe' }, 'employee_id'],
    ['with a reference of two employees', { reference_id: 'E-3' }, 'reference_id'],
    ['of an employee with two benefits, without a benefit', { employee_id: 'ana' }, 'benefit_name'],
    ['with a benefit in two plan years', { employee_id: 'dan', benefit_name: 'Dental' }, 'benefit_name'],
    ['with the enrollment of another employee', { employee_id: 'ana', enrollment_id: 'ben-teeth' }, 'enrollment_id'],
  ])('%s is a failure', (_, input, field) => {
    const { recorded, failures } = matchActuals([row(input)], requested)
    expect(recorded).toEqual([])
    expect(failures).toMatchObject([{ index: 0, field }])
  })

  it('that reimburses claims leaves nothing to collect', () => {
    const all = [...requested, request('ana', 'bought', null, { is_reimbursed: true })]
    const rows = [-10_000, -5_000].map((taken_in_cents) =>
      row({ employee_id: 'ana', enrollment_id: 'bought', taken_in_cents }),
    )
    expect(matchActuals(rows, all).recorded).toMatchObject([{ requested_in_cents: -15_000, taken_in_cents: -15_000 }])
  })

  it('adds up with others of the same enrollment', () => {
    const rows = [row({ employee_id: 'ben' }), row({ reference_id: 'E-2', taken_in_cents: -100 })]
    expect(matchActuals(rows, requested).recorded).toEqual([
      { employee_id: 'ben', enrollment_id: 'ben-teeth', requested_in_cents: 1_200, taken_in_cents: 900 },
    ])
  })
})

it.each<[string, (at: number) => string | null, (at: number) => Partial<NewActual>, number]>([
  ['without references', () => null, (at) => ({ employee_id: `empl_${at}` }), 10_000],
  ['with one shared reference', () => 'E-1', () => ({ reference_id: 'E-1' }), 0],
  ['with their own references', (at) => `E-${at}`, (at) => ({ reference_id: `E-${at}` }), 10_000],
])('a file is matched with a statement of 60,000 people %s', (_, referenceOf, input, recorded_count) => {
  const all = Array.from({ length: 60_000 }, (_one, at) =>
    request(`empl_${at}`, `enrl_${at}`, 'Dental', { reference_id: referenceOf(at) }),
  )
  const rows = Array.from({ length: 10_000 }, (_one, at) => row(input(at)))
  const { recorded, failures } = matchActuals(rows, all)
  expect([recorded.length, failures.length]).toEqual([recorded_count, 10_000 - recorded_count])
})
