import { chunksOf, lastOf, readAhead } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { recordEventOfEach } from '../../../runtime/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { employees_in_chunk, jobsForEmployers, onEmployers } from '../../../jobs/batches.ts'
import { stepByStep, type Employers, type IsAwaited, type Runtime } from '../../../runtime/runtime.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { withCorrectedPeriods } from './proof-rules.ts'
import { listDeducted, type DeductedEnrollment } from './enrollment-queries.ts'
import { closedMonthsOf, deductionLinesFor, type Payroll } from './line-rules.ts'
import { findPayingEmployer, listPayingEmployers, type PayingEmployer } from './queries.ts'
import { duePeriodsThrough, type DuePeriod } from './rules.ts'
import {
  insertLines,
  insertStatements,
  listDeductedEmployees,
  listOpenStatements,
  listStatedEmployees,
  listCollectedLines,
  saveBalances,
  saveProgress,
  savePublishing,
} from './statement-queries.ts'
import {
  balanceChangesOf,
  payrollOf,
  statementProgressOf,
  type BalanceChange,
  type NewLine,
  type NewStatement,
  type OpenStatement,
  type StatedEmployee,
} from './statement-rules.ts'

/** A chunk is read, calculated and written in this many pieces, so that waiting writers can proceed after a piece. */
const pieces_of_chunk = 10

/** The daily run: opens the statements that are due, and enqueues their generation. */
export async function dailyStatements(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const employers = await listPayingEmployers(ctx, { organization_id, ...chunk })
  await openDue(ctx, organization_id, employers, ctx.today)
  const employer_ids = employers.map(({ employer_id }) => employer_id)
  return lastOf(employer_ids, chunk)
}

/**
 * Does the daily run's work for one employer: opens the statements due through a day (by default today), and enqueues
 * their generation. Returns the opened statements. Repeating it opens nothing. Refuses with 400 a day after today.
 */
export async function runStatements(
  ctx: Ctx,
  { employer_id, organization_id }: EmployerKey,
  requested_day: Day | undefined,
) {
  const day = requested_day ?? ctx.today
  if (day > ctx.today) {
    throw invalid({ field: 'day', message: 'must not be after today' })
  }
  const opened = await openDue(
    ctx,
    organization_id,
    await findPayingEmployer(ctx, { organization_id, employer_id }),
    day,
  )
  return { employer_id, day, opened_statement_ids: opened.map(({ id }) => id) }
}

/** Opens the statements of employers due through a day, and enqueues jobs for employers with incomplete statements. */
async function openDue(
  ctx: Ctx,
  organization_id: string,
  employers: PayingEmployer[],
  day: Day,
): Promise<NewStatement[]> {
  const duesOf = findDuePeriods(day)
  const opened = employers.flatMap((employer) => duesOf(employer).map((period) => statementOf(employer, period)))
  const due = new Set(opened.map(({ employer_id }) => employer_id))
  if (opened.length > 0) await insertStatements(ctx, organization_id, opened)
  const waiting = employers.filter(({ employer_id, has_open }) => has_open || due.has(employer_id))
  if (waiting.length > 0)
    await ctx.enqueueEach('generate_statements', jobsForEmployers('statements', organization_id, waiting))
  return opened
}

/**
 * Returns a function that determines the periods due for an employer through a day. Results are cached by calendar,
 * because many employers share one.
 */
function findDuePeriods(day: Day) {
  const periods_by_facts = new Map<string, DuePeriod[]>()
  return ({ pay_frequency, first_pay_date, deductions_per_year, ...employer }: PayingEmployer): DuePeriod[] => {
    const { last_calendar, last_end, first_coverage_start } = employer
    const calendar = { pay_frequency, first_pay_date, deductions_per_year }
    const due = { calendar, last_calendar, last_end, first_coverage_start, day }
    const key = JSON.stringify(due)
    const periods = periods_by_facts.get(key) ?? duePeriodsThrough(due)
    periods_by_facts.set(key, periods)
    return periods
  }
}

const statementOf = (employer: PayingEmployer, { start, end, calendar, ...period }: DuePeriod): NewStatement => ({
  id: newId('stmt'),
  employer_id: employer.employer_id,
  ...period,
  period_start_date: start,
  period_end_date: end,
  frequency: calendar.pay_frequency,
  first_pay_date: calendar.first_pay_date,
  deductions_per_year: calendar.deductions_per_year ?? null,
  deduction_method: employer.deduction_method,
})

/**
 * Generates the open statements of employers, in order, in chunks of employees. If interrupted, it continues after the
 * last committed chunk. Repeating it changes nothing.
 */
export const generateStatements = (
  runtime: Runtime,
  employers: Employers,
  employees_per_chunk = employees_in_chunk,
): Promise<void> =>
  stepByStep(runtime, employers, (ctx, some_employers, isAwaited) =>
    writeChunk(ctx, some_employers, employees_per_chunk, isAwaited),
  )

/**
 * Takes the next step with the first open statements. If one is complete, publishes its events. Otherwise, writes the
 * next chunk for one statement of each employer, all of the same year; those with no further employees become complete.
 * Returns whether more remains.
 */
async function writeChunk(
  ctx: Ctx,
  employers: Employers,
  employees_per_chunk: number,
  isAwaited: IsAwaited,
): Promise<boolean> {
  const { organization_id } = employers
  const open = await listOpenStatements(ctx, employers)
  if (open.length === 0) return false
  const has_others = open.length > 1 || open.some(({ is_last }) => !is_last)
  const whole = open.find(({ publishing_after }) => publishing_after !== null)
  if (whole) return (await publishNext(ctx, organization_id, whole, employees_per_chunk)) || has_others
  const statements = open.filter(({ year }) => year === open[0]!.year)
  const next = await listStatedEmployees(ctx, organization_id, statements, employees_per_chunk)
  const employees_in_piece = Math.ceil(employees_per_chunk / pieces_of_chunk)
  const { people, lines } = await writeLines(ctx, organization_id, next, employees_in_piece, isAwaited)
  const is_end = people.length === next.length && next.length < employees_per_chunk
  const progress = statementProgressOf(statements, people, lines, is_end)
  await saveProgress(ctx, organization_id, progress)
  const published = new Set(
    progress
      .filter((statement) => statement.is_complete && !statement.is_published_later)
      .map((statement) => statement.statement_id),
  )
  const published_employee_ids = lines
    .filter(({ statement_id }) => published.has(statement_id))
    .map(({ employee_id }) => employee_id)
  await publishDeducted(ctx, organization_id, [...new Set(published_employee_ids)])
  return published.size < open.length || open.some(({ is_last }) => !is_last)
}

/**
 * Calculates and writes the lines of employees, piece by piece. Stops after the first piece if another writer waits for
 * their employers. Returns the lines and their employees.
 */
async function writeLines(
  ctx: Ctx,
  organization_id: string,
  people: StatedEmployee[],
  employees_in_piece: number,
  isAwaited: IsAwaited,
) {
  const payrolls = new Map<OpenStatement, Payroll>()
  const written: NewLine[][] = []
  const pieces_written = await readAhead(
    chunksOf(people, employees_in_piece),
    (piece) => listDeducted(ctx, organization_id, piece),
    (deducted) => linesOf(deducted, (statement) => payrolls.getOrInsertComputed(statement, payrollOf)),
    async ({ stated, changes }) => {
      const lines = await addCorrectedPeriods(ctx, organization_id, stated)
      written.push(lines)
      // Months can close without lines, for example on a payday without deductions.
      await Promise.all([
        lines.length > 0 && insertLines(ctx, organization_id, lines),
        changes.length > 0 && saveBalances(ctx, organization_id, changes),
      ])
    },
    isAwaited,
  )
  return { people: people.slice(0, pieces_written * employees_in_piece), lines: written.flat() }
}

/** The lines of an enrollment in a statement, and the facts they follow from. */
type EnrollmentLines = { payroll: Payroll; enrollment: DeductedEnrollment; lines: NewLine[] }

/**
 * Calculates the lines of enrollments in their statements, and the changes of their balances. Yields once per
 * enrollment.
 */
function* linesOf(deducted: DeductedEnrollment[], payrollFor: (statement: OpenStatement) => Payroll) {
  const stated: EnrollmentLines[] = []
  const changes: (BalanceChange & { enrollment_id: string })[] = []
  for (const enrollment of deducted) {
    const { statement, employee_id, enrollment_id, benefit_name, balances } = enrollment
    const payroll = payrollFor(statement)
    const key = { statement_id: statement.id, employee_id, enrollment_id, benefit_name }
    const lines = deductionLinesFor(payroll, enrollment).map((line) => ({ ...line, ...key }))
    if (lines.length > 0) stated.push({ payroll, enrollment, lines })
    for (const change of balanceChangesOf(lines, balances, closedMonthsOf(payroll, enrollment)))
      changes.push({ ...change, enrollment_id })
    yield
  }
  return { stated, changes }
}

/** Adds the corrected pay periods to corrections. Reads earlier statements only if there are corrections. */
async function addCorrectedPeriods(ctx: Ctx, organization_id: string, stated: EnrollmentLines[]): Promise<NewLine[]> {
  const corrected = stated.filter(({ lines }) => lines.some(({ kind }) => kind === 'correction'))
  if (corrected.length === 0) return stated.flatMap(({ lines }) => lines)
  const { year } = corrected[0]!.payroll.period
  const employee_ids = corrected.map(({ enrollment }) => enrollment.employee_id)
  const taken = await listCollectedLines(ctx, organization_id, year, employee_ids)
  return stated.flatMap(({ payroll, enrollment, lines }) =>
    withCorrectedPeriods(payroll, enrollment, lines, taken.get(enrollment.enrollment_id) ?? []),
  )
}

/** Publishes the deduction events of a statement for the next employees. Returns whether more may remain. */
async function publishNext(
  ctx: Ctx,
  organization_id: string,
  { id: statement_id, publishing_after }: OpenStatement,
  count: number,
): Promise<boolean> {
  const page = { organization_id, statement_id, after: publishing_after!, count }
  const employee_ids = await listDeductedEmployees(ctx, page)
  const has_more = employee_ids.length === count
  await publishDeducted(ctx, organization_id, employee_ids)
  await savePublishing(ctx, { organization_id, statement_id, publishing_after: has_more ? employee_ids.at(-1)! : null })
  return has_more
}

/** Publishes that a statement has deductions for these employees. */
const publishDeducted = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  recordEventOfEach(ctx, 'employee.deduction_created', organization_id, employee_ids)

export const tasks = {
  generate_statements: onEmployers(generateStatements),
}
