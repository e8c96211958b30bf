import { LRUCache } from 'lru-cache'
import { networkOf } from './addresses.ts'
import type { Clock } from './ctx.ts'
import type { RateLimit } from './rate-limit.ts'

/**
 * How many wrong credentials an address may send. Many people may share one, and clients whose token has ended go on
 * trying for a while; whoever guesses sends more.
 */
const allowed: RateLimit = { per_minute: 600, burst: 1000 }

/** How many addresses are remembered at a time, the latest: some 200 bytes each. */
const most_addresses = 10_000

/** What is known of the address that a request came from. */
export type Stranger = {
  /** Counts a wrong credential. Answers the seconds until the address may send another, 0 when it may now. */
  countWrong(): number
  /** Looks a credential up: for an address beyond its allowance one after the other, so that floods disturb nobody else. */
  inTurn<Found>(look: () => Promise<Found>): Promise<Found>
}

type Bucket = { tokens: number; refilled_at: number; last: Promise<unknown> }

/**
 * Counts the wrong credentials of each address, in this process alone. Nobody is refused a right one for it, since many
 * may share an address: it is looked up too, in turn.
 */
export function openWrongKeys(clock: Clock): (address: string) => Stranger {
  const buckets = new LRUCache<string, Bucket>({ max: most_addresses })
  const per_second = allowed.per_minute / 60

  return (address) => {
    // Most requests never ask.
    const network = () => networkOf(address)
    return {
      countWrong() {
        const now = clock()
        const name = network()
        const { tokens, refilled_at, last } = buckets.get(name) ?? newBucket(now)
        const refilled = tokens + (Math.max(0, now - refilled_at) / 1000) * per_second
        const level = Math.min(allowed.burst, refilled)
        buckets.set(name, { tokens: Math.max(0, level - 1), refilled_at: now, last })
        return level >= 1 ? 0 : Math.ceil((1 - level) / per_second)
      },
      inTurn(look) {
        const bucket = buckets.peek(network())
        if (!bucket || bucket.tokens >= 1) return look()
        const found = bucket.last.then(look)
        bucket.last = found.catch(() => undefined)
        return found
      },
    }
  }
}

const newBucket = (now: number): Bucket => ({ tokens: allowed.burst, refilled_at: now, last: Promise.resolve() })
