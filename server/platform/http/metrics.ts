import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { within } from '../../kernel/deadline.ts'
import type { Runtime } from '../runtime.ts'
import { sha256 } from '../secrets.ts'
import type { Authenticator } from './server.ts'
import type { Stranger } from './wrong-keys.ts'
import { no_organization } from '../database/rows-of.ts'

type Meter = ReturnType<MeterProvider['getMeter']>

/** How long a scrape waits for the database before it tells of everything else. */
const patience_ms = 2000

type JobCounts = { waiting: number; running: number; failed: number }

/** What is told when the database does not answer; without it the gauge would go on showing its last value. */
const unknown: JobCounts = { waiting: Number.NaN, running: Number.NaN, failed: Number.NaN }

/** In seconds: fine where a database read ends, coarse where a person gives up. */
const duration_buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Adds `GET /metrics` in the text format of Prometheus, for operators of any role. Labels name operations, never
 * paths, ids or people.
 */
export function serveMetrics(
  app: FastifyInstance,
  runtime: Runtime,
  authenticator: Authenticator,
  strangerAt: (address: string) => Stranger,
): void {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true, withoutTargetInfo: true })
  const provider = new MeterProvider({ readers: [exporter] })
  const meter = provider.getMeter('openbenefits')
  countRequests(app, meter)
  observeJobs(meter, runtime)
  observePool(meter, runtime)
  observeProcess(app, meter)
  app.addHook('onClose', () => provider.shutdown())

  const onRequest = requireOperator(authenticator, strangerAt)
  app.get('/metrics', { onRequest }, (request, reply) => {
    reply.hijack()
    exporter.getMetricsRequestHandler(request.raw, reply.raw)
  })
}

/** Whoever scrapes must learn that the database is away, and so not be asked for by it alone. */
const trusted_while_away_ms = 60 * 60_000

/** Lets operators in; who was one lately is let in too while the database can't be asked. */
function requireOperator(authenticator: Authenticator, strangerAt: (address: string) => Stranger) {
  const let_in = new LRUCache<string, true>({ max: 100, ttl: trusted_while_away_ms })
  const isOperator = async (credential: string, address: string): Promise<boolean> => {
    const hash = sha256(credential).toString('base64')
    const asked = authenticator.authenticate(credential, strangerAt(address))
    try {
      const caller = await within(patience_ms, asked)
      const is_operator = caller?.kind === 'operator' && caller.operator_role !== 'bootstrap'
      if (is_operator) let_in.set(hash, true)
      else let_in.delete(hash)
      return is_operator
    } catch (error) {
      if (error instanceof Refusal) throw error
      return let_in.has(hash)
    }
  }
  return async (request: FastifyRequest) => {
    const credential = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (credential === undefined || !(await isOperator(credential, request.ip)))
      throw new Refusal(generic.unauthorized, [], { 'www-authenticate': 'Bearer' })
  }
}

function countRequests(app: FastifyInstance, meter: Meter): void {
  const requests = meter.createCounter('http_requests_total', { description: 'Answered requests.' })
  const durations = meter.createHistogram('http_request_duration_seconds', {
    description: 'From the first byte of a request to the last of its answer.',
    advice: { explicitBucketBoundaries: duration_buckets },
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      operation: request.routeOptions.config.endpoint?.operation ?? 'none',
      method: request.method,
      status: String(reply.statusCode),
    }
    requests.add(1, labels)
    durations.record(reply.elapsedTime / 1000, labels)
  })
}

function observeJobs(meter: Meter, runtime: Runtime): void {
  const jobs = meter.createObservableGauge('jobs', {
    description: 'Jobs by state: waiting (a retry to come included), running, failed for good.',
  })
  jobs.addCallback(async (result) => {
    const counts = await within(patience_ms, countJobs(runtime)).catch((error: Error) => {
      runtime.log.warn({ err: error }, 'the jobs could not be counted')
      return unknown
    })
    for (const [state, count] of Object.entries(counts)) result.observe(count, { state })
  })
}

async function countJobs(runtime: Runtime): Promise<JobCounts> {
  const counts = await runtime.database.reads(no_organization).row<JobCounts>(
    `select count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
            count(*) filter (where locked_at is not null) as running,
            count(*) filter (where locked_at is null and attempts >= max_attempts) as failed
       from graphile_worker.jobs`,
  )
  return counts!
}

function observePool(meter: Meter, { database: { pool, waiting_room } }: Runtime): void {
  const connections = meter.createObservableGauge('database_pool_connections', {
    description: 'Connections for transactions by state.',
  })
  connections.addCallback((result) => {
    result.observe(pool.totalCount - pool.idleCount, { state: 'in_use' })
    result.observe(pool.idleCount, { state: 'idle' })
  })
  meter
    .createObservableGauge('database_pool_waiting', { description: 'Requests and jobs that wait for a connection.' })
    .addCallback((result) => result.observe(pool.waitingCount))
  meter
    .createObservableGauge('database_turns_waiting', { description: 'Writes that wait for their organization.' })
    .addCallback((result) => result.observe(waiting_room.waiting()))
}

function observeProcess(app: FastifyInstance, meter: Meter): void {
  meter
    .createObservableGauge('process_resident_memory_bytes', { description: 'Memory of the process.' })
    .addCallback((result) => result.observe(process.memoryUsage.rss()))
  meter
    .createObservableGauge('process_heap_used_bytes', { description: 'Memory in use by JavaScript.' })
    .addCallback((result) => result.observe(process.memoryUsage().heapUsed))

  const resolution_ms = 10
  const delay = monitorEventLoopDelay({ resolution: resolution_ms })
  delay.enable()
  app.addHook('onClose', async () => void delay.disable())
  // What Node measures is the whole time between two ticks of its timer.
  const beyondTick = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution_ms / 1000)
  meter
    .createObservableGauge('event_loop_delay_seconds', {
      description: 'Delay of the event loop since the last scrape.',
    })
    .addCallback((result) => {
      if (delay.count > 0) {
        result.observe(beyondTick(delay.mean), { statistic: 'mean' })
        result.observe(beyondTick(delay.percentile(99)), { statistic: 'p99' })
        result.observe(beyondTick(delay.max), { statistic: 'max' })
      }
      delay.reset()
    })
}
