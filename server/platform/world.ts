import type { FastifyBaseLogger } from 'fastify'
import { clockOf, serviceCaller, type Caller } from './caller.ts'
import { lockClock, withClock } from './clock.ts'
import type { Clock, Ctx, Settings, Turn } from './ctx.ts'
import { easternDay } from './days.ts'
import type { Database, Db } from './db.ts'
import type { HrisProviders } from './hris-provider.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { enqueueIn } from './jobs.ts'
import type { Outbound } from './outbound.ts'
import type { Secrets } from './secrets.ts'
import type { Stripe } from './stripe.ts'

/** What a process is made of; a `Ctx` is cut from it for every request and every job. */
export type World = {
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  secrets: Secrets
  settings: Settings
  identity_provider: IdentityProvider
  outbound: Outbound
  stripe: Stripe
  hris_providers: HrisProviders
  turnDay: Turn
}

/**
 * The context of one request or job over a connection or transaction, by the clock of the organization that the
 * caller acts as.
 */
export function contextOf(world: World, caller: Caller, db: Db): Ctx {
  const instant = world.clock()
  const real_now = new Date(instant).toISOString()
  const ctx = {
    db,
    caller,
    today: easternDay(instant),
    now: real_now,
    real_now,
    log: world.log,
    enqueue: enqueueIn(db),
    secrets: world.secrets,
    settings: world.settings,
    idp_provider: world.identity_provider.name,
    stripe: world.stripe,
    turnDay: world.turnDay,
  }
  return withClock(ctx, clockOf(caller))
}

/** Runs work in one transaction: the change, its events, its audit entry and its jobs commit together or not at all. */
export const inTransaction = <T>(world: World, caller: Caller, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  world.database.transaction((db) => work(contextOf(world, caller, db)))

/**
 * Runs the work of a job on one organization in one transaction, as the service and by the organization's clock.
 * The organization is locked, so that its day stays the same until the end.
 */
export const inOrganization = <T>(world: World, organization_id: string, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  world.database.transaction(async (db) => {
    const clock_offset_days = await lockClock(db, organization_id)
    return work(contextOf(world, serviceCaller(organization_id, clock_offset_days), db))
  })
