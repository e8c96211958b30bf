import { addDays, type Day } from '../../kernel/days.ts'
import { payPeriods, periodOn, type PayCalendar, type PayPeriod } from '../../kernel/pay-calendar.ts'
import type { BenefitCategory } from '../catalog/schemas.ts'

/** What holds from a day on; the first election of an enrollment holds from '-infinity'. Monthly. */
export type Terms = { effective_on: Day; employee_deduction_in_cents: number; bought_on_exchange?: boolean | null }

/**
 * A subscription's end, and the day on which the employer began another one; null while it has not. From '-infinity'
 * until the day from which the employer is administered here, its coverage is history.
 */
export type Lapse = [ended_on: Day, resumed_on: Day | null]

/**
 * What an enrollment is charged by. `coverage_end` is its last day, which is before `coverage_start` when it never
 * began. An enrollment bears none while its plan year runs, so it is the plan year's at the latest. `lapses` are the
 * times in which the employer was not administered yet, or had no subscription any more. `elections` in any order; none
 * of somebody who is not enrolled.
 */
export type Coverage<Election extends { effective_on: Day } = Terms> = {
  coverage_start: Day
  coverage_end: Day | null
  lapses: Lapse[]
  elections: Election[]
}

/** A month, by its 1st day, and the election that was in force on it. */
export type Charge<Election = Terms> = { month: Day; election: Election }

/**
 * The election that a month (its 1st day) is charged by; undefined if it is not charged, since its 1st is not covered.
 */
export function chargeOn<Election extends { effective_on: Day }>(
  coverage: Coverage<Election>,
  month: Day,
): Election | undefined {
  const { coverage_start, coverage_end, lapses, elections } = coverage
  const covered =
    coverage_start <= month &&
    (coverage_end === null || month <= coverage_end) &&
    !lapses.some(([ended_on, resumed_on]) => ended_on <= month && (resumed_on === null || month < resumed_on))
  return covered ? termsOn(elections, month) : undefined
}

/** The election that holds on a day, covered or not. */
function termsOn<Election extends { effective_on: Day }>(elections: Election[], day: Day): Election | undefined {
  let inForce: Election | undefined
  for (const one of elections) {
    // As text, too, '-infinity' is before every day.
    if (one.effective_on <= day && (!inForce || inForce.effective_on < one.effective_on)) inForce = one
  }
  return inForce
}

const numbers = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']

/**
 * The months of a calendar year that are charged, in order: those whose 1st is covered. Invoices bill the same ones.
 */
export function chargedMonths<Election extends { effective_on: Day }>(
  coverage: Coverage<Election>,
  year: number,
): Charge<Election>[] {
  return numbers.flatMap((number) => {
    const month = `${year}-${number}-01`
    const election = chargeOn(coverage, month)
    return election ? [{ month, election }] : []
  })
}

const dueFor = (months: Charge[]): number =>
  months.reduce((sum, { election }) => sum + election.employee_deduction_in_cents, 0)

const sumOf = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

export type DeductionMethod = 'annualized' | 'per_month'

/**
 * The charged months of a year over its pay periods: cents per period, in the order of the periods, that add up to the
 * months exactly. `annualized` spreads months in a row with the same amount over all periods that end in them; a whole
 * year is then the formula of decisions.md, section 6. `per_month` spreads each month by itself.
 */
export function scheduleOf(months: Charge[], periods: PayPeriod[], method: DeductionMethod): number[] {
  const schedule = periods.map(() => 0)
  for (const segment of segmentsOf(months, method)) {
    const first = segment[0]!.month.slice(0, 7)
    const last = segment.at(-1)!.month.slice(0, 7)
    const from = periods.findIndex(({ end }) => end.slice(0, 7) >= first)
    const count = periods.filter(({ end }) => first <= end.slice(0, 7) && end.slice(0, 7) <= last).length
    const total = dueFor(segment)
    const through = (k: number) => Math.floor((total * k) / count)
    for (let k = 1; k <= count; k++) schedule[from + k - 1] = through(k) - through(k - 1)
  }
  return schedule
}

function segmentsOf(months: Charge[], method: DeductionMethod): Charge[][] {
  const segments: Charge[][] = []
  for (const charge of months) {
    const before = segments.at(-1)
    if (method === 'annualized' && before && goesOn(before.at(-1)!, charge)) before.push(charge)
    else segments.push([charge])
  }
  return segments
}

const goesOn = (before: Charge, next: Charge): boolean =>
  Number(next.month.slice(5, 7)) - Number(before.month.slice(5, 7)) === 1 &&
  before.election.employee_deduction_in_cents === next.election.employee_deduction_in_cents

export type Due = {
  calendar: PayCalendar
  /** the last day of the employer's last statement */
  last_end: Day | null
  /** when anybody there could be covered here for the first time; null before the first plan year */
  first_coverage_start: Day | null
  day: Day
}

/**
 * The periods that statements are missing for on a day, in order; a statement is due from the first day of its period.
 * The first is for the period of the day, unless it ends before any coverage. Later ones begin the day after the last
 * one ended, whatever the calendar is by now: that cuts the first period of a new calendar short.
 */
export function dueThrough({ calendar, last_end, first_coverage_start, day }: Due): PayPeriod[] {
  if (last_end === null) {
    const current = periodOn(calendar, day)
    return first_coverage_start !== null && first_coverage_start <= current.end ? [current] : []
  }
  const due: PayPeriod[] = []
  for (let start = addDays(last_end, 1); start <= day; start = addDays(due.at(-1)!.end, 1)) {
    due.push({ ...periodOn(calendar, start), start })
  }
  return due
}

export type LineKind = 'deduction' | 'correction'
export type TaxClassification = 'Pre-tax' | 'Post-tax'

/**
 * Hospital is paid from taxed income, and so is what is caught up on, and coverage that was bought on an exchange (26
 * USC 125(f)(3)); a refund goes back to where it was taken from.
 */
export function taxClassification(
  category: BenefitCategory,
  kind: LineKind,
  amount_in_cents: number,
  bought_on_exchange = false,
): TaxClassification {
  const catches_up = kind === 'correction' && amount_in_cents > 0
  return category === 'Hospital' || bought_on_exchange || catches_up ? 'Post-tax' : 'Pre-tax'
}

/** A line of a statement. The amount is signed, and never 0; `year` is the one that it counts for. */
export type Line = { kind: LineKind; year: number; amount_in_cents: number; tax_classification: TaxClassification }

/** What a statement is made by: its period, which may be cut, and all periods of its year (`payPeriods`). */
export type Payroll = { period: PayPeriod; periods: PayPeriod[]; method: DeductionMethod }

/** An enrollment, and what all its lines so far add up to, by year (missing is 0). */
export type Deducted = { coverage: Coverage; category: BenefitCategory; collected: Record<number, number> }

/**
 * The lines of an enrollment in a statement, by the facts as they are known now: what is scheduled for the period, and
 * what was scheduled before it in this year and the last one but was not collected, or the other way around.
 */
export function linesFor({ period, periods, method }: Payroll, { coverage, category, collected }: Deducted): Line[] {
  const { year, number } = period
  const schedule = scheduleOf(chargedMonths(coverage, year), periods, method)
  const bought_on_exchange = termsOn(coverage.elections, period.end)?.bought_on_exchange ?? false
  const line = (kind: LineKind, of: number, amount_in_cents: number): Line => ({
    kind,
    year: of,
    amount_in_cents,
    tax_classification: taxClassification(category, kind, amount_in_cents, bought_on_exchange),
  })
  return [
    line('deduction', year, schedule[number - 1]!),
    line('correction', year, sumOf(schedule.slice(0, number - 1)) - (collected[year] ?? 0)),
    line('correction', year - 1, dueFor(chargedMonths(coverage, year - 1)) - (collected[year - 1] ?? 0)),
  ].filter(({ amount_in_cents }) => amount_in_cents !== 0)
}

/** What the lines of an enrollment add up to in a year, by kind. */
export type Collected = { deductions_in_cents: number; corrections_in_cents: number }

/**
 * The books of an enrollment and a year. What is `due` in the whole year is what its charged months add up to; of that
 * `scheduled` is what falls into the periods that have a statement. `collected` holds the `corrections`, too. The
 * `difference`, scheduled − collected, is what the next statement corrects, if the year is not older than the last.
 */
export type Proof = {
  due_in_cents: number
  scheduled_in_cents: number
  collected_in_cents: number
  corrections_in_cents: number
  difference_in_cents: number
}

export type ProofOf = {
  coverage: Coverage
  calendar: PayCalendar
  method: DeductionMethod
  year: number
  /** the last day of the employer's last statement */
  last_end: Day | null
  lines: Collected
}

export function proofOf({ coverage, calendar, method, year, last_end, lines }: ProofOf): Proof {
  const months = chargedMonths(coverage, year)
  const periods = payPeriods(calendar, year)
  const stated = periods.filter(({ end }) => last_end !== null && end <= last_end).length
  const scheduled_in_cents = sumOf(scheduleOf(months, periods, method).slice(0, stated))
  const collected_in_cents = lines.deductions_in_cents + lines.corrections_in_cents
  return {
    due_in_cents: dueFor(months),
    scheduled_in_cents,
    collected_in_cents,
    corrections_in_cents: lines.corrections_in_cents,
    difference_in_cents: scheduled_in_cents - collected_in_cents,
  }
}

/** The facts of an employee's year: what its proof is made of, by enrollment. */
export type YearFacts = Pick<ProofOf, 'calendar' | 'method' | 'last_end'> & {
  enrollments: (Pick<ProofOf, 'coverage' | 'lines'> & { enrollment_id: string; benefit_name: string })[]
}

const no_proof: Proof = {
  due_in_cents: 0,
  scheduled_in_cents: 0,
  collected_in_cents: 0,
  corrections_in_cents: 0,
  difference_in_cents: 0,
}

const columns = Object.keys(no_proof) as (keyof Proof)[]

/** The books of an employee's year: of each enrollment that was charged or collected in it, and their sums. */
export function proveYear({ enrollments, ...facts }: YearFacts, year: number) {
  const proofs = enrollments
    .map(({ enrollment_id, benefit_name, ...one }) => ({
      enrollment_id,
      benefit_name,
      ...proofOf({ ...facts, ...one, year }),
    }))
    .filter((proof) => columns.some((column) => proof[column] !== 0))
  const total = { ...no_proof }
  for (const proof of proofs) for (const column of columns) total[column] += proof[column]
  return { through: facts.last_end, enrollments: proofs, ...total }
}
