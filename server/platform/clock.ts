import type { Ctx } from './ctx.ts'
import { addDays, addDaysTo, easternDay } from '../kernel/days.ts'
import type { Db } from './database/database.ts'
import { scope_setting } from './database/rows-of.ts'
import { statement } from './database/statement.ts'

/**
 * A context as its runtime sees it so many whole days ahead: the day follows the calendar, and the time of day stays.
 */
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

const lock = `
  select clock_offset_days, set_config('${scope_setting}', id, true) as rows_of
    from organizations where id = :organization_id for no key update`

const locked_free = statement('clock.lockFreeClock', `${lock} nowait`)
const locked = statement('clock.lockClock', lock)
const locked_beside = statement(
  'clock.lockBeside',
  'select clock_offset_days from organizations where id = :organization_id for no key update',
)

type ClockRow = { clock_offset_days: number }
type LockedRow = ClockRow & { rows_of: string }

/** How many days ahead of the calendar an organization lives; none when there is no such organization. */
export const findClock = async (db: Db, organization_id: string): Promise<number> =>
  (await found.row<ClockRow>({ db }, { organization_id }))?.clock_offset_days ?? 0

/** Whoever goes on without the lock, and in the scope from before, would take what is there for nothing. */
function offsetOf(row: LockedRow | undefined): number {
  if (!row) throw new Error('An organization to lock is out of scope, or there is none.')
  return row.clock_offset_days
}

/**
 * The same, and locks the organization at once, or throws PostgreSQL's 55P03 when another has the organization. From
 * then on the transaction touches rows of no other.
 */
export const lockFreeClock = async (db: Db, organization_id: string): Promise<number> =>
  offsetOf(await locked_free.row<LockedRow>({ db }, { organization_id }))

/**
 * The same, and locks the organization, so that nobody moves its clock before the transaction ends. From then on it
 * touches rows of no other.
 */
export const lockClock = async (db: Db, organization_id: string): Promise<number> =>
  offsetOf(await locked.row<LockedRow>({ db }, { organization_id }))

/** Locks an organization for a deed of another, whose rows the transaction goes on to touch. */
export const lockBeside = async (db: Db, organization_id: string): Promise<void> =>
  void (await locked_beside.row<ClockRow>({ db }, { organization_id }))
