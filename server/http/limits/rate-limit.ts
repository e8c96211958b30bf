import { LRUCache } from 'lru-cache'
import { isDatabaseError, type Database, type Db } from '../../database/query/database.ts'
import { no_organization } from '../../database/query/rows-of.ts'
import { statement } from '../../database/sql/statement.ts'

export type RateLimit = { per_minute: number; burst: number }

export type Allowance = {
  allowed: boolean
  /** whole requests left in the bucket */
  remaining: number
  /** Unix seconds when the bucket is full again */
  reset: number
  /** seconds until the next request would be allowed */
  retry_after: number
}

type Bucket = { tokens: number; allowed: boolean }

/** A bucket without tokens. `until`: when the next token is added, in milliseconds. */
type Empty = {
  since: number
  until: number
  reset: number
  /** when the next refused request should retry, and how long a token takes to refill, in milliseconds */
  next_turn: number
  interval: number
}

const empty_buckets = new LRUCache<string, Empty>({ max: 10_000 })

/**
 * Takes one token from the bucket of an API key, which all its access tokens share. The bucket holds at most `burst`
 * tokens and refills at `per_minute`. If the database accepts no writes, a bucket in this process is used. A refusal is
 * repeated from memory until a token has refilled, and keys take turns, so that excess requests do not slow down
 * others.
 */
export async function takeToken(
  database: Database,
  credential_id: string,
  limit: RateLimit,
  now: number,
): Promise<Allowance> {
  const refused = () => refusalOf(empty_buckets.get(credential_id), now)
  return (
    refused() ??
    database.inTurnOf(
      credential_id,
      no_organization,
      async (db) => refused() ?? takeFromRow(db, credential_id, limit, now),
    )
  )
}

/** The longest delay of a retry, in milliseconds. */
const max_wait_ms = 30_000

/**
 * Seconds until a refused request should retry. Each refused request gets the time of the next refilled token, plus a
 * random delay so that clients do not retry at the same moment.
 */
function retrySeconds(empty: Empty, now: number): number {
  const turn = Math.min(Math.max(empty.until, empty.next_turn), now + max_wait_ms)
  empty.next_turn = turn + empty.interval
  return Math.ceil(((turn - now) * (1 + Math.random() / 4)) / 1000)
}

/** Undefined if a token may have refilled, or if the clock was moved back. */
function refusalOf(empty: Empty | undefined, now: number): Allowance | undefined {
  if (!empty || now < empty.since || now >= empty.until) return undefined
  return { allowed: false, remaining: 0, reset: empty.reset, retry_after: retrySeconds(empty, now) }
}

async function takeFromRow(db: Db, credential_id: string, limit: RateLimit, now: number): Promise<Allowance> {
  const { tokens, allowed } = await takeFromDatabase(db, credential_id, limit, now).catch((error: unknown) => {
    if (!isReadOnly(error)) throw error
    return takeFromMemory(credential_id, limit, now)
  })
  const per_second = limit.per_minute / 60
  const reset = Math.ceil(now / 1000 + (limit.burst - tokens) / per_second)
  if (allowed) return { allowed, remaining: Math.floor(tokens), reset, retry_after: 0 }
  const seconds = (1 - tokens) / per_second
  const until = now + Math.floor(seconds * 1000)
  const next_turn = empty_buckets.get(credential_id)?.next_turn ?? 0
  const empty = { since: now, until, reset, next_turn, interval: 1000 / per_second }
  empty_buckets.set(credential_id, empty)
  return { allowed, remaining: 0, reset, retry_after: Math.max(Math.ceil(seconds), retrySeconds(empty, now)) }
}

/** A read-only transaction (25006), or a standby, which has no unlogged tables (0A000). */
const isReadOnly = (error: unknown) => isDatabaseError(error) && (error.code === '25006' || error.code === '0A000')

const local_buckets = new LRUCache<string, { tokens: number; refilled_at: number }>({ max: 10_000 })

function takeFromMemory(credential_id: string, limit: RateLimit, now: number): Bucket {
  const previous = local_buckets.get(credential_id) ?? { tokens: limit.burst, refilled_at: now }
  const refilled = (Math.max(0, now - previous.refilled_at) / 60_000) * limit.per_minute
  const level = Math.min(limit.burst, previous.tokens + refilled)
  const allowed = level >= 1
  const tokens = allowed ? level - 1 : level
  local_buckets.set(credential_id, { tokens, refilled_at: now })
  return { tokens, allowed }
}

const taken = statement(
  'rate-limit.takeToken',
  `insert into rate_limits as bucket (credential_id, tokens, allowed, refilled_at)
   values (:credential_id, :burst::float8 - 1, true, :refilled_at)
   on conflict (credential_id) do update set (tokens, allowed, refilled_at) = (
     select case when level >= 1 then level - 1 else level end, level >= 1,
            case when excluded.refilled_at < bucket.refilled_at - interval '10 seconds' then excluded.refilled_at
                 else greatest(bucket.refilled_at, excluded.refilled_at) end
       from (select least(:burst::float8, bucket.tokens
               + greatest(0, extract(epoch from excluded.refilled_at - bucket.refilled_at)) * :per_second::float8)
               as level) as refilled)
   returning tokens, allowed`,
)

/** The bucket is a row of an unlogged table, so that all processes share it. */
async function takeFromDatabase(
  db: Db,
  credential_id: string,
  { burst, per_minute }: RateLimit,
  now: number,
): Promise<Bucket> {
  const refilled_at = new Date(now).toISOString()
  const bucket = await taken.row<Bucket>({ db }, { credential_id, burst, refilled_at, per_second: per_minute / 60 })
  return bucket!
}

/** Deletes buckets that have been full for a day. */
export const purgeIdleBuckets = statement(
  'rate-limit.purgeIdleBuckets',
  `delete from rate_limits
    where created_at < :real_now::timestamptz - interval '1 day'
      and refilled_at < :real_now::timestamptz - interval '1 day'`,
).rows
