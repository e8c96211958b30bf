import type { Agent, Dispatcher } from 'undici'
import { undici } from './undici.ts'

// How we ask the systems of others that an operator connects: payroll, identity, billing. Each may be taken over,
// broken or
// somebody else by now, so that none decides how much we read, for how long, or whom we ask instead.

export type Bounds = {
  /** bytes of one answer */
  most_bytes: number
  /** bytes of all answers together */
  most_bytes_in_all?: number
  /** milliseconds until an answer is read to its end */
  time_limit: number
}

/** Why an answer was not read. The message is for the log; it holds nothing of the answer. */
export class Unbounded extends Error {
  readonly why: 'too_large' | 'redirected' | 'too_late'

  constructor(why: Unbounded['why'], message: string) {
    super(message)
    this.why = why
  }
}

/** An answer of ours not read behind an error of an SDK, which wraps it. */
export function unboundedIn(error: unknown): Unbounded | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Unbounded) return cause
  return undefined
}

let agent: Agent | undefined

/**
 * A way to a system that ends an answer with `Unbounded` when it grows too large, takes too long or leads elsewhere.
 * Answers are asked for and taken as they are, not compressed: a megabyte may hold a thousand.
 */
export function boundedTo(bounds: Bounds): Dispatcher {
  let in_all = 0
  agent ??= new (undici().Agent)()
  return agent.compose((dispatch) => (options, handler) => {
    const read = (bytes: number) => (in_all += bytes) > (bounds.most_bytes_in_all ?? Infinity)
    return dispatch({ ...options, headers: uncompressed(options.headers) }, bounded(handler, bounds, read))
  })
}

/** `fetch` over that way. */
export function boundedFetch(bounds: Bounds): typeof fetch {
  let dispatcher: Dispatcher | undefined
  const fetchBounded = (url: string | URL, init?: object) =>
    undici().fetch(url, { ...init, dispatcher: (dispatcher ??= boundedTo(bounds)) })
  return fetchBounded as unknown as typeof fetch
}

/** As `fetch` hands them over: by their names. */
const uncompressed = (headers: Dispatcher.DispatchOptions['headers']) => ({
  ...(headers as Record<string, string>),
  'accept-encoding': 'identity',
})

/** Names and values in turn, each in its bytes. */
const rawOf = (headers: Record<string, string | string[] | undefined>): Buffer[] =>
  Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().flatMap((value) => [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')]),
  )

/** `read` notes how many bytes came, and tells whether they are too many in all. */
function bounded(
  handler: Dispatcher.DispatchHandler,
  { most_bytes, time_limit }: Bounds,
  read: (bytes: number) => boolean,
): Dispatcher.DispatchHandler {
  let length = 0
  let timer: NodeJS.Timeout | undefined
  return {
    onRequestStart(controller, context) {
      const late = () => controller.abort(new Unbounded('too_late', `The answer took longer than ${time_limit} ms.`))
      timer = setTimeout(late, time_limit)
      handler.onRequestStart?.(controller, context)
    },
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart(controller, status, headers, message) {
      if (status >= 300 && status < 400 && status !== 304)
        return controller.abort(new Unbounded('redirected', `The answer leads elsewhere (${status}).`))
      if ((headers['content-encoding'] ?? 'identity') !== 'identity')
        return controller.abort(
          new Unbounded('too_large', 'The answer is compressed, though we asked for it as it is.'),
        )
      // Node's own fetch, which the client of Keycloak uses, looks for headers here; fetch of our undici takes them as
      // given.
      handler.onResponseStart?.(Object.assign(controller, { rawHeaders: rawOf(headers) }), status, headers, message)
    },
    onResponseData(controller, chunk) {
      length += chunk.length
      if (read(chunk.length) || length > most_bytes)
        return controller.abort(new Unbounded('too_large', `The answer is larger than ${most_bytes} bytes.`))
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
