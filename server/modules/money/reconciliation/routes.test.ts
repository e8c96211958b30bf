import { expect, it } from 'vitest'
import { createCoveredEmployer, importCatalog } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import fc from 'fast-check'
import { addDays, type Day } from '../../../kernel/days.ts'
import { payPeriods, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import {
  invoiceLinesFor as invoiceLines,
  monthOf,
  type InvoiceLineDraft as InvoiceLine,
  type Priced,
} from '../billing/rules.ts'
import {
  closedMonthsOf,
  deductionLinesFor as statementLines,
  type Deducted,
  type Line as StatementLine,
  type Payroll,
} from '../deductions/line-rules.ts'
import { partial_month_rules } from '../../directory/catalog/schemas.ts'
import {
  duePeriodsThrough,
  type Coverage,
  type DeductionMethod,
  tax_classifications,
  type TaxClassification,
} from '../deductions/rules.ts'
import { caseCount } from '../../../test/case-count.ts'

// After every invoice, the tests of billing histories check that the reconciliation agrees with the lines.
const api = useApi()
const operator = () => ({ key: api.operator_key })

it("compares the employees' share with their deductions", async () => {
  const bakery = await createCoveredEmployer(api, await importCatalog(api))
  await api.put(`/v1/employers/${bakery}/settings`, { pay_frequency: 'monthly' })
  await api.post(`/operator/v1/employers/${bakery}/invoices/run`, {}, operator())
  await api.work()
  const proof = async () => (await api.get(`/v1/employers/${bakery}/invoices/INV-000001/reconciliation`)).body.data
  const { differences: validation_worker, ...deductions } = (await proof()).deductions
  expect(deductions).toEqual({
    year: 2026,
    through: null,
    billed_in_cents: 3_600,
    manual_adjustments_in_cents: 0,
    collected_in_cents: 0,
    difference_in_cents: 3_600,
    difference_count: validation_worker.length,
  })
  expect(validation_worker.reduce((sum, one) => sum + one.difference_in_cents, 0)).toBe(3_600)
  await api.post(`/operator/v1/employers/${bakery}/payroll-deduction-statements/run`, {}, operator())
  await api.work()
  expect(await proof()).toMatchObject({
    months: ['2025-12', '2026-01', '2026-02', '2026-03'],
    due: { premium_in_cents: 9_600, employer_contribution_in_cents: 6_000, employee_deduction_in_cents: 3_600 },
    billed: { premium_in_cents: 9_600 },
    difference_count: 0,
    deductions: {
      through: '2026-03-31',
      billed_in_cents: 3_600,
      collected_in_cents: 3_600,
      difference_in_cents: 0,
      difference_count: 0,
      differences: [],
    },
  })
  const more = 'update invoice_lines set premium_in_cents = premium_in_cents + 700, employer_contribution_in_cents ='
  await api.database.pool.query(`${more} employer_contribution_in_cents + 700`)
  const { data: lines } = (await api.get(`/v1/employers/${bakery}/invoices/INV-000001/lines`)).body
  const named = <Named extends { employee_name: string; benefit_name: string; month: string }>(all: Named[]) =>
    all.map(({ employee_name, benefit_name, month }) => [employee_name, benefit_name, month].join()).toSorted()
  const { differences, deductions: agreeing } = await proof()
  expect(named(differences)).toEqual(named(lines))
  expect(first(differences).difference).toMatchObject({ premium_in_cents: -700, employee_deduction_in_cents: 0 })
  expect(agreeing.differences).toEqual([])
  await api.database.pool.query('update deduction_balances set collected_in_cents = 3300')
  const { difference_count, differences: of_pay } = (await proof()).deductions
  const { employee_id, employee_name, enrollment_id, benefit_name } = first(lines)
  expect([difference_count, of_pay]).toEqual([
    1,
    [
      {
        employee_id,
        employee_name,
        enrollment_id,
        benefit_name,
        billed_in_cents: 3_600,
        manual_adjustments_in_cents: 0,
        collected_in_cents: 3_300,
        difference_in_cents: 300,
      },
    ],
  ])
  // A statement that is being written counts once it is complete.
  await api.database.pool.query('update deduction_statements set generated_at = null')
  await api.database.pool.query('update deduction_balances set collected_in_cents = 3600')
  expect((await proof()).deductions).toMatchObject({ through: null, collected_in_cents: 0, difference_in_cents: 3_600 })
})

it('is the same for a year with each of its invoices, if an employer left and returned', async () => {
  const catalog = await importCatalog(api)
  const shop = await createCoveredEmployer(api, catalog)
  await api.put(`/v1/employers/${shop}/settings`, { pay_frequency: 'monthly' })
  const subscriptions = `/operator/v1/employers/${shop}/subscriptions` as const
  const onDay = async (day: string) => {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }
  /** For each invoice, newest first: its month, and the billed and deducted cents with the difference. */
  const reported = async () => {
    const { data } = (await api.get(`/v1/employers/${shop}/invoices?include_drafts=true`)).body
    const proofs = data.map(async ({ invoice_id, period }) => {
      const path = `/v1/employers/${shop}/invoices/${invoice_id}/reconciliation` as const
      const { deductions, difference_count } = (await api.get(path)).body.data
      const { billed_in_cents, collected_in_cents, difference_in_cents } = deductions
      expect(difference_count).toBe(0)
      return [period, billed_in_cents, collected_in_cents, difference_in_cents]
    })
    return Promise.all(proofs)
  }
  // One employee, covered starting in January, whose share is 12.00 per month.
  for (const day of ['2026-03-11', '2026-04-01', '2026-05-01']) await onDay(day)
  await api.post(`${subscriptions}/end`, { ended_on: '2026-05-15' }, operator())
  await onDay('2026-06-01')
  const until_may = ['2026-05', '2026-04', '2026-03']
  expect(await reported()).toEqual(until_may.map((month) => [month, 6_000, 6_000, 0]))
  await api.post(subscriptions, { started_on: '2026-06-10' }, operator())
  // The invoice for June is drafted on the next day. The statement for June was written before, so July's statement
  // collects the amount too.
  await onDay('2026-06-11')
  expect(await reported()).toEqual(['2026-06', ...until_may].map((month) => [month, 7_200, 6_000, 1_200]))
  await onDay('2026-07-01')
  expect(await reported()).toEqual(['2026-07', '2026-06', ...until_may].map((month) => [month, 8_400, 8_400, 0]))
})

/**
 * One enrollment through two years, with retroactive changes, void invoices and manual adjustments. Payroll and
 * invoices correct differences independently, with the same correction window. In the end, both agree for each year,
 * and the employee's share is deducted exactly.
 */
type Known = Coverage<Priced & { elected_on: Day; domestic_partner_share_in_cents: number }>

const daysFrom = (first: Day, count: number) => fc.nat({ max: count - 1 }).map((nth) => addDays(first, nth))

const election = fc.tuple(daysFrom('2026-01-01', 500), fc.nat({ max: 90_000 }), daysFrom('2025-10-01', 500))
const coverages = fc
  .record({
    coverage_start: daysFrom('2025-12-01', 300),
    length: fc.option(fc.integer({ min: -1, max: 500 }), { nil: null }),
    administered_from: fc.option(daysFrom('2025-12-01', 400), { nil: null }),
    first: election,
    others: fc.uniqueArray(election, { maxLength: 3, selector: ([on]) => on }),
    enrolled: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
    partial_month_rule: fc.constantFrom(...partial_month_rules),
  })
  .map(({ coverage_start, length, administered_from, first, others, enrolled, partial_month_rule }): Known => ({
    coverage_start,
    coverage_end: length === null ? null : addDays(coverage_start, length),
    lapses: administered_from === null ? [] : [['-infinity', administered_from]],
    elections: (enrolled ? [['-infinity', first[1], first[2]] as const, ...others] : []).map(
      ([effective_on, employee_deduction_in_cents, elected_on]) => ({
        effective_on,
        elected_on,
        plan_name: 'Base',
        coverage_tier: 'EE' as const,
        partial_month_rule,
        premium_in_cents: employee_deduction_in_cents + 100,
        employer_contribution_in_cents: 100,
        employee_deduction_in_cents,
        // The domestic partner's share is nothing for a third of the elections, half for another third, and everything
        // for the rest.
        domestic_partner_share_in_cents: Math.floor(
          (employee_deduction_in_cents * (employee_deduction_in_cents % 3)) / 2,
        ),
      }),
    ),
  }))

const change = fc.record({
  day: daysFrom('2026-01-02', 700),
  coverage: fc.option(coverages, { nil: null }),
  voids: fc.option(fc.nat(2), { nil: null }),
  books: fc.option(
    fc.tuple(fc.integer({ min: -5_000, max: 5_000 }), fc.nat(12), fc.constantFrom(...tax_classifications)),
    {
      nil: null,
    },
  ),
})

const histories = fc.record({
  coverage: coverages,
  changes: fc.array(change, { maxLength: 12 }),
  window_months: fc.integer({ min: 0, max: 12 }),
  pay_frequency: fc.constantFrom<PayCalendar['pay_frequency']>('weekly', 'bi_weekly', 'semi_monthly', 'monthly'),
  first_pay_date: fc.option(daysFrom('2025-12-01', 40), { nil: null }),
  method: fc.constantFrom<DeductionMethod>('annualized', 'per_month'),
})

type Facts = typeof histories extends fc.Arbitrary<infer T> ? T : never
type Booked = { month: Day; tax_classification: TaxClassification; cents: number }

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
const yearOf = (day: Day) => Number(day.slice(0, 4))
const monthsBefore = (month: Day, months: number) => Temporal.PlainDate.from(month).subtract({ months }).toString()

/** The invoices and statements of an employer, day by day, as the service keeps them. */
class BothSides {
  readonly statements: { end: Day; lines: StatementLine[] }[] = []
  readonly invoices: { period: Day; lines: InvoiceLine[]; is_void: boolean }[] = []
  readonly booked: Booked[] = []
  readonly #facts: Facts
  readonly #closed = new Map<number, Record<TaxClassification, number>>()
  coverage: Known

  constructor(reported: Facts) {
    this.#facts = reported
    this.coverage = reported.coverage
  }

  live = (): InvoiceLine[] => this.invoices.filter(({ is_void }) => !is_void).flatMap(({ lines }) => lines)

  /** The monthly invoice, if there is anything to bill. */
  invoice(day: Day): void {
    const period = monthOf(day)
    if (this.invoices.some((one) => one.period === period)) return
    const amounts = (cents: number) => ({
      premium_in_cents: cents,
      employer_contribution_in_cents: 0,
      employee_deduction_in_cents: cents,
    })
    const lines = invoiceLines(period, this.#facts.window_months, {
      coverage: this.coverage,
      billed: this.live().filter(({ kind }) => kind !== 'manual_adjustment'),
      booked: this.booked.map(({ month, cents }) => ({ month, ...amounts(cents) })),
      billed_by_hand: this.live().filter(({ kind }) => kind === 'manual_adjustment'),
    })
    if (lines.length > 0) this.invoices.push({ period, lines, is_void: false })
  }

  /** The first month that an invoice may still bill. */
  firstOpen(day: Day): Day {
    const present = monthOf(day)
    const is_billed = this.invoices.some(({ period, is_void }) => period === present && !is_void)
    return monthsBefore(present, this.#facts.window_months - (is_billed ? 1 : 0))
  }

  balances = () => {
    const lines = this.statements.flatMap((one) => one.lines)
    const years = [...new Set(lines.map(({ year }) => year))]
    return years.flatMap((year) =>
      tax_classifications.map((tax_classification) => {
        const theirs = lines.filter((one) => one.year === year && one.tax_classification === tax_classification)
        const of = (...kinds: StatementLine['kind'][]) =>
          sum(theirs.filter(({ kind }) => kinds.includes(kind)).map(({ amount_in_cents }) => amount_in_cents))
        return {
          year,
          tax_classification,
          collected_in_cents: of('deduction', 'correction'),
          adjusted_in_cents: of('manual_adjustment'),
          arrears_in_cents: of('arrears'),
          taxed_months: this.#closed.get(year)?.[tax_classification] ?? 0,
        }
      }),
    )
  }

  /** The manual adjustments by year and tax, added up as in the database. */
  bookedSums = () => {
    const keys = new Map<string, { year: number; tax_classification: TaxClassification; amount_in_cents: number }>()
    for (const { month, tax_classification, cents } of this.booked) {
      const year = yearOf(month)
      const key = `${year} ${tax_classification}`
      const before = keys.get(key)?.amount_in_cents ?? 0
      keys.set(key, { year, tax_classification, amount_in_cents: before + cents })
    }
    return [...keys.values()]
  }

  state(day: Day): void {
    const { pay_frequency, first_pay_date, method } = this.#facts
    const calendar = { pay_frequency, first_pay_date }
    const last_end = this.statements.at(-1)?.end ?? null
    const due = { calendar, last_calendar: calendar, last_end, first_coverage_start: '2026-01-01', day }
    for (const period of duePeriodsThrough(due)) {
      const first_open_month = this.firstOpen(day)
      const billed = this.live()
        .filter(({ kind, month }) => kind !== 'manual_adjustment' && month < first_open_month)
        .map(({ month, employee_deduction_in_cents }): [Day, number] => [month, employee_deduction_in_cents])
      const payroll: Payroll = {
        period,
        periods: payPeriods(calendar, period.year),
        method,
        first_open_month,
        final_deductions: 'collect',
        arrears_limit_percent: 100,
      }
      const deducted: Deducted = {
        coverage: this.coverage,
        category: 'Medical',
        hired_on: '2020-01-01',
        arrivals: [],
        last_day: null,
        balances: this.balances(),
        billed,
        booked: this.bookedSums(),
        shortfall_in_cents: 0,
      }
      const lines = statementLines(payroll, deducted)
      for (const { year, taxed } of closedMonthsOf(payroll, deducted)) this.#closed.set(year, taxed)
      this.statements.push({ end: period.end, lines })
    }
  }

  requested = (year: number) =>
    sum(
      this.statements
        .flatMap(({ lines }) => lines.filter((one) => one.year === year))
        .map((one) => one.amount_in_cents),
    )

  billed = (year: number, by_hand: boolean) =>
    sum(
      this.live()
        .filter(({ kind, month }) => yearOf(month) === year && (kind === 'manual_adjustment') === by_hand)
        .map(({ employee_deduction_in_cents }) => employee_deduction_in_cents),
    )

  bookedFor = (year: number) => sum(this.booked.filter(({ month }) => yearOf(month) === year).map(({ cents }) => cents))
}

function live(reported: Facts): BothSides {
  const sides = new BothSides(reported)
  // After the last change, both sides correct once more, over the longest pay period.
  for (let day = '2026-01-01'; day < '2028-02-20'; day = addDays(day, 1)) {
    for (const { coverage, voids, books } of reported.changes.filter((one) => one.day === day)) {
      sides.coverage = coverage ?? sides.coverage
      const voided = voids === null ? undefined : sides.invoices.at(-1 - voids)
      if (voided) voided.is_void = true
      if (books) {
        const month = monthsBefore(monthOf(day), reported.window_months + 1 + books[1])
        sides.booked.push({ month, cents: books[0], tax_classification: books[2] })
      }
    }
    sides.state(day)
    sides.invoice(day)
  }
  return sides
}

it("requests the employees' share of invoices and manual adjustments from payroll, whatever was reported late", () => {
  const seen = { manual: 0, corrections: 0 }
  fc.assert(
    fc.property(histories, (reported) => {
      const sides = live(reported)
      for (const year of [2025, 2026, 2027]) {
        expect([year, sides.requested(year)]).toEqual([year, sides.billed(year, false) + sides.bookedFor(year)])
        expect([year, sides.billed(year, true)]).toEqual([year, sides.bookedFor(year)])
      }
      const lines = sides.statements.flatMap((one) => one.lines)
      seen.manual += lines.filter(({ kind }) => kind === 'manual_adjustment').length
      seen.corrections += lines.filter(({ kind }) => kind === 'correction').length
    }),
    { numRuns: caseCount(40, 40), seed: Number(process.env.HISTORIES_SEED ?? 20260310) },
  )
  expect(seen.manual).toBeGreaterThan(20)
  expect(seen.corrections).toBeGreaterThan(80)
})
