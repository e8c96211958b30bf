import { constants, setPriority } from 'node:os'

/**
 * Has the thread that calls this work behind the event loop: it gets what others leave of the processor. Only on Linux,
 * where a priority belongs to a thread; elsewhere it would be that of the whole process.
 */
export function workBehindOthers(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
