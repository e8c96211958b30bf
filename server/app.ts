import type { FastifyInstance } from 'fastify'
import { serveDocs } from './docs.ts'
import { authenticatorOf } from './modules/auth/actions.ts'
import { organizationExists } from './modules/auth/queries.ts'
import { downloads, endpoints, incoming } from './modules.ts'
import { serveDownloads } from './platform/downloads.ts'
import { serveHealth, type WhyNotReady } from './platform/health.ts'
import { buildHttp } from './platform/http.ts'
import { serveIncoming } from './platform/incoming.ts'
import { serveMetrics } from './platform/metrics.ts'
import type { RateLimit } from './platform/rate-limit.ts'
import type { RefusalLimit } from './platform/refusal-throttle.ts'
import type { Patience } from './platform/sockets.ts'
import { openWrongKeys } from './platform/wrong-keys.ts'
import type { World } from './platform/world.ts'

export type AppOptions = {
  cors_origins: string[]
  rate_limit: RateLimit
  refusal_limit?: RefusalLimit
  trusted_proxies?: string[]
  patience?: Patience
  whyNotReady?: WhyNotReady
}

/** The HTTP side of the service, whole, over a world. Not listening yet. */
export async function buildApp(world: World, { whyNotReady, ...options }: AppOptions): Promise<FastifyInstance> {
  const authenticator = authenticatorOf(world)
  const app = await buildHttp({
    world,
    endpoints,
    authenticator,
    strangerAt: openWrongKeys(world.clock),
    checking_thread: new URL('./checking-thread.ts', import.meta.url),
    organizationExists: (organization_id) => organizationExists(world.database.reads, organization_id),
    ...options,
  })
  serveDownloads(app, world, downloads, authenticator.reaches)
  serveIncoming(app, world, incoming)
  serveHealth(app, world, whyNotReady)
  serveMetrics(app, world)
  await serveDocs(app)
  return app
}
