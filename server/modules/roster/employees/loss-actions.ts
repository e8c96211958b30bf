import { correction_window_days } from '../../directory/tasks/rules.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { rolledBack } from '../../../database/query/transactions.ts'
import { addDays, earliest } from '../../../kernel/days.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { settle } from '../../coverage/enrollments/actions.ts'
import { listCoverage, saveEmployees } from './queries.ts'
import { lostCoverage, type Employment, refuseRescission } from './rules.ts'

/**
 * Performs an action, and throws a refusal if it removed coverage of more than `window_days` days ago. The caller's
 * transaction must then be rolled back.
 */
export async function withinCorrectionWindow<T>(
  ctx: Ctx,
  { organization_id, employee_ids }: { organization_id: string; employee_ids: string[] },
  window_days: number,
  field: string,
  action: () => Promise<T>,
): Promise<T> {
  const until = addDays(ctx.today, -window_days - 1)
  const before = await listCoverage(ctx, { organization_id, employee_ids, until })
  if (before.length === 0) return action()
  const outcome = await action()
  const after = await listCoverage(ctx, { organization_id, employee_ids, until })
  if (lostCoverage(before, after).length > 0) throw refuseRescission(field)
  return outcome
}

/**
 * Finds the employments whose new first day would remove coverage of more than `correction_window_days` ago. Writes the
 * moves, compares the coverage, and rolls back. `moved` holds the employments with their new first day.
 */
export async function findRescindingMoves(ctx: Ctx, employer: EmployerKey, moved: Employment[]): Promise<Set<string>> {
  const { organization_id } = employer
  const until = addDays(ctx.today, -correction_window_days - 1)
  const coverageOf = (employments: Employment[]) =>
    listCoverage(ctx, { organization_id, employee_ids: employments.map(({ id }) => id), until })
  const before = moved.length > 0 ? await coverageOf(moved) : []
  const covered_ids = new Set(before.map(({ employee_id }) => employee_id))
  const covered = moved.filter(({ id }) => covered_ids.has(id))
  if (covered.length === 0) return new Set()
  const after = await rolledBack(ctx.db, async () => {
    await saveEmployees(ctx, employer, covered)
    await settle(ctx, organization_id, [...covered_ids], { since: earliest(...before.map(({ from }) => from)) })
    return coverageOf(covered)
  })
  return new Set(lostCoverage(before, after).map(({ employee_id }) => employee_id))
}
