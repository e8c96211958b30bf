import { useSyncExternalStore } from 'react'
import { ApiError, ConnectionError } from 'openbenefits'

/**
 * Tracks whether the service responds. Every request of the console reports its result here. Probes the service while
 * it does not respond.
 */

/** The service did not respond. */
export class Offline extends Error {}

/** Responses of a proxy in front of a stopped service: a gateway status without the service's JSON. */
export const isProxyError = ({ status, headers }: Response): boolean =>
  [502, 503, 504].includes(status) && !headers.get('content-type')?.startsWith('application/json')

/**
 * Whether an error comes from the connection and not from the request. A 502 of the service itself, such as a failure
 * of its billing system, has a trace id; a 502 of a proxy in front of a stopped service has none.
 */
export const isOffline = (error: unknown): boolean =>
  error instanceof Offline ||
  error instanceof ConnectionError ||
  (error instanceof ApiError && error.code === 'upstream_error' && error.trace_id === '')

const first_pause_ms = 2_000
const max_pause_ms = 15_000

let is_online = true
let waiting: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const reconnect_listeners = new Set<() => void>()

/** Calls `act` when the service responds again. */
export const onReconnect = (act: () => void) => reconnect_listeners.add(act)

function setOnline(online: boolean): void {
  if (online === is_online) return
  is_online = online
  clearTimeout(waiting)
  if (online) for (const act of reconnect_listeners) act()
  else retryIn(first_pause_ms)
  for (const act of listeners) act()
}

function retryIn(ms: number): void {
  clearTimeout(waiting)
  waiting = setTimeout(async () => {
    if (!(await isReachable())) retryIn(Math.min(ms * 1.5, max_pause_ms))
  }, ms)
}

/** A `fetch` that records whether the service responds. */
export async function watchedFetch(input: Request | string, init?: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(input, init)
    setOnline(!isProxyError(answer))
    return answer
  } catch (error) {
    // A canceled request does not mean that the service is down.
    if ((error as Error).name === 'TypeError') setOnline(false)
    throw error
  }
}

// In two steps, because Vite treats `new URL('…', import.meta.url)` as an asset.
const { url: this_script } = import.meta
const probe = new URL('..', this_script).pathname

/** Sends a HEAD request to check whether the service responds. */
export async function isReachable(): Promise<boolean> {
  const answer = await watchedFetch(probe, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  return answer !== undefined && !isProxyError(answer)
}

addEventListener('online', () => void isReachable())
addEventListener('offline', () => setOnline(false))

function subscribe(act: () => void): () => void {
  listeners.add(act)
  return () => listeners.delete(act)
}

export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => is_online)
