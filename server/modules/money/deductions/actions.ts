import { chunksOf, lastOf, readAhead } from '../../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, Refusal } from '../../../kernel/refusal.ts'
import { employees_in_chunk, jobsTogether } from '../../../jobs/batches.ts'
import { stepByStep, type Employers, type IsAwaited, type Runtime } from '../../../runtime/runtime.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { withCorrectedPeriods } from './correction-rules.ts'
import { listDeducted, type DeductedEnrollment } from './deducted-queries.ts'
import { closedMonthsOf, linesFor, type Payroll } from './line-rules.ts'
import { findPayingEmployer, listPayingEmployers, type PayingEmployer } from './payday-queries.ts'
import { dueThrough, type DuePeriod } from './rules.ts'
import {
  insertLines,
  insertStatements,
  listDeductedEmployees,
  listOpenStatements,
  listStatedEmployees,
  listTakenLines,
  saveBalances,
  saveProgress,
  saveTelling,
} from './statement-queries.ts'
import {
  changesOf,
  payrollOf,
  progressOf,
  type BalanceChange,
  type NewLine,
  type NewStatement,
  type OpenStatement,
  type StatedEmployee,
} from './statement-rules.ts'

/** In so many pieces a chunk is read, worked out and written: others wait to get in for one of them. */
const pieces_of_chunk = 10

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

/** Opens the statements that employers are due through a day; where any are not whole jobs go on with them. */
async function openDue(
  ctx: Ctx,
  organization_id: string,
  employers: PayingEmployer[],
  day: Day,
): Promise<NewStatement[]> {
  const duesOf = duesThrough(day)
  const opened = employers.flatMap((employer) => duesOf(employer).map((period) => statementOf(employer, period)))
  const due = new Set(opened.map(({ employer_id }) => employer_id))
  if (opened.length > 0) await insertStatements(ctx, organization_id, opened)
  const waiting = employers.filter(({ employer_id, has_open }) => has_open || due.has(employer_id))
  if (waiting.length > 0)
    await ctx.enqueueEach('generate_statements', jobsTogether('statements', organization_id, waiting))
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
 * Generates the open statements of employers, of each in order, in chunks of employees. Killed, it goes on after the
 * last chunk that was committed; run again it changes nothing.
 */
export const generateStatements = (
  runtime: Runtime,
  employers: Employers,
  employees_at_once = employees_in_chunk,
): Promise<void> =>
  stepByStep(runtime, employers, (ctx, those, isAwaited) => writeChunk(ctx, those, employees_at_once, isAwaited))

/**
 * Takes the next step with the first open statements: tells of one that is whole, or else writes the next chunk of one
 * of each employer, all of the same year; those with whose last employees it ends are whole. Tells whether there is
 * more.
 */
async function writeChunk(
  ctx: Ctx,
  employers: Employers,
  employees_at_once: number,
  isAwaited: IsAwaited,
): Promise<boolean> {
  const { organization_id } = employers
  const open = await listOpenStatements(ctx, employers)
  if (open.length === 0) return false
  const has_others = open.length > 1 || open.some(({ is_last }) => !is_last)
  const whole = open.find(({ telling_after }) => telling_after !== null)
  if (whole) return (await tellNext(ctx, organization_id, whole, employees_at_once)) || has_others
  const statements = open.filter(({ year }) => year === open[0]!.year)
  const next = await listStatedEmployees(ctx, organization_id, statements, employees_at_once)
  const employees_in_piece = Math.ceil(employees_at_once / pieces_of_chunk)
  const { people, lines } = await writeLines(ctx, organization_id, next, employees_in_piece, isAwaited)
  const is_end = people.length === next.length && next.length < employees_at_once
  const progress = progressOf(statements, people, lines, is_end)
  await saveProgress(ctx, organization_id, progress)
  const told = new Set(progress.filter((one) => one.is_whole && !one.is_told_later).map((one) => one.statement_id))
  const theirs = lines.filter(({ statement_id }) => told.has(statement_id)).map(({ employee_id }) => employee_id)
  await tellDeducted(ctx, organization_id, [...new Set(theirs)])
  return told.size < open.length || open.some(({ is_last }) => !is_last)
}

/**
 * Works out the lines of employees, a piece of them at a time, and has them written; of the first of them alone when
 * somebody waits to write at their employers. Returns of whom, and the lines.
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
  const done = await readAhead(
    chunksOf(people, employees_in_piece),
    (piece) => listDeducted(ctx, organization_id, piece),
    (deducted) => linesOf(deducted, (one) => payrolls.getOrInsertComputed(one, payrollOf)),
    async ({ stated, changes }) => {
      const lines = await dated(ctx, organization_id, stated)
      written.push(lines)
      // Months close without lines too: on a payday that takes nothing, say.
      await Promise.all([
        lines.length > 0 && insertLines(ctx, organization_id, lines),
        changes.length > 0 && saveBalances(ctx, organization_id, changes),
      ])
    },
    isAwaited,
  )
  return { people: people.slice(0, done * employees_in_piece), lines: written.flat() }
}

/** The lines of an enrollment in a statement, and what they follow from. */
type Stated = { payroll: Payroll; one: DeductedEnrollment; lines: NewLine[] }

/** The lines of enrollments in their statements, and what they add to balances; one step for each enrollment. */
function* linesOf(deducted: DeductedEnrollment[], payrollFor: (statement: OpenStatement) => Payroll) {
  const stated: Stated[] = []
  const changes: (BalanceChange & { enrollment_id: string })[] = []
  for (const one of deducted) {
    const { statement, employee_id, enrollment_id, benefit_name, balances } = one
    const payroll = payrollFor(statement)
    const of = { statement_id: statement.id, employee_id, enrollment_id, benefit_name }
    const lines = linesFor(payroll, one).map((line) => ({ ...line, ...of }))
    if (lines.length > 0) stated.push({ payroll, one, lines })
    for (const change of changesOf(lines, balances, closedMonthsOf(payroll, one)))
      changes.push({ ...change, enrollment_id })
    yield
  }
  return { stated, changes }
}

/** All lines, each correction with the pay periods that it is for. Earlier statements are only read for corrections. */
async function dated(ctx: Ctx, organization_id: string, stated: Stated[]): Promise<NewLine[]> {
  const corrected = stated.filter(({ lines }) => lines.some(({ kind }) => kind === 'correction'))
  if (corrected.length === 0) return stated.flatMap(({ lines }) => lines)
  const { year } = corrected[0]!.payroll.period
  const employee_ids = corrected.map(({ one }) => one.employee_id)
  const taken = await listTakenLines(ctx, organization_id, year, employee_ids)
  return stated.flatMap(({ payroll, one, lines }) =>
    withCorrectedPeriods(payroll, one, lines, taken.get(one.enrollment_id) ?? []),
  )
}

/** Tells the next employees of what a statement takes from their pay; tells whether there may be others. */
async function tellNext(
  ctx: Ctx,
  organization_id: string,
  { id: statement_id, telling_after }: OpenStatement,
  count: number,
): Promise<boolean> {
  const asked = { organization_id, statement_id, after: telling_after!, count }
  const employee_ids = await listDeductedEmployees(ctx, asked)
  const has_more = employee_ids.length === count
  await tellDeducted(ctx, organization_id, employee_ids)
  await saveTelling(ctx, { organization_id, statement_id, telling_after: has_more ? employee_ids.at(-1)! : null })
  return has_more
}

/** Tells employees that a statement takes something from their pay. */
const tellDeducted = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  recordEvents(
    ctx,
    employee_ids.map((resource_id) => ({ event_name: 'employee.deduction_created', organization_id, resource_id })),
  )
