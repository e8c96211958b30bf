import type { FastifyBaseLogger } from 'fastify'
import type { Caller } from './caller.ts'
import type { Clock, Ctx, Settings } from './ctx.ts'
import { easternDay } from './days.ts'
import type { Database, Db } from './db.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { enqueueIn } from './jobs.ts'
import type { Secrets } from './secrets.ts'

/** What a process is made of; a `Ctx` is cut from it for every request and every job. */
export type World = {
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  secrets: Secrets
  settings: Settings
  identity_provider: IdentityProvider
}

/** The context of one request or job over a connection or transaction. */
export function contextOf(world: World, caller: Caller, db: Db): Ctx {
  const now = world.clock()
  return {
    db,
    caller,
    today: easternDay(now),
    now: new Date(now).toISOString(),
    log: world.log,
    enqueue: enqueueIn(db),
    secrets: world.secrets,
    settings: world.settings,
    idp_provider: world.identity_provider.name,
  }
}

/** Runs work in one transaction: the change, its events, its audit entry and its jobs commit together or not at all. */
export const inTransaction = <T>(world: World, caller: Caller, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  world.database.transaction((db) => work(contextOf(world, caller, db)))
