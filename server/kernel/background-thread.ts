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

/** Of a thread: with a larger young generation it would hold what it needs no more. */
export const limits_of_thread = { maxYoungGenerationSizeMb: 16 }

/** Milliseconds after which a thread ends that is asked for nothing: it holds as much as half of the service. */
export const rest_ms = 5 * 60_000
