import type { Ctx } from '../../../runtime/ctx.ts'
import { insertTasks, saveClosings, saveClosingsOf, type NewTask } from './queries.ts'
import type { TaskKind } from './rules.ts'

/**
 * Opens tasks for the operator. If a task is already open, only its details change. The organization must be locked.
 */
export async function openTasks(ctx: Ctx, tasks: NewTask[]): Promise<void> {
  if (tasks.length > 0) await insertTasks(ctx, tasks)
}

/** Closes the open tasks of some kinds about these resources. The organization must be locked. */
export async function closeTasks(
  ctx: Ctx,
  scope: { organization_id: string; kinds: readonly TaskKind[] },
  resource_ids: string[],
): Promise<void> {
  if (resource_ids.length > 0) await saveClosings(ctx, { ...scope, resource_ids })
}

/** Closes all tasks of a kind about an employer. The organization must be locked. */
export const closeTasksOf = (ctx: Ctx, scope: { organization_id: string; employer_id: string; kind: TaskKind }) =>
  saveClosingsOf(ctx, scope)
