import { readdirSync, readFileSync } from 'node:fs'

/**
 * Milliseconds of the processor that a process has taken with all its threads, as Linux counts them. Other than a rate
 * that is no less on a busy machine, but for what others push out of its caches.
 */
export function processorTimeOf(pid: number): number {
  const of_threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  })
  return of_threads.reduce((sum, ms) => sum + ms, 0)
}
