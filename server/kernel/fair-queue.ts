import { generic, Refusal } from './refusal.ts'

export type FairQueueOptions = {
  /** how much goes on at once */
  at_once: number
  /** how much of that may be of one key */
  at_once_of_one: number
  /** how much of one key while others come too; as much as else unless said */
  at_once_beside_others?: number | undefined
  /** how many of one key may wait; who comes after them is refused at once */
  waiting_of_one: number
  /** how long one waits before it is refused */
  patience_ms: number
  /** with what it is refused: `busy` unless said */
  refusal?: () => Refusal
}

/** Who has others beside him has them for so long after the last of them came, in milliseconds. */
const mixed_for_ms = 1000

type Waiter = { begin: () => void; timer: NodeJS.Timeout }

/** What is asked for is there, but others are before it: worth another try in a moment. */
export const busy = () => new Refusal(too_much, [], { 'retry-after': '2' })

const too_much = { ...generic.unavailable, message: 'Too much is going on at once; try again shortly.' }

/**
 * Lets work through a few at a time, and by turns among those whose work it is: who brings much waits for himself, not
 * others for him. Work is known by a key, such as an organization. What is not full is entered without waiting.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #running = new Map<string, number>()
  /** In the order of whose turn is next. */
  readonly #queues = new Map<string, Set<Waiter>>()
  #at_once = 0
  #latest = ''
  /** When somebody else came than the time before, in milliseconds. */
  #mixed_at = -Infinity

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** How many wait: of one key, or in all. */
  waiting(key?: string): number {
    if (key !== undefined) return this.#queues.get(key)?.size ?? 0
    let count = 0
    for (const queue of this.#queues.values()) count += queue.size
    return count
  }

  /** Whether anything of a key goes on or waits. */
  isBusy(key: string): boolean {
    return this.#running.has(key) || this.#queues.has(key)
  }

  /**
   * Does work when it is its turn. Throws `busy`, a 503, unless said, when that takes too long or too many wait
   * already.
   */
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
    const { at_once, at_once_of_one, at_once_beside_others = at_once_of_one } = this.#options
    const most = performance.now() - this.#mixed_at < mixed_for_ms ? at_once_beside_others : at_once_of_one
    return this.#at_once < at_once && (this.#running.get(key) ?? 0) < most
  }

  #enter(key: string): void {
    this.#at_once++
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
  }

  #leave(key: string): void {
    this.#at_once--
    const left = this.#running.get(key)! - 1
    if (left === 0) this.#running.delete(key)
    else this.#running.set(key, left)
    this.#beginNext()
  }

  #wait(key: string): Promise<void> {
    const queue = this.#queues.get(key) ?? new Set<Waiter>()
    if (queue.size >= this.#options.waiting_of_one) throw this.#refusal()
    this.#queues.set(key, queue)
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#remove(key, queue, waiter)
        reject(this.#refusal())
      }
      const waiter: Waiter = { begin: resolve, timer: setTimeout(giveUp, this.#options.patience_ms) }
      queue.add(waiter)
    })
  }

  #remove(key: string, queue: Set<Waiter>, waiter: Waiter): void {
    queue.delete(waiter)
    if (queue.size === 0) this.#queues.delete(key)
  }

  /** The first of those whose turn is next; whose turn it was stands behind the others then. */
  #beginNext(): void {
    for (const [key, queue] of this.#queues) {
      if (this.#at_once >= this.#options.at_once) return
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
