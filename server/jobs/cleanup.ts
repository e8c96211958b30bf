import { serviceCaller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { keepPartitions } from '../database/schema/partitions.ts'
import { forgetProcesses } from '../runtime/processes.ts'
import { forgetPositions } from '../database/replica/write-positions.ts'
import { forgetIdempotencyKeys } from '../http/idempotency.ts'
import { forgetIdleBuckets } from '../http/limits/rate-limit.ts'
import { inTransaction, type Runtime } from '../runtime/runtime.ts'

/** Forgets some of what was kept for a time that is over; tells whether there is more of it. */
export type CleanUp = (ctx: Ctx) => Promise<boolean>

/** Forgets what was kept for a time that is over; `theirs`: what the modules kept. */
export async function cleanUp(runtime: Runtime, theirs: CleanUp[]): Promise<void> {
  await keepPartitions(runtime, runtime.settings.audit_retention_years)
  const caller = serviceCaller(null)
  await inTransaction(runtime, caller, async (ctx) => {
    await forgetIdempotencyKeys(ctx)
    await forgetIdleBuckets(ctx)
    await forgetProcesses(ctx.db)
    await forgetPositions(ctx.db)
  })
  for (const forget of theirs) while (await inTransaction(runtime, caller, forget));
}
