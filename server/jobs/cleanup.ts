import { serviceCaller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { keepPartitions } from '../database/schema/partitions.ts'
import { purgeProcesses } from '../runtime/process/processes.ts'
import { purgePositions } from '../database/replica/write-positions.ts'
import { purgeIdempotencyKeys } from '../http/idempotency.ts'
import { purgeIdleBuckets } from '../http/limits/rate-limit.ts'
import { inTransaction, type Runtime } from '../runtime/runtime.ts'

/** Purges some expired rows. Returns true if there may be more. */
export type CleanUp = (ctx: Ctx) => Promise<boolean>

/** Purges expired rows of the platform and of the modules (`theirs`). */
export async function cleanUp(runtime: Runtime, theirs: CleanUp[]): Promise<void> {
  await keepPartitions(runtime, runtime.settings.audit_retention_years)
  const caller = serviceCaller(null)
  await inTransaction(runtime, caller, async (ctx) => {
    await purgeIdempotencyKeys(ctx)
    await purgeIdleBuckets(ctx)
    await purgeProcesses(ctx.db)
    await purgePositions(ctx.db)
  })
  for (const forget of theirs) while (await inTransaction(runtime, caller, forget));
}
