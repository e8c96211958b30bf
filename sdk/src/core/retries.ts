import { ApiError, ConnectionError } from './errors.ts'

/** In milliseconds: the longest first pause, which doubles with each attempt, and the limit of each pause. */
const first_pause = 500
const max_pause = 10_000

/**
 * The total time that a call waits between attempts. If the service requires a longer wait, the call fails immediately.
 */
const max_total_wait = 120_000

/** The state of a call. `repeatable`: the service recognizes repeats, or the call is safe to repeat. */
export type SoFar = { attempt: number; repeatable: boolean; waited: number }

/**
 * The milliseconds to wait before a retry, or undefined for no retry. Retries failures that may pass, if a repeat is
 * harmless. A 429 is always harmless, because the request had no effect.
 */
export function pauseBeforeRetry(error: unknown, { attempt, repeatable, waited }: SoFar): number | undefined {
  const backoff = Math.min(first_pause * 2 ** (attempt - 1), max_pause)
  if (error instanceof ConnectionError) return repeatable ? Math.random() * backoff : undefined
  if (!(error instanceof ApiError)) return undefined
  const advised = error.headers.get('x-should-retry')
  const is_temporary = error.status === 429 || advised === 'true' || (error.status >= 500 && repeatable)
  if (!is_temporary || advised === 'false') return undefined
  const delay = retryAfter(error.headers.get('retry-after'))
  // Never earlier than requested, with a random delay so that clients do not retry at the same instant.
  const pause = delay + Math.random() * (delay > 0 ? delay / 4 : backoff)
  return waited + pause > max_total_wait ? undefined : pause
}

/** Parses Retry-After (seconds or a date) into milliseconds. */
function retryAfter(value: string | null): number {
  if (value === null) return 0
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Math.max(0, milliseconds || 0)
}

/** Waits, unless the signal aborts first. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
