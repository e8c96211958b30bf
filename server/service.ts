import { once } from 'node:events'
import { createServer } from 'node:net'
import closeWithGrace from 'close-with-grace'
import { printLine as print } from '../packages/embedded-postgres/embedded-cluster.ts'
import { buildApp } from './app.ts'
import { buildHealth } from './http/observe/health.ts'
import { buildMetrics, openMetrics, type Metrics } from './http/observe/metrics.ts'
import type { Traces } from './http/observe/traces.ts'
import type { OnRun } from './jobs/worker.ts'
import { withDeadline } from './kernel/concurrency/deadline.ts'
import type { Config } from './kernel/config.ts'
import { integrations } from './modules.ts'
import { openRuntime } from './open-runtime.ts'
import { lowerGcPriority } from './runtime/process/background-gc.ts'
import { errors } from './runtime/process/output.ts'
import type { Runtime } from './runtime/runtime.ts'
import { readSettings } from './runtime/settings.ts'
import { seedDemoDataInBackground } from './sandbox/demo/seed.ts'
import { greeting, openSandbox, writeSandbox } from './sandbox/open.ts'
import type { Story } from './sandbox/story.ts'
import { drainServer, waitAtMost, shutdown } from './runtime/process/shutdown.ts'
import { openWorkerProcess } from './jobs/worker-process.ts'
import { startWork, tasks } from './worker-tasks.ts'

let is_sandbox_written = false

/** Runs jobs, in this process or in a child. */
let worker: { isWorking(): boolean } | undefined

/** Returns why this process should get no requests, apart from the state of its database. */
const whyNotReady =
  ({ ROLE }: Config, story?: Story) =>
  (): string | undefined => {
    if (shutdown.has_begun) return 'the process shuts down'
    if (story && !is_sandbox_written) return 'sandbox.json is not written yet'
    return ROLE === 'api' || worker?.isWorking() ? undefined : 'the worker does not run'
  }

async function listen(runtime: Runtime, config: Config, measured: Measured, story?: Story): Promise<string> {
  const app = await buildApp(runtime, {
    cors_origins: config.CORS_ORIGINS,
    rate_limit: { per_minute: config.RATE_LIMIT_PER_MINUTE, burst: config.RATE_LIMIT_BURST },
    trusted_proxies: config.TRUSTED_PROXIES,
    whyNotReady: whyNotReady(config, story),
    ...measured,
    story,
  })
  runtime.replica?.watch()
  drainServer(app)
  return app.listen({ port: config.PORT, host: config.HOST })
}

/** Serves the health of a process that serves nothing else. */
async function listenForHealth(runtime: Runtime, port: number, config: Config): Promise<void> {
  const app = buildHealth(runtime, whyNotReady(config))
  shutdown.drain(() => waitAtMost(shutdown.timeout_ms, app.close()))
  await app.listen({ port, host: config.HOST })
}

/** Resolves after the first daily run. A terminal shows the greeting after the log lines of that run. */
const first_run = Promise.withResolvers<void>()
const interactive_stop_timeout_ms = 3000

type Measured = { metrics: Metrics; traces: Traces | undefined }

/**
 * Starts to measure the process. Metrics get their own port if one is set, and spans are sent if a collector is
 * configured.
 */
async function measure(runtime: Runtime, { METRICS_PORT: port, HOST: host }: Config): Promise<Measured> {
  const metrics = openMetrics(runtime)
  shutdown.close(() => waitAtMost(500, metrics.close()))
  if (port !== undefined) {
    const app = buildMetrics(metrics)
    shutdown.close(() => waitAtMost(500, app.close()))
    print(`Metrics are on ${await app.listen({ port, host })}/metrics`)
  }
  const collected = process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const traces = collected ? (await import('./http/observe/traces.ts')).openTraces(process.env) : undefined
  if (traces) shutdown.close(() => waitAtMost(2000, traces.close()))
  return { metrics, traces }
}

/** Records the runs of jobs. */
const recorderOf =
  ({ metrics, traces }: Measured): OnRun =>
  (...run) => {
    metrics.countJob(...run)
    traces?.recordRun(...run)
    if (run[0] === 'run_days') first_run.resolve()
  }

/**
 * Fails if another program listens on the address of the service. A sandbox that is seeded before a failed start is
 * lost: its keys are never written, and the next start seeds everyone again.
 */
async function checkAddress({ PORT, HOST }: Config): Promise<void> {
  const probe = createServer().listen(PORT, HOST)
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw error
    throw new Error(`this process cannot listen on HOST ${HOST} and PORT ${PORT} (${error.code}).`)
  })
  await once(probe.close(), 'close')
}

async function start(): Promise<void> {
  lowerGcPriority()
  const config = readSettings(process.env, integrations)
  shutDownOnSignals(config)
  if (config.ROLE === 'worker') return startWorkerOnly(config)
  await checkAddress(config)
  // Before the database is opened, so that the child loads its code in the meantime.
  const child = config.ROLE === 'all' ? openWorkerProcess() : undefined
  if (child) shutdown.drain(() => child.stop(shutdown.timeout_ms))
  worker = child
  const { runtime, cluster } = await openRuntime(config)
  const measured = await measure(runtime, config)
  const story = runtime.settings.sandbox ? await openSandbox(runtime, config, tasks) : undefined
  const [serving_at] = await Promise.all([
    listen(runtime, config, measured, story),
    child?.start({ cluster, log: runtime.log, onRun: recorderOf(measured) }),
  ])
  const sandbox = story && {
    base_url: serving_at,
    sign_in_url: `${config.PUBLIC_URL ?? serving_at}/sign-in`,
    ...story,
  }
  if (sandbox) writeSandbox(config, sandbox)
  is_sandbox_written = true
  if (process.stdout.isTTY) await withDeadline(interactive_stop_timeout_ms, first_run.promise).catch(() => undefined)
  for (const line of greeting(serving_at, config, sandbox, process.stdout.isTTY)) print(line)
  if (sandbox && config.SANDBOX_DEMO) child?.seedDemoData()
}

/** ROLE=worker: runs jobs and serves nothing but its health. */
async function startWorkerOnly(config: Config): Promise<void> {
  const opened = await openRuntime(config)
  const { runtime } = opened
  const measured = await measure(runtime, config)
  if (runtime.settings.sandbox) await openSandbox(runtime, config, tasks)
  if (config.HEALTH_PORT !== undefined) await listenForHealth(runtime, config.HEALTH_PORT, config)
  const started = await startWork(opened, config, recorderOf(measured))
  worker = started
  await started.begun
  print('The worker of OpenBenefits is ready.')
  if (runtime.settings.sandbox && config.SANDBOX_DEMO) seedDemoDataInBackground(runtime, tasks, print)
}

let stopping = false

const shutDownOnSignals = ({ DRAIN_SECONDS }: Config) =>
  closeWithGrace({ delay: 10_000 + DRAIN_SECONDS * 1000 }, async ({ err }) => {
    stopping = true
    if (err) errors.write(`${err.stack}\n`)
    await shutdown.run(err ? 0 : DRAIN_SECONDS * 1000)
  })

try {
  await start()
} catch (error) {
  if (!stopping) await giveUp(error)
}

async function giveUp(error: unknown): Promise<void> {
  errors.write(`OpenBenefits can't start: ${sentenceOf(error)}\n`)
  await shutdown.run()
  process.exit(1)
}

function sentenceOf(error: unknown): string {
  type Failure = NodeJS.ErrnoException & { address?: string; port?: number }
  const { code, message, address, port, syscall, path } = error as Failure
  if (code === 'EADDRINUSE') return `another program listens on ${address}:${port}. Set PORT to a free port.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `the database of DATABASE_URL cannot be reached (${code}).`
  if (code === 'ENOSPC') return 'the disk of DATA_DIR is full. Free some space, or move DATA_DIR to a larger disk.'
  if (syscall === 'mkdir')
    return `the folder ${path} cannot be created (${code}). Set DATA_DIR to a folder that this process can write to.`
  if (/does not support SSL/.test(message))
    return 'the database of DATABASE_URL does not support TLS. Enable TLS, or add sslmode=disable on a private network.'
  return message
}
