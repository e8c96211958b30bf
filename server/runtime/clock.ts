import type { Ctx } from './ctx.ts'
import { addDays, addDaysTo, easternDay } from '../kernel/days.ts'
import { isDatabaseError } from '../database/query/pipeline.ts'
import type { Db } from '../database/query/database.ts'
import { scope_setting } from '../database/query/rows-of.ts'
import { statement } from '../database/sql/statement.ts'

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

/**
 * SQL: the lock of an organization, which `for no key update` of its row goes along with. Who holds it whole keeps all
 * others away; several hold it beside each other, each at an employer of its own (decision 169). Whoever asks for it
 * whole is not passed by others who come later.
 */
const whole = (whose: string) => `hashtextextended(${whose}, 169)`

const scope_set = `set_config('${scope_setting}', id, true) as rows_of`

const locked_free = statement(
  'clock.lockFreeClock',
  `select clock_offset_days, ${scope_set}, pg_try_advisory_xact_lock(${whole('id')}) as is_free
     from organizations where id = :organization_id for no key update nowait`,
)
const locked = statement(
  'clock.lockClock',
  `select clock_offset_days, ${scope_set}, pg_advisory_xact_lock(${whole('id')}) is not null as is_free
     from organizations where id = :organization_id for no key update`,
)
const entered_free = statement(
  'clock.enterFree',
  `select ${scope_set}, pg_try_advisory_xact_lock_shared(${whole('id')}) as is_free
     from organizations where id = :organization_id`,
)
const entered = statement(
  'clock.enter',
  `select ${scope_set}, pg_advisory_xact_lock_shared(${whole('id')}) is not null as is_free
     from organizations where id = :organization_id`,
)

/** SQL: asked once the organization was entered, so that nobody moves the clock that it tells. */
const lockEmployers = (which: string) => `
  select organization.clock_offset_days
    from employers as employer join organizations as organization on organization.id = :organization_id
   where employer.id ${which} and employer.organization_id = :organization_id`
const employer_locked_free = statement(
  'clock.lockFreeEmployer',
  `${lockEmployers('= :employer_id')} for no key update of employer nowait`,
)
// In the order of their ids, so that two who lock several don't wait for one another.
const employers_locked = statement(
  'clock.lockEmployers',
  `${lockEmployers('= any(:employer_ids::text[])')} order by employer.id for no key update of employer`,
)
const many_locked = statement(
  'clock.lockIdle',
  `with organization as materialized (
     select id from organizations where id = any(:organization_ids::text[]) order by id
        for no key update skip locked)
   select id from organization where pg_try_advisory_xact_lock(${whole('id')})`,
)
const locked_beside = statement(
  'clock.lockBeside',
  `select clock_offset_days, pg_advisory_xact_lock(${whole('id')}) is not null as is_free
     from organizations where id = :organization_id for no key update`,
)

const employer_shared = statement('clock.shareEmployer', `${lockEmployers('= :employer_id')} for share of employer`)
const besides_locked = statement(
  'clock.lockAmongBeside',
  'select pg_advisory_xact_lock(hashtextextended(:employer_id, 247)) is not null as is_free',
)

type ClockRow = { clock_offset_days: number }
type EnteredRow = { rows_of: string; is_free: boolean }
type AwaitedRow = { is_awaited: boolean }
type LockedRow = ClockRow & EnteredRow

/** How many days ahead of the calendar an organization lives; none when there is no such organization. */
export const findClock = async (db: Db, organization_id: string): Promise<number> =>
  (await found.row<ClockRow>({ db }, { organization_id }))?.clock_offset_days ?? 0

/** Another has what was to be locked at once. */
export class NotFree extends Error {}

/** Whoever goes on without the lock, and in the scope from before, would take what is there for nothing. */
function had<Row extends object>(row: Row | undefined): Row {
  if (!row) throw new Error('What was to be locked is out of scope, or there is none.')
  if ('is_free' in row && row.is_free === false) throw new NotFree()
  return row
}

/** An error that says that a lock was not had: at once, or in time. */
export const isNotFree = (error: unknown): boolean =>
  error instanceof NotFree || (isDatabaseError(error) && error.code === '55P03')

/**
 * The same, and locks the organization at once, or throws what `isNotFree` when another has it or is at one of its
 * employers. From then on the transaction touches rows of no other.
 */
export const lockFreeClock = async (db: Db, organization_id: string): Promise<number> =>
  had(await locked_free.row<LockedRow>({ db }, { organization_id })).clock_offset_days

/**
 * The same, and locks the organization, so that nobody else writes there and nobody moves its clock before the
 * transaction ends. From then on it touches rows of no other.
 */
export const lockClock = async (db: Db, organization_id: string): Promise<number> =>
  had(await locked.row<LockedRow>({ db }, { organization_id })).clock_offset_days

/** Locks an organization for an action of another, whose rows the transaction goes on to touch. */
export const lockBeside = async (db: Db, organization_id: string): Promise<void> =>
  void had(await locked_beside.row<ClockRow & { is_free: boolean }>({ db }, { organization_id }))

/** Locks those of these organizations at which nobody else is. */
export async function lockIdle(db: Db, organization_ids: string[]): Promise<string[]> {
  const rows = await many_locked.rows<{ id: string }>({ db }, { organization_ids })
  return rows.map(({ id }) => id)
}

/** One employer of an organization. */
type OneEmployer = { organization_id: string; employer_id: string }

/**
 * Enters an organization to write at one of its employers, which is locked next; others may do the same at others, and
 * nobody has the organization whole meanwhile. From then on the transaction touches rows of no other organization.
 */
export const enter = async (db: Db, organization_id: string): Promise<void> =>
  void had(await entered.row<EnteredRow>({ db }, { organization_id }))

/** The same at once, or throws what `isNotFree`. */
export const enterFree = async (db: Db, organization_id: string): Promise<void> =>
  void had(await entered_free.row<EnteredRow>({ db }, { organization_id }))

/** Locks employers of an organization that was entered, and tells the clock there. */
export async function lockEmployersClock(
  db: Db,
  { organization_id, employer_ids }: { organization_id: string; employer_ids: string[] },
): Promise<number> {
  const rows = await employers_locked.rows<ClockRow>({ db }, { organization_id, employer_ids })
  return had(rows[employer_ids.length - 1]).clock_offset_days
}

/**
 * Locks an employer of an organization that was entered beside others who do the same, and tells the clock there: who
 * locks it alone waits for all of them, and they for him.
 */
export const shareEmployerClock = async (db: Db, at: OneEmployer): Promise<number> =>
  had(await employer_shared.row<ClockRow>({ db }, at)).clock_offset_days

/** Waits until none of those who share an employer has this lock, which one of them has from then on. */
export const lockAmongBeside = async (db: Db, { employer_id }: Pick<OneEmployer, 'employer_id'>): Promise<void> =>
  void had(await besides_locked.row<{ is_free: boolean }>({ db }, { employer_id }))

/** The same at once, or throws what `isNotFree`. */
export const lockFreeEmployerClock = async (db: Db, { organization_id, employer_id }: OneEmployer): Promise<number> =>
  had(await employer_locked_free.row<ClockRow>({ db }, { organization_id, employer_id })).clock_offset_days

// PostgreSQL has who waits for a locked row wait for the transaction that locked it.
const is_awaited = `
  exists (
    with locks as materialized (
      select locktype, database, transactionid, classid, objid, objsubid, granted, pid from pg_locks
       where locktype in ('transactionid', 'advisory')
    )
    select from locks as held join locks as wanted using (locktype)
     where held.pid = pg_backend_pid() and held.granted and not wanted.granted
       and (wanted.transactionid = held.transactionid
            or (wanted.database, wanted.classid, wanted.objid, wanted.objsubid)
               = (held.database, held.classid, held.objid, held.objsubid))) as is_awaited`
const awaited = statement('clock.isAwaited', `select ${is_awaited}`)
// Where tenants are divided it is asked of the server that has the employer, of the session of the transaction there:
// who waits for a row waits at that one.
const awaited_behind = statement(
  'clock.isAwaitedBehind',
  `select ${is_awaited} from employers where id = :employer_id and organization_id = :organization_id`,
)

/**
 * Whether somebody, in whatever process, waits for a place that the transaction has locked, or for a row of its. `at`:
 * an employer of the organization it is in, whose server is asked too.
 */
export const isAwaited = async (db: Db, at: OneEmployer): Promise<boolean> =>
  (await awaited.row<AwaitedRow>({ db }, {}))!.is_awaited ||
  (db.divided && (await awaited_behind.row<AwaitedRow>({ db }, at))!.is_awaited)
