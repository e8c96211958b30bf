import { describe, expect, it } from 'vitest'
import { payPeriods } from '../../../kernel/pay-calendar.ts'
import { withCorrectedPeriods, type CollectedLine } from './proof-rules.ts'
import type { Deducted, ElectedTerms, Line, Payroll } from './line-rules.ts'

const months = payPeriods({ pay_frequency: 'monthly', first_pay_date: null }, 2027)

/** The statement of a month of 2027, with monthly pay. */
const payrollOf = (month: number): Payroll => ({
  period: months[month - 1]!,
  periods: months,
  method: 'annualized',
  first_open_month: '-infinity',
  final_deductions: 'collect',
  arrears_limit_percent: 100,
})

const from = (effective_on: string, employee_deduction_in_cents: number): ElectedTerms => ({
  effective_on,
  employee_deduction_in_cents,
  elected_on: '2026-12-01',
})

/** Dental coverage in 2027, by the facts known when the statement is written. */
const covered = (coverage_end: string, ...elections: ElectedTerms[]): Deducted => ({
  coverage: { coverage_start: '2027-01-01', coverage_end, lapses: [], elections },
  category: 'Dental',
  hired_on: '2020-01-01',
  last_day: null,
  arrivals: [],
  balances: [],
  billed: [],
  booked: [],
  shortfall_in_cents: 0,
})

const day = (month: number, at: 'start' | 'end') => months[month - 1]![at]

/** A line of the statement of a month, for itself or as a correction of other months. */
const took = (amount_in_cents: number, first: number, last = first): CollectedLine => ({
  year: 2027,
  tax_classification: 'Pre-tax',
  amount_in_cents,
  start_date: day(first, 'start'),
  end_date: day(last, 'end'),
})

const correction: Line = { kind: 'correction', year: 2027, amount_in_cents: 1, tax_classification: 'Pre-tax' }
const all_year = '2027-12-31'

describe('a correction covers the pay periods', () => {
  it.each<[string, number, Deducted, CollectedLine[], [string, string]]>([
    [
      'without deductions, from the first day of coverage',
      3,
      covered(all_year, from('-infinity', 1860)),
      [],
      ['2027-01-01', '2027-02-28'],
    ],
    [
      'since the change, if earlier ones were correct',
      5,
      covered(all_year, from('-infinity', 1860), from('2027-03-01', 900)),
      [took(1860, 1), took(1860, 2), took(1860, 3), took(1860, 4)],
      ['2027-03-01', '2027-04-30'],
    ],
    [
      'after the end of coverage',
      4,
      covered('2027-01-31', from('-infinity', 1860)),
      [took(1860, 1), took(1860, 2), took(1860, 3)],
      ['2027-02-01', '2027-03-31'],
    ],
    [
      'that an earlier correction did not settle',
      6,
      covered(all_year, from('-infinity', 1860), from('2027-05-01', 900)),
      [took(3720, 1, 2), took(1860, 3), took(1860, 4), took(1860, 5)],
      ['2027-05-01', '2027-05-31'],
    ],
    [
      'of an earlier incorrect correction, as a whole',
      5,
      covered(all_year, from('-infinity', 900), from('2027-03-01', 1860)),
      [took(3720, 1, 2), took(1860, 3), took(1860, 4)],
      ['2027-01-01', '2027-02-28'],
    ],
  ])('%s', (_, month, deducted, taken, period) => {
    const [line] = withCorrectedPeriods(payrollOf(month), deducted, [correction], taken)
    expect([line!.corrected_period_start_date, line!.corrected_period_end_date]).toEqual(period)
  })

  it('of the whole year if that year is over', () => {
    const deducted = covered(all_year, from('-infinity', 1860))
    const [line] = withCorrectedPeriods(payrollOf(3), deducted, [{ ...correction, year: 2026 }], [])
    expect([line!.corrected_period_start_date, line!.corrected_period_end_date]).toEqual(['2026-01-01', '2026-12-31'])
  })
})

it('other lines have no corrected period', () => {
  const lines: Line[] = (['deduction', 'manual_adjustment', 'arrears'] as const).map((kind) => ({
    ...correction,
    kind,
  }))
  const deducted = covered(all_year, from('-infinity', 1860))
  expect(withCorrectedPeriods(payrollOf(3), deducted, lines, [])).toEqual(lines)
})
