import { LRUCache } from 'lru-cache'

/** Milliseconds from which a read of somebody is slow: others should not have to wait behind it. */
export const slow_from_ms = 20

/** How long we remember that a read was slow, before we try again whether it still is. */
const slow_for_ms = 10_000

/** What is known of statements: whether they are quick, of whomever, and of whom they were slow not long ago. */
export function openLanes(now = () => performance.now()) {
  const quick = new Set<string>()
  const slow_until = new LRUCache<string, number>({ max: 50_000 })
  const keyOf = (whose: string, statement: string) => `${whose} ${statement}`
  return {
    of(whose: string, statement: string): 'quick' | 'slow' | 'trial' {
      const until = slow_until.get(keyOf(whose, statement))
      if (until !== undefined) return now() < until ? 'slow' : 'trial'
      return quick.has(statement) ? 'quick' : 'trial'
    },
    learn(whose: string, statement: string, ms: number): void {
      const key = keyOf(whose, statement)
      if (ms > slow_from_ms) return void slow_until.set(key, now() + slow_for_ms)
      quick.add(statement)
      // Of several under way at once the slowest tells.
      if (this.of(whose, statement) === 'trial') slow_until.delete(key)
    },
    tryAgain: (whose: string, statement: string) => void slow_until.set(keyOf(whose, statement), 0),
  }
}
