import { lastOf } from '../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../platform/ctx.ts'
import type { Day } from '../../kernel/days.ts'
import { recordEvents } from '../../platform/events.ts'
import { newId } from '../../kernel/ids.ts'
import { payPeriods } from '../../kernel/pay-calendar.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { stepByStep, type Runtime } from '../../platform/runtime.ts'
import type { EmployerKey } from '../auth/queries.ts'
import { linesFor, type Payroll } from './line-rules.ts'
import { findPayingEmployer, listPayingEmployers, type PayingEmployer } from './payday-queries.ts'
import { dueThrough, type DuePeriod } from './rules.ts'
import {
  findOpenStatement,
  insertStatements,
  listDeducted,
  listDeductedEmployees,
  listEmployeesAfter,
  saveGenerated,
  saveLines,
  saveProgress,
  type NewStatement,
  type OpenStatement,
} from './statement-queries.ts'

/** Employees in one transaction of a statement. */
const chunk_size = 1000

/** The daily run: opens the statements that are due, and has them generated. */
export async function dailyStatements(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const employers = await listPayingEmployers(ctx, organization_id, chunk)
  await openDue(ctx, organization_id, employers, ctx.today)
  return lastOf(
    employers.map(({ employer_id }) => employer_id),
    chunk,
  )
}

/**
 * Does for one employer what a daily run does: opens what is due through a day, today unless said, and has it
 * generated. Returns what it opened; done again it opens nothing. 400 for a day after today.
 */
export async function runStatements(ctx: Ctx, { employer_id, organization_id }: EmployerKey, said: Day | undefined) {
  const day = said ?? ctx.today
  if (day > ctx.today) {
    throw new Refusal(generic.invalid_request, [{ field: 'day', message: 'must not be after today' }])
  }
  const opened = await openDue(ctx, organization_id, await findPayingEmployer(ctx, organization_id, employer_id), day)
  return { employer_id, day, opened_statement_ids: opened.map(({ id }) => id) }
}

/** Opens the statements that employers are due through a day; where any are not whole a job goes on with them. */
async function openDue(
  ctx: Ctx,
  organization_id: string,
  employers: PayingEmployer[],
  day: Day,
): Promise<NewStatement[]> {
  const duesOf = duesThrough(day)
  const opened = employers.flatMap((employer) => duesOf(employer).map((period) => statementOf(employer, period)))
  const waiting = new Set(opened.map(({ employer_id }) => employer_id))
  for (const { employer_id, has_open } of employers) if (has_open) waiting.add(employer_id)
  if (opened.length > 0) await insertStatements(ctx, organization_id, opened)
  if (waiting.size > 0) {
    const jobs = [...waiting].map((employer_id) => ({
      payload: { organization_id, employer_id },
      key: `statements:${employer_id}`,
    }))
    await ctx.enqueueEach('generate_statements', jobs)
  }
  return opened
}

/**
 * Makes the function that tells what an employer is due through a day. Many pay alike: it reckons once for each
 * calendar.
 */
function duesThrough(day: Day) {
  const known = new Map<string, DuePeriod[]>()
  return ({ pay_frequency, first_pay_date, deductions_per_year, ...employer }: PayingEmployer): DuePeriod[] => {
    const { last_calendar, last_end, first_coverage_start } = employer
    const calendar = { pay_frequency, first_pay_date, deductions_per_year }
    const due = { calendar, last_calendar, last_end, first_coverage_start, day }
    const key = JSON.stringify(due)
    const periods = known.get(key) ?? dueThrough(due)
    known.set(key, periods)
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
 * Generates the open statements of an employer, in order, each in chunks of employees. Killed, it goes on after the
 * last chunk that was committed; run again it changes nothing.
 */
export const generateStatements = (
  runtime: Runtime,
  employer: EmployerKey,
  employees_at_once = chunk_size,
): Promise<void> => stepByStep(runtime, employer, (ctx) => writeChunk(ctx, employer, employees_at_once))

/**
 * Writes the next chunk of the first open statement; with the last one it is whole. Tells whether there is more.
 */
async function writeChunk(ctx: Ctx, employer: EmployerKey, employees_at_once: number): Promise<boolean> {
  const statement = await findOpenStatement(ctx, employer)
  if (!statement) return false
  const ids = await listEmployeesAfter(ctx, employer, statement.through_employee_id, employees_at_once)
  if (ids.length > 0) await writeLines(ctx, employer, statement, ids)
  if (ids.length === employees_at_once) return true
  await finish(ctx, employer, statement.id)
  return !statement.is_last
}

async function writeLines(
  ctx: Ctx,
  employer: EmployerKey,
  statement: OpenStatement,
  employee_ids: string[],
): Promise<void> {
  const payroll = payrollOf(statement)
  const deducted = await listDeducted(ctx, employer, employee_ids, statement)
  const lines = deducted.flatMap(({ employee_id, enrollment_id, benefit_name, ...one }) =>
    linesFor(payroll, one).map((line) => ({ ...line, employee_id, enrollment_id, benefit_name })),
  )
  if (lines.length > 0) await saveLines(ctx, employer.organization_id, statement.id, lines)
  await saveProgress(ctx, employer.organization_id, statement.id, {
    through_employee_id: employee_ids.at(-1)!,
    employee_count: new Set(lines.map(({ employee_id }) => employee_id)).size,
    line_count: lines.length,
    total_in_cents: lines.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0),
  })
}

/** What the lines of a statement are made by. Where its first days belong to it besides, its period is prolonged. */
function payrollOf(statement: OpenStatement): Payroll {
  const { year, number, frequency: pay_frequency, first_pay_date, deductions_per_year } = statement
  const periods = payPeriods({ pay_frequency, first_pay_date, deductions_per_year }, year)
  const { first_open_month, final_deductions, arrears_limit_percent, deduction_method: method } = statement
  const period = { ...periods[number - 1]!, start: statement.period_start_date, end: statement.period_end_date }
  return { period, periods, method, first_open_month, final_deductions, arrears_limit_percent }
}

/** From here on the statement is seen, everywhere at once. */
async function finish(ctx: Ctx, { organization_id }: EmployerKey, statement_id: string): Promise<void> {
  await saveGenerated(ctx, organization_id, statement_id)
  const employees = await listDeductedEmployees(ctx, organization_id, statement_id)
  await recordEvents(
    ctx,
    employees.map((resource_id) => ({ event_name: 'employee.deduction_created', organization_id, resource_id })),
  )
}
