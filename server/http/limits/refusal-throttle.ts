import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/**
 * How many refused requests a second one credential is answered without waiting, and how many at once before that
 * counts.
 */
export type RefusalLimit = { per_second: number; burst: number }

export const usual_refusals: RefusalLimit = { per_second: 50, burst: 25 }

/** Nobody is kept longer, whatever was refused: in milliseconds. */
const longest_wait_ms = 10_000

/** Bytes of a body that count like another request. */
const bytes_per_unit = 128 * 1024

/**
 * Makes whoever sends one wrong body after the other wait, so that others don't. Each refused request counts, and as
 * one more for each 128 KiB that may have been read of it; who owes more than the burst waits before its next body is
 * looked at. What is large counts from its beginning until it turns out to be right, since many may come at once. Who
 * is refused now and then never notices, nor does anybody who sends what is right. What a credential owes is known to
 * this process alone: it is about the time of this process.
 */
export class RefusalThrottle {
  readonly #limit: RefusalLimit
  readonly #now: () => number
  /** By credential: when what it owes will have been paid, in milliseconds. */
  readonly #paid_at = new LRUCache<string, number>({ max: 10_000 })
  /** By credential: units of large bodies that are under way, which none is for longer than that. */
  readonly #held = new LRUCache<string, number>({ max: 10_000, ttl: 120_000 })
  readonly #closing = new AbortController()

  constructor(limit: RefusalLimit, now = () => performance.now()) {
    this.#limit = limit
    this.#now = now
  }

  /** Milliseconds that the next body of a credential has to wait; a small one waits for no large one. */
  delay(credential_id: string, bytes = 0): number {
    const owed_ms = (this.#paid_at.get(credential_id) ?? 0) - this.#now()
    const held = bytes < bytes_per_unit ? 0 : (this.#held.get(credential_id) ?? 0)
    const delay_ms = Math.max(0, owed_ms) + this.#milliseconds(held - this.#limit.burst)
    return Math.min(longest_wait_ms, Math.max(0, delay_ms))
  }

  /**
   * Waits until a body of so many bytes may be looked at. `waited`: who is asking may have changed meanwhile.
   * `leave` is called when it was answered.
   */
  async enter(credential_id: string, bytes: number): Promise<{ waited: boolean; leave: (refused: boolean) => void }> {
    const delay_ms = this.delay(credential_id, bytes)
    const large = Math.floor(bytes / bytes_per_unit)
    // They come out of the wait one after the other, and who doesn't wait may send what is small at any pace.
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

  /** Lets all go on who wait: the server closes. */
  close(): void {
    this.#closing.abort()
  }

  async #wait(delay_ms: number): Promise<void> {
    // Those who would wait longer don't come out together.
    const spread = delay_ms < longest_wait_ms ? 1 : 0.5 + Math.random() / 2
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
