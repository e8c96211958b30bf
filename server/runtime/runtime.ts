import type { FastifyBaseLogger } from 'fastify'
import { clockOf, rowsOf, serviceCaller, type Caller } from './caller.ts'
import { findClock, withClock } from './clock.ts'
import {
  enterOrganization,
  enterOrganizationIfFree,
  isAwaited,
  isLockNotFree,
  lockSharedEmployer,
  lockOrganization,
  lockEmployers,
  lockOrganizationIfFree,
  lockEmployerIfFree,
  lockEmployerOfEnrollmentIfFree,
  LockNotFree,
  type OneEmployer,
  shareEmployer,
} from './locks.ts'
import { endPublishing } from './events.ts'
import type { Clock, Ctx, Settings, DailyRun, HasDailyWork } from './ctx.ts'
import { easternDay } from '../kernel/days.ts'
import type { Database, Db, TransactionEnd } from '../database/query/database.ts'
import type { EventWaits } from './event-waits.ts'
import type { Replica } from '../database/replica/replica.ts'
import type { RowsOf } from '../database/query/rows-of.ts'
import type { Integrations } from '../kernel/integration.ts'
import type { Queue } from '../jobs/enqueue.ts'
import type { Outbound } from '../integrations/outbound/outbound.ts'
import type { Secrets } from '../security/secrets.ts'
import type { PageAnchors } from '../database/sql/page-anchors.ts'
import type { AuditLog } from '../http/audit/audit-log.ts'

/** The parts of a process. Every request and every job gets a `Ctx` made from it. */
export type Runtime = {
  database: Database
  /** the replica that requests read from, if there is one */
  replica?: Replica | undefined
  clock: Clock
  log: FastifyBaseLogger
  secrets: Secrets
  settings: Settings
  /** outside systems, by the modules that list them */
  integrations: Integrations
  outbound: Outbound
  page_anchors: PageAnchors
  runDay: DailyRun
  hasDailyWork: HasDailyWork
  reads: Ctx['reads']
  /** The queue that adds jobs over a connection or in a transaction. */
  queueIn: (db: Db) => Queue
  event_waits: EventWaits
  audit_log: AuditLog
}

/** The context of a request or job for a connection or transaction, by the clock of the caller's organization. */
export function contextOf(runtime: Runtime, caller: Caller, db: Db): Ctx {
  const instant = runtime.clock()
  const real_now = new Date(instant).toISOString()
  const ctx = {
    db,
    caller,
    today: easternDay(instant),
    now: real_now,
    real_now,
    log: runtime.log,
    ...runtime.queueIn(db),
    secrets: runtime.secrets,
    settings: runtime.settings,
    integrations: runtime.integrations,
    page_anchors: runtime.page_anchors,
    runDay: runtime.runDay,
    hasDailyWork: runtime.hasDailyWork,
    reads: runtime.reads,
  }
  return withClock(ctx, clockOf(caller))
}

/** Runs work in one transaction: the change, its events, its audit entry and its jobs commit together or not at all. */
export async function inTransaction<T>(
  runtime: Runtime,
  caller: Caller,
  work: (ctx: Ctx) => Promise<T | TransactionEnd<T>>,
): Promise<T> {
  const outcome = await runtime.database.transaction<T>(rowsOf(caller), (db) => work(contextOf(runtime, caller, db)))
  await runtime.replica?.note(caller.reach.organization_ids ?? [])
  return outcome
}

/** Locks the target of a write when it is known, and returns the context by the clock there. */
export type TakeLock = (target: LockTarget) => Promise<Ctx>

/**
 * The lock target of a write: an organization, or only one of its employers, which an enrollment may identify.
 * `is_shared`: the write only enters the organization and locks no row.
 */
export type LockTarget = {
  organization_id: string
  employer_id?: string | undefined
  enrollment_id?: string | undefined
  is_shared?: boolean
}

/** The employers of one organization that a job locks together. */
export type Employers = { organization_id: string; employer_ids: string[] }

async function lockTarget(db: Db, { organization_id, employer_id, is_shared }: LockTarget): Promise<number> {
  if (is_shared) return (await Promise.all([enterOrganization(db, organization_id), findClock(db, organization_id)]))[1]
  if (employer_id === undefined) return lockOrganization(db, organization_id)
  return lockTargets(db, { organization_id, employer_ids: [employer_id] })
}

/** Two statements, so that the second one reads the clock after the organization was entered. */
async function lockTargets(db: Db, employers: Employers): Promise<number> {
  const [, offset_days] = await Promise.all([
    enterOrganization(db, employers.organization_id),
    lockEmployers(db, employers),
  ])
  return offset_days
}

/**
 * A write under a lock holds its events back until its end, because writing them blocks other writes of the
 * organization.
 */
const holdingEvents = (ctx: Ctx): Ctx => ({ ...ctx, held_back: [] })

/**
 * An action reads or writes beyond the employer that it has locked. It runs again with the whole organization locked.
 */
class NeedsOrganization extends Error {}

/** Requires that the whole organization is locked. */
export function requireOrganizationLock({ is_concurrent }: Ctx): void {
  if (is_concurrent) throw new NeedsOrganization()
}

/** Returns the caller of a write and its scope. Throws a refusal if the caller has lost access in the meantime. */
export type ReadCallerNow = () => Promise<{ caller: Caller; rows_of: RowsOf }>

/**
 * Runs a write, which locks its target as soon as it is known.
 *
 *   1. Begin a transaction and try to lock the target without waiting.
 *   2. If another write has the lock: roll back, return the connection, and wait in the queue of the target.
 *   3. When the turn comes, begin again and wait for the lock.
 *
 * So all writes that wait for one target share one connection, and refusals before the lock do not wait. Throws a 503
 * if the turn or the lock does not come in time, and `isLockNotFree` if the lock of a target by its enrollment is not
 * free.
 */
export const inTurn = <T>(runtime: Runtime, readCallerNow: ReadCallerNow, work: LockingWork<T>): Promise<T> =>
  runInTurn(runtime, readCallerNow, work).catch((error: unknown) => {
    if (!(error instanceof NeedsOrganization)) throw error
    return runInTurn(runtime, readCallerNow, (ctx, lock) =>
      work(ctx, ({ organization_id }) => lock({ organization_id })),
    )
  })

type LockingWork<T> = (ctx: Ctx, lock: TakeLock) => Promise<T | TransactionEnd<T>>

async function runInTurn<T>(runtime: Runtime, readCallerNow: ReadCallerNow, work: LockingWork<T>): Promise<T> {
  const { lock_queue, timeout_ms, transaction } = runtime.database
  const attempt = async (lockAs: typeof lockTarget) => {
    const { caller, rows_of } = await readCallerNow()
    return transaction<T>(
      rows_of,
      (db) => {
        const lock = async (target: LockTarget) => {
          const offset_days = await lockAs(db, target)
          // Read the time after the wait. Midnight may have passed, or the clock may have been moved.
          const ctx = withClock(contextOf(runtime, caller, db), offset_days)
          const is_concurrent = target.is_shared === true || (target.employer_id ?? target.enrollment_id) !== undefined
          return { ...holdingEvents(ctx), is_concurrent }
        }
        return work(contextOf(runtime, caller, db), lock)
      },
      timeout_ms,
    )
  }
  let awaited: string | undefined
  /** Acquires a lock. If it is not free, records which one the write has to wait for. */
  const orAwait = <H>(key: string, take: () => Promise<H>): Promise<H> =>
    take().catch((error: unknown) => {
      if (isLockNotFree(error)) awaited ??= key
      throw error
    })
  const unlessAwaited = <H>(key: string, take: () => Promise<H>) =>
    orAwait(key, async () => {
      if (lock_queue.waiting(key) > 0) throw new LockNotFree()
      return take()
    })
  try {
    return await attempt(async (db, { organization_id, employer_id, enrollment_id, is_shared }) => {
      if (is_shared) {
        const entering = orAwait(organization_id, () => enterOrganizationIfFree(db, organization_id))
        return (await Promise.all([entering, findClock(db, organization_id)]))[1]
      }
      if (employer_id === undefined && enrollment_id !== undefined) {
        const locking = lockEmployerOfEnrollmentIfFree(db, { organization_id, enrollment_id })
        return (await Promise.all([enterOrganizationIfFree(db, organization_id), locking]))[1]
      }
      if (employer_id === undefined)
        return unlessAwaited(organization_id, () => lockOrganizationIfFree(db, organization_id))
      // If another write waits for the whole organization, PostgreSQL queues this one behind it. Writes that only enter
      // do not block each other.
      const [, offset_days] = await Promise.all([
        orAwait(organization_id, () => enterOrganizationIfFree(db, organization_id)),
        unlessAwaited(employer_id, () => lockEmployerIfFree(db, { organization_id, employer_id })),
      ])
      return offset_days
    })
  } catch (error) {
    if (!isLockNotFree(error) || awaited === undefined) throw error
  }
  return lock_queue.run(awaited, () => attempt(lockTarget))
}

/**
 * Runs a job on one organization in one transaction, as the service and by the clock of the organization. The lock of
 * the organization keeps its day the same until the end. Throws PostgreSQL's 55P03 if the lock does not come in time,
 * and the job is retried soon.
 */
export const inOrganization = <T>(
  runtime: Runtime,
  organization_id: string,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> => inLockTarget(runtime, { organization_id }, (db) => lockOrganization(db, organization_id), work)

/**
 * Like `inOrganization`, but locks only one employer. The job writes nothing else in the organization, and others can
 * write at its other employers in the meantime.
 */
export const inEmployer = <T>(
  runtime: Runtime,
  { organization_id, employer_id }: OneEmployer,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> => inEmployers(runtime, { organization_id, employer_ids: [employer_id] }, work)

/** Like `inEmployer`, but for several employers in one transaction. */
const inEmployers = <T>(runtime: Runtime, employers: Employers, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  inLockTarget(runtime, employers, (db) => lockTargets(db, employers), work)

/**
 * Like `inEmployer`, but several such jobs can run at the same time. All other writes at the employer wait for them.
 * `settle` locks people and writes only their rows. `publish` then writes the rows of the employer, one job at a time.
 */
export const inEmployerConcurrently = <Settled>(
  runtime: Runtime,
  { organization_id, employer_id }: OneEmployer,
  settle: (ctx: Ctx) => Promise<Settled>,
  publish: (ctx: Ctx, settled: Settled) => Promise<void>,
): Promise<void> =>
  inLockTarget(
    runtime,
    { organization_id, employer_ids: [employer_id] },
    async (db) => {
      await enterOrganization(db, organization_id)
      return shareEmployer(db, { organization_id, employer_id })
    },
    async (ctx) => {
      const settled = await settle(ctx)
      await lockSharedEmployer(ctx.db, { employer_id })
      await publish(ctx, settled)
    },
  )

async function inLockTarget<T>(
  runtime: Runtime,
  { organization_id, employer_ids = [] }: Pick<Employers, 'organization_id'> & Partial<Employers>,
  lock: (db: Db) => Promise<number>,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  await yieldToRequests(runtime, [organization_id, ...employer_ids])
  const outcome = await runtime.database.transaction(
    [organization_id],
    async (db) => {
      const caller = serviceCaller(organization_id, await lock(db))
      const ctx = holdingEvents(contextOf(runtime, caller, db))
      return endPublishing(ctx, await work(ctx))
    },
    runtime.database.timeout_ms,
  )
  await runtime.replica?.note([organization_id])
  return outcome
}

/** Like `inOrganization`, but only for reads, and without a lock. */
export const readInOrganization = <T>(
  runtime: Runtime,
  organization_id: string,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> =>
  runtime.database.transaction([organization_id], async (db) => {
    const caller = serviceCaller(organization_id, await findClock(db, organization_id))
    return work(contextOf(runtime, caller, db))
  })

/**
 * Gives requests that wait for a target precedence over a job, so that each of them waits for at most one step of a
 * long job. This includes a request to which PostgreSQL is about to grant the lock.
 */
async function yieldToRequests({ database: { lock_queue } }: Runtime, keys: string[]): Promise<void> {
  for (const key of keys) {
    // If too many requests wait, the wait for this turn times out, and the step runs before them.
    if (lock_queue.isBusy(key)) await lock_queue.run(key, async () => undefined).catch(() => undefined)
  }
}

/** Whether a step of a job should end early because others wait for its lock. */
export type IsAwaited = () => Promise<boolean>

/** A step of a job on some employers. Returns whether there may be more. */
type JobStep = (ctx: Ctx, employers: Employers, isAwaited: IsAwaited) => Promise<boolean>

/** Runs a step in a transaction. It may keep its lock for as long as it waited for it, even if others wait. */
function takeStep(runtime: Runtime, employers: Employers, step: JobStep): Promise<boolean> {
  const arrived_at = performance.now()
  return inEmployers(runtime, employers, (ctx) => {
    const began_at = performance.now()
    const until = began_at + (began_at - arrived_at)
    const [employer_id] = employers.employer_ids
    const first_employer = { organization_id: employers.organization_id, employer_id: employer_id! }
    return step(ctx, employers, async () => performance.now() >= until && isAwaited(ctx.db, first_employer))
  })
}

/**
 * Runs the steps of a job on some employers while a step returns that there may be more. Each step is a transaction, so
 * that others get the lock in between, and a killed job continues after the last committed step. If a step of several
 * employers fails, each employer continues alone, so that one does not block the others. The failure is thrown at the
 * end.
 */
export async function stepByStep(runtime: Runtime, employers: Employers, step: JobStep): Promise<void> {
  const { organization_id, employer_ids } = employers
  try {
    while (await takeStep(runtime, employers, step));
  } catch (error) {
    if (employer_ids.length === 1 || isLockNotFree(error)) throw error
    let failed: unknown
    for (const employer_id of employer_ids) {
      const alone = { organization_id, employer_ids: [employer_id] }
      await stepByStep(runtime, alone, step).catch((failure: unknown) => (failed ??= failure))
    }
    if (failed !== undefined) throw failed
  }
}
