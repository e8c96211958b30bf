import { serviceCaller } from './caller.ts'
import type { Ctx } from './ctx.ts'
import { addDays, easternDay, type Day } from './days.ts'
import { forgetIdempotencyKeys } from './idempotency.ts'
import { forgetIdleBuckets } from './rate-limit.ts'
import { inTransaction, type World } from './world.ts'

export type Turn = (ctx: Ctx, day: Day) => Promise<void>

/**
 * Turns every Eastern day since the last one turned, in order, each in one transaction together with the
 * note that it was turned: so each happens exactly once, whoever calls this and however often.
 */
export async function turnDays(world: World, turns: Turn[]): Promise<void> {
  const today = easternDay(world.clock())
  for (let more = true; more;) {
    more = await inTransaction(world, serviceCaller(null), async (ctx) => {
      const day = await nextDay(ctx, today)
      if (day > today) return false
      for (const turn of turns) await turn(ctx, day)
      await ctx.db.rows('insert into turned_days (day, turned_at) values ($1, $2)', [day, ctx.now])
      return true
    })
  }
  await inTransaction(world, serviceCaller(null), async (ctx) => {
    await forgetIdempotencyKeys(ctx)
    await forgetIdleBuckets(ctx)
  })
}

/** The day after the last one turned; today in a new installation. Takes the turn's lock. */
async function nextDay(ctx: Ctx, today: Day): Promise<Day> {
  await ctx.db.rows(`select pg_advisory_xact_lock(hashtext('openbenefits turn of the day'))`)
  const last = await ctx.db.row<{ day: Day | null }>('select max(day) as day from turned_days')
  return last?.day ? addDays(last.day, 1) : today
}
