import Fastify, { type FastifyInstance } from 'fastify'
import { sendError } from '../errors.ts'
import { isMigrated } from '../../database/schema/migrate.ts'
import { no_organization } from '../../database/query/rows-of.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { withDeadline } from '../../kernel/concurrency/deadline.ts'
import type { Runtime } from '../../runtime/runtime.ts'

/** How long the database may take to respond before the service reports that it is not ready. */
const timeout_ms = 2000

/** Returns why this process should get no requests, such as a shutdown or a broken worker. Undefined if it is ready. */
export type WhyNotReady = () => string | undefined

/**
 * Adds `GET /health/live` and `GET /health/ready`, without authentication. `live` returns 200 as long as the process
 * responds; otherwise restart it. `ready` returns 200 if the database responds and is migrated and the process works,
 * and 503 otherwise; send requests elsewhere then.
 */
export function serveHealth(app: FastifyInstance, runtime: Runtime, whyNotReady: WhyNotReady = () => undefined): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async () => {
    const reason = whyNotReady() ?? (await whyNotServed(runtime))
    if (reason === undefined) return { status: 'ready' }
    runtime.log.warn({ reason }, 'not ready')
    throw new Refusal(generic.unavailable)
  })
}

async function whyNotServed({ database, log }: Runtime): Promise<string | undefined> {
  try {
    return (await withDeadline(timeout_ms, isMigrated(database.reads(no_organization))))
      ? undefined
      : 'a migration is missing'
  } catch (error) {
    log.warn({ err: error as Error }, 'the database does not respond')
    return 'the database does not respond'
  }
}

/** A server with the health routes only, for a process without an interface. It does not listen yet. */
export function buildHealth(runtime: Runtime, whyNotReady: WhyNotReady) {
  const app = Fastify()
  app.setErrorHandler((error: Error, request, reply) => sendError(error, request, reply))
  serveHealth(app, runtime, whyNotReady)
  return app
}
