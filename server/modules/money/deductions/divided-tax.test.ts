import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { payPeriods } from '../../../kernel/pay-calendar.ts'
import {
  dueByTax,
  linesFor,
  schedulesByTax,
  type ChargesByTax,
  type Deducted,
  type DeductionBalance,
  type ElectedTerms,
  type Payroll,
} from './line-rules.ts'
import { dueFor, monthsOf, partOf, scheduleOf, sumOf, type Charge, type DeductionMethod } from './rules.ts'
import { taxOf, type TaxedElection, type TaxFacts } from './tax-rules.ts'

describe('what a renewal wrote', () => {
  const facts: TaxFacts = { category: 'Medical', coverage_start: '2027-01-01', hired_on: '2020-01-01', arrivals: [] }
  it.each<[string, Partial<TaxFacts>, string, TaxedElection, string]>([
    ['on the first day of coverage is before tax', {}, '2027-01-01', { elected_on: '2027-01-01' }, 'Pre-tax'],
    ['late is before tax from the first month on', {}, '2027-01-01', { elected_on: '2027-02-20' }, 'Pre-tax'],
    ['of hospital is not', { category: 'Hospital' }, '2027-02-01', { elected_on: '2027-01-01' }, 'Post-tax'],
    [
      'of what was bought on an exchange is not',
      {},
      '2027-02-01',
      { elected_on: '2027-01-01', bought_on_exchange: true },
      'Post-tax',
    ],
  ])('%s', (_, said, month, election, tax) => {
    expect(taxOf({ ...facts, ...said }, month, { ...election, is_carried: true })).toBe(tax)
  })

  it('is nothing that an employee may write on the first day of coverage', () => {
    expect(taxOf(facts, '2027-01-01', { elected_on: '2027-01-01', is_carried: false })).toBe('Post-tax')
  })
})

type Known = Partial<Omit<Deducted, 'coverage'>> & { elections?: ElectedTerms[]; payroll?: Partial<Payroll> }

/** 100.00 a month, of which 30.00 are for a domestic partner, elected in time. */
const with_partner: ElectedTerms = {
  effective_on: '-infinity',
  employee_deduction_in_cents: 10_000,
  domestic_partner_share_in_cents: 3_000,
  elected_on: '2026-11-10',
}

const balance = (tax: 'Pre-tax' | 'Post-tax', collected: number, arrears = 0, year = 2027): DeductionBalance => ({
  year,
  tax_classification: tax,
  collected_in_cents: collected,
  adjusted_in_cents: 0,
  arrears_in_cents: arrears,
  taxed_months: 0,
})
const collected = (months: number) => [balance('Pre-tax', months * 7_000), balance('Post-tax', months * 3_000)]

const periods = payPeriods({ pay_frequency: 'monthly', first_pay_date: null }, 2027)

/** The lines of a month of 2027, paid monthly. */
function lines(month: number, { elections = [with_partner], payroll, ...known }: Known) {
  const coverage = { coverage_start: '2026-12-01', coverage_end: '2027-12-31', lapses: [], elections }
  return linesFor(
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
      coverage,
      category: 'Medical',
      hired_on: '2020-01-01',
      arrivals: [],
      last_day: null,
      balances: [],
      billed: [],
      booked: [],
      shortfall_in_cents: 0,
      ...known,
    },
  ).map((line) => [line.kind, line.year, line.amount_in_cents, line.tax_classification])
}

const normal = [
  ['deduction', 2027, 7_000, 'Pre-tax'],
  ['deduction', 2027, 3_000, 'Post-tax'],
]
const before = [balance('Pre-tax', 7_000, 0, 2026), balance('Post-tax', 3_000, 0, 2026)]

describe('the share of a domestic partner', () => {
  it.each<[string, number, Known, unknown[]]>([
    ['is a line of its own, from taxed income', 3, { balances: [...before, ...collected(2)] }, normal],
    [
      'is caught up on in both lines, of the year before too',
      2,
      {},
      [
        ...normal,
        ['correction', 2027, 7_000, 'Pre-tax'],
        ['correction', 2027, 3_000, 'Post-tax'],
        ['correction', 2026, 7_000, 'Pre-tax'],
        ['correction', 2026, 3_000, 'Post-tax'],
      ],
    ],
    [
      'is moved where all was taken before tax, to the cent',
      3,
      { balances: [...before, balance('Pre-tax', 20_000)] },
      [...normal, ['correction', 2027, -6_000, 'Pre-tax'], ['correction', 2027, 6_000, 'Post-tax']],
    ],
    [
      'is nothing more where all is from taxed income',
      3,
      { category: 'Hospital', balances: [balance('Post-tax', 20_000), balance('Post-tax', 10_000, 0, 2026)] },
      [['deduction', 2027, 10_000, 'Post-tax']],
    ],
    [
      'may be all of the deduction',
      3,
      {
        elections: [{ ...with_partner, domestic_partner_share_in_cents: 10_000 }],
        balances: [balance('Post-tax', 20_000), balance('Post-tax', 10_000, 0, 2026)],
      },
      [['deduction', 2027, 10_000, 'Post-tax']],
    ],
    [
      'ends with the day on which the partner leaves',
      5,
      {
        elections: [with_partner, { ...with_partner, effective_on: '2027-05-01', domestic_partner_share_in_cents: 0 }],
        balances: [...before, ...collected(4)],
      },
      [['deduction', 2027, 10_000, 'Pre-tax']],
    ],
    [
      'is what was billed, at most, of months that no invoice reaches any more',
      5,
      {
        balances: [...before, ...collected(4)],
        billed: [1, 2, 3, 4].map((month) => [`2027-0${month}-01`, month === 4 ? 2_000 : 10_000]),
        payroll: { first_open_month: '2027-05-01' },
      },
      [
        ...normal,
        ['correction', 2027, -7_000, 'Pre-tax'],
        ['correction', 2027, -1_000, 'Post-tax'],
        ['correction', 2026, -7_000, 'Pre-tax'],
        ['correction', 2026, -3_000, 'Post-tax'],
      ],
    ],
    [
      'is asked for again in the same part',
      3,
      { balances: [...before, ...collected(2)], shortfall_in_cents: 1_001 },
      [...normal, ['arrears', 2027, 701, 'Pre-tax'], ['arrears', 2027, 300, 'Post-tax']],
    ],
    [
      'is given back in the same part',
      3,
      { balances: [...before, ...collected(2)], shortfall_in_cents: -1_001 },
      [...normal, ['arrears', 2027, -701, 'Pre-tax'], ['arrears', 2027, -300, 'Post-tax']],
    ],
    [
      'is given back after the last paycheck in the part in which it was taken',
      5,
      { last_day: '2027-04-30', balances: [...before, ...collected(12)], shortfall_in_cents: -500 },
      [
        ['arrears', 2027, -350, 'Pre-tax'],
        ['arrears', 2027, -150, 'Post-tax'],
      ],
    ],
  ])('%s', (_, month, known, expected) => {
    expect(lines(month, known)).toEqual(expected)
  })

  it('is taxed with the rest by when the election was made that a dependent’s end goes on with', () => {
    const follows = { ...with_partner, effective_on: '2027-03-01', elected_on: '2027-03-01' }
    const known = { balances: [...before, ...collected(2)] }
    const deductions = (elections: ElectedTerms[]) => lines(3, { ...known, elections })
    expect(deductions([{ ...follows, follows: true }, with_partner])).toEqual(normal)
    expect(deductions([follows, with_partner])).toEqual([['deduction', 2027, 10_000, 'Post-tax']])
  })
})

const amounts = fc.oneof(fc.nat({ max: 150_000 }), fc.constantFrom(0, 1, 12_345, 100_000_000_000))
const years = fc.record({
  months: fc.array(fc.record({ cents: amounts, percent: fc.constantFrom(0, 1, 33, 100), late: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  }),
  runs: fc.integer({ min: 1, max: 12 }),
  calendar: fc.record({
    pay_frequency: fc.constantFrom('weekly', 'bi_weekly', 'semi_monthly', 'monthly'),
    first_pay_date: fc.option(fc.constantFrom('2026-01-02', '2026-01-09'), { nil: null }),
  }),
  method: fc.constantFrom<DeductionMethod>('annualized', 'per_month'),
})

describe('a year that is taxed in two ways', () => {
  it('adds up to the cent in each, and to what the formula says of the whole in each period', () => {
    fc.assert(
      fc.property(years, ({ months, runs, calendar, method }) => {
        const charges: ChargesByTax = { 'Pre-tax': [], 'Post-tax': [] }
        for (const [at, month] of monthsOf(2027).entries()) {
          const { cents, percent, late } = months[Math.floor(at / runs) % months.length]!
          const share = Math.floor((cents * percent) / 100)
          const election = { effective_on: month, employee_deduction_in_cents: cents }
          const charge: Charge = { month, election: { ...election, domestic_partner_share_in_cents: share } }
          charges[late ? 'Post-tax' : 'Pre-tax'].push(charge)
        }
        const paydays = payPeriods(calendar, 2027)
        const divided = schedulesByTax(charges, paydays, method)
        const due = dueByTax(charges)
        expect(sumOf(divided['Pre-tax'])).toBe(due['Pre-tax'])
        expect(sumOf(divided['Post-tax'])).toBe(due['Post-tax'])
        expect(due['Pre-tax'] + due['Post-tax']).toBe(dueFor([...charges['Pre-tax'], ...charges['Post-tax']]))
        const whole = [charges['Pre-tax'], charges['Post-tax']].map((some) => scheduleOf(some, paydays, method))
        const sums = divided['Pre-tax'].map((cents, at) => cents + divided['Post-tax'][at]!)
        expect(sums).toEqual(paydays.map((_, at) => whole[0]![at]! + whole[1]![at]!))
        expect([...divided['Pre-tax'], ...divided['Post-tax']].every((cents) => cents >= 0)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('is divided in whole cents towards 0, whatever the product', () => {
    expect([partOf(1_001, 3_000, 10_000), partOf(-1_001, 3_000, 10_000), partOf(5, 0, 0)]).toEqual([300, -300, 0])
    expect(partOf(1_200_000_000_001, 900_000_000_000, 1_200_000_000_000)).toBe(900_000_000_000)
  })
})
