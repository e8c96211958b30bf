import { LRUCache } from 'lru-cache'
import { networkOf } from '../../kernel/ip-addresses.ts'
import type { Clock } from '../../runtime/ctx.ts'
import type { RateLimit } from './rate-limit.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { FairQueue } from '../../kernel/concurrency/fair-queue.ts'

/**
 * How many invalid credentials an address may send. Many people may share an address, and clients with an expired token
 * keep trying for a while. An attacker who guesses sends more.
 */
const allowed: RateLimit = { per_minute: 600, burst: 1000 }

/** The number of addresses kept in memory, the latest ones, about 200 bytes each. */
const max_addresses = 10_000

/** A client before authentication, by its network address. */
export type UnauthenticatedClient = {
  /** Counts an invalid credential. Returns the seconds until the address may send another one, or 0. */
  countInvalid(): number
  /**
   * Looks up a credential. An address beyond its allowance gets one lookup at a time, so that a flood does not slow
   * down others. `find` receives the network of the address, because networks take turns. Throws a 429 if too many
   * lookups of the network are waiting.
   */
  inTurn<Found>(find: (tenant: string) => Promise<Found>): Promise<Found>
}

type WrongBucket = { tokens: number; refilled_at: number }

/** The 429 for an address that sent too many invalid credentials. */
export const tooManyInvalidCredentials = (seconds: number) =>
  new Refusal(generic.rate_limited, [], { 'retry-after': String(seconds), 'ratelimit-reason': 'address' })

/**
 * Counts the invalid credentials of each address, in this process only. A valid credential in the cache is never
 * refused because of them, since many clients may share an address. One that is not cached is looked up in turn, and is
 * refused while 100 others wait.
 */
export function openFailedAuth(clock: Clock): (address: string) => UnauthenticatedClient {
  const buckets = new LRUCache<string, WrongBucket>({ max: max_addresses })
  const over_limit_queue = new FairQueue({
    max_running: Infinity,
    max_running_per_key: 1,
    max_waiting_per_key: 100,
    timeout_ms: 10_000,
    refusal: () => tooManyInvalidCredentials(1),
  })
  const per_second = allowed.per_minute / 60
  const levelOf = ({ tokens, refilled_at }: WrongBucket, now: number) =>
    Math.min(allowed.burst, tokens + (Math.max(0, now - refilled_at) / 1000) * per_second)

  return (address) => {
    // Computed only when needed, because most requests do not need it.
    const network = () => networkOf(address)
    return {
      countInvalid() {
        const now = clock()
        const name = network()
        const bucket = buckets.get(name)
        const level = bucket ? levelOf(bucket, now) : allowed.burst
        buckets.set(name, { tokens: Math.max(0, level - 1), refilled_at: now })
        return level >= 1 ? 0 : Math.ceil((1 - level) / per_second)
      },
      async inTurn(find) {
        const name = network()
        const bucket = buckets.peek(name)
        const within = !bucket || levelOf(bucket, clock()) >= 1
        return within ? find(name) : over_limit_queue.run(name, () => find(name))
      },
    }
  }
}
