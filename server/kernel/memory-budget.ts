import { busy } from './fair-queue.ts'

/** Counts memory that is really held, so that who sends slowly keeps no more from others than what came. */
export class MemoryBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /**
   * Does work that asks for bytes of memory as it goes, and gives them back when it ends. Where there are no more,
   * `take` throws `busy`, a 503.
   */
  async run<T>(work: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    let taken = 0
    const take = (bytes: number) => {
      if (bytes > this.#left) throw busy()
      this.#left -= bytes
      taken += bytes
    }
    try {
      return await work(take)
    } finally {
      this.#left += taken
    }
  }
}
