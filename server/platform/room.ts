import { busy } from './turns.ts'

/** Bytes: in all, and of one key. */
export type RoomOptions = { in_all: number; of_one: number }

/** Counts memory that is really held, so that who sends slowly keeps no more from others than what came. */
export class Room {
  readonly #options: RoomOptions
  readonly #held = new Map<string, number>()
  #in_all = 0

  constructor(options: RoomOptions) {
    this.#options = options
  }

  /**
   * Does work that asks for bytes of memory as it goes, and gets them back when it ends. Where there are no more, in all or
   * for the key, `take` throws `busy`, a 503.
   */
  async run<T>(key: string, work: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    let taken = 0
    const take = (bytes: number) => {
      if (this.#in_all + bytes > this.#options.in_all) throw busy()
      if ((this.#held.get(key) ?? 0) + bytes > this.#options.of_one) throw busy()
      this.#add(key, bytes)
      taken += bytes
    }
    try {
      return await work(take)
    } finally {
      this.#add(key, -taken)
    }
  }

  #add(key: string, bytes: number): void {
    const held = (this.#held.get(key) ?? 0) + bytes
    this.#in_all += bytes
    if (held === 0) this.#held.delete(key)
    else this.#held.set(key, held)
  }
}
