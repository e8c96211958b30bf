import type { Day } from '../../../kernel/days.ts'
import { chargesByTax, schedulesByTax, type Deducted, type Line, type Payroll } from './line-rules.ts'
import { tax_classifications, type TaxClassification } from './rules.ts'

/** The pay periods that a correction covers: the first day of the first one, and the last day of the last one. */
export type CorrectedPeriod = { corrected_period_start_date: Day; corrected_period_end_date: Day }

/**
 * An amount that an earlier statement collected for an enrollment, with its days. For a deduction, these are its own
 * pay period; for a correction, the corrected pay periods.
 */
export type TakenLine = {
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
  taken: TakenLine[],
): (Row & Partial<CorrectedPeriod>)[] =>
  lines.map((line) =>
    line.kind === 'correction' ? { ...line, ...correctedPeriod(payroll, deducted, line.year, taken) } : line,
  )

/**
 * The earlier pay periods of a year whose due amounts differ from the collected ones. A correction of an earlier year
 * covers that whole year.
 */
function correctedPeriod(payroll: Payroll, deducted: Deducted, year: number, taken: TakenLine[]): CorrectedPeriod {
  const { period, periods, method, first_open_month } = payroll
  const earlier = periods.slice(0, period.number - 1)
  if (year !== period.year || earlier.length === 0)
    return { corrected_period_start_date: `${year}-01-01`, corrected_period_end_date: `${year}-12-31` }
  const due = schedulesByTax(chargesByTax(deducted, year, first_open_month), periods, method)
  const owed = earlier.map((_, at) => ({ 'Pre-tax': due['Pre-tax'][at] ?? 0, 'Post-tax': due['Post-tax'][at] ?? 0 }))
  const indexOf = (day: Day) => {
    const at = earlier.findIndex(({ end }) => end >= day)
    return at === -1 ? earlier.length - 1 : at
  }
  // An earlier correction of several periods has one amount for all of them, so they are compared as one span.
  const is_joined = earlier.map(() => false)
  for (const line of taken.filter((one) => one.year === year)) {
    const [first, last] = [indexOf(line.start_date), indexOf(line.end_date)]
    owed[first]![line.tax_classification] -= line.amount_in_cents
    is_joined.fill(true, first, last)
  }
  const differing = spansOf(is_joined).filter(([first, last]) =>
    tax_classifications.some((tax) => owed.slice(first, last + 1).reduce((sum, one) => sum + one[tax], 0) !== 0),
  )
  const [first] = differing[0] ?? [0]
  const [, last] = differing.at(-1) ?? [0, earlier.length - 1]
  return { corrected_period_start_date: earlier[first]!.start, corrected_period_end_date: earlier[last]!.end }
}

/** The spans of periods that are compared as one, as index ranges. */
function spansOf(is_joined: boolean[]): [first: number, last: number][] {
  const spans: [number, number][] = []
  is_joined.forEach((_, at) => {
    if (at > 0 && is_joined[at - 1]) spans.at(-1)![1] = at
    else spans.push([at, at])
  })
  return spans
}
