import type { Day } from '../../../kernel/days.ts'
import { payPeriods } from '../../../kernel/pay-calendar.ts'
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
function upcomingPeriods(
  { calendar, last_calendar, last_end, first_coverage_start }: PaycheckFacts,
  today: Day,
  through: Day,
): DuePeriod[] {
  if (first_coverage_start === null) return []
  const calendar_facts = { calendar, last_calendar, last_end, first_coverage_start }
  if (last_end !== null) return duePeriodsThrough({ ...calendar_facts, day: through })
  // The first statement is opened shortly before coverage starts.
  const first = duePeriodsThrough({
    ...calendar_facts,
    day: first_coverage_start > today ? first_coverage_start : today,
  })
  const next = { ...calendar_facts, last_calendar: calendar, last_end: first[0]?.end ?? null, day: through }
  return first.length === 0 ? [] : [...first, ...duePeriodsThrough(next)]
}

/**
 * The paychecks through a day that upcoming statements will produce, by the same rules and the current facts. Omits
 * paychecks without deductions.
 */
export function paychecksAhead(facts: PaycheckFacts, today: Day, through: Day): Paycheck[] {
  const paychecks: Paycheck[] = []
  // Each paycheck counts the amounts of those before it as collected.
  const taken = [...facts.taken]
  let { enrollments } = facts
  for (const period of upcomingPeriods(facts, today, through)) {
    const payroll = { ...facts, period, periods: payPeriods(period.calendar, period.year) }
    const lines = enrollments.flatMap((enrollment) => paycheckLinesOf(payroll, enrollment, taken))
    if (lines.length === 0) continue
    taken.push(...lines.filter(isScheduled).map((line) => collectedLineOf(line, period)))
    enrollments = enrollments.map((enrollment) => withCollected(enrollment, lines))
    const [period_start_date, period_end_date] = [period.start, period.end]
    paychecks.push(paycheckOf({ statement_id: null, period_start_date, period_end_date, lines }))
  }
  return paychecks
}

function paycheckLinesOf(
  payroll: Payroll,
  enrollment: BookedEnrollment,
  taken: PaycheckFacts['taken'],
): PaycheckLine[] {
  const { enrollment_id, benefit_name, cause } = enrollment
  const collected = taken.filter((line) => line.enrollment_id === enrollment_id)
  const lines = withCorrectedPeriods(payroll, enrollment, deductionLinesFor(payroll, enrollment), collected)
  return lines.map((line) => ({
    enrollment_id,
    benefit_name,
    ...no_correction,
    cause: line.kind === 'correction' ? cause : null,
    ...line,
  }))
}

const no_correction = { reason: null, corrected_period_start_date: null, corrected_period_end_date: null }

/** Whether a line counts toward the amount that is due by the schedule. */
const isScheduled = ({ kind }: PaycheckLine): boolean => kind === 'deduction' || kind === 'correction'

/** The amount of a line, and the pay periods that it is for. */
const collectedLineOf = (
  {
    enrollment_id,
    year,
    tax_classification,
    amount_in_cents,
    corrected_period_start_date,
    corrected_period_end_date,
  }: PaycheckLine,
  { start, end }: DuePeriod,
): PaycheckFacts['taken'][number] => ({
  enrollment_id,
  year,
  tax_classification,
  amount_in_cents,
  start_date: corrected_period_start_date ?? start,
  end_date: corrected_period_end_date ?? end,
})

export const paycheckOf = (paycheck: Omit<Paycheck, 'total_in_cents'>): Paycheck => ({
  ...paycheck,
  total_in_cents: sumOfAmounts(paycheck.lines.map(({ amount_in_cents }) => amount_in_cents)),
})

/** The enrollment after a paycheck: its balances include the lines of the paycheck. */
function withCollected(enrollment: BookedEnrollment, lines: PaycheckLine[]): BookedEnrollment {
  const balances = enrollment.balances.map((balance) => ({ ...balance }))
  for (const line of lines.filter(({ enrollment_id }) => enrollment_id === enrollment.enrollment_id)) {
    const { year, tax_classification, amount_in_cents, kind } = line
    const column = balance_columns[kind]
    const balance = balances.find((held) => held.year === year && held.tax_classification === tax_classification)
    if (balance) balance[column] += amount_in_cents
    else balances.push({ year, tax_classification, ...no_balance, [column]: amount_in_cents })
  }
  return { ...enrollment, balances }
}

const no_balance = { collected_in_cents: 0, adjusted_in_cents: 0, arrears_in_cents: 0, taxed_months: 0 }

/** The balance column for each kind of line. */
const balance_columns: Record<
  Line['kind'],
  Exclude<keyof DeductionBalance, 'year' | 'tax_classification' | 'taxed_months'>
> = {
  deduction: 'collected_in_cents',
  correction: 'collected_in_cents',
  manual_adjustment: 'adjusted_in_cents',
  arrears: 'arrears_in_cents',
}
