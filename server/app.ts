import type { FastifyInstance } from 'fastify'
import { openValidationPool } from './http/body/validation-pool.ts'
import { serveConsole } from './http/static/console.ts'
import { serveDocsSite } from './http/static/docs-site.ts'
import { serveHome } from './http/static/home-page.ts'
import { serveReferences } from './http/static/references.ts'
import { serveTestIds } from './sandbox/test-data.ts'
import { openKeyUses, openOrigins } from './modules/access/api-keys/actions.ts'
import { countResponses } from './modules/access/usage/actions.ts'
import { authenticatorOf } from './modules/access/auth/actions.ts'
import { organizationExists } from './modules/access/auth/queries.ts'
import { endpoints, incoming, modules } from './modules.ts'
import { type Download, serveDownloads } from './http/files/downloads.ts'
import { serveHealth, type WhyNotReady } from './http/observe/health.ts'
import { buildHttp } from './http/server.ts'
import { serveIncoming } from './http/callbacks.ts'
import { servePages } from './http/static/pages.ts'
import { openMetrics, serveMetrics, type Metrics } from './http/observe/metrics.ts'
import type { RateLimit } from './http/limits/rate-limit.ts'
import type { RefusalLimit } from './http/limits/refusal-throttle.ts'
import type { Timeouts } from './http/wire/sockets.ts'
import { openFailedAuth } from './http/limits/failed-auth.ts'
import { serveWidgets } from './http/static/widgets.ts'
import type { Runtime } from './runtime/runtime.ts'
import type { Traces } from './http/observe/traces.ts'

/** Handlers of signed download links, by kind. */
const downloads: Record<string, Download> = Object.assign({}, ...modules.map((module) => module.downloads ?? {}))

/** Pages for browsers. */
const pages = modules.flatMap((module) => module.pages ?? [])

export type AppOptions = {
  cors_origins: string[]
  rate_limit: RateLimit
  refusal_limit?: RefusalLimit
  trusted_proxies?: string[]
  timeouts?: Timeouts
  whyNotReady?: WhyNotReady
  /** the metrics of the process. By default the app creates its own, and closes them */
  metrics?: Metrics
  /** the spans of requests, if a collector is configured */
  traces?: Traces | undefined
  /** the demo organization of a sandbox */
  story?: { organization_id: string } | undefined
}

/** One pool per process, because its thread takes time and memory to load. */
const validation_pool = openValidationPool(new URL('./validation-thread.ts', import.meta.url))

/** Builds the complete HTTP server of the service over a runtime. It does not listen yet. */
export async function buildApp(
  runtime: Runtime,
  { whyNotReady, story, metrics, traces, ...options }: AppOptions,
): Promise<FastifyInstance> {
  const key_uses = openKeyUses(runtime)
  const authenticator = authenticatorOf(runtime, key_uses.note)
  const clientAt = openFailedAuth(runtime.clock)
  const app = await buildHttp({
    runtime,
    endpoints,
    authenticator,
    originsOfKeys: openOrigins(runtime),
    clientAt,
    validation_pool,
    organizationExists: (organization_id) =>
      organizationExists({ db: runtime.database.reads([organization_id]) }, { organization_id }),
    ...options,
  })
  app.addHook('onClose', () => key_uses.flush())
  countResponses(app, runtime)
  serveDownloads(app, runtime, downloads, authenticator.rolesHeld)
  serveIncoming(app, runtime, incoming)
  servePages(app, runtime, pages, clientAt)
  serveHealth(app, runtime, whyNotReady)
  const counted = metrics ?? openMetrics(runtime)
  if (!metrics) app.addHook('onClose', () => counted.close())
  traces?.watch(app)
  serveMetrics(app, counted, authenticator, clientAt)
  serveConsole(app, runtime.settings.public_url)
  serveWidgets(app, runtime.settings.sandbox)
  serveReferences(app, () => runtime.settings.public_url)
  serveDocsSite(app, runtime.settings.public_url)
  serveHome(app, runtime.settings)
  if (story) serveTestIds(app, runtime, story.organization_id)
  return app
}
