import type { Agent, Dispatcher } from 'undici'
import { createRequire } from 'node:module'

// Limits for responses of the systems that an operator connects: payroll, identity, billing. Each may be compromised or
// broken, so it must not decide how much we read, how long we wait or where we are redirected.

export type Bounds = {
  max_bytes: number
  /** bytes of all responses together */
  max_total_bytes?: number
  /** milliseconds until a response must be complete */
  time_limit: number
}

/** A response that broke a limit. The message is for the log and contains nothing of the response. */
export class Unbounded extends Error {
  readonly why: 'too_large' | 'redirected' | 'too_late'

  constructor(why: Unbounded['why'], message: string) {
    super(message)
    this.why = why
  }
}

/** Finds the broken limit in an SDK error that wraps it. */
export function findBrokenLimit(error: unknown): Unbounded | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Unbounded) return cause
  return undefined
}

let agent: Agent | undefined

/**
 * An HTTP client that fails with `Unbounded` if a response is too large, too late or a redirect. Compressed responses
 * are refused, since a megabyte may decompress to a thousand.
 */
export function limitedDispatcher(bounds: Bounds): Dispatcher {
  let in_all = 0
  agent ??= new (undici().Agent)()
  return agent.compose((dispatch) => (options, handler) => {
    const read = (bytes: number) => (in_all += bytes) > (bounds.max_total_bytes ?? Infinity)
    return dispatch({ ...options, headers: uncompressed(options.headers) }, limitResponse(handler, bounds, read))
  })
}

/** `fetch` with the same limits. */
export function boundedFetch(bounds: Bounds): typeof fetch {
  let dispatcher: Dispatcher | undefined
  const fetchBounded = (url: string | URL, init?: object) =>
    undici().fetch(url, { ...init, dispatcher: (dispatcher ??= limitedDispatcher(bounds)) })
  return fetchBounded as unknown as typeof fetch
}

/** `fetch` passes headers as an object. */
const uncompressed = (headers: Dispatcher.DispatchOptions['headers']) => ({
  ...(headers as Record<string, string>),
  'accept-encoding': 'identity',
})

/** Alternating names and values, as bytes. */
const rawOf = (headers: Record<string, string | string[] | undefined>): Buffer[] =>
  Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().flatMap((value) => [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')]),
  )

/** `read` counts received bytes, and returns true if there are too many in total. */
function limitResponse(
  handler: Dispatcher.DispatchHandler,
  { max_bytes, time_limit }: Bounds,
  read: (bytes: number) => boolean,
): Dispatcher.DispatchHandler {
  let length = 0
  let timer: NodeJS.Timeout | undefined
  return {
    onRequestStart(controller, context) {
      const late = () => controller.abort(new Unbounded('too_late', `The response took longer than ${time_limit} ms.`))
      timer = setTimeout(late, time_limit)
      handler.onRequestStart?.(controller, context)
    },
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart(controller, status, headers, message) {
      if (status >= 300 && status < 400 && status !== 304)
        return controller.abort(new Unbounded('redirected', `The response is a redirect (${status}).`))
      if ((headers['content-encoding'] ?? 'identity') !== 'identity')
        return controller.abort(
          new Unbounded('too_large', 'The response is compressed, although the request did not allow that.'),
        )
      // Node's own fetch, which the Keycloak client uses, reads the raw headers.
      handler.onResponseStart?.(Object.assign(controller, { rawHeaders: rawOf(headers) }), status, headers, message)
    },
    onResponseData(controller, chunk) {
      length += chunk.length
      if (read(chunk.length) || length > max_bytes)
        return controller.abort(new Unbounded('too_large', `The response is larger than ${max_bytes} bytes.`))
      handler.onResponseData?.(controller, chunk)
    },
    onResponseEnd(controller, trailers) {
      clearTimeout(timer)
      handler.onResponseEnd?.(controller, trailers)
    },
    onResponseError(controller, error) {
      clearTimeout(timer)
      handler.onResponseError?.(controller, error)
    },
  }
}

const require = createRequire(import.meta.url)

/** The HTTP client. It is large, so it is loaded with the first request; many installations never send one. */
export const undici = (): typeof import('undici') => require('undici')
