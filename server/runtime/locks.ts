/**
 * The locks of organizations and employers, which last until the transaction ends. A lock also fixes the clock of the
 * organization, which most functions return, and narrows the scope of the transaction to the organization.
 *
 *     lockOrganization     the whole organization, exclusively
 *     enterOrganization    the organization, shared with others, and then one of:
 *       lockEmployers        some employers, exclusively
 *       shareEmployer        an employer, shared with jobs that also share it
 *
 * Later writes that enter an organization do not overtake a write that waits for the whole organization
 * (docs/design/data/locks-and-days.md). The functions with `IfFree` in their names throw instead of waiting, see
 * `isLockNotFree`.
 */
import { isDatabaseError } from '../database/query/scoped-query.ts'
import type { Db } from '../database/query/database.ts'
import { scope_setting } from '../database/query/rows-of.ts'
import { statement } from '../database/sql/statement.ts'
import type { ClockRow } from './clock.ts'

/** SQL: the key of the advisory lock of an organization. It accompanies the lock of its row. */
const whole = (key_sql: string) => `hashtextextended(${key_sql}, 169)`

const scope_set = `set_config('${scope_setting}', id, true) as rows_of`

const organization_locked_if_free = statement(
  'locks.lockOrganizationIfFree',
  `select clock_offset_days, ${scope_set}, pg_try_advisory_xact_lock(${whole('id')}) as is_free
     from organizations where id = :organization_id for no key update nowait`,
)
const organization_locked = statement(
  'locks.lockOrganization',
  `select clock_offset_days, ${scope_set}, pg_advisory_xact_lock(${whole('id')}) is not null as is_free
     from organizations where id = :organization_id for no key update`,
)
const entered_if_free = statement(
  'locks.enterOrganizationIfFree',
  `select ${scope_set}, pg_try_advisory_xact_lock_shared(${whole('id')}) as is_free
     from organizations where id = :organization_id`,
)
const entered = statement(
  'locks.enterOrganization',
  `select ${scope_set}, pg_advisory_xact_lock_shared(${whole('id')}) is not null as is_free
     from organizations where id = :organization_id`,
)

/**
 * SQL: employers to lock, with the clock of their organization. The transaction has entered the organization, so the
 * clock cannot move.
 */
const lockEmployersSql = (condition: string) => `
  select organization.clock_offset_days
    from employers as employer join organizations as organization on organization.id = :organization_id
   where employer.id ${condition} and employer.organization_id = :organization_id`
const employer_locked_if_free = statement(
  'locks.lockEmployerIfFree',
  `${lockEmployersSql('= :employer_id')} for no key update of employer nowait`,
)
const employer_of_enrollment_locked_if_free = statement(
  'locks.lockEmployerOfEnrollmentIfFree',
  `${lockEmployersSql(`= (
      select employer_id from enrollments where id = :enrollment_id and organization_id = :organization_id)`)}
   for no key update of employer nowait`,
)
// In the order of ids, so that two transactions that lock several employers do not deadlock.
const employers_locked = statement(
  'locks.lockEmployers',
  `${lockEmployersSql('= any(:employer_ids::text[])')} order by employer.id for no key update of employer`,
)
/** Locks those of these organizations that no other transaction has locked or entered. */
export const lockIdleOrganizations = statement(
  'locks.lockIdleOrganizations',
  `with organization as materialized (
     select id from organizations where id = any(:organization_ids::text[]) order by id
        for no key update skip locked)
   select id from organization where pg_try_advisory_xact_lock(${whole('id')})`,
).column
const other_organization_locked = statement(
  'locks.lockOtherOrganization',
  `select clock_offset_days, pg_advisory_xact_lock(${whole('id')}) is not null as is_free
     from organizations where id = :organization_id for no key update`,
)

const employer_shared = statement('locks.shareEmployer', `${lockEmployersSql('= :employer_id')} for share of employer`)
const shared_employer_locked = statement(
  'locks.lockSharedEmployer',
  'select pg_advisory_xact_lock(hashtextextended(:employer_id, 247)) is not null as is_free',
)

type EnteredRow = { rows_of: string; is_free: boolean }
type AwaitedRow = { is_awaited: boolean }
type LockedRow = ClockRow & EnteredRow

/** Another transaction has the lock. */
export class LockNotFree extends Error {}

/** Requires that a row was locked. Otherwise the transaction would continue in its previous scope and find no rows. */
function requireLocked<Row extends object>(row: Row | undefined): Row {
  if (!row) throw new Error('The row to lock is out of scope or does not exist.')
  if ('is_free' in row && row.is_free === false) throw new LockNotFree()
  return row
}

/** Whether a lock was not free, or not available in time. */
export const isLockNotFree = (error: unknown): boolean =>
  error instanceof LockNotFree || (isDatabaseError(error) && error.code === '55P03')

/** Locks the organization and returns its clock. Throws if another transaction has it or one of its employers. */
export const lockOrganizationIfFree = async (db: Db, organization_id: string): Promise<number> =>
  requireLocked(await organization_locked_if_free.row<LockedRow>({ db }, { organization_id })).clock_offset_days

/**
 * Locks the organization and returns its clock. Until the transaction ends, other transactions cannot write there or
 * move the clock.
 */
export const lockOrganization = async (db: Db, organization_id: string): Promise<number> =>
  requireLocked(await organization_locked.row<LockedRow>({ db }, { organization_id })).clock_offset_days

/** Locks an organization for an action of another one, without changing the scope of the transaction. */
export const lockOtherOrganization = async (db: Db, organization_id: string): Promise<void> =>
  void requireLocked(await other_organization_locked.row<ClockRow & { is_free: boolean }>({ db }, { organization_id }))

export type OneEmployer = { organization_id: string; employer_id: string }

/**
 * Enters an organization to write at one of its employers, which must be locked next. Others may enter it too, but
 * cannot lock the whole organization in the meantime.
 */
export const enterOrganization = async (db: Db, organization_id: string): Promise<void> =>
  void requireLocked(await entered.row<EnteredRow>({ db }, { organization_id }))

/** Like `enterOrganization`, but throws instead of waiting. */
export const enterOrganizationIfFree = async (db: Db, organization_id: string): Promise<void> =>
  void requireLocked(await entered_if_free.row<EnteredRow>({ db }, { organization_id }))

/** Locks employers of an entered organization, and returns its clock. */
export async function lockEmployers(
  db: Db,
  { organization_id, employer_ids }: { organization_id: string; employer_ids: string[] },
): Promise<number> {
  const rows = await employers_locked.rows<ClockRow>({ db }, { organization_id, employer_ids })
  return requireLocked(rows[employer_ids.length - 1]).clock_offset_days
}

/** Shares the lock of an employer with others that share it, and returns the clock of the organization. */
export const shareEmployer = async (db: Db, key: OneEmployer): Promise<number> =>
  requireLocked(await employer_shared.row<ClockRow>({ db }, key)).clock_offset_days

/** Locks an employer against others that share it. */
export const lockSharedEmployer = async (db: Db, { employer_id }: Pick<OneEmployer, 'employer_id'>): Promise<void> =>
  void requireLocked(await shared_employer_locked.row<{ is_free: boolean }>({ db }, { employer_id }))

/** Locks an employer of an entered organization without waiting, and returns the clock. */
export const lockEmployerIfFree = async (db: Db, { organization_id, employer_id }: OneEmployer): Promise<number> =>
  requireLocked(await employer_locked_if_free.row<ClockRow>({ db }, { organization_id, employer_id })).clock_offset_days

/** Like `lockEmployerIfFree`, for the employer of an enrollment. The caller need not know the employer. */
export const lockEmployerOfEnrollmentIfFree = async (
  db: Db,
  key: { organization_id: string; enrollment_id: string },
): Promise<number> =>
  requireLocked(await employer_of_enrollment_locked_if_free.row<ClockRow>({ db }, key)).clock_offset_days

// A transaction that waits for a locked row waits for the lock of the transaction that locked it.
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
const awaited = statement('locks.isAwaited', `select ${is_awaited}`)
// In a distributed database a row is locked on the server with the employer, by the session of the transaction there.
const awaited_by_employer = statement(
  'locks.isEmployerAwaited',
  `select ${is_awaited} from employers where id = :employer_id and organization_id = :organization_id`,
)

/**
 * Whether a transaction of any process waits for a lock of this one. `key`: an employer of the organization. In a
 * distributed database its server is checked too.
 */
export const isAwaited = async (db: Db, key: OneEmployer): Promise<boolean> =>
  (await awaited.row<AwaitedRow>({ db }, {}))!.is_awaited ||
  (db.distribution !== undefined && (await awaited_by_employer.row<AwaitedRow>({ db }, key))!.is_awaited)
