import { describe, expect, it } from 'vitest'
import { payPeriods, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import {
  chargedMonths,
  chargeOn,
  duePeriodsThrough,
  scheduleOf,
  type Coverage as AnyCoverage,
  type DeductionMethod,
  taxOf,
  type TaxFacts,
} from './rules.ts'
import type { PartialMonthRule } from '../../directory/catalog/schemas.ts'
import type { ElectedTerms } from './line-rules.ts'

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
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('a month is charged', () => {
  const all = '01 02 03 04 05 06 07 08 09 10 11 12'
  it.each<[string, Partial<Coverage>, string]>([
    ['if it is covered', {}, all],
    ['without a known end', { coverage_end: null }, all],
    ['if coverage started before', { coverage_start: '2026-03-15' }, all],
    ['from the 1st', { coverage_start: '2027-11-01' }, '11 12'],
    ['after a partly covered one', { coverage_start: '2027-10-02' }, '11 12'],
    ['if coverage ends on its 1st', { coverage_end: '2027-03-01' }, '01 02 03'],
    ['up to the last day', { coverage_end: '2027-02-28' }, '01 02'],
    ['if it has started', { coverage_end: '2027-03-15' }, '01 02 03'],
    ['but not with canceled coverage', { coverage_end: '2026-12-31' }, ''],
    ['but not with a few days within it', { coverage_start: '2027-05-02', coverage_end: '2027-05-31' }, ''],
    ['but not in another year', { coverage_start: '2028-01-01', coverage_end: null }, ''],
    ['while the subscription lasts', { lapses: [['2027-03-02', null]] }, '01 02 03'],
    ['but not after the subscription ended', { lapses: [['2027-03-01', null]] }, '01 02'],
    ['from the next subscription on', { lapses: [['2027-03-01', '2027-05-01']] }, '01 02 05 06 07 08 09 10 11 12'],
    [
      'with any number of lapses',
      {
        lapses: [
          ['2027-02-01', '2027-11-02'],
          ['2027-12-01', null],
        ],
      },
      '01',
    ],
    ['but not without an election', { elections: [] }, ''],
    ['by the election in force', { elections: [from('2027-10-15', 1)] }, '11 12'],
  ])('%s', (_, input, months) => {
    expect(chargedMonths(covered(input), 2027).map(({ month }) => month)).toEqual(
      months.split(' ').flatMap((number) => (number ? [`2027-${number}-01`] : [])),
    )
  })

  it.each([
    ['the 1st before the change', '2027-03-01', 100],
    ['the 1st on its day', '2027-04-01', 200],
    ['the 1st after it', '2027-05-01', 200],
    ['the 1st after a change within the month', '2027-06-01', 300],
  ])('by the terms in force on %s', (_, month, amount) => {
    const elections = [from('2027-05-02', 300), from('-infinity', 100), from('2027-04-01', 200)]
    expect(chargeOn(covered({ elections }), month)?.employee_deduction_in_cents).toBe(amount)
  })
})

describe('a month of 30 days in which coverage starts or ends', () => {
  const whole = {
    effective_on: '-infinity',
    premium_in_cents: 10_000,
    employer_contribution_in_cents: 6_899,
    employee_deduction_in_cents: 3_101,
    domestic_partner_share_in_cents: 1_001,
  }
  const [start, end] = ['2027-01-01', '2027-12-31']
  type Charged = [premium: number, employer: number, employee: number, partner: number]
  const all: Charged = [10_000, 6_899, 3_101, 1_001]
  it.each<[string, string, string, boolean, boolean, Charged | null]>([
    // Start, end, whether full_month_on_first and 15th_rule charge the full amounts, and the amounts of `daily`.
    ['before the 1st, without an end', start, end, true, true, all],
    ['the 1st to the 30th', '2027-04-01', '2027-04-30', true, true, all],
    ['the 2nd', '2027-04-02', end, false, true, [9_667, 6_669, 2_998, 968]],
    ['the 15th', '2027-04-15', end, false, true, [5_333, 3_679, 1_654, 534]],
    ['the 16th', '2027-04-16', end, false, false, [5_000, 3_449, 1_551, 501]],
    ['the 30th', '2027-04-30', end, false, false, [333, 230, 103, 33]],
    ['before to the 1st', start, '2027-04-01', true, false, [333, 230, 103, 33]],
    ['before to the 15th', start, '2027-04-15', true, false, [5_000, 3_449, 1_551, 501]],
    ['before to the 16th', start, '2027-04-16', true, true, [5_333, 3_679, 1_654, 534]],
    ['the 10th to the 20th', '2027-04-10', '2027-04-20', false, true, [3_667, 2_530, 1_137, 367]],
    ['the 2nd to the 15th', '2027-04-02', '2027-04-15', false, false, [4_667, 3_220, 1_447, 467]],
    ['a later month', '2027-05-01', end, false, false, null],
    ['no day', '2027-04-10', '2027-04-09', false, false, null],
  ])('from %s', (_, coverage_start, coverage_end, by_first, by_middle, by_days) => {
    const charged = (partial_month_rule: PartialMonthRule | null) => {
      const elections = [{ ...whole, partial_month_rule }]
      const charge = chargeOn({ coverage_start, coverage_end, lapses: [], elections }, '2027-04-01')
      if (!charge) return null
      const { premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents } = charge
      const share = charge.domestic_partner_share_in_cents
      return [premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents, share]
    }
    const in_full = (is_charged: boolean) => (is_charged ? all : null)
    expect([charged(null), charged('full_month_on_first'), charged('15th_rule'), charged('daily')]).toEqual([
      in_full(by_first),
      in_full(by_first),
      in_full(by_middle),
      by_days,
    ])
  })

  it('is charged by the election of its first covered day', () => {
    const elections = [
      { ...whole, partial_month_rule: 'daily' as const },
      {
        ...whole,
        effective_on: '2027-04-10',
        employee_deduction_in_cents: 6_000,
        partial_month_rule: 'daily' as const,
      },
    ]
    const charge = (coverage_start: string) =>
      chargeOn({ coverage_start, coverage_end: null, lapses: [], elections }, '2027-04-01')?.employee_deduction_in_cents
    expect(['2027-04-01', '2027-04-02', '2027-04-10', '2027-04-16'].map(charge)).toEqual([3_101, 2_998, 4_200, 3_000])
  })
})

describe('a schedule', () => {
  const scheduled = (input: Partial<Coverage>, calendar: PayCalendar, method: DeductionMethod = 'annualized') =>
    scheduleOf(chargedMonths(covered(input), 2027), payPeriods(calendar, 2027), method)
  const cents = (amount: number) => ({ elections: [from('-infinity', amount)] })

  it.each([
    ['weekly', null, 52],
    ['bi_weekly', null, 26],
    ['semi_monthly', null, 24],
    ['monthly', null, 12],
    ['weekly', '2026-01-02', 53],
    ['bi_weekly', '2026-01-02', 27],
  ] as const)('of a whole year, %s from %s, collects an equal part on each payday', (frequency, first, count) => {
    const through = (k: number) => Math.floor((12 * 12_345 * k) / count)
    expect(scheduled(cents(12_345), paying(frequency, first))).toEqual(
      Array.from({ length: count }, (_, index) => through(index + 1) - through(index)),
    )
  })

  it.each<[string, Partial<Coverage>, PayCalendar, DeductionMethod, Record<number, number>]>([
    ['per month, over the paydays of each', cents(100), paying('semi_monthly'), 'per_month', { 0: 50, 1: 50, 23: 50 }],
    [
      'per month, with a third payday',
      cents(100),
      paying('bi_weekly', '2026-01-02'),
      'per_month',
      { 0: 33, 1: 33, 2: 34, 3: 50, 4: 50 },
    ],
    [
      'of an employee who joins, over the remaining periods',
      { coverage_start: '2027-11-01', ...cents(100) },
      paying('weekly', '2026-01-02'),
      'annualized',
      { 43: 0, 44: 22, 45: 22, 52: 23 },
    ],
    [
      'of an employee who leaves, over the periods until then',
      { coverage_end: '2027-01-31' },
      paying('bi_weekly', '2026-01-02'),
      'annualized',
      { 0: 3333, 1: 3333, 2: 3334, 3: 0 },
    ],
    [
      'of a benefit that is free for some time',
      { elections: [from('-infinity', 100), from('2027-02-01', 0), from('2027-12-01', 100)] },
      paying('monthly'),
      'annualized',
      { 0: 100, 1: 0, 10: 0, 11: 100 },
    ],
    [
      'of a changing amount, each over its own periods',
      { elections: [from('-infinity', 100), from('2027-07-01', 301)] },
      paying('semi_monthly'),
      'annualized',
      { 0: 50, 11: 50, 12: 150, 13: 151, 23: 151 },
    ],
    ['of a free benefit', cents(0), paying('monthly'), 'annualized', { 0: 0, 11: 0 }],
    ['of no months', { elections: [] }, paying('monthly'), 'per_month', { 0: 0, 11: 0 }],
  ])('%s', (_, input, calendar, method, expected) => {
    const schedule = scheduled(input, calendar, method)
    for (const [index, amount] of Object.entries(expected))
      expect([index, schedule[Number(index)]]).toEqual([index, amount])
    expect(sum(schedule)).toBe(
      sum(chargedMonths(covered(input), 2027).map(({ election }) => election.employee_deduction_in_cents)),
    )
  })

  it('collects a part for January before the new year if a period spans it', () => {
    const [first] = payPeriods(paying('bi_weekly', '2026-01-02'), 2027)
    expect([first!.start, first!.end]).toEqual(['2026-12-19', '2027-01-01'])
    expect(scheduled({ coverage_end: '2027-01-31' }, paying('bi_weekly', '2026-01-02'))[0]).toBe(3333)
  })
})

describe('statements are due', () => {
  const due = (input: Partial<Parameters<typeof duePeriodsThrough>[0]>) =>
    duePeriodsThrough({
      calendar: paying('semi_monthly'),
      last_calendar: paying('semi_monthly'),
      last_end: '2027-01-15',
      first_coverage_start: '2026-01-01',
      day: '2027-01-16',
      ...input,
    }).map(({ year, number, start, end }) => [year, number, start, end])

  it.each<[string, Parameters<typeof due>[0], [number, number, string, string][]]>([
    ['on the first day of the period', {}, [[2027, 2, '2027-01-16', '2027-01-31']]],
    ['not before the first day of the period', { day: '2027-01-15' }, []],
    ['once', { last_end: '2027-01-31' }, []],
    [
      'for each missed period',
      { day: '2027-02-16' },
      [
        [2027, 2, '2027-01-16', '2027-01-31'],
        [2027, 3, '2027-02-01', '2027-02-15'],
        [2027, 4, '2027-02-16', '2027-02-28'],
      ],
    ],
    [
      'into the new year',
      { last_end: '2027-12-15', day: '2028-01-02' },
      [
        [2027, 24, '2027-12-16', '2027-12-31'],
        [2028, 1, '2028-01-01', '2028-01-15'],
      ],
    ],
    ['for the current period at first', { last_end: null }, [[2027, 2, '2027-01-16', '2027-01-31']]],
    [
      'at first if coverage starts in the period',
      { last_end: null, first_coverage_start: '2027-01-31' },
      [[2027, 2, '2027-01-16', '2027-01-31']],
    ],
    ['not before coverage', { last_end: null, first_coverage_start: '2027-02-01' }, []],
    ['not without a plan year', { last_end: null, first_coverage_start: null }, []],
    [
      'on the old calendar until a full period of the new one starts',
      { calendar: paying('monthly'), day: '2027-02-01' },
      [
        [2027, 2, '2027-01-16', '2027-01-31'],
        [2027, 2, '2027-02-01', '2027-02-28'],
      ],
    ],
    [
      'on a new calendar, after its last day',
      { calendar: paying('weekly', '2027-01-15') },
      [[2027, 4, '2027-01-16', '2027-01-22']],
    ],
    [
      'on a new calendar, whose first period includes the single day before it',
      { calendar: paying('weekly', '2027-01-16') },
      [[2027, 4, '2027-01-16', '2027-01-23']],
    ],
    [
      'on a new calendar that ends in the next year',
      { last_end: '2026-12-31', day: '2027-01-01', calendar: paying('bi_weekly', '2026-01-02') },
      [[2027, 2, '2027-01-01', '2027-01-15']],
    ],
  ])('%s', (_, input, periods) => {
    expect(due(input)).toEqual(periods)
  })
})

describe('a deduction', () => {
  const facts: TaxFacts = { category: 'Medical', coverage_start: '2027-01-01', hired_on: '2020-01-01', arrivals: [] }
  const birth = { occurred_on: '2027-03-10', start: '2027-03-10', end: '2027-04-09' }
  it.each<[string, Partial<TaxFacts>, string, string, string]>([
    ['elected before the month', {}, '2027-03-01', '2027-02-28', 'Pre-tax'],
    [
      'of any category that was elected before the month',
      { category: 'Vision' },
      '2027-03-01',
      '2027-02-28',
      'Pre-tax',
    ],
    ['for a hospital plan', { category: 'Hospital' }, '2027-03-01', '2027-02-28', 'Post-tax'],
    ['elected on the 1st', {}, '2027-03-01', '2027-03-01', 'Post-tax'],
    ['elected later', {}, '2027-03-01', '2027-04-15', 'Post-tax'],
    ['of a later month after a late election', {}, '2027-05-01', '2027-04-15', 'Pre-tax'],
    ['elected after a birth', { arrivals: [birth] }, '2027-04-01', '2027-04-05', 'Pre-tax'],
    ['of the month of a birth', { arrivals: [birth] }, '2027-03-01', '2027-04-05', 'Pre-tax'],
    ['of a month before a birth', { arrivals: [birth] }, '2027-02-01', '2027-04-05', 'Post-tax'],
    ['elected after the window of a birth', { arrivals: [birth] }, '2027-04-01', '2027-04-10', 'Post-tax'],
    [
      'elected by a new hire within 30 days',
      { hired_on: '2027-03-01', coverage_start: '2027-03-01' },
      '2027-03-01',
      '2027-03-31',
      'Pre-tax',
    ],
    [
      'elected by a new hire on the 31st day',
      { hired_on: '2027-03-01', coverage_start: '2027-03-01' },
      '2027-03-01',
      '2027-04-01',
      'Post-tax',
    ],
    [
      'elected by a new hire who waited',
      { hired_on: '2027-03-01', coverage_start: '2027-04-01' },
      '2027-04-01',
      '2027-04-02',
      'Post-tax',
    ],
    ['of an employee without a known hire date', { hired_on: null }, '2027-03-01', '2027-03-02', 'Post-tax'],
  ])('%s', (_, input, month, elected_on, tax) => {
    expect(taxOf({ ...facts, ...input }, month, { elected_on })).toBe(tax)
  })
})

it('coverage bought on an exchange is post-tax', () => {
  const facts: TaxFacts = { category: 'Medical', coverage_start: '2027-01-01', hired_on: null, arrivals: [] }
  expect(taxOf(facts, '2027-03-01', { elected_on: '2027-01-01', bought_on_exchange: true })).toBe('Post-tax')
})
