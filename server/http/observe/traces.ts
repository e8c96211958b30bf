/** OpenTelemetry spans. Loaded only if a collector is configured; see service.ts. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type { OnRun } from '../../jobs/worker.ts'

export type Traces = {
  /** Sends a span for each request, as a child of the client's span if it sent `traceparent`. */
  watch(app: FastifyInstance): void
  /** Sends a span for a job run. */
  recordRun: OnRun
  /** Sends the remaining spans and stops. */
  close(): Promise<void>
}

/**
 * Starts to send spans to `OTEL_EXPORTER_OTLP_ENDPOINT`. The exporter's other `OTEL_…` variables apply too. Spans
 * contain operations and tasks, never paths, personal ids or request bodies.
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
    recordRun(task, outcome, seconds) {
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
