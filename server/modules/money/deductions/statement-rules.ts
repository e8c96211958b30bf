import type { Day } from '../../../kernel/days.ts'
import { payPeriods, type PayCalendar } from '../../../kernel/pay-calendar.ts'
import type { CorrectedPeriod } from './proof-rules.ts'
import type { ClosedMonths, DeductionBalance, FinalDeductions, Line, Payroll } from './line-rules.ts'
import { type DeductionMethod, type Lapse, tax_classifications, type TaxClassification } from './rules.ts'

/** A statement before its first chunk. */
export type NewStatement = {
  id: string
  employer_id: string
  year: number
  number: number
  period_count: number
  period_start_date: Day
  period_end_date: Day
  frequency: PayCalendar['pay_frequency']
  first_pay_date: Day | null
  deductions_per_year: number | null
  deduction_method: DeductionMethod
}

/**
 * A statement that is incomplete or has unpublished events, its progress, and further facts for its lines: the
 * employer's settings, its lapses, the first month that an invoice may still bill, and the void invoices.
 */
export type OpenStatement = NewStatement & {
  through_employee_id: string | null
  /** If it is complete: the last employee whose event is published. Null before, and when all are. */
  publishing_after: string | null
  final_deductions: FinalDeductions
  arrears_limit_percent: number
  lapses: Lapse[]
  first_open_month: Day
  void_invoice_ids: string[]
  /** Whether it is the only waiting statement of its employer. */
  is_last: boolean
}

/** An employee whose lines are written next. */
export type StatedEmployee = { id: string; statement: OpenStatement; hired_on: Day | null; last_day: Day | null }

export type NewLine = Line &
  Partial<CorrectedPeriod> & {
    statement_id: string
    employee_id: string
    enrollment_id: string
    benefit_name: string
  }

/**
 * The changes of the balance of a year and tax, and its closed months from now on. `is_new`: there is no such balance
 * yet.
 */
export type BalanceChange = DeductionBalance & { is_new: boolean }

/**
 * The progress of a statement, the amounts that a chunk adds, and whether it is complete. `is_published_later`: it took
 * several chunks, so its events are published in several steps too.
 */
export type Progress = {
  statement_id: string
  through_employee_id: string | null
  employee_count: number
  line_count: number
  total_in_cents: number
  is_complete: boolean
  is_published_later: boolean
}

/** The basis of the lines of a statement. Its period is extended if it includes the days before. */
export function payrollOf(statement: OpenStatement): Payroll {
  const { year, number, frequency: pay_frequency, first_pay_date, deductions_per_year } = statement
  const periods = payPeriods({ pay_frequency, first_pay_date, deductions_per_year }, year)
  const { first_open_month, final_deductions, arrears_limit_percent, deduction_method: method } = statement
  const period = { ...periods[number - 1]!, start: statement.period_start_date, end: statement.period_end_date }
  return { period, periods, method, first_open_month, final_deductions, arrears_limit_percent }
}

/** The changes of an enrollment's balances by its lines, and its closed months. */
export function balanceChangesOf(lines: Line[], balances: DeductionBalance[], closed: ClosedMonths[]): BalanceChange[] {
  const changes: BalanceChange[] = []
  const changeOf = (year: number, tax_classification: TaxClassification) => {
    const isIts = (balance: DeductionBalance) =>
      balance.year === year && balance.tax_classification === tax_classification
    const found = changes.find(isIts)
    if (found) return found
    const held = balances.find(isIts)
    const of_year = closed.find((closed_year) => closed_year.year === year)
    const taxed_months = of_year?.taxed[tax_classification] ?? held?.taxed_months ?? 0
    const nothing = { collected_in_cents: 0, adjusted_in_cents: 0, arrears_in_cents: 0 }
    const change = { year, tax_classification, ...nothing, taxed_months, is_new: held === undefined }
    changes.push(change)
    return change
  }
  for (const { year, taxed } of closed)
    for (const tax of tax_classifications) {
      const held = balances.find((balance) => balance.year === year && balance.tax_classification === tax)
      if (taxed[tax] !== (held?.taxed_months ?? 0)) changeOf(year, tax)
    }
  for (const { kind, year, tax_classification, amount_in_cents } of lines) {
    const change = changeOf(year, tax_classification)
    if (kind === 'manual_adjustment') change.adjusted_in_cents += amount_in_cents
    else if (kind === 'arrears') change.arrears_in_cents += amount_in_cents
    else change.collected_in_cents += amount_in_cents
  }
  return changes
}

/**
 * The progress of statements after their next employees, which are consecutive. With `is_end`, there are no further
 * employees, so all statements are complete. Otherwise, all are complete except that of the last employee.
 */
export function statementProgressOf(
  statements: OpenStatement[],
  people: StatedEmployee[],
  lines: NewLine[],
  is_end: boolean,
): Progress[] {
  const at_last = is_end ? statements.length : statements.indexOf(people.at(-1)!.statement)
  const lines_of_statement = Map.groupBy(lines, ({ statement_id }) => statement_id)
  const through = new Map(people.map(({ id, statement }) => [statement.id, id]))
  return statements.slice(0, at_last + 1).map(({ id, through_employee_id }, index) => {
    const own_lines = lines_of_statement.get(id) ?? []
    return {
      statement_id: id,
      through_employee_id: through.get(id) ?? null,
      employee_count: new Set(own_lines.map(({ employee_id }) => employee_id)).size,
      line_count: own_lines.length,
      total_in_cents: own_lines.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0),
      is_complete: index < at_last,
      is_published_later: index < at_last && through_employee_id !== null,
    }
  })
}
