import type { FastifyInstance } from 'fastify'
import { isMigrated } from './migrate.ts'
import { generic, Refusal } from './refusal.ts'
import { within } from './within.ts'
import type { World } from './world.ts'

/** How long the database may take to answer before the service calls itself not ready. */
const patience_ms = 2000

/**
 * Adds `GET /health/live` (200 as long as the process answers: restart it otherwise) and `GET /health/ready`
 * (200 when the database answers and is migrated, 503 otherwise: send requests elsewhere). Neither needs a key.
 */
export function serveHealth(app: FastifyInstance, world: World): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async () => {
    const ready = await within(patience_ms, isMigrated(world.database.reads)).catch((error: Error) => {
      world.log.warn({ err: error }, 'the database does not answer')
      return false
    })
    if (!ready) throw new Refusal(generic.unavailable, [], { 'retry-after': '5' })
    return { status: 'ready' }
  })
}
