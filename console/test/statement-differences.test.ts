import { describe, expect, it } from 'vitest'
import { compareStatements } from '../src/screens/money/statement-differences.ts'

/** The comparison of a deduction statement with the previous one. */
const line = (cents: number, kind: 'deduction' | 'correction' = 'deduction') => ({
  employee_id: 'empl_1',
  enrollment_id: 'enrl_1',
  first_name: 'Noor',
  last_name: 'Haddad',
  benefit_name: 'Dental',
  kind,
  amount_in_cents: String(cents),
  cause: '',
  cause_reported_on: '',
  cause_reported_by: '',
  corrected_period_start_date: '',
  corrected_period_end_date: '',
})

describe('the comparison of two statements', () => {
  it.each([
    ['an equal amount', [line(177)], [line(177)], 'same'],
    ['a rounding difference of a cent', [line(177)], [line(178)], 'same'],
    ['a cent in each line of two taxes', [line(177), line(20)], [line(178), line(21)], 'same'],
    ['two cents in one line', [line(177)], [line(179)], 'changed'],
    ['a correction of a cent', [line(177)], [line(177), line(1, 'correction')], 'changed'],
    ['a first deduction', [], [line(177)], 'new'],
    ['no deduction', [line(177)], [], 'ended'],
  ])('lists $0 as $3', (_, before, now, change) => {
    expect(compareStatements(before, now).map((one) => one.change)).toEqual([change])
  })

  it('reports a correction of the previous statement, which explains a lower amount', () => {
    const [taken] = compareStatements([line(480), line(3600, 'correction')], [line(480)])
    expect(taken).toMatchObject({ change: 'changed', extras: {}, former_extras: { correction: 3600 } })
  })
})
