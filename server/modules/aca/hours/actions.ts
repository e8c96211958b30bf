import type { StagedRows } from '../../../kernel/concurrency/staged-rows.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { requestMeasurement } from '../ale-groups/actions.ts'
import { findReportedThrough, insertReport, recordChunk } from './queries.ts'
import { lastDay, outcomeOf, type ChunkOutcome } from './rules.ts'
import { chunk_size, type HoursOutcome } from './schemas.ts'

/**
 * Records a report of hours of service. The last report of a period applies. Rows with a fault are returned as
 * failures; the others are recorded. `dry_run`: only returns the outcome.
 */
export async function reportHours(
  ctx: Ctx,
  employer: EmployerKey,
  { count, pieces }: StagedRows,
  dry_run: boolean,
): Promise<HoursOutcome> {
  const reported_through = await findReportedThrough(ctx, employer)
  const chunks: ChunkOutcome[] = []
  let recorded_through: Day | null = reported_through
  for (const [at, rows] of pieces.entries()) {
    const chunk = { first_index: at * chunk_size, rows, reported_through, recorded_through }
    const outcome = (await recordChunk(ctx, employer, chunk, dry_run))!
    recorded_through = lastDay(recorded_through, outcome.period_ends_on)
    chunks.push(outcome)
  }
  const { period_starts_on, period_ends_on, ...outcome } = outcomeOf(chunks)
  const report = { row_count: count, ...outcome }
  if (!dry_run && period_starts_on !== null && period_ends_on !== null)
    await insertReport(ctx, {
      ...employer,
      ...report,
      hours_report_id: newId('hrep'),
      period_starts_on,
      period_ends_on,
    })
  if (!dry_run) await requestMeasurement(ctx, employer)
  return { employer_id: employer.employer_id, dry_run, reported_at: ctx.now, ...report }
}
