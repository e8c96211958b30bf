import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, monthEnd, type Day } from '../../../kernel/days.ts'
import { fixed_deductions, payPeriods, type PayCalendar, type PayPeriod } from '../../../kernel/pay-calendar.ts'
import { partial_month_rules } from '../../directory/catalog/schemas.ts'
import { deductionLinesFor, type ElectedTerms, type Line } from './line-rules.ts'
import { proofOf } from './proof-rules.ts'
import {
  chargedMonths,
  duePeriodsThrough,
  scheduleOf,
  type Coverage as AnyCoverage,
  type DeductionMethod,
  tax_classifications,
} from './rules.ts'
import { caseCount } from '../../../test/case-count.ts'

type Coverage = AnyCoverage<ElectedTerms>

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const daysFrom = (first: Day, count: number) => fc.nat({ max: count - 1 }).map((nth) => addDays(first, nth))

const amounts = fc.oneof(fc.nat({ max: 150_000 }), fc.constantFrom(0, 1, 12_345, 100_000_000_000))
const calendars = fc
  .record({
    pay_frequency: fc.constantFrom('weekly', 'bi_weekly', 'semi_monthly', 'monthly'),
    first_pay_date: optional(daysFrom('2020-01-01', 4_000)),
    skips: fc.boolean(),
  })
  .map(({ skips, ...calendar }): PayCalendar => ({
    ...calendar,
    deductions_per_year: skips ? fixed_deductions[calendar.pay_frequency] : null,
  }))
const methods = fc.constantFrom<DeductionMethod>('annualized', 'per_month')
const settings = fc.record({ calendar: calendars, method: methods })

/** An employee who joins, and may leave or never start, alone or with the employer, with changing amounts. */
const coverages = fc
  .record({
    coverage_start: daysFrom('2026-06-01', 700),
    length: optional(fc.integer({ min: -30, max: 500 })),
    ended: optional(fc.tuple(daysFrom('2027-01-01', 700), optional(fc.integer({ min: 1, max: 300 })))),
    first: amounts,
    others: fc.array(fc.tuple(daysFrom('2026-06-01', 700), amounts), { maxLength: 3 }),
    elected_on: daysFrom('2026-01-01', 600),
    /** The domestic partner's share, which applies until the second election. */
    partners_percent: fc.constantFrom(0, 0, 37, 100),
    partial_month_rule: fc.constantFrom(null, ...partial_month_rules),
  })
  .map(
    ({ coverage_start, length, ended, first, others, elected_on, partners_percent, partial_month_rule }): Coverage => ({
      coverage_start,
      coverage_end: length === null ? null : addDays(coverage_start, length),
      lapses: ended === null ? [] : [[ended[0], ended[1] === null ? null : addDays(ended[0], ended[1])]],
      elections: [['-infinity', first] as const, ...others].map(([effective_on, employee_deduction_in_cents]) => ({
        effective_on,
        employee_deduction_in_cents,
        domestic_partner_share_in_cents:
          effective_on === '-infinity' ? Math.floor((employee_deduction_in_cents * partners_percent) / 100) : 0,
        elected_on,
        partial_month_rule,
      })),
    }),
  )
  .filter(({ elections }) => new Set(elections.map(({ effective_on }) => effective_on)).size === elections.length)

const days = Array.from({ length: 1_096 }, (_, nth) => addDays('2026-01-01', nth))

/** The yearly cost for the employee, calculated day by day: a month by its covered days, at the cost of the first. */
function costOf({ coverage_start, coverage_end, lapses, elections }: Coverage, year: number): number {
  const byDay = new Map(elections.map((one) => [one.effective_on, one.employee_deduction_in_cents]))
  const rule = elections[0]!.partial_month_rule
  let inForce = byDay.get('-infinity') ?? 0
  const months = new Map<string, { cents: number; covered: number[] }>()
  for (const day of days) {
    inForce = byDay.get(day) ?? inForce
    const [first, number] = [`${day.slice(0, 7)}-01`, Number(day.slice(8))]
    const lapsed = lapses.some(([from, until]) => first >= from && first < (until ?? '9999'))
    const is_covered = day >= coverage_start && day <= (coverage_end ?? day) && !lapsed
    if (!is_covered || !day.startsWith(`${year}-`)) continue
    const month = months.get(first) ?? { cents: inForce, covered: [] }
    months.set(first, { ...month, covered: [...month.covered, number] })
  }
  const costs = [...months].map(([first, { cents, covered }]) => {
    if (rule === 'daily') return Math.round((cents * covered.length) / Number(monthEnd(first).slice(8)))
    const is_charged = rule === '15th_rule' ? covered.includes(15) && covered.includes(16) : covered.includes(1)
    return is_charged ? cents : 0
  })
  return sum(costs)
}

describe('a year', () => {
  it('is collected to the cent for any amounts, frequency and period', () => {
    fc.assert(
      fc.property(coverages, settings, fc.constantFrom(2026, 2027, 2028), (coverage, { calendar, method }, year) => {
        const schedule = scheduleOf(chargedMonths(coverage, year), payPeriods(calendar, year), method)
        expect(sum(schedule)).toBe(costOf(coverage, year))
        expect(schedule.every((amount) => Number.isSafeInteger(amount) && amount >= 0)).toBe(true)
      }),
      { numRuns: caseCount(100) },
    )
  })

  it('with a single amount differs by at most one cent between paydays', () => {
    fc.assert(
      fc.property(calendars, amounts, (calendar, employee_deduction_in_cents) => {
        const elections = [{ effective_on: '-infinity', employee_deduction_in_cents }]
        const coverage = { coverage_start: '2026-01-01', coverage_end: null, lapses: [], elections }
        const schedule = scheduleOf(chargedMonths(coverage, 2027), payPeriods(calendar, 2027), 'annualized')
        const taken = schedule.filter((_, at) => !payPeriods(calendar, 2027)[at]!.skipped)
        expect(Math.max(...taken) - Math.min(...taken)).toBeLessThanOrEqual(1)
        expect(sum(taken)).toBe(sum(schedule))
      }),
    )
  })
})

type Settings = { calendar: PayCalendar; method: DeductionMethod }
type Change = { day: Day; coverage?: Coverage; settings?: Settings }
type Statement = { period: PayPeriod; calendar: PayCalendar; lines: Line[]; differences: number[] }

/** The statements of an employer for one enrollment, with the proof after each. */
class Books {
  readonly statements: Statement[] = []

  get last_end(): Day | null {
    return this.statements.at(-1)?.period.end ?? null
  }

  collected(year: number, kind?: Line['kind'], tax?: Line['tax_classification']): number {
    const lines = this.statements.flatMap((statement) => statement.lines)
    const those = lines.filter(
      (line) =>
        line.year === year &&
        (kind === undefined || line.kind === kind) &&
        (tax === undefined || line.tax_classification === tax),
    )
    return sum(those.map(({ amount_in_cents }) => amount_in_cents))
  }

  /** The worker determines the due periods on a day, from the facts known on that day. */
  check(day: Day, coverage: Coverage, { calendar: wanted, method }: Settings): void {
    const last_calendar = this.statements.at(-1)?.calendar ?? null
    const due = { calendar: wanted, last_calendar, last_end: this.last_end, first_coverage_start: '2026-06-01', day }
    for (const { calendar, ...period } of duePeriodsThrough(due)) {
      const years = [period.year, period.year - 1]
      const periods = payPeriods(calendar, period.year)
      const balances = years.flatMap((year) =>
        tax_classifications.map((tax_classification) => ({
          year,
          tax_classification,
          collected_in_cents: this.collected(year, undefined, tax_classification),
          adjusted_in_cents: 0,
          arrears_in_cents: 0,
          taxed_months: 0,
        })),
      )
      const settings = { method, first_open_month: '-infinity', final_deductions: 'collect' as const }
      const facts = { coverage, category: 'Medical' as const, hired_on: null, arrivals: [], last_day: null, billed: [] }
      const lines = deductionLinesFor(
        { ...settings, period, periods, arrears_limit_percent: 100 },
        { ...facts, balances, booked: [], shortfall_in_cents: 0 },
      )
      const statement = { period, calendar, lines, differences: [] as number[] }
      this.statements.push(statement)
      for (const year of years) {
        const sums = {
          deductions_in_cents: this.collected(year, 'deduction'),
          corrections_in_cents: this.collected(year, 'correction'),
          manual_adjustments_in_cents: 0,
          arrears_in_cents: 0,
        }
        const taken = { taken_in_cents: null, shortfall_in_cents: 0 }
        const reported = { ...settings, ...facts, balances, calendar, year, last_end: period.end, lines: sums, taken }
        if (!period.skipped)
          statement.differences.push(proofOf({ ...reported, booked_in_cents: 0 }).difference_in_cents)
      }
    }
  }
}

const changes = fc.array(
  fc.oneof(
    fc.record<Change>({ day: daysFrom('2026-07-01', 540), coverage: coverages }),
    fc.record<Change>({ day: daysFrom('2026-07-01', 540), settings }),
  ),
  { maxLength: 6 },
)
/** Days between two checks of the worker: usually one, sometimes more after downtime. */
const gaps = fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 45 })), {
  minLength: 10,
  maxLength: 30,
})

/** From the summer of 2026 until the first statement of 2028. */
function booksOf(begun: Required<Omit<Change, 'day'>>, changing: Change[], waits: number[]): [Books, Coverage] {
  const books = new Books()
  let { coverage, settings: current } = begun
  let reported = '2026-06-14'
  for (let turn = 0; (books.last_end ?? '') < '2028-01-01'; turn++) {
    const day = addDays(reported, waits[turn % waits.length]!)
    for (const change of changing.filter((one) => reported < one.day && one.day <= day)) {
      coverage = change.coverage ?? coverage
      current = change.settings ?? current
    }
    books.check(day, coverage, current)
    reported = day
  }
  return [books, coverage]
}

describe('statement by statement', () => {
  const begins = fc.record({ coverage: coverages, settings })

  it('all amounts balance even if employees, prices and paydays change retroactively', () => {
    fc.assert(
      fc.property(begins, changes, gaps, (begun, changing, waits) => {
        const [books, coverage] = booksOf(begun, changing, waits)
        for (const [index, { period, differences }] of books.statements.entries()) {
          expect(differences).toEqual(period.skipped ? [] : [0, 0])
          expect(period.start <= period.end).toBe(true)
          const before = books.statements[index - 1]
          if (before) expect(period.start).toBe(addDays(before.period.end, 1))
        }
        expect(books.collected(2027)).toBe(costOf(coverage, 2027))
        const taken = books.statements.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'deduction'))
        expect(taken.every(({ amount_in_cents }) => amount_in_cents > 0)).toBe(true)
      }),
      { numRuns: caseCount(25) },
    )
  })

  it('only the first statement has corrections if nothing changes', () => {
    fc.assert(
      fc.property(begins, gaps, (begun, waits) => {
        const [books] = booksOf(begun, [], waits)
        // The fifth paycheck of a month may have no deduction, even the first of all.
        const first = books.statements.findIndex(({ period }) => !period.skipped)
        const others = books.statements.filter((_, at) => at !== first).flatMap(({ lines }) => lines)
        expect(others.filter(({ kind }) => kind === 'correction')).toEqual([])
        expect(books.collected(2027)).toBe(costOf(begun.coverage, 2027))
      }),
      { numRuns: caseCount(15) },
    )
  })
})

describe('a late election', () => {
  // Five months at 12.00 with biweekly pay. Three of them are post-tax because of an election in October.
  const coverage: Coverage = {
    coverage_start: '2026-08-01',
    coverage_end: null,
    lapses: [],
    elections: [{ effective_on: '-infinity', employee_deduction_in_cents: 1_200, elected_on: '2026-10-15' }],
  }
  const calendar: PayCalendar = { pay_frequency: 'bi_weekly', first_pay_date: null }
  const known = {
    calendar,
    coverage,
    year: 2026,
    category: 'Medical' as const,
    method: 'annualized' as const,
    final_deductions: 'collect' as const,
    first_open_month: '-infinity',
    hired_on: '2020-01-01',
    last_day: null,
    arrivals: [],
    billed: [],
    booked_in_cents: 0,
    lines: { deductions_in_cents: 0, corrections_in_cents: 0, manual_adjustments_in_cents: 0, arrears_in_cents: 0 },
    taken: { taken_in_cents: null, shortfall_in_cents: 0 },
    balances: [],
  }
  it.each([
    // The last day, the amount as one schedule, and as separate pre-tax and post-tax schedules.
    ['2026-08-26', 1_090, 1_200],
    ['2026-10-21', 3_272, 3_600],
    ['2026-11-04', 3_818, 4_080],
    ['2026-11-18', 4_363, 4_560],
    ['2026-12-02', 4_909, 5_040],
    ['2026-12-16', 5_454, 5_520],
    ['2026-12-31', 6_000, 6_000],
  ])('is scheduled through %s for %i cents as one, and for %i separately', (last_end, as_one, separate) => {
    const periods = payPeriods(calendar, 2026)
    const stated = periods.filter(({ end }) => end <= last_end).length
    expect(sum(scheduleOf(chargedMonths(coverage, 2026), periods, 'annualized').slice(0, stated))).toBe(as_one)
    expect(proofOf({ ...known, last_end })).toMatchObject({
      due_in_cents: 6_000,
      scheduled_in_cents: separate,
    })
  })
})
