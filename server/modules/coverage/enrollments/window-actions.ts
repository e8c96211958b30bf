import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { listLiveEnrollments, listOpening, listOpeningIn } from './window-queries.ts'

/** The daily run: publishes the windows that open today. */
export async function openWindows(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const opening = await listOpening(ctx, organization_id, chunk)
  await publishOpenWindows(ctx, organization_id, opening)
  return lastOf(opening, chunk)
}

/** Publishes events for the open enrollment of a plan year, after an update of its days that opened it today. */
export const announceOpenEnrollment = (
  runtime: Runtime,
  { organization_id, plan_year_id }: { organization_id: string; plan_year_id: string },
): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) =>
    publishOpenWindows(ctx, organization_id, await listOpeningIn(ctx, organization_id, plan_year_id)),
  )

const publishOpenWindows = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  recordEvents(
    ctx,
    enrollment_ids.map((resource_id) => ({ event_name: 'enrollment.started', organization_id, resource_id })),
  )

/**
 * Publishes the opening of a window for every enrollment of an employee that is not inactive. The organization must be
 * locked.
 */
export async function announceWindow(
  ctx: Ctx,
  { organization_id, employee_ids }: { organization_id: string; employee_ids: string[] },
): Promise<void> {
  await publishOpenWindows(ctx, organization_id, await listLiveEnrollments(ctx, organization_id, employee_ids))
}
