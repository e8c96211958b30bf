/** Spans for a collector of OpenTelemetry. Loaded only where one is named: see service.ts. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type { OnRun } from '../../jobs/worker.ts'

export type Traces = {
  /** Has each answered request told as a span, below that of whoever called (`traceparent`). */
  watch(app: FastifyInstance): void
  /** Tells a run of a job as a span. */
  tellRun: OnRun
  /** Sends what waits, and ends. */
  close(): Promise<void>
}

/**
 * Begins to send spans to `OTEL_EXPORTER_OTLP_ENDPOINT`; the other `OTEL_…` variables of its exporter hold too. They
 * name operations and tasks, never paths, ids of people or what they sent.
 */
export function openTraces({ OTEL_SERVICE_NAME = 'openbenefits' }: NodeJS.ProcessEnv): Traces {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': OTEL_SERVICE_NAME }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('openbenefits')
  return {
    watch(app) {
      app.addHook('onResponse', async (request, reply) => {
        const ended = Date.now()
        const operation = request.routeOptions.config.endpoint?.operation ?? 'none'
        const status = reply.statusCode
        const attributes = {
          'http.request.method': request.method,
          'http.response.status_code': status,
          'openbenefits.trace_id': request.id,
        }
        const startTime = ended - reply.elapsedTime
        const parent = parentOf(request.headers.traceparent)
        const span = tracer.startSpan(operation, { kind: SpanKind.SERVER, startTime, attributes }, parent)
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end(ended)
      })
    },
    tellRun(task, outcome, seconds) {
      const ended = Date.now()
      const span = tracer.startSpan(task, { kind: SpanKind.CONSUMER, startTime: ended - seconds * 1000 }, ROOT_CONTEXT)
      if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(ended)
    },
    close: () => provider.shutdown(),
  }
}

function parentOf(header: string | string[] | undefined): Context {
  const parent = typeof header === 'string' ? parseTraceParent(header) : null
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}
