import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { claimDatabase } from './runtime/installation-lock.ts'
import { collectBehindOthers } from './runtime/background-gc.ts'
import { watchKeys } from './security/key-watch.ts'
import { keptIn, keyFiles, loadKeys, makeKeys, type Kept } from './security/keys.ts'
import { greeting, openSandbox, writeSandbox } from './sandbox/open.ts'
import { plantBeside } from './sandbox/stage/plant.ts'
import type { Story } from './sandbox/story.ts'
import { crontab, integrations, startBackground, tasks, runDay } from './modules.ts'
import { serviceCaller } from './runtime/caller.ts'
import { haveWorkBehind } from './kernel/background-thread.ts'
import { directUrlOf, type Config } from './kernel/config.ts'
import { openIntegrations } from './kernel/integration.ts'
import { openAsFound } from './database/citus/sharding-state.ts'
import { openReplica } from './database/replica/replica.ts'
import { openEventWaits } from './runtime/event-waits.ts'
import { openOutbound } from './integrations/outbound/outbound.ts'
import { buildHealth } from './http/observe/health.ts'
import { buildMetrics, openMetrics, type Metrics } from './http/observe/metrics.ts'
import { queueIn } from './jobs/enqueue.ts'
import { patience_with_jobs_ms, startWorker, type Worker } from './jobs/worker.ts'
import { openLog } from './runtime/log.ts'
import { DatabaseRefused } from './database/citus/sharding-state.ts'
import { makeReady, type Addresses } from './database/schema/roles.ts'
import { errors, output } from './runtime/output.ts'
import { sayLine as say, startOwn } from '../packages/embedded-postgres/own.ts'
import { name as database_name } from '../packages/embedded-postgres/data.ts'
import { ensureRoles, roleUrls, servicePasswordAt } from '../packages/embedded-postgres/roles.ts'
import { openKnownSecrets } from './security/secret-keys.ts'
import { readSettings } from './runtime/settings.ts'
import { PageAnchors } from './database/sql/page-anchors.ts'
import { keepPartitions } from './database/schema/partitions.ts'
import { no_organization } from './database/query/rows-of.ts'
import type { DatabaseAddress } from './database/query/session.ts'
import { within } from './kernel/deadline.ts'
import { inTransaction, type Runtime } from './runtime/runtime.ts'
import type { Traces } from './http/observe/traces.ts'
import { openTrail } from './http/audit/audit-log.ts'

/**
 * Waits for something to end, well or not, but not longer than so many milliseconds: what comes after must be closed
 * too.
 */
const endedOrLate = (ms: number, ending: Promise<unknown>): Promise<unknown> =>
  within(ms, ending).catch(() => undefined)

/** Requests and jobs, which end by themselves when given a moment; and what to undo after them, the last first. */
const draining: ((serve_on_ms: number) => Promise<unknown>)[] = []
const closing: (() => Promise<unknown>)[] = []

/** How long requests and jobs may take to end. */
let patience_ms = patience_with_jobs_ms

/** How long the worker takes at most to close its sessions when its jobs have ended or their time is over. */
const closing_worker_ms = 1500

/** Why this process should get no requests, beside what its database says. */
let leaving = false
let is_sandbox_written = false
let worker: Worker | undefined

const whyNotReady =
  ({ ROLE }: Config, story?: Story) =>
  (): string | undefined => {
    if (leaving) return 'the process ends'
    if (story && !is_sandbox_written) return 'sandbox.json is not written yet'
    return ROLE === 'api' || worker?.isWorking() ? undefined : 'the worker takes no jobs'
  }

/** Stops everything within 10 seconds; requests are served on for a time, in which others may learn that we leave. */
async function closeAll(serve_on_ms = 0): Promise<void> {
  leaving = true
  await Promise.all(draining.splice(0).map((drain) => drain(serve_on_ms)))
  for (const close of closing.splice(0).reverse()) await close()
  // The last lines may be audit entries that nothing else has kept.
  await endedOrLate(1000, output.drained())
}

/** Where the database is: the operator's, or that of a PostgreSQL of our own, which is started. */
async function addressesOf(config: Config, kept: Kept): Promise<Addresses> {
  const direct_url = directUrlOf(config)
  if (direct_url !== undefined) return { url: direct_url, migration_url: config.MIGRATION_DATABASE_URL }
  const starting = startOwn({
    data_dir: config.DATA_DIR,
    password: kept.database_password,
    next_password: kept.next_database_password,
    postgres_bin: config.POSTGRES_BIN,
    log: say,
  })
  // Before it runs: a signal that comes meanwhile must not leave it behind.
  closing.push(async () => (await starting.catch(() => undefined))?.stop())
  const cluster = await starting
  void cluster.ended.then(() => {
    // Nothing that is under way can still come to a good end.
    patience_ms = 0
    // Whoever supervises us starts both anew; what was committed is there.
    throw new Error(`PostgreSQL has ended by itself; its last words are in ${config.DATA_DIR}/postgres.log.`)
  })
  return {
    ...roleUrls(cluster, cluster.password, database_name),
    password: servicePasswordAt(cluster, () => keptIn(config.DATA_DIR)),
    letIn: () => ensureRoles(cluster, cluster.password, database_name),
  }
}

function readKeys() {
  const config = readSettings(process.env, integrations)
  return { config, keys: loadKeys(config) }
}

/** Opens the database and all else that requests and jobs need. */
async function openWorld(config: Config): Promise<{ runtime: Runtime; address: DatabaseAddress }> {
  const keys = makeKeys(config)
  const log = openLog(config.LOG_LEVEL)
  const addresses = await addressesOf(config, keys)
  for (const warning of await makeReady(addresses)) log.warn(warning)
  const { url, password } = addresses
  const database = await openAsFound({
    url: config.DATABASE_URL ?? url,
    password,
    prepared_statements: config.PREPARED_STATEMENTS,
    job_connections: config.WORKER_CONCURRENCY,
    onJobSession: config.DATABASE_URL === undefined ? haveWorkBehind : undefined,
  })
  closing.push(() => endedOrLate(500, database.close()))
  const process_id = randomUUID()
  const kind = await claimDatabase(database, keys, config, process_id)
  const audit_retention_years = config.AUDIT_RETENTION_YEARS
  const [secrets] = await Promise.all([
    openKnownSecrets(database.reads(no_organization), keys),
    keepPartitions({ database, clock: Date.now, log }, audit_retention_years),
  ])
  if (database.divided && config.READ_DATABASE_URL !== undefined)
    throw new DatabaseRefused(
      'READ_DATABASE_URL is for a database on one server, and the tenants of this one are divided.',
    )
  const replica =
    config.READ_DATABASE_URL === undefined
      ? undefined
      : openReplica({ url: config.READ_DATABASE_URL, database, log, prepared_statements: config.PREPARED_STATEMENTS })
  if (replica) closing.push(() => endedOrLate(500, replica.close()))
  const runtime: Runtime = {
    database,
    replica,
    clock: Date.now,
    log,
    secrets,
    settings: { sandbox: kind === 'sandbox', public_url: config.PUBLIC_URL ?? null, audit_retention_years },
    integrations: openIntegrations(integrations, config),
    outbound: openOutbound({ allow_loopback: config.ALLOW_PRIVATE_WEBHOOKS }),
    page_anchors: new PageAnchors(),
    runDay,
    queueIn,
    event_waits: openEventWaits(database, Date.now),
    trail: openTrail({ database, clock: Date.now, secrets, log }),
  }
  closing.push(() => endedOrLate(500, runtime.outbound.close()))
  const paths = keyFiles(process.env, config)
  const notes_writes = replica !== undefined
  const watch = watchKeys(runtime, { id: process_id, role: config.ROLE, notes_writes, keys, paths, read: readKeys })
  closing.push(() => endedOrLate(500, watch.close()))
  return { runtime, address: { url, password } }
}

async function listen(runtime: Runtime, config: Config, measured: Measured, story?: Story): Promise<string> {
  const app = await buildApp(runtime, {
    cors_origins: config.CORS_ORIGINS,
    rate_limit: { per_minute: config.RATE_LIMIT_PER_MINUTE, burst: config.RATE_LIMIT_BURST },
    trusted_proxies: config.TRUSTED_PROXIES,
    organization_headers: config.ORGANIZATION_HEADER_ALIASES,
    whyNotReady: whyNotReady(config, story),
    ...measured,
    story,
  })
  runtime.replica?.watch()
  draining.push(async (serve_on_ms) => {
    await pause(serve_on_ms)
    await endedOrLate(patience_ms, app.close())
  })
  return app.listen({ port: config.PORT, host: config.HOST })
}

/** The health of a process that serves nothing else. */
async function listenForHealth(runtime: Runtime, port: number, config: Config): Promise<void> {
  const app = buildHealth(runtime, whyNotReady(config))
  draining.push(() => endedOrLate(patience_ms, app.close()))
  await app.listen({ port, host: config.HOST })
}

/** When what a start has to catch up with is done, whose lines in the log nobody is to look for the greeting among. */
const first_run = Promise.withResolvers<void>()
const patience_of_a_person_ms = 3000

type Measured = { metrics: Metrics; traces: Traces | undefined }

/** Measures the process, and tells of it: on a port of its own where one is set, by spans where they are collected. */
async function measure(runtime: Runtime, { METRICS_PORT: port, HOST: host }: Config): Promise<Measured> {
  const metrics = openMetrics(runtime)
  closing.push(() => endedOrLate(500, metrics.close()))
  if (port !== undefined) {
    const app = buildMetrics(metrics)
    closing.push(() => endedOrLate(500, app.close()))
    say(`Metrics are on ${await app.listen({ port, host })}/metrics`)
  }
  const collected = process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const traces = collected ? (await import('./http/observe/traces.ts')).openTraces(process.env) : undefined
  if (traces) closing.push(() => endedOrLate(2000, traces.close()))
  return { metrics, traces }
}

async function work(runtime: Runtime, address: DatabaseAddress, config: Config, measured: Measured): Promise<Worker> {
  const opened = await startWorker(runtime, address.url, {
    password: address.password,
    tasks,
    crontab,
    concurrency: config.WORKER_CONCURRENCY,
    prepared_statements: config.PREPARED_STATEMENTS,
    onRun(...run) {
      measured.metrics.countJob(...run)
      measured.traces?.tellRun(...run)
      if (run[0] === 'run_days') first_run.resolve()
    },
  })
  worker = opened
  const background = startBackground(runtime, address)
  draining.push(
    () => endedOrLate(patience_ms + closing_worker_ms, opened.stop(patience_ms)),
    () => endedOrLate(patience_ms, background.stop()),
  )
  await requestDailyRuns(runtime)
  return opened
}

/**
 * What was missed while nobody ran is not left until the hour, unless nothing can be written: what is there is served
 * all the same.
 */
const requestDailyRuns = (runtime: Runtime): Promise<void> =>
  inTransaction(runtime, serviceCaller(null), (ctx) => ctx.enqueue('run_days', {}, { key: 'run_days' })).catch(
    (error) => runtime.log.warn({ err: error }, 'the days that were missed are run within the hour'),
  )

async function start(): Promise<void> {
  collectBehindOthers()
  const config = readSettings(process.env, integrations)
  endInOrder(config)
  const { runtime, address } = await openWorld(config)
  const measured = await measure(runtime, config)
  const story = runtime.settings.sandbox ? await openSandbox(runtime, config, tasks) : undefined
  if (config.ROLE === 'worker') {
    if (config.HEALTH_PORT !== undefined) await listenForHealth(runtime, config.HEALTH_PORT, config)
    await (
      await work(runtime, address, config, measured)
    ).begun
    say('The worker of OpenBenefits is ready.')
    if (story && config.SANDBOX_STAGE) plantBeside(runtime, tasks, say)
    return
  }
  const [serving_at] = await Promise.all([
    listen(runtime, config, measured, story),
    config.ROLE === 'all' && work(runtime, address, config, measured),
  ])
  const sandbox = story && {
    base_url: serving_at,
    sign_in_url: `${config.PUBLIC_URL ?? serving_at}/sign-in`,
    ...story,
  }
  if (sandbox) writeSandbox(config, sandbox)
  is_sandbox_written = true
  if (process.stdout.isTTY) await within(patience_of_a_person_ms, first_run.promise).catch(() => undefined)
  for (const line of greeting(serving_at, config, sandbox, process.stdout.isTTY)) say(line)
  if (sandbox && config.SANDBOX_STAGE && config.ROLE === 'all') plantBeside(runtime, tasks, say)
}

let stopping = false

const endInOrder = ({ DRAIN_SECONDS }: Config) =>
  closeWithGrace({ delay: 10_000 + DRAIN_SECONDS * 1000 }, async ({ err }) => {
    stopping = true
    if (err) errors.write(`${err.stack}\n`)
    await closeAll(err ? 0 : DRAIN_SECONDS * 1000)
  })

try {
  await start()
} catch (error) {
  if (!stopping) await giveUp(error)
}

async function giveUp(error: unknown): Promise<void> {
  errors.write(`OpenBenefits can't start: ${sentenceOf(error)}\n`)
  await closeAll()
  process.exit(1)
}

function sentenceOf(error: unknown): string {
  const { code, message, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'EADDRINUSE') return `another program listens on ${address}:${port}; set PORT to a free one.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `the database of DATABASE_URL can't be reached (${code}).`
  if (/does not support SSL/.test(message))
    return 'the database of DATABASE_URL offers no TLS: let it, or add sslmode=disable where nobody is in between.'
  return message
}
