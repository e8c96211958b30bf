import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { detailsOf } from '../../../http/body/body-validation.ts'
import { stageRowsInTurn, type StagedRows } from '../../../kernel/concurrency/staged-rows.ts'
import { chunksOf } from '../../../kernel/concurrency/chunks.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { inEmployer, type Runtime } from '../../../runtime/runtime.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { takeHours } from '../../roster/hris/run-queries.ts'
import { parseDay, type HrisHours } from '../../roster/hris/rules.ts'
import { requestMeasurement } from '../ale-groups/actions.ts'
import { listSameMembers, listWorkFacts } from '../measurement/queries.ts'
import { statusChanges } from '../measurement/rules.ts'
import { findReportedThrough, insertReport, recordChunk } from './queries.ts'
import {
  hoursAfter,
  lastDay,
  max_previewed,
  outcomeOf,
  type ChunkOutcome,
  type FailedHours,
  type PlannedHours,
} from './rules.ts'
import { chunk_size, max_kept, NewHours, type HoursOutcome } from './schemas.ts'

/**
 * Records a report of hours of service. The last report of a period applies. Rows with a fault are returned as
 * failures; the others are recorded. `dry_run`: only returns the outcome.
 */
export async function reportHours(
  ctx: Ctx,
  employer: EmployerKey,
  rows: StagedRows,
  dry_run: boolean,
): Promise<HoursOutcome> {
  const { period_starts_on, period_ends_on, planned, ...outcome } = await recordRows(ctx, employer, rows, {
    dry_run,
    are_distinct: true,
    known_at: ctx.now,
  })
  const report = { row_count: rows.count, ...outcome }
  if (!dry_run) await saveReport(ctx, employer, { origin: 'api', period_starts_on, period_ends_on, ...report })
  const status_changes = await findStatusChanges(ctx, employer, planned)
  return { employer_id: employer.employer_id, dry_run, reported_at: ctx.now, ...report, status_changes }
}

/**
 * How full-time status changes with the hours that a report would record, for its employees and for the other
 * employments of the same people, whose hours count together.
 */
async function findStatusChanges(
  ctx: Ctx,
  { organization_id }: EmployerKey,
  planned: PlannedHours[],
): Promise<HoursOutcome['status_changes']> {
  const by_employee = Map.groupBy(planned, ([employee_id]) => employee_id)
  const reported_ids = previewedIds(planned)
  if (reported_ids.length === 0) return []
  const employee_ids = await listSameMembers(ctx, { organization_id, employee_ids: reported_ids })
  const changes: HoursOutcome['status_changes'] = []
  for (const some of chunksOf(employee_ids, max_previewed)) {
    const found = await listWorkFacts(ctx, { organization_id, employee_ids: some })
    const changed = await runInSlices(
      mapInSteps(found, (facts) => {
        const { employee_id, person_name, employments } = facts
        const theirs = employments.flatMap(({ id }) => by_employee.get(id) ?? [])
        const after = { ...facts, hours: hoursAfter([...facts.hours], theirs) }
        return statusChanges(facts, after, ctx.today).map((change) => ({ employee_id, person_name, ...change }))
      }),
    )
    changes.push(...changed.flat())
  }
  return changes
}

const previewedIds = (planned: PlannedHours[]): string[] =>
  [...new Set(planned.map(([employee_id]) => employee_id))].slice(0, max_previewed)

/** `are_distinct`: no two rows that name an employee in the same way overlap. */
async function recordRows(
  ctx: Ctx,
  employer: EmployerKey,
  { pieces }: StagedRows,
  { dry_run, are_distinct, known_at }: { dry_run: boolean; are_distinct: boolean; known_at: string },
) {
  const reported_through = await findReportedThrough(ctx, employer)
  const chunks: ChunkOutcome[] = []
  let references_through: Day | null = reported_through
  let ids_through: Day | null = reported_through
  for (const [at, rows] of pieces.entries()) {
    const previewed_ids = previewedIds(chunks.flatMap(({ planned }) => planned ?? []))
    const through = { reported_through, references_through, ids_through }
    const chunk = { first_index: at * chunk_size, rows, ...through, known_at, previewed_ids }
    const outcome = (await recordChunk(ctx, employer, chunk, dry_run))!
    const { period_ends_on, references_end_on, ids_end_on } = outcome
    references_through = lastDay(references_through, are_distinct ? ids_end_on : period_ends_on)
    ids_through = lastDay(ids_through, are_distinct ? references_end_on : period_ends_on)
    chunks.push(outcome)
  }
  return outcomeOf(chunks)
}

type Report = Omit<ReturnType<typeof outcomeOf>, 'changes' | 'planned' | 'failures'> & {
  origin: 'api' | 'hris'
  row_count: number
  failures: FailedHours[]
}

/** Saves a report, and requests the measurement of the employees. */
async function saveReport(ctx: Ctx, employer: EmployerKey, { failures, ...report }: Report): Promise<void> {
  const kept = failures
    .slice(0, max_kept)
    .map(({ employee_id, reference_id, field, reason }) => ({ employee_id, reference_id, field, reason }))
  await insertReport(ctx, {
    ...employer,
    ...report,
    hours_report_id: newId('hrep'),
    failures: JSON.stringify(kept),
  })
  await requestMeasurement(ctx, employer)
}

/**
 * Records the hours that a payroll system reported with the roster, after the people of the run are on the roster. Each
 * run is recorded once. Runs can be recorded in another order than they were fetched, such as after a confirmation, so
 * hours that were reported after the fetch stay.
 */
const recordRunHours = (runtime: Runtime, job: EmployerKey & { run_id: string }): Promise<void> =>
  inEmployer(runtime, job, async (ctx) => {
    const { fetched_at, hours } = await takeHours(ctx, job)
    const sent = (await runInSlices(mapInSteps(hours, rowsOf))).flat()
    if (sent.length === 0) return
    const invalid = sent.filter((row) => 'field' in row)
    const valid = sent.filter((row) => !('field' in row))
    const staged = await runInSlices(stageRowsInTurn(valid, chunk_size))
    const {
      changes: _,
      planned: __,
      failures,
      failed_count,
      ...outcome
    } = await recordRows(ctx, job, staged, {
      dry_run: false,
      are_distinct: false,
      known_at: fetched_at,
    })
    if (outcome.unchanged_count === sent.length) return
    await saveReport(ctx, job, {
      ...outcome,
      origin: 'hris',
      row_count: sent.length,
      failed_count: failed_count + invalid.length,
      failures: [...invalid, ...failures],
    })
  })

type SentRow = z.output<typeof NewHours> | FailedHours

const columns = [
  ['hours_worked', 'worked'],
  ['paid_leave_hours', 'paid_leave'],
] as const

/** The rows of the hours of a person in a pay period, as a request would send them. A row that is not valid fails. */
function rowsOf(sent: HrisHours): SentRow[] {
  const reference_id = sent.reference_id ?? null
  const day = (text: string | null | undefined) => parseDay(text?.trim() ?? '')
  const [period_starts_on, period_ends_on] = [day(sent.period_starts_on), day(sent.period_ends_on)]
  return columns.flatMap(([column, kind]): SentRow[] => {
    const hours = sent[column]?.trim()
    if (!hours) return []
    const failed = (field: string, reason: string) => [{ employee_id: null, reference_id, field, reason }]
    if (!/^-?(\d+\.?\d*|\.\d+)$/.test(hours)) return failed(column, 'must be a number with a decimal point')
    const row = { reference_id, period_starts_on, period_ends_on, kind, hours: Number(hours) }
    const parsed = NewHours.safeParse(row, { reportInput: true })
    if (parsed.success) return [parsed.data]
    const { field, message } = detailsOf(parsed.error.issues)[0]!
    return failed(field === 'hours' ? column : field, message)
  })
}

export const tasks = {
  record_hris_hours: task(
    z.object({ organization_id: z.string(), employer_id: z.string(), run_id: z.string() }),
    recordRunHours,
  ),
}
