import { describe, expect, it } from 'vitest'
import { payPeriods, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import {
  deductionLinesFor,
  type CorrectionReason,
  type Deducted,
  type DeductionBalance,
  type ElectedTerms,
  type Payroll,
} from './line-rules.ts'
import { proofOf } from './proof-rules.ts'
import type { Coverage as AnyCoverage } from './rules.ts'

type Coverage = AnyCoverage<ElectedTerms>

const from = (effective_on: string, employee_deduction_in_cents: number, elected_on = '2026-01-01'): ElectedTerms => ({
  effective_on,
  employee_deduction_in_cents,
  elected_on,
})
const covered = (input: Partial<Coverage> = {}): Coverage => ({
  coverage_start: '2027-01-01',
  coverage_end: '2027-12-31',
  lapses: [],
  elections: [from('-infinity', 10_000)],
  ...input,
})
const paying = (pay_frequency: PayCalendar['pay_frequency'], first_pay_date: string | null = null): PayCalendar => ({
  pay_frequency,
  first_pay_date,
})

type Known = Partial<Omit<Deducted, 'coverage'>> & { payroll?: Partial<Payroll> }

/** The pre-tax balances so far: scheduled, manual and arrears. */
const balance = (year: number, collected: number, adjusted = 0, arrears = 0): DeductionBalance => ({
  year,
  tax_classification: 'Pre-tax',
  collected_in_cents: collected,
  adjusted_in_cents: adjusted,
  arrears_in_cents: arrears,
  taxed_months: 0,
})

describe('the lines of a statement', () => {
  const monthly = payPeriods(paying('monthly'), 2027)
  const written = (month: number, input: Partial<Coverage>, collected: Record<number, number>, known: Known = {}) => {
    const { payroll, ...facts } = known
    const periods = payroll?.periods ?? monthly
    return deductionLinesFor(
      {
        period: periods[month - 1]!,
        periods,
        method: 'annualized',
        first_open_month: '-infinity',
        final_deductions: 'collect',
        arrears_limit_percent: 100,
        ...payroll,
      },
      {
        coverage: covered(input),
        category: 'Medical',
        hired_on: '2020-01-01',
        arrivals: [],
        last_day: null,
        balances: Object.entries(collected).map(([year, cents]) => balance(Number(year), cents)),
        billed: [],
        booked: [],
        shortfall_in_cents: 0,
        ...facts,
      },
    )
  }
  const lines = (...requested: Parameters<typeof written>) =>
    written(...requested).map(({ kind, year, amount_in_cents, tax_classification }) => [
      kind,
      year,
      amount_in_cents,
      tax_classification,
    ])

  it.each<[CorrectionReason, number, Partial<Coverage>, DeductionBalance[]]>([
    ['not_deducted_before', 3, {}, []],
    ['no_longer_due', 3, { elections: [] }, [balance(2027, 20_000)]],
    ['tax_classification_changed', 3, {}, [{ ...balance(2027, 20_000), tax_classification: 'Post-tax' }]],
    ['amount_changed', 3, {}, [balance(2027, 19_000)]],
    ['amount_changed', 4, { coverage_end: '2027-01-31' }, [balance(2027, 30_000)]],
  ])('state the reason of corrections: %s', (reason, month, input, balances) => {
    const reasons = written(month, input, {}, { balances }).map((line) => [line.kind, line.reason])
    expect(reasons.filter(([kind]) => kind === 'correction')).not.toEqual([])
    for (const [kind, why] of reasons) expect(why).toBe(kind === 'correction' ? reason : undefined)
  })

  it.each<[string, number, Partial<Coverage>, Record<number, number>, [string, number, number, string][]]>([
    [
      'are only the deduction if everything is correct',
      3,
      {},
      { 2027: 20_000 },
      [['deduction', 2027, 10_000, 'Pre-tax']],
    ],
    [
      'of a first statement catch up, pre-tax for timely elections',
      3,
      {},
      {},
      [
        ['deduction', 2027, 10_000, 'Pre-tax'],
        ['correction', 2027, 20_000, 'Pre-tax'],
      ],
    ],
    [
      'of a first statement catch up, post-tax for late elections',
      3,
      { elections: [from('-infinity', 10_000, '2027-02-10')] },
      {},
      [
        ['deduction', 2027, 10_000, 'Pre-tax'],
        ['correction', 2027, 20_000, 'Post-tax'],
      ],
    ],
    [
      'of a first statement also catch up for the previous year',
      1,
      { coverage_start: '2026-11-01' },
      {},
      [
        ['deduction', 2027, 10_000, 'Pre-tax'],
        ['correction', 2026, 20_000, 'Pre-tax'],
      ],
    ],
    [
      'refund an employee who left before it was reported',
      4,
      { coverage_end: '2027-01-31' },
      { 2027: 30_000 },
      [['correction', 2027, -20_000, 'Pre-tax']],
    ],
    [
      'refund everything to an employee who was never covered',
      2,
      { elections: [] },
      { 2027: 1 },
      [['correction', 2027, -1, 'Pre-tax']],
    ],
    [
      'correct the previous year and the current one separately',
      2,
      { coverage_start: '2026-12-01' },
      { 2026: 20_000, 2027: 9_999 },
      [
        ['deduction', 2027, 10_000, 'Pre-tax'],
        ['correction', 2027, 1, 'Pre-tax'],
        ['correction', 2026, -10_000, 'Pre-tax'],
      ],
    ],
    ['do not go back further', 1, { elections: [] }, { 2025: 10_000 }, []],
    ['do not exist for a free benefit', 1, { elections: [from('-infinity', 0)] }, {}, []],
    ['do not exist before coverage', 1, { coverage_start: '2027-02-01' }, {}, []],
  ])('%s', (_, month, input, collected, expected) => {
    expect(lines(month, input, collected)).toEqual(expected)
  })

  const normal = ['deduction', 2027, 10_000, 'Pre-tax']
  const billed = (months: number, cents: number): [string, number][] =>
    Array.from({ length: months }, (_, at) => [`2027-0${at + 1}-01`, cents])

  it.each<[string, Known, Record<number, number>, Partial<Coverage>, unknown[]]>([
    [
      'use the billed amounts for months outside the correction window',
      { payroll: { first_open_month: '2027-03-01' }, billed: billed(2, 4_000) },
      { 2027: 8_000 },
      {},
      [normal, ['correction', 2027, 20_000, 'Pre-tax']],
    ],
    [
      'keep the tax of closed months',
      {
        payroll: { first_open_month: '2027-05-01' },
        billed: billed(4, 10_000),
        balances: [{ ...balance(2027, 40_000), taxed_months: 0b1111 }],
      },
      {},
      { elections: [from('-infinity', 10_000, '2027-04-20')] },
      [normal],
    ],
    [
      'keep the recorded tax of closed months without an invoice',
      {
        payroll: { first_open_month: '2027-05-01' },
        balances: [{ ...balance(2027, 40_000), taxed_months: 0b1111 }],
      },
      {},
      { elections: [{ ...from('-infinity', 10_000, '2027-04-20'), is_unbilled: true }] },
      [normal],
    ],
    [
      'tax closed months by the facts before any statement',
      { payroll: { first_open_month: '2027-05-01' }, billed: billed(4, 10_000) },
      { 2027: 40_000 },
      { elections: [from('-infinity', 10_000, '2027-04-20')] },
      [normal, ['correction', 2027, -40_000, 'Pre-tax'], ['correction', 2027, 40_000, 'Post-tax']],
    ],
    [
      'use the facts for enrollments without invoices',
      { payroll: { first_open_month: '2027-05-01' } },
      { 2027: 40_000 },
      { elections: [{ ...from('-infinity', 10_000), is_unbilled: true }] },
      [normal],
    ],
    [
      'do not catch up for months that were never billed',
      { payroll: { first_open_month: '2027-05-01' } },
      {},
      { coverage_start: '2026-01-01' },
      [normal],
    ],
    [
      'keep billed months outside the correction window even if they are no longer covered',
      { payroll: { first_open_month: '2027-05-01' }, billed: billed(4, 10_000) },
      { 2027: 40_000 },
      { coverage_end: '2026-12-31' },
      [],
    ],
    [
      'include manual adjustments once, for their year',
      { booked: [{ year: 2025, tax_classification: 'Post-tax', amount_in_cents: 700 }] },
      { 2027: 40_000 },
      {},
      [normal, ['manual_adjustment', 2025, 700, 'Post-tax']],
    ],
    [
      'omit manual adjustments that were already collected',
      {
        booked: [{ year: 2026, tax_classification: 'Pre-tax', amount_in_cents: 700 }],
        balances: [balance(2027, 40_000), balance(2026, 0, 700)],
      },
      {},
      {},
      [normal],
    ],
    [
      'collect everything due until coverage ends from the last paycheck',
      { last_day: '2027-05-10' },
      { 2027: 30_000 },
      { coverage_end: '2027-06-30' },
      [
        ['deduction', 2027, 20_000, 'Pre-tax'],
        ['correction', 2027, 10_000, 'Pre-tax'],
      ],
    ],
    [
      'collect only the regular amount from the last paycheck if the rest is waived',
      { last_day: '2027-05-10', payroll: { final_deductions: 'waive' } },
      { 2027: 40_000 },
      { coverage_end: '2027-06-30' },
      [normal],
    ],
    ['collect nothing after the last paycheck', { last_day: '2027-04-30' }, { 2027: 30_000 }, {}, []],
    [
      'still refund after the last paycheck',
      { last_day: '2027-04-30' },
      { 2027: 50_000 },
      { coverage_end: '2027-04-30' },
      [['correction', 2027, -10_000, 'Pre-tax']],
    ],
    [
      'collect arrears up to the limit of a deduction',
      { shortfall_in_cents: 30_000, payroll: { arrears_limit_percent: 50 } },
      { 2027: 40_000 },
      {},
      [normal, ['arrears', 2027, 5_000, 'Pre-tax']],
    ],
    [
      'collect the rest of the arrears',
      { shortfall_in_cents: 30_000, balances: [balance(2027, 40_000, 0, 29_000)] },
      {},
      {},
      [normal, ['arrears', 2027, 1_000, 'Pre-tax']],
    ],
    [
      'refund excess payroll deductions immediately',
      { shortfall_in_cents: -30_000 },
      { 2027: 40_000 },
      {},
      [normal, ['arrears', 2027, -30_000, 'Pre-tax']],
    ],
    [
      'refund nothing that was never deducted',
      { shortfall_in_cents: 30_000, last_day: '2027-02-10' },
      { 2027: 40_000 },
      { coverage_end: '2027-02-28' },
      [
        ['correction', 2027, -20_000, 'Pre-tax'],
        ['arrears', 2027, 20_000, 'Pre-tax'],
      ],
    ],
  ])('%s', (_, known, collected, input, expected) => {
    expect(lines(5, input, collected, known)).toEqual(expected)
  })

  it('do not exist on a skipped payday, except for the last paycheck', () => {
    const periods = payPeriods({ ...paying('bi_weekly', '2027-01-01'), deductions_per_year: 24 }, 2027)
    const third = periods.findIndex(({ skipped }) => skipped)
    expect(periods[third]!.end).toBe('2027-01-29')
    const known = { payroll: { periods } }
    expect(lines(third + 1, {}, { 2027: 10_000 }, known)).toEqual([])
    expect(lines(third + 2, {}, { 2027: 10_000 }, known)).toEqual([['deduction', 2027, 5_000, 'Pre-tax']])
    expect(
      lines(third + 1, { coverage_end: '2027-01-31' }, { 2027: 5_000 }, { ...known, last_day: '2027-01-20' }),
    ).toEqual([['correction', 2027, 5_000, 'Pre-tax']])
  })
})

describe('the proof', () => {
  const none = {
    deductions_in_cents: 0,
    corrections_in_cents: 0,
    manual_adjustments_in_cents: 0,
    arrears_in_cents: 0,
  }
  const proved = (input: Partial<Parameters<typeof proofOf>[0]> = {}) =>
    proofOf({
      coverage: covered(),
      category: 'Medical',
      hired_on: '2020-01-01',
      arrivals: [],
      billed: [],
      balances: [],
      calendar: paying('monthly'),
      method: 'annualized',
      final_deductions: 'collect',
      first_open_month: '-infinity',
      year: 2027,
      last_day: null,
      last_end: '2027-03-31',
      lines: { ...none, deductions_in_cents: 20_000, corrections_in_cents: 10_000 },
      taken: { taken_in_cents: null, shortfall_in_cents: 0 },
      booked_in_cents: 0,
      ...input,
    })
  const proof = (input: Parameters<typeof proved>[0]) => Object.values(proved(input)).slice(0, 5)

  it.each<[string, Parameters<typeof proof>[0], number[]]>([
    ['is balanced', {}, [120_000, 30_000, 30_000, 10_000, 0]],
    ['is balanced in earlier years', { year: 2026, lines: none }, [0, 0, 0, 0, 0]],
    ['requests nothing before there is a statement', { last_end: null, lines: none }, [120_000, 0, 0, 0, 0]],
    [
      'requests everything of a year that is over',
      { last_end: '2028-01-31' },
      [120_000, 120_000, 30_000, 10_000, 90_000],
    ],
    ['shows what must be refunded', { coverage: covered({ elections: [] }) }, [0, 0, 30_000, 10_000, -30_000]],
  ])('%s', (_, input, expected) => {
    expect(proof(input)).toEqual(expected)
  })

  it.each<[string, Parameters<typeof proof>[0], number | null, number, number]>([
    ['without a payroll report', {}, null, 0, 0],
    ['after a payroll shortfall', { taken: { taken_in_cents: 18_000, shortfall_in_cents: 12_000 } }, 18_000, 12_000, 0],
    [
      'after arrears were requested again',
      {
        lines: { ...none, deductions_in_cents: 30_000, arrears_in_cents: 5_000 },
        taken: { taken_in_cents: 18_000, shortfall_in_cents: 12_000 },
      },
      18_000,
      7_000,
      0,
    ],
    ['with manual adjustments', { booked_in_cents: 700 }, null, 700, 0],
    [
      'after the last paycheck',
      { last_day: '2027-03-20', coverage: covered({ coverage_end: '2027-04-30' }) },
      null,
      10_000,
      0,
    ],
    [
      'without the waived amount',
      { last_day: '2027-03-20', coverage: covered({ coverage_end: '2027-04-30' }), final_deductions: 'waive' },
      null,
      0,
      10_000,
    ],
  ])('shows the outstanding amount %s', (_, input, taken, outstanding, waived) => {
    expect(proved(input)).toMatchObject({
      taken_in_cents: taken,
      outstanding_in_cents: outstanding,
      waived_in_cents: waived,
    })
  })
})
