import type { FastifyInstance } from 'fastify'
import { checkIn } from './http/body/validation-worker.ts'
import { serveConsole } from './http/static/console.ts'
import { namesInTestData } from './docs-site/site.ts'
import { serveDocs } from './http/static/docs.ts'
import { findByNames } from './sandbox/test-data.ts'
import { openKeyUses, openOrigins } from './modules/access/api-keys/use-actions.ts'
import { countAnswers } from './modules/access/usage/actions.ts'
import { authenticatorOf } from './modules/access/auth/actions.ts'
import { organizationExists } from './modules/access/auth/queries.ts'
import { downloads, endpoints, incoming, pages } from './modules.ts'
import { serveDownloads } from './http/files/downloads.ts'
import { serveHealth, type WhyNotReady } from './http/observe/health.ts'
import { buildHttp } from './http/server.ts'
import { serveIncoming } from './http/callbacks.ts'
import { servePages } from './http/static/pages.ts'
import { openMetrics, serveMetrics, type Metrics } from './http/observe/metrics.ts'
import type { RateLimit } from './http/limits/rate-limit.ts'
import type { RefusalLimit } from './http/limits/refusal-throttle.ts'
import type { Patience } from './http/wire/sockets.ts'
import { openWrongKeys } from './http/limits/failed-auth.ts'
import { serveWidgets } from './http/static/widgets.ts'
import type { Runtime } from './runtime/runtime.ts'
import type { Traces } from './http/observe/traces.ts'

export type AppOptions = {
  cors_origins: string[]
  rate_limit: RateLimit
  refusal_limit?: RefusalLimit
  trusted_proxies?: string[]
  organization_headers?: string[]
  patience?: Patience
  whyNotReady?: WhyNotReady
  /** of the process; its own unless said, which end with it */
  metrics?: Metrics
  /** where spans go, if anywhere */
  traces?: Traces | undefined
  /** the organization of a sandbox in which the story is told */
  story?: { organization_id: string } | undefined
}

/** Large bodies are checked in one thread of the process, whichever servers it has: it has to be loaded. */
const apart = checkIn(new URL('./checking-thread.ts', import.meta.url))

/** The HTTP side of the service, whole, over a runtime. Not listening yet. */
export async function buildApp(
  runtime: Runtime,
  { whyNotReady, story, metrics, traces, ...options }: AppOptions,
): Promise<FastifyInstance> {
  const key_uses = openKeyUses(runtime)
  const authenticator = authenticatorOf(runtime, key_uses.note)
  const strangerAt = openWrongKeys(runtime.clock)
  const app = await buildHttp({
    runtime,
    endpoints,
    authenticator,
    originsOfKeys: openOrigins(runtime),
    strangerAt,
    apart,
    organizationExists: (organization_id) =>
      organizationExists(runtime.database.reads([organization_id]), organization_id),
    ...options,
  })
  app.addHook('onClose', () => key_uses.flush())
  countAnswers(app, runtime)
  serveDownloads(app, runtime, downloads, authenticator.rolesHeld)
  serveIncoming(app, runtime, incoming)
  servePages(app, runtime, pages, strangerAt)
  serveHealth(app, runtime, whyNotReady)
  const counted = metrics ?? openMetrics(runtime)
  if (!metrics) app.addHook('onClose', () => counted.close())
  traces?.watch(app)
  serveMetrics(app, counted, authenticator, strangerAt)
  serveConsole(app, runtime.settings.public_url)
  serveWidgets(app, runtime.settings.sandbox)
  const findTestIds =
    story &&
    (() => findByNames(runtime.database.reads([story.organization_id]), story.organization_id, namesInTestData()))
  serveDocs(app, runtime, { endpoints, incoming }, findTestIds)
  return app
}
