import type { Day } from '../../../kernel/days.ts'
import { payPeriods, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import {
  chargesByTax,
  type DueFacts,
  type FinalDeductions,
  schedulesByTax,
  type Deducted,
  type Line,
  type Payroll,
} from './line-rules.ts'
import {
  sumOfDeductions,
  scheduleOf,
  sumOfAmounts,
  type DeductionMethod,
  tax_classifications,
  type TaxClassification,
} from './rules.ts'

/** The sums of the lines of an enrollment in a year, by kind. */
type Collected = {
  deductions_in_cents: number
  corrections_in_cents: number
  manual_adjustments_in_cents: number
  arrears_in_cents: number
}

/**
 * The amounts that payroll reported for an enrollment and the statements of a year. `taken_in_cents` is null without a
 * report.
 */
type PayrollReport = { taken_in_cents: number | null; shortfall_in_cents: number }

/**
 * The proof of an enrollment for a year. `due`: the sum of the charged months of the year. `scheduled`: the part of it
 * in periods with a statement; after the last paycheck, at most the collected amount. `collected` includes
 * `corrections`. `difference`: scheduled − collected, which the next statement corrects if it still can.
 * `manual_adjustments`: booked by the operator. `requested`: everything that statements requested, with arrears counted
 * again. `outstanding`: the amount that payroll has not deducted yet, or that was never requested.
 */
type Proof = {
  due_in_cents: number
  scheduled_in_cents: number
  collected_in_cents: number
  corrections_in_cents: number
  difference_in_cents: number
  manual_adjustments_in_cents: number
  arrears_in_cents: number
  requested_in_cents: number
  taken_in_cents: number | null
  outstanding_in_cents: number
  waived_in_cents: number
}

type ProofFacts = DueFacts & {
  calendar: PayCalendar
  method: DeductionMethod
  final_deductions: FinalDeductions
  first_open_month: Day
  year: number
  last_day: Day | null
  /** The last day of the employer's latest statement. */
  last_end: Day | null
  lines: Collected
  taken: PayrollReport
  /** The manual adjustments for the year. */
  booked_in_cents: number
}

/** Calculates the proof of an enrollment for a year by the current facts. */
export function proofOf({ calendar, method, year, last_day, last_end, lines, taken, ...one }: ProofFacts): Proof {
  const charges = chargesByTax(one, year, one.first_open_month)
  const due_in_cents = sumOfAmounts(tax_classifications.map((tax) => sumOfDeductions(charges[tax])))
  const periods = payPeriods(calendar, year)
  const stated = periods.filter(({ end }) => last_end !== null && end <= last_end).length
  const schedules = tax_classifications.map((tax) => scheduleOf(charges[tax], periods, method))
  const is_over = last_day !== null && last_end !== null && last_day <= last_end
  const by_schedule = is_over
    ? due_in_cents
    : sumOfAmounts(schedules.map((schedule) => sumOfAmounts(schedule.slice(0, stated))))
  const collected_in_cents = lines.deductions_in_cents + lines.corrections_in_cents
  const uncollected = is_over ? Math.max(0, by_schedule - collected_in_cents) : 0
  const waived_in_cents = one.final_deductions === 'waive' ? uncollected : 0
  const scheduled_in_cents = by_schedule - uncollected
  const difference_in_cents = scheduled_in_cents - collected_in_cents
  const unbooked = one.booked_in_cents - lines.manual_adjustments_in_cents
  return {
    due_in_cents,
    scheduled_in_cents,
    collected_in_cents,
    corrections_in_cents: lines.corrections_in_cents,
    difference_in_cents,
    manual_adjustments_in_cents: one.booked_in_cents,
    arrears_in_cents: lines.arrears_in_cents,
    requested_in_cents: collected_in_cents + lines.manual_adjustments_in_cents + lines.arrears_in_cents,
    taken_in_cents: taken.taken_in_cents,
    outstanding_in_cents:
      difference_in_cents +
      uncollected -
      waived_in_cents +
      unbooked +
      taken.shortfall_in_cents -
      lines.arrears_in_cents,
    waived_in_cents,
  }
}

/** The input for the proof that an employee's deductions of a year are correct, with one entry per enrollment. */
export type YearFacts = Pick<
  ProofFacts,
  'calendar' | 'method' | 'last_end' | 'last_day' | 'final_deductions' | 'first_open_month' | 'hired_on' | 'arrivals'
> & {
  enrollments: (Omit<ProofFacts, keyof Omit<YearFacts, 'enrollments'> | 'year'> & {
    enrollment_id: string
    benefit_name: string
    /** The employer's share of each month before `first_open_month`, as invoices billed it. */
    billed_contributions_in_cents: number[]
  })[]
}

const no_proof: Proof = {
  due_in_cents: 0,
  scheduled_in_cents: 0,
  collected_in_cents: 0,
  corrections_in_cents: 0,
  difference_in_cents: 0,
  manual_adjustments_in_cents: 0,
  arrears_in_cents: 0,
  requested_in_cents: 0,
  taken_in_cents: null,
  outstanding_in_cents: 0,
  waived_in_cents: 0,
}

const columns = Object.keys(no_proof) as (keyof Proof)[]

const plus = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0)

/** The proof of an employee's year: for each enrollment that was charged or collected in it, and in total. */
export function proveYear({ enrollments, ...facts }: YearFacts, year: number) {
  const proofs = enrollments
    .map(({ enrollment_id, benefit_name, ...one }) => ({
      enrollment_id,
      benefit_name,
      ...proofOf({ ...facts, ...one, year }),
    }))
    .filter((proof) => columns.some((column) => proof[column] !== no_proof[column]))
  const total: Record<keyof Proof, number | null> = { ...no_proof }
  for (const proof of proofs) for (const column of columns) total[column] = plus(total[column], proof[column])
  return { through: facts.last_end, enrollments: proofs, ...total }
}

/** The pay periods that a correction covers: the first day of the first one, and the last day of the last one. */
export type CorrectedPeriod = { corrected_period_start_date: Day; corrected_period_end_date: Day }

/**
 * An amount that an earlier statement collected for an enrollment, with its days. For a deduction, these are its own
 * pay period; for a correction, the corrected pay periods.
 */
export type CollectedLine = {
  year: number
  tax_classification: TaxClassification
  amount_in_cents: number
  start_date: Day
  end_date: Day
}

/** Adds the corrected pay periods to the corrections among the lines of an enrollment. */
export const withCorrectedPeriods = <Row extends Line>(
  payroll: Payroll,
  deducted: Deducted,
  lines: Row[],
  taken: CollectedLine[],
): (Row & Partial<CorrectedPeriod>)[] =>
  lines.map((line) =>
    line.kind === 'correction' ? { ...line, ...correctedPeriod(payroll, deducted, line.year, taken) } : line,
  )

/**
 * The earlier pay periods of a year whose due amounts differ from the collected ones. A correction of an earlier year
 * covers that whole year.
 */
function correctedPeriod(payroll: Payroll, deducted: Deducted, year: number, taken: CollectedLine[]): CorrectedPeriod {
  const { period, periods, method, first_open_month } = payroll
  const earlier = periods.slice(0, period.number - 1)
  if (year !== period.year || earlier.length === 0)
    return { corrected_period_start_date: `${year}-01-01`, corrected_period_end_date: `${year}-12-31` }
  const due = schedulesByTax(chargesByTax(deducted, year, first_open_month), periods, method)
  const owed = earlier.map((_, index) => ({
    'Pre-tax': due['Pre-tax'][index] ?? 0,
    'Post-tax': due['Post-tax'][index] ?? 0,
  }))
  const indexOf = (day: Day) => {
    const index = earlier.findIndex(({ end }) => end >= day)
    return index === -1 ? earlier.length - 1 : index
  }
  // An earlier correction of several periods has one amount for all of them, so they are compared as one span.
  const is_joined = earlier.map(() => false)
  for (const line of taken.filter((collected) => collected.year === year)) {
    const [first, last] = [indexOf(line.start_date), indexOf(line.end_date)]
    owed[first]![line.tax_classification] -= line.amount_in_cents
    is_joined.fill(true, first, last)
  }
  const differing = spansOf(is_joined).filter(([first, last]) =>
    tax_classifications.some((tax) => owed.slice(first, last + 1).reduce((sum, cents) => sum + cents[tax], 0) !== 0),
  )
  const [first] = differing[0] ?? [0]
  const [, last] = differing.at(-1) ?? [0, earlier.length - 1]
  return { corrected_period_start_date: earlier[first]!.start, corrected_period_end_date: earlier[last]!.end }
}

/** The ranges of periods, by index, whose sums are compared. */
function spansOf(is_joined: boolean[]): [first: number, last: number][] {
  const spans: [number, number][] = []
  is_joined.forEach((_, index) => {
    if (index > 0 && is_joined[index - 1]) spans.at(-1)![1] = index
    else spans.push([index, index])
  })
  return spans
}
