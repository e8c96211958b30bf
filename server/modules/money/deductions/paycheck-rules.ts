import type { Day } from '../../../kernel/days.ts'
import { payPeriods, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import {
  deductionLinesFor,
  type CorrectionReason,
  type DeductionBalance,
  type Deducted,
  type Line,
  type Payroll,
} from './line-rules.ts'
import type { AdjustmentCause } from '../../directory/evidence/schemas.ts'
import { withCorrectedPeriods, type CollectedLine } from './proof-rules.ts'
import { duePeriodsThrough, sumOfAmounts, type DeductionMethod, type Due, type DuePeriod } from './rules.ts'

type PaycheckLine = Omit<Line, 'reason'> & {
  reason: CorrectionReason | null
  /** The fact that a correction follows from. */
  cause: AdjustmentCause | null
  corrected_period_start_date: Day | null
  corrected_period_end_date: Day | null
  enrollment_id: string
  benefit_name: string
}

/** The deductions from one paycheck. An upcoming paycheck has no statement. */
export type Paycheck = {
  statement_id: string | null
  period_start_date: Day
  period_end_date: Day
  total_in_cents: number
  lines: PaycheckLine[]
}

export type BookedEnrollment = Deducted & {
  enrollment_id: string
  benefit_name: string
  /** The latest fact that was reported after the latest statement. */
  cause: AdjustmentCause | null
}

/** The pay calendar of an employer, its latest statement, and all enrollments of an employee. */
export type PaycheckFacts = Pick<Due, 'calendar' | 'last_calendar' | 'last_end' | 'first_coverage_start'> &
  Pick<Payroll, 'final_deductions' | 'first_open_month' | 'arrears_limit_percent'> & {
    method: DeductionMethod
    enrollments: BookedEnrollment[]
    /** The lines of the statements of the year so far. */
    taken: (CollectedLine & { enrollment_id: string })[]
  }

/** The pay periods after the latest statement, in order, as statements will be opened for them. */
function comingPeriods(
  { calendar, last_calendar, last_end, first_coverage_start }: PaycheckFacts,
  today: Day,
  through: Day,
): DuePeriod[] {
  if (first_coverage_start === null) return []
  const known = { calendar, last_calendar, last_end, first_coverage_start }
  if (last_end !== null) return duePeriodsThrough({ ...known, day: through })
  // The first statement is opened shortly before coverage starts.
  const first = duePeriodsThrough({ ...known, day: first_coverage_start > today ? first_coverage_start : today })
  const next = { ...known, last_calendar: calendar, last_end: first[0]?.end ?? null, day: through }
  return first.length === 0 ? [] : [...first, ...duePeriodsThrough(next)]
}

/**
 * The paychecks through a day that upcoming statements will produce, by the same rules and the current facts. Omits
 * paychecks without deductions.
 */
export function paychecksAhead(facts: PaycheckFacts, today: Day, through: Day): Paycheck[] {
  let { enrollments, taken } = facts
  return comingPeriods(facts, today, through).flatMap((period) => {
    const payroll = { ...facts, period, periods: periodsBeside(period) }
    const lines = enrollments.flatMap(({ enrollment_id, benefit_name, cause, ...one }) => {
      const before = taken.filter((line) => line.enrollment_id === enrollment_id)
      const theirs = withCorrectedPeriods(payroll, one, deductionLinesFor(payroll, one), before)
      return theirs.map((line) => ({
        enrollment_id,
        benefit_name,
        ...no_correction,
        cause: line.kind === 'correction' ? cause : null,
        ...line,
      }))
    })
    if (lines.length === 0) return []
    taken = [...taken, ...lines.flatMap((line) => takenBy(line, period.start, period.end))]
    enrollments = enrollments.map((enrollment) => collecting(enrollment, lines))
    return [paycheckOf({ statement_id: null, period_start_date: period.start, period_end_date: period.end, lines })]
  })
}

const no_correction = { reason: null, corrected_period_start_date: null, corrected_period_end_date: null }

/** The amount and days of a line of a paycheck. Empty for lines that are not part of the schedule. */
const takenBy = (line: PaycheckLine, start_date: Day, end_date: Day): PaycheckFacts['taken'] => {
  const { enrollment_id, kind, year, tax_classification, amount_in_cents } = line
  if (kind !== 'deduction' && kind !== 'correction') return []
  const of = { enrollment_id, year, tax_classification, amount_in_cents }
  const { corrected_period_start_date, corrected_period_end_date } = line
  return [
    { ...of, start_date: corrected_period_start_date ?? start_date, end_date: corrected_period_end_date ?? end_date },
  ]
}

const periodsBeside = ({ calendar, year }: { calendar: PayCalendar; year: number }) => payPeriods(calendar, year)

export const paycheckOf = (paycheck: Omit<Paycheck, 'total_in_cents'>): Paycheck => ({
  ...paycheck,
  total_in_cents: sumOfAmounts(paycheck.lines.map(({ amount_in_cents }) => amount_in_cents)),
})

function collecting(enrollment: BookedEnrollment, lines: PaycheckLine[]): BookedEnrollment {
  const balances = enrollment.balances.map((balance) => ({ ...balance }))
  for (const line of lines.filter(({ enrollment_id }) => enrollment_id === enrollment.enrollment_id)) {
    const { year, tax_classification, amount_in_cents, kind } = line
    let balance = balances.find((held) => held.year === year && held.tax_classification === tax_classification)
    if (!balance) {
      const nothing = { collected_in_cents: 0, adjusted_in_cents: 0, arrears_in_cents: 0, taxed_months: 0 }
      balances.push((balance = { year, tax_classification, ...nothing }))
    }
    balance[held_as[kind]] += amount_in_cents
  }
  return { ...enrollment, balances }
}

/** The balance column for each kind of line. */
const held_as: Record<Line['kind'], Exclude<keyof DeductionBalance, 'year' | 'tax_classification' | 'taxed_months'>> = {
  deduction: 'collected_in_cents',
  correction: 'collected_in_cents',
  manual_adjustment: 'adjusted_in_cents',
  arrears: 'arrears_in_cents',
}
