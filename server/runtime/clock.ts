/** The clock of an organization. A sandbox can move its own ahead by whole days. */
import type { Ctx } from './ctx.ts'
import { addDays, addDaysTo, easternDay } from '../kernel/days.ts'
import type { Db } from '../database/query/database.ts'
import { statement } from '../database/sql/statement.ts'

/** The context with its clock moved ahead by whole days. The time of day in New York stays the same. */
export function withClock(ctx: Ctx, offset_days: number): Ctx {
  if (offset_days === 0 && ctx.now === ctx.real_now) return ctx
  const instant = Date.parse(ctx.real_now)
  return {
    ...ctx,
    today: addDays(easternDay(instant), offset_days),
    now: new Date(addDaysTo(instant, offset_days)).toISOString(),
  }
}

const found = statement('clock.findClock', 'select clock_offset_days from organizations where id = :organization_id')

export type ClockRow = { clock_offset_days: number }

/** The days by which the clock of an organization is ahead. 0 if the organization does not exist. */
export const findClock = async (db: Db, organization_id: string): Promise<number> =>
  (await found.row<ClockRow>({ db }, { organization_id }))?.clock_offset_days ?? 0
