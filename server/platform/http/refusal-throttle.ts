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

  constructor(limit: RefusalLimit, now = () => performance.now()) {
    this.#limit = limit
    this.#now = now
  }

  /** Milliseconds that the next body of a credential has to wait. */
  delay(credential_id: string): number {
    const owed_ms = (this.#paid_at.get(credential_id) ?? 0) - this.#now()
    return Math.min(longest_wait_ms, Math.max(0, owed_ms - this.#milliseconds(this.#limit.burst)))
  }

  /** Waits until a body of so many bytes may be looked at; returns what to call when it was answered. */
  async enter(credential_id: string, bytes: number): Promise<(refused: boolean) => void> {
    const delay_ms = this.delay(credential_id)
    const large = Math.floor(bytes / bytes_per_unit)
    // They come out of the wait one after the other, and who doesn't wait may send what is small at any pace.
    const held = large + Number(delay_ms > 0)
    this.#owe(credential_id, held)
    if (delay_ms > 0) await pause(delay_ms, undefined, { ref: false })
    return (refused) => this.#owe(credential_id, (refused ? 1 + large : 0) - held)
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
