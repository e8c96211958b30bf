import { setImmediate } from 'node:timers/promises'
import type { BodyReading } from './bodies.ts'
import { MemoryBudget } from '../../kernel/memory-budget.ts'
import { FairQueue } from '../../kernel/fair-queue.ts'
import { SharedBuffers } from '../../kernel/shared-buffers.ts'

/**
 * Pieces of bodies that are taken in one round of the event loop, in turns: who sends much, on many connections, would
 * fill it else. One that isn't taken yet holds up its sender alone.
 */
const pieces = { at_once: 4, at_once_of_one: 1, waiting_of_one: 1000, patience_ms: 30_000 }

/** Does work with a body: reads it by `reading`, whose memory is held until the work ends. */
export type ReadingBodies = <T>(whose: string, work: (reading: BodyReading) => Promise<T>) => Promise<T>

/** Bodies that are read beside each other, in so many bytes of memory. Throws a 503 when there are no more of them. */
export function readingBodies(bytes: number): ReadingBodies {
  const room = new MemoryBudget(bytes)
  const turns = new FairQueue(pieces)
  const buffers = new SharedBuffers()
  return (whose, work) =>
    room.run(async (take) => {
      let whole = Buffer.from(new SharedArrayBuffer(0))
      const grow = (length: number) => {
        const former = whole
        whole = buffers.take(length)
        former.copy(whole)
        if (former.length > 0) buffers.give(former)
        // Last, so that what is refused for want of memory leaves no buffer behind.
        take(whole.length - former.length)
        return whole
      }
      try {
        return await work({ grow, turn: () => turns.run(whose, () => setImmediate()) })
      } finally {
        if (whole.length > 0) buffers.give(whole)
      }
    })
}
