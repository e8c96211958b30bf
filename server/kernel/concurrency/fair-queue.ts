import { generic, Refusal } from '../refusal.ts'

export type FairQueueOptions = {
  /** how many tasks run at the same time */
  max_running: number
  /** how many of these may have the same key */
  max_running_per_key: number
  /** the limit per key while tasks of other keys arrive too; by default the same */
  max_running_beside_others?: number | undefined
  /** how many tasks of one key may wait; further ones are refused immediately */
  max_waiting_per_key: number
  /** milliseconds that a task waits before it is refused */
  timeout_ms: number
  /** creates the refusal; by default `busy` */
  refusal?: () => Refusal
}

/** Milliseconds after a change of the key during which `max_running_beside_others` applies. */
const mixed_for_ms = 1000

type Waiter = { begin: () => void; timer: NodeJS.Timeout }

/** The 503 of a request that may succeed in a moment. */
export const busy = () => new Refusal(too_much, [], { 'retry-after': '2' })

const too_much = { ...generic.unavailable, message: 'The service is busy. Try again shortly.' }

/**
 * Runs a few tasks at a time, and serves keys round-robin, so that a key with many tasks delays only itself. A key is,
 * for example, an organization. Work starts immediately if a slot is free.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #running = new Map<string, number>()
  /** Waiting work by key. The first key has the next turn. */
  readonly #queues = new Map<string, Set<Waiter>>()
  #max_running = 0
  #latest = ''
  /** The time in milliseconds at which a task last had a different key than the task before it. */
  #mixed_at = -Infinity

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** The number of waiting tasks, of one key or in total. */
  waiting(key?: string): number {
    if (key !== undefined) return this.#queues.get(key)?.size ?? 0
    let count = 0
    for (const queue of this.#queues.values()) count += queue.size
    return count
  }

  /** Whether work of a key runs or waits. */
  isBusy(key: string): boolean {
    return this.#running.has(key) || this.#queues.has(key)
  }

  /** Runs work in its turn. Throws the refusal if too many wait, or if it waits for too long. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (key !== this.#latest) {
      this.#latest = key
      this.#mixed_at = performance.now()
    }
    if (this.#queues.has(key) || !this.#isFree(key)) await this.#wait(key)
    else this.#enter(key)
    try {
      return await work()
    } finally {
      this.#leave(key)
    }
  }

  #refusal(): Refusal {
    return (this.#options.refusal ?? busy)()
  }

  #isFree(key: string): boolean {
    const { max_running, max_running_per_key, max_running_beside_others = max_running_per_key } = this.#options
    const most = performance.now() - this.#mixed_at < mixed_for_ms ? max_running_beside_others : max_running_per_key
    return this.#max_running < max_running && (this.#running.get(key) ?? 0) < most
  }

  #enter(key: string): void {
    this.#max_running++
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
  }

  #leave(key: string): void {
    this.#max_running--
    const left = this.#running.get(key)! - 1
    if (left === 0) this.#running.delete(key)
    else this.#running.set(key, left)
    this.#beginNext()
  }

  #wait(key: string): Promise<void> {
    const queue = this.#queues.get(key) ?? new Set<Waiter>()
    if (queue.size >= this.#options.max_waiting_per_key) throw this.#refusal()
    this.#queues.set(key, queue)
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#remove(key, queue, waiter)
        reject(this.#refusal())
      }
      const waiter: Waiter = { begin: resolve, timer: setTimeout(giveUp, this.#options.timeout_ms) }
      queue.add(waiter)
    })
  }

  #remove(key: string, queue: Set<Waiter>, waiter: Waiter): void {
    queue.delete(waiter)
    if (queue.size === 0) this.#queues.delete(key)
  }

  /** Starts waiting work, one of each key in turn. A served key moves to the end. */
  #beginNext(): void {
    for (const [key, queue] of this.#queues) {
      if (this.#max_running >= this.#options.max_running) return
      if (!this.#isFree(key)) continue
      const [waiter] = queue
      this.#queues.delete(key)
      queue.delete(waiter!)
      if (queue.size > 0) this.#queues.set(key, queue)
      clearTimeout(waiter!.timer)
      this.#enter(key)
      waiter!.begin()
    }
  }
}
