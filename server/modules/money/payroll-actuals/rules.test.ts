import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../kernel/slices.ts'
import { matchActuals as steps, type RequestedDeduction } from './rules.ts'
import type { NewActual } from './schemas.ts'

const asked = (
  employee_id: string,
  enrollment_id: string,
  benefit_name: string | null,
  said: Partial<RequestedDeduction> = {},
): RequestedDeduction => ({
  employee_id,
  reference_id: null,
  enrollment_id,
  benefit_name,
  requested_in_cents: benefit_name === null ? 0 : 1_200,
  is_reimbursed: false,
  ...said,
})

const requested = [
  asked('ana', 'teeth', 'Dental', { reference_id: 'E-1' }),
  asked('ana', 'eyes', 'Vision', { reference_id: 'E-1' }),
  asked('ana', 'former', null, { reference_id: 'E-1' }),
  asked('ben', 'ben-teeth', 'Dental', { reference_id: 'E-2' }),
  asked('eva', 'eva-teeth', 'Dental', { reference_id: 'E-3' }),
  asked('eva-again', 'eva-teeth-again', 'Dental', { reference_id: 'E-3' }),
  asked('dan', 'dan-2026', 'Dental'),
  asked('dan', 'dan-2027', 'Dental'),
]

const matchActuals = (rows: NewActual[], all: RequestedDeduction[]) => atOnce(steps(rows, all))

const row = (said: Partial<NewActual>): NewActual => ({
  employee_id: undefined,
  reference_id: undefined,
  enrollment_id: undefined,
  benefit_name: undefined,
  taken_in_cents: 1_000,
  ...said,
})

describe('a row of payroll', () => {
  it.each<[string, Partial<NewActual>, string]>([
    ['by employee and enrollment', { employee_id: 'ana', enrollment_id: 'eyes' }, 'eyes'],
    ['by employee and benefit, whatever the case of letters', { employee_id: 'ana', benefit_name: 'dENTAL' }, 'teeth'],
    ['by reference', { reference_id: 'E-1', benefit_name: 'Vision' }, 'eyes'],
    ['by the employee alone, who has one benefit', { employee_id: 'ben' }, 'ben-teeth'],
    ['by an enrollment that nothing was asked for', { employee_id: 'ana', enrollment_id: 'former' }, 'former'],
  ])('is found %s', (_, said, enrollment_id) => {
    const { recorded, failures } = matchActuals([row(said)], requested)
    expect(failures).toEqual([])
    expect(recorded).toMatchObject([{ enrollment_id, taken_in_cents: 1_000 }])
  })

  it.each<[string, Partial<NewActual>, string]>([
    ['that names nobody', {}, 'reference_id'],
    ['of somebody unknown', { employee_id: 'zoe' }, 'employee_id'],
    ['of a reference of two', { reference_id: 'E-3' }, 'reference_id'],
    ['of somebody with two benefits that names none', { employee_id: 'ana' }, 'benefit_name'],
    ['of a benefit that is in two plan years', { employee_id: 'dan', benefit_name: 'Dental' }, 'benefit_name'],
    ["of somebody else's enrollment", { employee_id: 'ana', enrollment_id: 'ben-teeth' }, 'enrollment_id'],
  ])('%s is a failure', (_, said, field) => {
    const { recorded, failures } = matchActuals([row(said)], requested)
    expect(recorded).toEqual([])
    expect(failures).toMatchObject([{ index: 0, field }])
  })

  it('of claims that are given back leaves nothing to ask for', () => {
    const all = [...requested, asked('ana', 'bought', null, { is_reimbursed: true })]
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
  ['who have no reference', () => null, (at) => ({ employee_id: `empl_${at}` }), 10_000],
  ['who have one reference', () => 'E-1', () => ({ reference_id: 'E-1' }), 0],
  ['with a reference each', (at) => `E-${at}`, (at) => ({ reference_id: `E-${at}` }), 10_000],
])('a file is matched with a statement of 60,000 people %s', (_, referenceOf, said, recorded_count) => {
  const all = Array.from({ length: 60_000 }, (_one, at) =>
    asked(`empl_${at}`, `enrl_${at}`, 'Dental', { reference_id: referenceOf(at) }),
  )
  const rows = Array.from({ length: 10_000 }, (_one, at) => row(said(at)))
  const { recorded, failures } = matchActuals(rows, all)
  expect([recorded.length, failures.length]).toEqual([recorded_count, 10_000 - recorded_count])
})
