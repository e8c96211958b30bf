import type { Ctx } from '../../../runtime/ctx.ts'
import { runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { listRequested, saveActuals, type StatementKey } from './queries.ts'
import { matchActuals } from './rules.ts'
import type { NewActual } from './schemas.ts'

/**
 * Records the amounts that payroll actually deducted for a statement. A new report replaces an earlier one for the same
 * enrollment. Later statements collect shortfalls and refund excess. Rows without a match are returned as failures; the
 * others are recorded.
 */
export async function recordActuals(ctx: Ctx, key: StatementKey, rows: NewActual[]) {
  const { recorded, failures } = await runInSlices(
    matchActuals(rows, await listRequested(ctx, { ...key, ...namedBy(rows) })),
  )
  if (recorded.length > 0) await saveActuals(ctx, key, recorded)
  return { statement_id: key.statement_id, row_count: rows.length, recorded_count: recorded.length, failures }
}

const namedBy = (rows: NewActual[]) => ({
  employee_ids: distinct(rows.map(({ employee_id }) => employee_id)),
  reference_ids: distinct(rows.map(({ reference_id }) => reference_id)),
  enrollment_ids: distinct(rows.map(({ enrollment_id }) => enrollment_id)),
})

const distinct = (ids: (string | undefined)[]): string[] => [...new Set(ids.filter((id) => id !== undefined))]
