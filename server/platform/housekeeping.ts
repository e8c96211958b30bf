import { serviceCaller } from './caller.ts'
import type { Ctx } from './ctx.ts'
import { forgetIdempotencyKeys } from './idempotency.ts'
import { forgetIdleBuckets } from './rate-limit.ts'
import { inTransaction, type World } from './world.ts'

/** Forgets what was kept for a time that is over; `theirs`: what the modules kept. */
export const keepHouse = (world: World, theirs: (ctx: Ctx) => Promise<void>): Promise<void> =>
  inTransaction(world, serviceCaller(null), async (ctx) => {
    await forgetIdempotencyKeys(ctx)
    await forgetIdleBuckets(ctx)
    await theirs(ctx)
  })
