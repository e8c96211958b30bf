/** Delays in milliseconds. A job usually finishes before the first one, or later under load. */
const follows_within_ms = [2_000, 8_000, 30_000]

/** Refreshes several times until the effects of a background job appear. */
export function asItFollows(refresh: () => Promise<unknown>): void {
  for (const ms of follows_within_ms) setTimeout(() => void refresh(), ms)
}
