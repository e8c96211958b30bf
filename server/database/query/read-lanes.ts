import { LRUCache } from 'lru-cache'

/** A read that takes more milliseconds than this is slow: other reads should not wait behind it. */
export const slow_from_ms = 20

/** Milliseconds for which a read counts as slow before it is tried again. */
const slow_for_ms = 10_000

/** Measured speeds: statements that are quick for all callers, and statements that were slow for a caller recently. */
export function openLanes(now = () => performance.now()) {
  const quick = new Set<string>()
  const slow_until = new LRUCache<string, number>({ max: 50_000 })
  const keyOf = (tenant: string, statement: string) => `${tenant} ${statement}`
  return {
    of(tenant: string, statement: string): 'quick' | 'slow' | 'trial' {
      const until = slow_until.get(keyOf(tenant, statement))
      if (until !== undefined) return now() < until ? 'slow' : 'trial'
      return quick.has(statement) ? 'quick' : 'trial'
    },
    learn(tenant: string, statement: string, ms: number): void {
      const key = keyOf(tenant, statement)
      if (ms > slow_from_ms) return void slow_until.set(key, now() + slow_for_ms)
      quick.add(statement)
      // If several run at the same time, the slowest decides.
      if (this.of(tenant, statement) === 'trial') slow_until.delete(key)
    },
    tryAgain: (tenant: string, statement: string) => void slow_until.set(keyOf(tenant, statement), 0),
  }
}
