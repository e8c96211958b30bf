import { LRUCache } from 'lru-cache'
import { networkOf } from '../../kernel/ip-addresses.ts'
import type { Clock } from '../../runtime/ctx.ts'
import type { RateLimit } from './rate-limit.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { FairQueue } from '../../kernel/fair-queue.ts'

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
  /**
   * Looks a credential up: for an address beyond its allowance one after the other, so that floods disturb nobody else.
   * `whose` is the network, in whose turn to look. Throws a 429 when too many of it wait already.
   */
  inTurn<Found>(look: (whose: string) => Promise<Found>): Promise<Found>
}

type WrongBucket = { tokens: number; refilled_at: number }

/** Too many wrong credentials came from the address: worth another try in so many seconds. */
export const tooManyWrong = (seconds: number) =>
  new Refusal(generic.rate_limited, [], { 'retry-after': String(seconds), 'ratelimit-reason': 'address' })

/**
 * Counts the wrong credentials of each address, in this process alone. A right one that was read lately is never
 * refused for it, since many may share an address; one that is not known yet is looked up in turn, and is refused while
 * a hundred wait.
 */
export function openWrongKeys(clock: Clock): (address: string) => Stranger {
  const buckets = new LRUCache<string, WrongBucket>({ max: most_addresses })
  const beyond = new FairQueue({
    at_once: Infinity,
    at_once_of_one: 1,
    waiting_of_one: 100,
    patience_ms: 10_000,
    refusal: () => tooManyWrong(1),
  })
  const per_second = allowed.per_minute / 60
  const levelOf = ({ tokens, refilled_at }: WrongBucket, now: number) =>
    Math.min(allowed.burst, tokens + (Math.max(0, now - refilled_at) / 1000) * per_second)

  return (address) => {
    // Most requests never ask.
    const network = () => networkOf(address)
    return {
      countWrong() {
        const now = clock()
        const name = network()
        const bucket = buckets.get(name)
        const level = bucket ? levelOf(bucket, now) : allowed.burst
        buckets.set(name, { tokens: Math.max(0, level - 1), refilled_at: now })
        return level >= 1 ? 0 : Math.ceil((1 - level) / per_second)
      },
      async inTurn(look) {
        const name = network()
        const bucket = buckets.peek(name)
        const within = !bucket || levelOf(bucket, clock()) >= 1
        return within ? look(name) : beyond.run(name, () => look(name))
      },
    }
  }
}
