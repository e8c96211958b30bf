import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { payPeriods } from '../../../kernel/pay-calendar.ts'
import {
  dueByTax,
  deductionLinesFor,
  schedulesByTax,
  type ChargesByTax,
  type Deducted,
  type DeductionBalance,
  type ElectedTerms,
  type Payroll,
} from './line-rules.ts'
import {
  sumOfDeductions,
  firstDaysOfMonths,
  proportionOf,
  scheduleOf,
  sumOfAmounts,
  type Charge,
  type DeductionMethod,
  taxOf,
  type TaxedElection,
  type TaxFacts,
} from './rules.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'

describe('an election by a renewal', () => {
  const facts: TaxFacts = { category: 'Medical', coverage_start: '2027-01-01', hired_on: '2020-01-01', arrivals: [] }
  it.each<[string, Partial<TaxFacts>, string, TaxedElection, string]>([
    ['on the first day of coverage is pre-tax', {}, '2027-01-01', { elected_on: '2027-01-01' }, 'Pre-tax'],
    ['that is late is pre-tax from the first month on', {}, '2027-01-01', { elected_on: '2027-02-20' }, 'Pre-tax'],
    [
      'of a hospital plan is post-tax',
      { category: 'Hospital' },
      '2027-02-01',
      { elected_on: '2027-01-01' },
      'Post-tax',
    ],
    [
      'of coverage bought on an exchange is post-tax',
      {},
      '2027-02-01',
      { elected_on: '2027-01-01', bought_on_exchange: true },
      'Post-tax',
    ],
  ])('%s', (_, input, month, election, tax) => {
    expect(taxOf({ ...facts, ...input }, month, { ...election, is_carried: true })).toBe(tax)
  })

  it('differs from an election by the employee on the first day of coverage', () => {
    expect(taxOf(facts, '2027-01-01', { elected_on: '2027-01-01', is_carried: false })).toBe('Post-tax')
  })
})

type Known = Partial<Omit<Deducted, 'coverage'>> & { elections?: ElectedTerms[]; payroll?: Partial<Payroll> }

/** 100.00 per month, of which 30.00 are for a domestic partner, elected in time. */
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

/** The lines of a month of 2027, with monthly pay. */
function lines(month: number, { elections = [with_partner], payroll, ...known }: Known) {
  const coverage = { coverage_start: '2026-12-01', coverage_end: '2027-12-31', lapses: [], elections }
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
    ['is a separate post-tax line', 3, { balances: [...before, ...collected(2)] }, normal],
    [
      'is caught up in both lines, also for the previous year',
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
      'is moved to the cent if everything was pre-tax',
      3,
      { balances: [...before, balance('Pre-tax', 20_000)] },
      [...normal, ['correction', 2027, -6_000, 'Pre-tax'], ['correction', 2027, 6_000, 'Post-tax']],
    ],
    [
      'changes nothing if everything is post-tax',
      3,
      { category: 'Hospital', balances: [balance('Post-tax', 20_000), balance('Post-tax', 10_000, 0, 2026)] },
      [['deduction', 2027, 10_000, 'Post-tax']],
    ],
    [
      'may be the whole deduction',
      3,
      {
        elections: [{ ...with_partner, domestic_partner_share_in_cents: 10_000 }],
        balances: [balance('Post-tax', 20_000), balance('Post-tax', 10_000, 0, 2026)],
      },
      [['deduction', 2027, 10_000, 'Post-tax']],
    ],
    [
      'ends on the day on which the partner leaves',
      5,
      {
        elections: [with_partner, { ...with_partner, effective_on: '2027-05-01', domestic_partner_share_in_cents: 0 }],
        balances: [...before, ...collected(4)],
      },
      [['deduction', 2027, 10_000, 'Pre-tax']],
    ],
    [
      'is at most the billed amount for months outside the correction window',
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
      'is collected again in the same proportion',
      3,
      { balances: [...before, ...collected(2)], shortfall_in_cents: 1_001 },
      [...normal, ['arrears', 2027, 701, 'Pre-tax'], ['arrears', 2027, 300, 'Post-tax']],
    ],
    [
      'is refunded in the same proportion',
      3,
      { balances: [...before, ...collected(2)], shortfall_in_cents: -1_001 },
      [...normal, ['arrears', 2027, -701, 'Pre-tax'], ['arrears', 2027, -300, 'Post-tax']],
    ],
    [
      'is refunded after the last paycheck in the proportion in which it was collected',
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

  it("is taxed by the election that the end of a dependent's coverage continues", () => {
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

describe('a year with two taxes', () => {
  it('adds up to the cent in each, and in each period to the schedule of the whole', () => {
    fc.assert(
      fc.property(years, ({ months, runs, calendar, method }) => {
        const charges: ChargesByTax = { 'Pre-tax': [], 'Post-tax': [] }
        for (const [at, month] of firstDaysOfMonths(2027).entries()) {
          const { cents, percent, late } = months[Math.floor(at / runs) % months.length]!
          const share = Math.floor((cents * percent) / 100)
          const election = { effective_on: month, employee_deduction_in_cents: cents }
          const charge: Charge = { month, election: { ...election, domestic_partner_share_in_cents: share } }
          charges[late ? 'Post-tax' : 'Pre-tax'].push(charge)
        }
        const paydays = payPeriods(calendar, 2027)
        const sharded = schedulesByTax(charges, paydays, method)
        const due = dueByTax(charges)
        expect(sumOfAmounts(sharded['Pre-tax'])).toBe(due['Pre-tax'])
        expect(sumOfAmounts(sharded['Post-tax'])).toBe(due['Post-tax'])
        expect(due['Pre-tax'] + due['Post-tax']).toBe(sumOfDeductions([...charges['Pre-tax'], ...charges['Post-tax']]))
        const whole = [charges['Pre-tax'], charges['Post-tax']].map((some) => scheduleOf(some, paydays, method))
        const sums = sharded['Pre-tax'].map((cents, at) => cents + sharded['Post-tax'][at]!)
        expect(sums).toEqual(paydays.map((_, at) => whole[0]![at]! + whole[1]![at]!))
        expect([...sharded['Pre-tax'], ...sharded['Post-tax']].every((cents) => cents >= 0)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('is divided in whole cents rounded toward 0, for any product', () => {
    expect([proportionOf(1_001, 3_000, 10_000), proportionOf(-1_001, 3_000, 10_000), proportionOf(5, 0, 0)]).toEqual([
      300, -300, 0,
    ])
    expect(proportionOf(1_200_000_000_001, 900_000_000_000, 1_200_000_000_000)).toBe(900_000_000_000)
  })
})

describe('the tax of a closed month', () => {
  const api = useApi()

  async function onDay(day: string): Promise<void> {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }

  /** The lines of statements so far, oldest first: year, amount and tax. */
  const linesOf = async (employee_id: string) => {
    const { rows } = await api.database.pool.query(
      `select statement.period_start_date::text as month, line.kind, line.amount_in_cents::int, line.tax_classification
       from deduction_lines as line
       join deduction_statements as statement
         on statement.id = line.statement_id and statement.organization_id = line.organization_id
      where line.employee_id = $1
      order by statement.period_start_date, line.kind, line.tax_classification desc`,
      [employee_id],
    )
    return rows.map(({ month, kind, amount_in_cents, tax_classification }) => [
      month,
      kind,
      amount_in_cents,
      tax_classification,
    ])
  }

  /** An employee hired as of May 1, who elects on May 2, 2026, at an employer with this pay frequency. */
  async function hiredInMay(pay: Record<string, unknown>) {
    const catalog = await importCatalog(api)
    const employer_id = await createEmployer(api)
    await addPolicy(api, employer_id)
    await api.put(`/v1/employers/${employer_id}/settings`, pay)
    await openPlanYear(api, employer_id, catalog)
    await onDay('2026-05-02')
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-05-01' })
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
    const dental = pick(data, (row) => row.benefit.category === 'Dental')
    const election = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
    expect((await api.post(`/v1/enrollments/${dental.id}/elect`, election)).status).toBe(200)
    return { id, employer_id }
  }

  const reach = (employer_id: string, correction_reach_months: number) => {
    const path: string = `/operator/v1/employers/${employer_id}/administration`
    return api.patch(path, { correction_reach_months }, { key: api.operator_key })
  }

  /** After a hire in April, an election on May 2 is too late for the pre-tax deduction in May. */
  async function moveHire(id: string, effective_date: string): Promise<void> {
    const moved = await api.patch(`/v1/employees/${id}`, { effective_date, start_date: '2026-04-01' })
    expect(moved.status, moved.text).toBe(200)
  }

  it('a month outside the correction window keeps its tax even if the hire changes later', async () => {
    const { id, employer_id } = await hiredInMay({ pay_frequency: 'monthly' })
    await reach(employer_id, 1)
    for (const day of ['2026-06-02', '2026-07-02', '2026-08-02', '2026-09-02']) await onDay(day)
    const before = await linesOf(id)
    expect(new Set(before.map(([, , , tax]) => tax))).toEqual(new Set(['Pre-tax']))
    await moveHire(id, '2026-09-02')
    await onDay('2026-10-02')
    expect((await linesOf(id)).slice(before.length)).toEqual([['2026-10-01', 'deduction', 1_200, 'Pre-tax']])
  })

  it('a month that closes on a payday without deductions keeps its tax too', async () => {
    const pay = { pay_frequency: 'bi_weekly', first_pay_date: '2026-01-09', deductions_per_year: 24 }
    api.moveTo('2026-03-10')
    const { id, employer_id } = await hiredInMay(pay)
    await reach(employer_id, 12)
    for (const day of ['2026-06-02', '2026-07-02', '2026-08-02', '2026-09-02', '2026-10-04']) await onDay(day)
    const before = await linesOf(id)
    await reach(employer_id, 1)
    // The pay period that ends on the third payday of October.
    await onDay('2026-10-17')
    expect(await linesOf(id)).toEqual(before)
    await moveHire(id, '2026-10-17')
    await onDay('2026-10-31')
    const after = (await linesOf(id)).slice(before.length)
    expect(after.map(([, kind, , tax]) => [kind, tax])).toEqual([['deduction', 'Pre-tax']])
  })
})
