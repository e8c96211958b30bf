import { constants, getPriority, setPriority } from 'node:os'

/** The niceness of background work, relative to the event loop. A user cannot lower the niceness of a process. */
export const backgroundPriority = (): number =>
  Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + constants.priority.PRIORITY_BELOW_NORMAL)

/**
 * Lowers the priority of the calling thread below that of the event loop. Only on Linux: elsewhere a priority belongs
 * to the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(backgroundPriority())
}

/**
 * The priority of the worker process. Next to busy processes, it gets a third of the CPU time of each (Linux: 335 of
 * 1,024), so that a job that holds a lock still finishes.
 */
export const lockHolderPriority = (): number =>
  Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + constants.priority.PRIORITY_BELOW_NORMAL / 2)

/** Sets the priority of another process, if the system allows it. */
export function setProcessPriority(process_id: number, priority: number): void {
  try {
    setPriority(process_id, priority)
  } catch {
    // If the process has ended or belongs to another user, its priority does not change.
  }
}

/** Runs a PostgreSQL session of this process with the priority of this process. */
export const matchProcessPriority = (process_id: number): void => setProcessPriority(process_id, getPriority())

/** A larger young generation would keep memory that a thread no longer needs. */
export const limits_of_thread = { maxYoungGenerationSizeMb: 16 }
