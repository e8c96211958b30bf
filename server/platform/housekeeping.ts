import { serviceCaller } from './caller.ts'
import { forgetIdempotencyKeys } from './idempotency.ts'
import { forgetIdleBuckets } from './rate-limit.ts'
import { inTransaction, type World } from './world.ts'

/** Forgets what was kept for a time that is over. */
export const keepHouse = (world: World): Promise<void> =>
  inTransaction(world, serviceCaller(null), async (ctx) => {
    await forgetIdempotencyKeys(ctx)
    await forgetIdleBuckets(ctx)
  })
