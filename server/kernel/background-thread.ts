import { constants, getPriority, setPriority } from 'node:os'

/** Niceness, from that of the event loop on: whoever may not be root can't go below the one they were started with. */
export const behindOthers = (): number =>
  Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + constants.priority.PRIORITY_BELOW_NORMAL)

/**
 * Has the thread that calls this work behind the event loop: it gets what others leave of the processor. Only on Linux,
 * where a priority belongs to a thread; elsewhere it would be that of the whole process.
 */
export function workBehindOthers(): void {
  if (process.platform === 'linux') setPriority(behindOthers())
}

/**
 * A little behind: beside others that are as busy, it gets a third of what each of them gets (Linux: 335 of 1,024), so
 * that what holds a lock comes to its end all the same.
 */
export const littleBehindOthers = (): number =>
  Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + constants.priority.PRIORITY_BELOW_NORMAL / 2)

/** Has a process of ours work a little behind the event loop, as far as the system lets us say so. */
export function haveWorkBehind(process_id: number): void {
  try {
    setPriority(process_id, littleBehindOthers())
  } catch {
    // It has ended, or belongs to somebody else: it works as it did.
  }
}

/** Of a thread: with a larger young generation it would hold what it needs no more. */
export const limits_of_thread = { maxYoungGenerationSizeMb: 16 }

/**
 * Milliseconds after which a thread ends that is asked for nothing: it holds as much as half of the service. What it
 * does is asked for by jobs, many at a time, and nobody waits for the next one to be loaded.
 */
export const rest_ms = 20_000
