import type { FastifyBaseLogger } from 'fastify'
import { clockOf, rowsOf, serviceCaller, type Caller } from './caller.ts'
import {
  enter,
  enterFree,
  findClock,
  isAwaited,
  isNotFree,
  lockAmongBeside,
  lockClock,
  lockEmployersClock,
  lockFreeClock,
  lockFreeEmployerClock,
  NotFree,
  shareEmployerClock,
  withClock,
} from './clock.ts'
import { endTelling } from './events.ts'
import type { Clock, Ctx, Settings, DailyRun } from './ctx.ts'
import { easternDay } from '../kernel/days.ts'
import type { Database, Db } from '../database/query/database.ts'
import type { TransactionEnd } from '../database/query/transactions.ts'
import type { EventWaits } from './event-waits.ts'
import type { Replica } from '../database/replica/replica.ts'
import type { RowsOf } from '../database/query/rows-of.ts'
import type { Integrations } from '../kernel/integration.ts'
import type { Queue } from '../jobs/enqueue.ts'
import type { Outbound } from '../integrations/outbound/outbound.ts'
import type { Secrets } from '../security/secrets.ts'
import type { PageAnchors } from '../database/sql/page-anchors.ts'
import type { Trail } from '../http/audit/audit-log.ts'

/** What a process is made of; a `Ctx` is cut from it for every request and every job. */
export type Runtime = {
  database: Database
  /** from which requests read, where there is one */
  replica?: Replica | undefined
  clock: Clock
  log: FastifyBaseLogger
  secrets: Secrets
  settings: Settings
  /** who is outside, by the modules that list them */
  integrations: Integrations
  outbound: Outbound
  page_anchors: PageAnchors
  runDay: DailyRun
  /** Where jobs are added by who writes over a connection or transaction. */
  queueIn: (db: Db) => Queue
  event_waits: EventWaits
  trail: Trail
}

/**
 * The context of one request or job over a connection or transaction, by the clock of the organization that the
 * caller acts as.
 */
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
  }
  return withClock(ctx, clockOf(caller))
}

/** Runs work in one transaction: the change, its events, its audit entry and its jobs commit together or not at all. */
export async function inTransaction<T>(runtime: Runtime, caller: Caller, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const done = await runtime.database.transaction(rowsOf(caller), (db) => work(contextOf(runtime, caller, db)))
  await runtime.replica?.note(caller.reach.organization_ids ?? [])
  return done
}

/** Locks what a write turns out to be of, and tells the context at the clock there. */
export type LockPlace = (place: WritePlace) => Promise<Ctx>

/** Where a write is: in an organization, or at one of its employers and nowhere else in it. */
export type WritePlace = { organization_id: string; employer_id?: string | undefined }

/** Some employers of an organization. */
export type Employers = { organization_id: string; employer_ids: string[] }

async function lockPlace(db: Db, { organization_id, employer_id }: WritePlace): Promise<number> {
  if (employer_id === undefined) return lockClock(db, organization_id)
  return lockPlaces(db, { organization_id, employer_ids: [employer_id] })
}

async function lockPlaces(db: Db, employers: Employers): Promise<number> {
  await enter(db, employers.organization_id)
  return lockEmployersClock(db, employers)
}

/** Who is at an employer tells what happened last of all: it keeps others there from doing so until its end. */
const contextAt = (at_employers: boolean, ctx: Ctx): Ctx => (at_employers ? { ...ctx, held_back: [] } : ctx)

/** Tells as whom a write is done now, and whose rows it may touch; throws the refusal of who may do so no more. */
export type AskAsWhom = () => Promise<{ caller: Caller; rows_of: RowsOf }>

/**
 * Runs the work of a write, which locks its place when it knows which that is. One that would have to wait for the lock
 * gives its connection back, waits for the turn of that place, and begins anew: so however many wait for one place,
 * they keep one connection, and what is settled before the lock waits for nobody. Throws a 503 when the turn or the
 * lock are not had in time.
 */
export async function inTurn<T>(
  runtime: Runtime,
  askAsWhom: AskAsWhom,
  work: (asked: Ctx, lock: LockPlace) => Promise<T | TransactionEnd<T>>,
): Promise<T> {
  const { waiting_room, patience_ms, transaction } = runtime.database
  const attempt = async (lockAs: typeof lockPlace) => {
    const { caller, rows_of } = await askAsWhom()
    return transaction<T>(
      rows_of,
      (db) => {
        const lock = async (place: WritePlace) => {
          const offset_days = await lockAs(db, place)
          // The time is read only now: midnight may have passed, or the clock have been moved, while we waited.
          return contextAt(place.employer_id !== undefined, withClock(contextOf(runtime, caller, db), offset_days))
        }
        return work(contextOf(runtime, caller, db), lock)
      },
      patience_ms,
    )
  }
  let awaited: string | undefined
  const orAwait = async <H>(key: string, take: () => Promise<H>): Promise<H> => {
    awaited = key
    const had = await take()
    awaited = undefined
    return had
  }
  const unlessOthersWait = <H>(key: string, take: () => Promise<H>) =>
    orAwait(key, async () => {
      if (waiting_room.waiting(key) > 0) throw new NotFree()
      return take()
    })
  try {
    return await attempt(async (db, { organization_id, employer_id }) => {
      if (employer_id === undefined) return unlessOthersWait(organization_id, () => lockFreeClock(db, organization_id))
      // PostgreSQL lets nobody pass who waits for all of it; who waits to enter as well goes in beside us.
      await orAwait(organization_id, () => enterFree(db, organization_id))
      return unlessOthersWait(employer_id, () => lockFreeEmployerClock(db, { organization_id, employer_id }))
    })
  } catch (error) {
    if (!isNotFree(error) || awaited === undefined) throw error
  }
  return waiting_room.run(awaited, () => attempt(lockPlace))
}

/**
 * Runs the work of a job on one organization in one transaction, as the service and by the organization's clock. The
 * organization is locked, so that its day stays the same until the end. Throws PostgreSQL's 55P03 when a lock is not
 * had in time: the job gives back its place, and is tried again soon.
 */
export const inOrganization = <T>(
  runtime: Runtime,
  organization_id: string,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> => inPlace(runtime, { organization_id }, (db) => lockClock(db, organization_id), work)

/**
 * The same at one of its employers, which alone is locked: for work that writes nowhere else in the organization, while
 * others write at its other employers.
 */
export const inEmployer = <T>(
  runtime: Runtime,
  { organization_id, employer_id }: Required<WritePlace>,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> => inEmployers(runtime, { organization_id, employer_ids: [employer_id] }, work)

/** The same at several, in one transaction. */
const inEmployers = <T>(runtime: Runtime, employers: Employers, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  inPlace(runtime, employers, (db) => lockPlaces(db, employers), work)

/**
 * The same at one employer, beside others who come to it in this way, while everybody else waits for all of them.
 * `settle` locks people and writes nothing but rows of theirs; `tell`, which follows, what is of the employer, and one
 * after the other does so.
 */
export const inEmployerBeside = <Settled>(
  runtime: Runtime,
  { organization_id, employer_id }: Required<WritePlace>,
  settle: (ctx: Ctx) => Promise<Settled>,
  tell: (ctx: Ctx, settled: Settled) => Promise<void>,
): Promise<void> =>
  inPlace(
    runtime,
    { organization_id, employer_ids: [employer_id] },
    async (db) => {
      await enter(db, organization_id)
      return shareEmployerClock(db, { organization_id, employer_id })
    },
    async (ctx) => {
      const settled = await settle(ctx)
      await lockAmongBeside(ctx.db, { employer_id })
      await tell(ctx, settled)
    },
  )

async function inPlace<T>(
  runtime: Runtime,
  { organization_id, employer_ids = [] }: Pick<Employers, 'organization_id'> & Partial<Employers>,
  lock: (db: Db) => Promise<number>,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  await letThoseWaitingGo(runtime, [organization_id, ...employer_ids])
  const done = await runtime.database.transaction(
    [organization_id],
    async (db) => {
      const caller = serviceCaller(organization_id, await lock(db))
      const ctx = contextAt(employer_ids.length > 0, contextOf(runtime, caller, db))
      return endTelling(ctx, await work(ctx))
    },
    runtime.database.patience_ms,
  )
  await runtime.replica?.note([organization_id])
  return done
}

/** The same for reads that nobody waits for and that wait for nobody: nothing is locked. */
export const readingIn = <T>(runtime: Runtime, organization_id: string, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  runtime.database.transaction([organization_id], async (db) => {
    const caller = serviceCaller(organization_id, await findClock(db, organization_id))
    return work(contextOf(runtime, caller, db))
  })

/**
 * Requests that wait for a place when a job comes to it go first, so that the steps of a long one leave each of them no
 * more than one to wait for. So does one that PostgreSQL is about to let in, which a job would otherwise come before.
 */
async function letThoseWaitingGo({ database: { waiting_room } }: Runtime, places: string[]): Promise<void> {
  for (const key of places) {
    // There may be so many that its turn does not come: a step then goes before them.
    if (waiting_room.isBusy(key)) await waiting_room.run(key, async () => undefined).catch(() => undefined)
  }
}

/** Whether a step of a job should end early, since others wait for its place. */
export type IsAwaited = () => Promise<boolean>

/** A step of a job on some employers; tells whether there may be more. */
type JobStep = (ctx: Ctx, employers: Employers, isAwaited: IsAwaited) => Promise<boolean>

/** A step in a transaction, which is for as long at its place as it waited for it, however many others wait. */
function takeStep(runtime: Runtime, employers: Employers, step: JobStep): Promise<boolean> {
  const came_at = performance.now()
  return inEmployers(runtime, employers, (ctx) => {
    const began_at = performance.now()
    const until = began_at + (began_at - came_at)
    const [employer_id] = employers.employer_ids
    const at = { organization_id: employers.organization_id, employer_id: employer_id! }
    return step(ctx, employers, async () => performance.now() >= until && isAwaited(ctx.db, at))
  })
}

/**
 * Takes the steps of a job on some employers, each in a transaction of its own so that others get in between, as long
 * as a step says that there may be more. Killed, the job goes on after the last step that was committed. Where a step
 * of several employers fails, each goes on by itself, so that one holds up no other; then it throws what failed.
 */
export async function stepByStep(runtime: Runtime, employers: Employers, step: JobStep): Promise<void> {
  const { organization_id, employer_ids } = employers
  try {
    while (await takeStep(runtime, employers, step));
  } catch (error) {
    if (employer_ids.length === 1 || isNotFree(error)) throw error
    let failed: unknown
    for (const employer_id of employer_ids) {
      const alone = { organization_id, employer_ids: [employer_id] }
      await stepByStep(runtime, alone, step).catch((failure: unknown) => (failed ??= failure))
    }
    if (failed !== undefined) throw failed
  }
}
