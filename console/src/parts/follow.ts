/** How soon what a job does after an action is there: the first time mostly, later where much is going on. */
const follows_within_ms = [2_000, 8_000, 30_000]

/** Asks anew, some times, for what follows from an action by a job. */
export function asItFollows(refresh: () => Promise<unknown>): void {
  for (const ms of follows_within_ms) setTimeout(() => void refresh(), ms)
}
