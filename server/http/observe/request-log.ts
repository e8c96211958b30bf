import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../../runtime/runtime.ts'

/** Of the refusals of a second with one status to one credential so many are told, and of the others how many. */
const most_lines = 20
const window_ms = 1000

type Flood = { status: number; credential: string | undefined; count: number }

export type RequestLog = {
  /** One line a request: no URL and no body, since both may hold personal data. */
  tell: (request: FastifyRequest, reply: FastifyReply) => void
  /** Tells what is counted and was not told yet. */
  flush: () => void
}

/** The log of what is answered. Who is refused over and over can't fill the disk with it. */
export function openRequestLog({ log }: Pick<Runtime, 'log'>): RequestLog {
  const floods = new Map<string, Flood>()
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const { count, ...flood } of floods.values())
      if (count > most_lines) log.info({ ...flood, refused: count - most_lines }, 'further requests were refused')
    floods.clear()
  }
  const isOneOfMany = (status: number, credential: string | undefined): boolean => {
    if (status < 400 || (status >= 500 && status !== 503)) return false
    timer ??= setTimeout(flush, window_ms).unref()
    const key = `${status} ${credential}`
    const flood = floods.get(key) ?? { status, credential, count: 0 }
    floods.set(key, flood)
    return ++flood.count > most_lines
  }
  return {
    tell(request, reply) {
      const credential = request.caller?.credential_id
      if (isOneOfMany(reply.statusCode, credential)) return
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
