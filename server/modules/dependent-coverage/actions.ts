import { lastOf } from '../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../platform/ctx.ts'
import { recordEvents } from '../../platform/events.ts'
import { inOrganization, type Runtime } from '../../platform/runtime.ts'
import { followDependents } from '../elections/actions.ts'
import { recordEvidence } from '../evidence/queries.ts'
import { openWindowsOfLeavers } from '../life-events/actions.ts'
import { listEnding, listLosing, listNaming, saveEnds } from './queries.ts'

/** Dependents in one transaction: each enrollment that names them is priced by itself. */
const chunk_size = 100

/**
 * What follows when coverage of dependents ends, or turns out not to: it is told ahead and on the day, each end once;
 * their enrollments go on without them in the tier that fits, and their employees may choose again. Run again it
 * changes nothing. The organization is locked.
 */
export async function followEnds(ctx: Ctx, organization_id: string, dependent_ids: string[]): Promise<void> {
  if (dependent_ids.length === 0) return
  const ends = await saveEnds(ctx, organization_id, dependent_ids)
  const ended = ends.filter(({ told }) => told === 'ended').map(({ dependent_id }) => dependent_id)
  const losing = ended.length > 0 ? await listLosing(ctx, organization_id, ended) : []
  const changed: string[] = []
  for (const enrollment of await listNaming(ctx, organization_id, dependent_ids))
    if (await followDependents(ctx, enrollment)) changed.push(enrollment.enrollment_id)
  await recordEvidence(
    ctx,
    organization_id,
    changed.map((enrollment_id) => ({ enrollment_id, deed: 'dependents_changed', by: 'rule' })),
  )
  await recordEvents(
    ctx,
    ends.map(({ dependent_id, told }) => ({
      event_name: `dependent.coverage_${told}`,
      organization_id,
      resource_id: dependent_id,
    })),
  )
  await openWindowsOfLeavers(ctx, organization_id, losing)
}

/** The daily run: coverage of dependents ends, or does so soon. */
export async function dailyEnds(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const few = { ...chunk, most: Math.min(chunk.most, chunk_size) }
  const dependent_ids = await listEnding(ctx, organization_id, few)
  await followEnds(ctx, organization_id, dependent_ids)
  return lastOf(dependent_ids, few)
}

/** What follows from a change of dependents, or of who is covered. */
export const followSoon = (
  runtime: Runtime,
  { organization_id, dependent_ids }: { organization_id: string; dependent_ids: string[] },
): Promise<void> => inOrganization(runtime, organization_id, (ctx) => followEnds(ctx, organization_id, dependent_ids))
