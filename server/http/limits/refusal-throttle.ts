import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** How many refused requests per second a credential may send without a delay, and how many at once before that. */
export type RefusalLimit = { per_second: number; burst: number }

export const default_refusals: RefusalLimit = { per_second: 50, burst: 25 }

/** The longest delay, in milliseconds. */
const max_wait_ms = 10_000

/** A body counts as one more request per this many bytes. */
const bytes_per_unit = 128 * 1024

/**
 * Delays credentials that keep sending invalid bodies, to protect the others. Each refused request counts as one unit,
 * plus one per 128 KiB of its body. A credential that owes more units than the burst waits before its next body is
 * read. A large body counts from its start until it proves valid, because many may arrive at once. Occasional refusals
 * cause no delay, and neither do valid requests. The units are kept per process, because they protect the time of this
 * process. Without the throttle, the 99th percentile of other callers' reads was 14 times the usual latency during a
 * flood of deeply nested bodies, and 8 times during one of bodies with many fields (`npm run bench -- hostile`).
 */
export class RefusalThrottle {
  readonly #limit: RefusalLimit
  readonly #now: () => number
  /** By credential: the time in milliseconds from which its earlier refusals no longer cause a delay. */
  readonly #paid_at = new LRUCache<string, number>({ max: 10_000 })
  /** By credential: units of large bodies in progress. They expire, because no body takes that long. */
  readonly #held = new LRUCache<string, number>({ max: 10_000, ttl: 120_000 })
  readonly #closing = new AbortController()

  constructor(limit: RefusalLimit, now = () => performance.now()) {
    this.#limit = limit
    this.#now = now
  }

  /** Milliseconds that the next body of a credential must wait. A small body does not wait for large ones. */
  delay(credential_id: string, bytes = 0): number {
    const owed_ms = (this.#paid_at.get(credential_id) ?? 0) - this.#now()
    const held = bytes < bytes_per_unit ? 0 : (this.#held.get(credential_id) ?? 0)
    const delay_ms = Math.max(0, owed_ms) + this.#milliseconds(held - this.#limit.burst)
    return Math.min(max_wait_ms, Math.max(0, delay_ms))
  }

  /**
   * Waits until a body of this size may be read. If `waited` is true, authenticate again, because the caller may have
   * changed. Call `leave` after the response.
   */
  async enter(credential_id: string, bytes: number): Promise<{ waited: boolean; leave: (refused: boolean) => void }> {
    const delay_ms = this.delay(credential_id, bytes)
    const large = Math.floor(bytes / bytes_per_unit)
    // Delayed requests leave the queue one by one. Without a delay, small requests may arrive at any rate.
    const spaced = Number(delay_ms > 0)
    this.#owe(credential_id, spaced)
    this.#hold(credential_id, large)
    if (delay_ms > 0) await this.#wait(delay_ms)
    const leave = (refused: boolean) => {
      this.#hold(credential_id, -large)
      this.#owe(credential_id, (refused ? 1 + large : 0) - spaced)
    }
    return { waited: delay_ms > 0, leave }
  }

  /** Ends all delays, because the server closes. */
  close(): void {
    this.#closing.abort()
  }

  async #wait(delay_ms: number): Promise<void> {
    // The longest delays vary, so that the requests do not all continue at the same moment.
    const spread = delay_ms < max_wait_ms ? 1 : 0.5 + Math.random() / 2
    await pause(delay_ms * spread, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined)
  }

  #hold(credential_id: string, units: number): void {
    if (units !== 0) this.#held.set(credential_id, Math.max(0, (this.#held.get(credential_id) ?? 0) + units))
  }

  #owe(credential_id: string, units: number): void {
    if (units === 0) return
    const since = Math.max(this.#paid_at.get(credential_id) ?? 0, this.#now())
    this.#paid_at.set(credential_id, since + this.#milliseconds(units))
  }

  #milliseconds(units: number): number {
    return (units * 1000) / this.#limit.per_second
  }
}
