import type { Day } from '../../../kernel/days.ts'
import type { correction_reasons } from '../../../kernel/deduction-lines.ts'
import type { PayPeriod } from '../../../kernel/pay-calendar.ts'
import {
  chargedMonths,
  chargeOn,
  sumOfDeductions,
  firstDaysOfMonths,
  partnersDueFor,
  partnersScheduleOf,
  proportionOf,
  scheduleOf,
  sumOfAmounts,
  type Charge,
  type Coverage,
  type DeductionMethod,
  type Terms,
  tax_classifications,
  taxOf,
  type TaxClassification,
  type TaxedElection,
  type TaxFacts,
} from './rules.ts'

/**
 * The terms in force starting on a day, and how they were elected. `follows`: they follow from the end of a dependent's
 * coverage, not from an election. `is_unbilled`: no invoice bills them, so payroll uses the facts instead.
 * `premium_in_cents`: the monthly premium, where known.
 */
export type ElectedTerms = Terms &
  TaxedElection & { follows?: boolean; is_unbilled?: boolean; premium_in_cents?: number | null }

type LineKind = 'deduction' | 'correction' | 'manual_adjustment' | 'arrears'

export type CorrectionReason = (typeof correction_reasons)[number]

/**
 * A line of a statement. The amount is signed and never 0. `year` is the year to which it counts. Corrections have a
 * reason.
 */
export type Line = {
  kind: LineKind
  year: number
  amount_in_cents: number
  tax_classification: TaxClassification
  reason?: CorrectionReason
}

/**
 * The sums of all lines of an enrollment by year and tax: scheduled amounts, manual adjustments, and arrears.
 * `taxed_months`: the closed months with this tax, with January in the lowest bit.
 */
export type DeductionBalance = {
  year: number
  tax_classification: TaxClassification
  collected_in_cents: number
  adjusted_in_cents: number
  arrears_in_cents: number
  taxed_months: number
}

/** The sum of the operator's manual adjustments. */
export type ManualAdjustmentSum = { year: number; tax_classification: TaxClassification; amount_in_cents: number }

/**
 * An enrollment with its balances. `billed`: the employee's share that invoices billed for months outside the
 * correction window. `shortfall_in_cents`: how much less payroll reported as deducted than statements requested.
 */
export type Deducted = Omit<TaxFacts, 'coverage_start'> & {
  coverage: Coverage<ElectedTerms>
  last_day: Day | null
  balances: DeductionBalance[]
  billed: [month: Day, cents: number][]
  booked: ManualAdjustmentSum[]
  shortfall_in_cents: number
}

export type FinalDeductions = 'collect' | 'waive'

/** The basis of a statement: its period, which may be extended, all periods of its year, and the settings. */
export type Payroll = {
  period: PayPeriod
  periods: PayPeriod[]
  method: DeductionMethod
  /** The first month that an invoice may still bill. For earlier months, the due amount is the billed amount. */
  first_open_month: Day
  final_deductions: FinalDeductions
  arrears_limit_percent: number
}

/** The facts that determine the amounts due in a year, and their tax. */
export type DueFacts = Pick<Deducted, 'coverage' | 'category' | 'hired_on' | 'arrivals' | 'billed'> & {
  balances: Pick<DeductionBalance, 'year' | 'tax_classification' | 'taxed_months'>[]
}

export type ChargesByTax = Record<TaxClassification, Charge[]>

type TaxedCharge = Charge & { tax: TaxClassification }

/**
 * The charged months of a year by tax. Months within the correction window follow from the facts. Earlier months use
 * the billed amounts, with the tax that was recorded when they closed.
 */
export function chargesByTax(facts: DueFacts, year: number, first_open_month: Day): ChargesByTax {
  const charges: ChargesByTax = { 'Pre-tax': [], 'Post-tax': [] }
  const taxed = [...billedCharges(facts, year, first_open_month), ...chargesByFacts(facts, year, first_open_month)]
  for (const { tax, month, election } of taxed) charges[tax].push({ month, election })
  for (const tax of tax_classifications) charges[tax].sort((a, b) => (a.month < b.month ? -1 : 1))
  return charges
}

/** The months that follow from the facts: those within the correction window, and those that no invoice bills. */
const chargesByFacts = (facts: DueFacts, year: number, first_open_month: Day): TaxedCharge[] =>
  chargedMonths(facts.coverage, year).flatMap(({ month, election }) => {
    if (month >= first_open_month) return [{ month, election, tax: taxByFacts(facts, month, election) }]
    return election.is_unbilled ? [{ month, election, tax: closedTaxOf(facts, month, election) }] : []
  })

/** The billed months before the correction window. */
const billedCharges = (facts: DueFacts, year: number, first_open_month: Day): TaxedCharge[] =>
  firstDaysOfMonths(year).flatMap((month) => {
    const billed_in_cents = month < first_open_month ? billedFor(facts.billed, month) : 0
    if (billed_in_cents === 0) return []
    const charged = chargeOn(facts.coverage, month)
    const share = Math.max(0, Math.min(charged?.domestic_partner_share_in_cents ?? 0, billed_in_cents))
    const election = {
      effective_on: month,
      employee_deduction_in_cents: billed_in_cents,
      domestic_partner_share_in_cents: share,
    }
    return [{ month, election, tax: closedTaxOf(facts, month, charged) }]
  })

function taxByFacts(due_facts: DueFacts, month: Day, charged: ElectedTerms | undefined): TaxClassification {
  const { coverage, category, hired_on, arrivals } = due_facts
  const facts = { category, coverage_start: coverage.coverage_start, hired_on, arrivals }
  return taxOf(facts, month, charged ? termsChargedFor(coverage, charged) : elected_in_time)
}

/**
 * The tax of a month outside the correction window: the tax that was recorded when the month closed, or until then by
 * the facts.
 */
const closedTaxOf = (facts: DueFacts, month: Day, charged: ElectedTerms | undefined): TaxClassification =>
  notedTaxOf(facts, month) ?? taxByFacts(facts, month, charged)

const bitOf = (month: Day): number => 1 << (Number(month.slice(5, 7)) - 1)

function notedTaxOf({ balances }: DueFacts, month: Day): TaxClassification | undefined {
  const year = Number(month.slice(0, 4))
  return balances.find((balance) => balance.year === year && (balance.taxed_months & bitOf(month)) !== 0)
    ?.tax_classification
}

/** The closed months of the years that a statement covers, by tax, as stored in balances. */
export function closedMonthsOf(payroll: Payroll, deducted: Deducted): ClosedMonths[] {
  const { coverage, billed } = deducted
  const is_perhaps_unbilled = coverage.elections.some(({ is_unbilled }) => is_unbilled)
  const isCharged = (month: Day) =>
    billedFor(billed, month) !== 0 || (is_perhaps_unbilled && (chargeOn(coverage, month)?.is_unbilled ?? false))
  return [payroll.period.year, ...yearsBefore(payroll, deducted)].map((year) => {
    const taxed = { 'Pre-tax': 0, 'Post-tax': 0 }
    for (const month of firstDaysOfMonths(year)) {
      if (month >= payroll.first_open_month) break
      const noted = notedTaxOf(deducted, month)
      if (noted) taxed[noted] |= bitOf(month)
      else if (isCharged(month)) taxed[taxByFacts(deducted, month, chargeOn(coverage, month))] |= bitOf(month)
    }
    return { year, taxed }
  })
}

/** The closed months of a year as a bit mask, with January in the lowest bit. */
export type ClosedMonths = { year: number; taxed: Record<TaxClassification, number> }

/**
 * The actual election behind terms: the terms themselves, or the latest election before them if they follow from the
 * end of a dependent's coverage.
 */
function termsChargedFor({ elections }: Coverage<ElectedTerms>, election: ElectedTerms): ElectedTerms {
  if (!election.follows) return election
  const made = elections.filter(({ follows, effective_on }) => !follows && effective_on < election.effective_on)
  return made.sort((a, b) => (a.effective_on < b.effective_on ? 1 : -1))[0] ?? election
}

/** A billed month without an election is taxed as if it had been elected in time. */
const elected_in_time: TaxedElection = { elected_on: '-infinity' }

function billedFor(billed: Deducted['billed'], month: Day): number {
  let sum = 0
  for (const [billed_month, cents] of billed) if (billed_month === month) sum += cents
  return sum
}

/** The sum of months by tax. The domestic partner's share of pre-tax months is post-tax. */
export function dueByTax({ 'Pre-tax': timely, 'Post-tax': late }: ChargesByTax): Record<TaxClassification, number> {
  const partners = partnersDueFor(timely)
  return { 'Pre-tax': sumOfDeductions(timely) - partners, 'Post-tax': sumOfDeductions(late) + partners }
}

/** The schedule of months by tax. In each period, both parts add up to the schedule of the whole. */
export function schedulesByTax(
  { 'Pre-tax': timely, 'Post-tax': late }: ChargesByTax,
  periods: PayPeriod[],
  method: DeductionMethod,
): Record<TaxClassification, number[]> {
  const whole = scheduleOf(timely, periods, method)
  const after = scheduleOf(late, periods, method)
  if (partnersDueFor(timely) === 0) return { 'Pre-tax': whole, 'Post-tax': after }
  const partners = partnersScheduleOf(timely, periods, method)
  return {
    'Pre-tax': whole.map((cents, index) => cents - partners[index]!),
    'Post-tax': after.map((cents, index) => cents + partners[index]!),
  }
}

/** The calculated amount of a line, before limits apply. */
type Owed = Omit<Line, 'kind' | 'reason'>

/**
 * The lines of an enrollment in a statement, by the current facts: the scheduled amount of the period, the difference
 * between earlier due and collected amounts, manual adjustments, and payroll shortfalls. The last paycheck collects
 * everything that is still due; after it, there are only refunds.
 */
export function deductionLinesFor(payroll: Payroll, deducted: Deducted): Line[] {
  const { period, final_deductions } = payroll
  const { last_day } = deducted
  const is_last = last_day !== null && period.start <= last_day && last_day <= period.end
  const collects_rest = is_last && final_deductions === 'collect'
  if (period.skipped && !collects_rest) return []
  const is_over = last_day !== null && last_day < period.start
  const { deductions, corrections, reasonOf } = scheduledLines(payroll, deducted, collects_rest || is_over)
  const by_hand = bookedLines(deducted)
  const corrected = (owed: Owed[]) =>
    linesOfKind('correction', owed).map((line) => ({ ...line, reason: reasonOf(line.year) }))
  const lines: Line[] = is_over
    ? [...corrected(refunds([...deductions, ...corrections])), ...linesOfKind('manual_adjustment', refunds(by_hand))]
    : [...linesOfKind('deduction', deductions), ...corrected(corrections), ...linesOfKind('manual_adjustment', by_hand)]
  return [...lines, ...arrearsLines(payroll, deducted, lines)]
}

/**
 * The scheduled amount of the period (with `whole`, of all later periods of the year too), and the corrections with
 * their reasons.
 */
function scheduledLines(payroll: Payroll, deducted: Deducted, whole: boolean) {
  const { period, periods, method, first_open_month } = payroll
  const { year, number } = period
  const schedules = schedulesByTax(chargesByTax(deducted, year, first_open_month), periods, method)
  const earlier_years = yearsBefore(payroll, deducted).map((earlier_year) => ({
    earlier_year,
    due: dueByTax(chargesByTax(deducted, earlier_year, first_open_month)),
  }))
  const deductions: Owed[] = []
  const corrections: Owed[] = []
  for (const tax_classification of tax_classifications) {
    const schedule = schedules[tax_classification]
    const due_now = whole ? sumOfAmounts(schedule.slice(number - 1)) : (schedule[number - 1] ?? 0)
    deductions.push({ year, tax_classification, amount_in_cents: due_now })
    const due_before = sumOfAmounts(schedule.slice(0, number - 1))
    const collected = collectedOf(deducted, year, tax_classification)
    corrections.push({ year, tax_classification, amount_in_cents: due_before - collected })
    for (const { earlier_year, due } of earlier_years) {
      const amount_in_cents = due[tax_classification] - collectedOf(deducted, earlier_year, tax_classification)
      corrections.push({ year: earlier_year, tax_classification, amount_in_cents })
    }
  }
  const reasonOf = (corrected_year: number): CorrectionReason => {
    const of_year = corrections.filter((correction) => correction.year === corrected_year)
    const taken = tax_classifications.map((tax) => collectedOf(deducted, corrected_year, tax))
    const due = of_year.map(
      ({ tax_classification: tax, amount_in_cents }) => amount_in_cents + collectedOf(deducted, corrected_year, tax),
    )
    if (taken.every((cents) => cents === 0)) return 'not_deducted_before'
    if (due.every((cents) => cents === 0)) return 'no_longer_due'
    return amountOf(of_year) === 0 ? 'tax_classification_changed' : 'amount_changed'
  }
  return { deductions, corrections: corrections.toSorted((a, b) => b.year - a.year), reasonOf }
}

/**
 * The earlier years to compare: the previous one, and older ones outside the correction window, because an invoice that
 * billed them may have been voided.
 */
function yearsBefore({ period: { year }, first_open_month }: Payroll, { balances }: Deducted): number[] {
  const closed = balances.filter((balance) => balance.year < year - 1 && `${balance.year}-12-01` < first_open_month)
  return [...new Set([year - 1, ...closed.map((balance) => balance.year)])]
}

const collectedOf = ({ balances }: Deducted, year: number, tax: TaxClassification): number =>
  balances.find((balance) => balance.year === year && balance.tax_classification === tax)?.collected_in_cents ?? 0

/** The manual adjustments that are in no statement yet. */
function bookedLines({ booked, balances }: Deducted): Owed[] {
  if (booked.length === 0) return []
  return booked.map(({ year, tax_classification, amount_in_cents }) => {
    const before = balances.find(
      (balance) => balance.year === year && balance.tax_classification === tax_classification,
    )
    return { year, tax_classification, amount_in_cents: amount_in_cents - (before?.adjusted_in_cents ?? 0) }
  })
}

/** The refunds of years in which less is due than was collected. Never more than the excess, and never a charge. */
function refunds(owed: Owed[]): Owed[] {
  return [...new Set(owed.map(({ year }) => year))].flatMap((year) => {
    const of_year = owed.filter((line) => line.year === year)
    let still_to_refund = amountOf(of_year)
    return tax_classifications.map((tax_classification) => {
      const net = amountOf(of_year.filter((line) => line.tax_classification === tax_classification))
      const amount_in_cents = still_to_refund < 0 ? Math.min(0, Math.max(still_to_refund, net)) : 0
      still_to_refund -= amount_in_cents
      return { year, tax_classification, amount_in_cents }
    })
  })
}

/** The lines of a kind. Amounts of 0 get no line. */
const linesOfKind = (kind: LineKind, owed: Owed[]): Line[] =>
  owed.filter(({ amount_in_cents }) => amount_in_cents !== 0).map((line) => ({ kind, ...line }))

/**
 * Collects payroll shortfalls again, up to a percentage of the regular deduction plus the refunds of the statement.
 * Excess deductions are refunded immediately. The amount has the same tax as the regular deduction.
 */
function arrearsLines(payroll: Payroll, deducted: Deducted, lines: Line[]): Line[] {
  const { balances, shortfall_in_cents } = deducted
  const outstanding = shortfall_in_cents - sumOfAmounts(balances.map(({ arrears_in_cents }) => arrears_in_cents))
  if (outstanding === 0) return []
  const regular = lines.filter(({ kind }) => kind === 'deduction')
  const refunded = -sumOfAmounts(lines.map(({ amount_in_cents }) => Math.min(0, amount_in_cents)))
  const limit = Math.floor((amountOf(regular) * payroll.arrears_limit_percent) / 100) + refunded
  const amount_in_cents = Math.min(outstanding, limit)
  const after_tax = afterTaxOf(amount_in_cents, deducted, regular)
  const { year } = payroll.period
  return linesOfKind('arrears', [
    { year, tax_classification: 'Pre-tax', amount_in_cents: amount_in_cents - after_tax },
    { year, tax_classification: 'Post-tax', amount_in_cents: after_tax },
  ])
}

/** The post-tax part of an amount: in proportion to the regular deduction, or else to all earlier deductions. */
function afterTaxOf(amount: number, { balances, category }: Deducted, regular: Line[]): number {
  const taken = balances.map((balance) => ({ ...balance, amount_in_cents: Math.max(0, balance.collected_in_cents) }))
  const weights = regular.length > 0 ? regular : taken
  const after_tax = amountOf(weights.filter(({ tax_classification }) => tax_classification === 'Post-tax'))
  const whole = amountOf(weights)
  if (whole === 0) return category === 'Hospital' ? amount : 0
  return proportionOf(amount, after_tax, whole)
}

const amountOf = (lines: Pick<Line, 'amount_in_cents'>[]): number =>
  sumOfAmounts(lines.map(({ amount_in_cents }) => amount_in_cents))
