import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { within } from '../../kernel/deadline.ts'
import type { Replica } from '../../database/replica/replica.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { sha256 } from '../../security/secrets.ts'
import { findJobStanding, findStanding, type JobStanding, type ServiceStanding } from './service-health.ts'
import type { Authenticator } from '../server.ts'
import type { Stranger } from '../limits/failed-auth.ts'
import { every_organization, no_organization } from '../../database/query/rows-of.ts'

type Meter = ReturnType<MeterProvider['getMeter']>

/** How long a scrape waits for the database before it tells of everything else. */
const patience_ms = 2000

/** What is told when the database does not answer; without it the gauges would go on showing their last values. */
const unknown_jobs: JobStanding = {
  waiting: Number.NaN,
  running: Number.NaN,
  failed: Number.NaN,
  late_seconds: Number.NaN,
  running_seconds: Number.NaN,
}
const unknown_standing: ServiceStanding = {
  webhook_late_seconds: Number.NaN,
  organizations_late: Number.NaN,
  last_day_run_on: null,
}

/** In seconds: fine where a database read ends, coarse where a person gives up. */
const duration_buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** What a process counts and measures of itself and its installation. */
export type Metrics = {
  countRequest(labels: { operation: string; method: string; status: string }, seconds: number): void
  /** A run of a job: how it ended, and how long it took. */
  countJob(task: string, outcome: 'done' | 'failed', seconds: number): void
  /** Answers a scrape, in the text format of Prometheus. */
  tell(request: FastifyRequest, reply: FastifyReply): void
  close(): Promise<void>
}

/** Begins to measure. Labels name operations and tasks, never paths, ids or people. */
export function openMetrics(runtime: Runtime): Metrics {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true, withoutTargetInfo: true })
  const provider = new MeterProvider({ readers: [exporter] })
  const meter = provider.getMeter('openbenefits')
  const advice = { explicitBucketBoundaries: duration_buckets }
  const requests = meter.createCounter('http_requests_total', { description: 'Answered requests.' })
  const durations = meter.createHistogram('http_request_duration_seconds', {
    description: 'From the first byte of a request to the last of its answer.',
    advice,
  })
  const runs = meter.createCounter('job_runs_total', { description: 'Runs of jobs by task and outcome.' })
  const run_durations = meter.createHistogram('job_run_duration_seconds', {
    description: 'Runs of jobs by task.',
    advice,
  })
  observeJobs(meter, runtime)
  observeStanding(meter, runtime)
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
    tell(request, reply) {
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
  strangerAt: (address: string) => Stranger,
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
  app.get('/metrics', { onRequest: requireOperator(authenticator, strangerAt) }, metrics.tell)
}

/** The metrics alone, for whoever reaches a port of their own. Not listening yet. */
export function buildMetrics(metrics: Metrics): FastifyInstance {
  const app = Fastify()
  app.get('/metrics', metrics.tell)
  return app
}

/** Whoever scrapes must learn that the database is away, and so not be asked for by it alone. */
const trusted_while_away_ms = 60 * 60_000

/** Lets operators in; who was one lately is let in too while the database can't be asked. */
function requireOperator(authenticator: Authenticator, strangerAt: (address: string) => Stranger) {
  const let_in = new LRUCache<string, true>({ max: 100, ttl: trusted_while_away_ms })
  const isOperator = async (credential: string, address: string): Promise<boolean> => {
    const hash = sha256(credential).toString('base64')
    const asked = authenticator.holderOf(credential)(strangerAt(address))
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

function observeJobs(meter: Meter, runtime: Runtime): void {
  const jobs = meter.createObservableGauge('jobs', {
    description: 'Jobs by state: waiting (a retry to come included), running, failed for good.',
  })
  const late = meter.createObservableGauge('job_late_seconds', {
    description: 'Since when the oldest job is due that no worker has taken.',
  })
  const running = meter.createObservableGauge('job_running_seconds', {
    description: 'Since when the job runs that was begun first: hours mean that it does not end.',
  })
  meter.addBatchObservableCallback(
    async (result) => {
      const standing = await within(patience_ms, findJobStanding(runtime.database.reads(no_organization))).catch(
        (error: Error) => {
          runtime.log.warn({ err: error }, 'the jobs could not be counted')
          return unknown_jobs
        },
      )
      const { late_seconds, running_seconds, ...counts } = standing
      for (const [state, count] of Object.entries(counts)) result.observe(jobs, count, { state })
      result.observe(late, late_seconds)
      result.observe(running, running_seconds)
    },
    [jobs, late, running],
  )
}

function observeStanding(meter: Meter, runtime: Runtime): void {
  const webhooks = meter.createObservableGauge('webhook_late_seconds', {
    description: 'Since when the oldest webhook is due that was not sent.',
  })
  const organizations = meter.createObservableGauge('organizations_late', {
    description: 'Organizations whose daily run is behind the calendar.',
  })
  const last_day = meter.createObservableGauge('last_day_run_timestamp_seconds', {
    description: 'The earliest of the days that organizations had run last, at its midnight in UTC.',
  })
  meter.addBatchObservableCallback(
    async (result) => {
      const asked = findStanding(runtime.database.reads(every_organization), runtime.clock())
      const standing = await within(patience_ms, asked).catch(() => unknown_standing)
      result.observe(webhooks, standing.webhook_late_seconds)
      result.observe(organizations, standing.organizations_late)
      result.observe(last_day, standing.last_day_run_on ? Date.parse(standing.last_day_run_on) / 1000 : Number.NaN)
    },
    [webhooks, organizations, last_day],
  )
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

function observeReplica(meter: Meter, replica: Replica): void {
  const late = meter.createObservableGauge('database_replica_late_seconds', {
    description: 'Since when the replica is known to have had all there was.',
  })
  const in_use = meter.createObservableGauge('database_replica_in_use', {
    description: '1 while requests read from the replica, else 0.',
  })
  const reads = meter.createObservableCounter('database_replica_reads_total', {
    description: 'Reads that were to go to the replica, by who answered; `reason`: why it was the primary.',
  })
  meter.addBatchObservableCallback(
    (result) => {
      const { late_seconds, why_not, answered, fallen } = replica.standing()
      result.observe(late, late_seconds)
      result.observe(in_use, why_not === undefined ? 1 : 0)
      result.observe(reads, answered, { by: 'replica' })
      for (const [reason, count] of Object.entries(fallen)) result.observe(reads, count, { by: 'primary', reason })
    },
    [late, in_use, reads],
  )
}

/** Answers how to stop it. */
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
  return () => void delay.disable()
}
