import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { withDeadline } from '../../kernel/concurrency/deadline.ts'
import type { Replica } from '../../database/replica/replica.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { sha256 } from '../../security/secrets.ts'
import { findJobHealth, findServiceHealth, type JobHealth, type ServiceHealth } from './service-health.ts'
import type { Authenticator } from '../server.ts'
import type { UnauthenticatedClient } from '../limits/failed-auth.ts'
import { every_organization, no_organization } from '../../database/query/rows-of.ts'

type Meter = ReturnType<MeterProvider['getMeter']>

/** How long a scrape waits for the database before it returns the other metrics. */
const timeout_ms = 2000

/** Reported if the database does not respond. Otherwise the gauges would keep their last values. */
const unknown_jobs: JobHealth = {
  waiting: Number.NaN,
  running: Number.NaN,
  failed: Number.NaN,
  late_seconds: Number.NaN,
  running_seconds: Number.NaN,
}
const unknown_health: ServiceHealth = {
  webhook_late_seconds: Number.NaN,
  organizations_late: Number.NaN,
  last_day_run_on: null,
}

/** Bucket bounds in seconds: narrow for the durations of database reads, wide for the times at which people give up. */
const duration_buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Counts and measures requests, jobs, the process and its installation. */
export type Metrics = {
  countRequest(labels: { operation: string; method: string; status: string }, seconds: number): void
  /** Counts a run of a job by its outcome, and its duration. */
  countJob(task: string, outcome: 'done' | 'failed', seconds: number): void
  /** Responds to a scrape in the Prometheus text format. */
  serve(request: FastifyRequest, reply: FastifyReply): void
  close(): Promise<void>
}

/** Starts to measure. Labels name operations and tasks, never paths, ids or people. */
export function openMetrics(runtime: Runtime): Metrics {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true, withoutTargetInfo: true })
  const provider = new MeterProvider({ readers: [exporter] })
  const meter = provider.getMeter('openbenefits')
  const advice = { explicitBucketBoundaries: duration_buckets }
  const requests = meter.createCounter('http_requests_total', { description: 'Completed requests.' })
  const durations = meter.createHistogram('http_request_duration_seconds', {
    description: 'Time from the first byte of a request to the last byte of its response.',
    advice,
  })
  const runs = meter.createCounter('job_runs_total', { description: 'Job runs by task and outcome.' })
  const run_durations = meter.createHistogram('job_run_duration_seconds', {
    description: 'Duration of job runs by task.',
    advice,
  })
  observeJobs(meter, runtime)
  observeHealth(meter, runtime)
  observePool(meter, runtime)
  if (runtime.replica) observeReplica(meter, runtime.replica)
  const stop = observeProcess(meter)
  return {
    countRequest(labels, seconds) {
      requests.add(1, labels)
      durations.record(seconds, labels)
    },
    countJob(task, outcome, seconds) {
      runs.add(1, { task, outcome })
      run_durations.record(seconds, { task })
    },
    serve(request, reply) {
      reply.hijack()
      exporter.getMetricsRequestHandler(request.raw, reply.raw)
    },
    async close() {
      stop()
      await provider.shutdown()
    },
  }
}

/** Adds `GET /metrics` for operators of any role, and counts requests. */
export function serveMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  authenticator: Authenticator,
  clientAt: (address: string) => UnauthenticatedClient,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      operation: request.routeOptions.config.endpoint?.operation ?? 'none',
      method: request.method,
      status: String(reply.statusCode),
    }
    metrics.countRequest(labels, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { onRequest: requireOperator(authenticator, clientAt) }, metrics.serve)
}

/** A server with the metrics only, for a separate port. It does not listen yet. */
export function buildMetrics(metrics: Metrics): FastifyInstance {
  const app = Fastify()
  app.get('/metrics', metrics.serve)
  return app
}

/** How long a scraper is trusted while the database is down, so that it can still report that the database is down. */
const trusted_while_down_ms = 60 * 60_000

/** Requires an operator. If the database cannot be reached, a recently accepted credential is accepted again. */
function requireOperator(authenticator: Authenticator, clientAt: (address: string) => UnauthenticatedClient) {
  const accepted = new LRUCache<string, true>({ max: 100, ttl: trusted_while_down_ms })
  const isOperator = async (credential: string, address: string): Promise<boolean> => {
    const hash = sha256(credential).toString('base64')
    const request = authenticator.callerFinderOf(credential)(clientAt(address))
    try {
      const caller = await withDeadline(timeout_ms, request)
      const is_operator = caller?.kind === 'operator' && caller.operator_role !== 'bootstrap'
      if (is_operator) accepted.set(hash, true)
      else accepted.delete(hash)
      return is_operator
    } catch (error) {
      if (error instanceof Refusal) throw error
      return accepted.has(hash)
    }
  }
  return async (request: FastifyRequest) => {
    const credential = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (credential === undefined || !(await isOperator(credential, request.ip)))
      throw new Refusal(generic.unauthorized, [], { 'www-authenticate': 'Bearer' })
  }
}

function observeJobs(meter: Meter, runtime: Runtime): void {
  const jobs = meter.createObservableGauge('jobs', {
    description: 'Jobs by state: waiting (including retries), running, failed permanently.',
  })
  const late = meter.createObservableGauge('job_late_seconds', {
    description: 'Seconds since the oldest waiting job became due.',
  })
  const running = meter.createObservableGauge('job_running_seconds', {
    description: 'Seconds since the oldest running job started. If that is hours, the job is stuck.',
  })
  meter.addBatchObservableCallback(
    async (result) => {
      const health = await withDeadline(timeout_ms, findJobHealth(runtime.database.reads(no_organization))).catch(
        (error: Error) => {
          runtime.log.warn({ err: error }, 'could not count the jobs')
          return unknown_jobs
        },
      )
      const { late_seconds, running_seconds, ...counts } = health
      for (const [state, count] of Object.entries(counts)) result.observe(jobs, count, { state })
      result.observe(late, late_seconds)
      result.observe(running, running_seconds)
    },
    [jobs, late, running],
  )
}

function observeHealth(meter: Meter, runtime: Runtime): void {
  const webhooks = meter.createObservableGauge('webhook_late_seconds', {
    description: 'Seconds since the oldest unsent webhook became due.',
  })
  const organizations = meter.createObservableGauge('organizations_late', {
    description: 'Organizations whose daily run is behind the calendar.',
  })
  const last_day = meter.createObservableGauge('last_day_run_timestamp_seconds', {
    description: 'The earliest last completed day of any organization, at midnight UTC.',
  })
  meter.addBatchObservableCallback(
    async (result) => {
      const request = findServiceHealth(runtime.database.reads(every_organization), runtime.clock())
      const health = await withDeadline(timeout_ms, request).catch(() => unknown_health)
      result.observe(webhooks, health.webhook_late_seconds)
      result.observe(organizations, health.organizations_late)
      result.observe(last_day, health.last_day_run_on ? Date.parse(health.last_day_run_on) / 1000 : Number.NaN)
    },
    [webhooks, organizations, last_day],
  )
}

function observePool(meter: Meter, { database: { pool, lock_queue } }: Runtime): void {
  const connections = meter.createObservableGauge('database_pool_connections', {
    description: 'Connections for transactions by state.',
  })
  connections.addCallback((result) => {
    result.observe(pool.totalCount - pool.idleCount, { state: 'in_use' })
    result.observe(pool.idleCount, { state: 'idle' })
  })
  meter
    .createObservableGauge('database_pool_waiting', { description: 'Requests and jobs waiting for a connection.' })
    .addCallback((result) => result.observe(pool.waitingCount))
  meter
    .createObservableGauge('database_turns_waiting', {
      description: 'Writes waiting for the lock of their organization.',
    })
    .addCallback((result) => result.observe(lock_queue.waiting()))
}

function observeReplica(meter: Meter, replica: Replica): void {
  const late = meter.createObservableGauge('database_replica_late_seconds', {
    description: 'Seconds since the replica was last known to be up to date.',
  })
  const in_use = meter.createObservableGauge('database_replica_in_use', {
    description: '1 while requests read from the replica, else 0.',
  })
  const reads = meter.createObservableCounter('database_replica_reads_total', {
    description: 'Reads meant for the replica, by the server that performed them. `reason`: why it was the primary.',
  })
  meter.addBatchObservableCallback(
    (result) => {
      const { late_seconds, why_not, answered, fallen } = replica.health()
      result.observe(late, late_seconds)
      result.observe(in_use, why_not === undefined ? 1 : 0)
      result.observe(reads, answered, { by: 'replica' })
      for (const [reason, count] of Object.entries(fallen)) result.observe(reads, count, { by: 'primary', reason })
    },
    [late, in_use, reads],
  )
}

/** Returns a function that stops the measurement. */
function observeProcess(meter: Meter): () => void {
  meter
    .createObservableGauge('process_resident_memory_bytes', { description: 'Memory of the process.' })
    .addCallback((result) => result.observe(process.memoryUsage.rss()))
  meter
    .createObservableGauge('process_heap_used_bytes', { description: 'Memory in use by JavaScript.' })
    .addCallback((result) => result.observe(process.memoryUsage().heapUsed))

  const resolution_ms = 10
  const delay = monitorEventLoopDelay({ resolution: resolution_ms })
  delay.enable()
  // Node's timer measures the whole time between two of its ticks.
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
  return () => void delay.disable()
}
