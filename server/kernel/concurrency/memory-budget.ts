import { busy } from './fair-queue.ts'

/** Counts memory that is actually used, so that a slow sender reserves only the bytes that have arrived. */
export class MemoryBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /**
   * Runs work that reserves bytes as it proceeds, and releases them at its end. `take` throws `busy` if none are left.
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
