import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../../runtime/runtime.ts'

/** How many refusals of one credential with one status are logged per window. The rest are counted in one line. */
const max_lines = 20
const window_ms = 1000

type Flood = { status: number; credential: string | undefined; count: number }

export type RequestLog = {
  /** Logs one line per request, without URL and body, because both may contain personal data. */
  record: (request: FastifyRequest, reply: FastifyReply) => void
  /** Logs the counted refusals. */
  flush: () => void
}

/** The log of responses. A flood of refused requests cannot fill the disk. */
export function openRequestLog({ log }: Pick<Runtime, 'log'>): RequestLog {
  const floods = new Map<string, Flood>()
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const { count, ...flood } of floods.values())
      if (count > max_lines) log.info({ ...flood, refused: count - max_lines }, 'further requests were refused')
    floods.clear()
  }
  const isOverLimit = (status: number, credential: string | undefined): boolean => {
    if (status < 400 || (status >= 500 && status !== 503)) return false
    timer ??= setTimeout(flush, window_ms).unref()
    const key = `${status} ${credential}`
    const flood = floods.get(key) ?? { status, credential, count: 0 }
    floods.set(key, flood)
    return ++flood.count > max_lines
  }
  return {
    record(request, reply) {
      const credential = request.caller?.credential_id
      if (isOverLimit(reply.statusCode, credential)) return
      log.info({
        operation: request.routeOptions.config.endpoint?.operation,
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        trace_id: request.id,
        credential,
      })
    },
    flush,
  }
}
