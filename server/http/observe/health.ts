import Fastify, { type FastifyInstance } from 'fastify'
import { sendError } from '../errors.ts'
import { isMigrated } from '../../database/schema/migrate.ts'
import { no_organization } from '../../database/query/rows-of.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { within } from '../../kernel/deadline.ts'
import type { Runtime } from '../../runtime/runtime.ts'

/** How long the database may take to answer before the service calls itself not ready. */
const patience_ms = 2000

/** Why a process should get no requests for a reason of its own, if so: it ends, or its worker does not work. */
export type WhyNotReady = () => string | undefined

/**
 * Adds `GET /health/live` (200 as long as the process answers: restart it otherwise) and `GET /health/ready`
 * (200 when the database answers and is migrated, and the process is well, 503 otherwise: send requests elsewhere).
 * Neither needs a key.
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
    return (await within(patience_ms, isMigrated(database.reads(no_organization))))
      ? undefined
      : 'a migration is missing'
  } catch (error) {
    log.warn({ err: error as Error }, 'the database does not answer')
    return 'the database does not answer'
  }
}

/** The health alone, for a process that serves nothing else. Not listening yet. */
export function buildHealth(runtime: Runtime, whyNotReady: WhyNotReady) {
  const app = Fastify()
  app.setErrorHandler((error: Error, request, reply) => sendError(error, request, reply))
  serveHealth(app, runtime, whyNotReady)
  return app
}
