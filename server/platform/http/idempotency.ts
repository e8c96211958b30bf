import { createHash } from 'node:crypto'
import type { Caller } from '../caller.ts'
import type { Ctx } from '../ctx.ts'
import type { Repeats } from '../endpoint.ts'
import { refusal, Refusal } from '../../kernel/refusal.ts'

export const idempotency_key_reused = refusal(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was used with another request in the last 24 hours.',
)
export const idempotency_key_in_progress = refusal(
  409,
  'idempotency_key_in_progress',
  'The first request with this Idempotency-Key is still running.',
)
export const idempotency_answer_forgotten = refusal(
  409,
  'idempotency_answer_forgotten',
  'This was done by an earlier request with this Idempotency-Key. Its answer held a secret and was kept for 10 minutes only.',
)

/** Unlike other 409s it passes: the first request ends within seconds. */
const still_running = { 'retry-after': '1', 'x-should-retry': 'true' }

/**
 * A POST that may be repeated safely: its scope (24 hours per credential, method and path), what it asked, and what
 * repeats of it are answered where that is not the stored answer.
 */
export type Attempt = { key: string; method: string; path: string; fingerprint: Buffer; repeats: Repeats | undefined }

export type Answer = { status: number; body: string }

/** Fields in the order of their names: in which order they were sent says nothing. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** What makes two requests the same: their query, the organization they act as, and their parsed body. */
export const fingerprintOf = (query: string, organization: unknown, body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([query, organization ?? null, body ?? null], inOrder))
    .digest()

type Stored = { fingerprint: Buffer; status: number; body: Buffer | null; organization_id: string | null }

/**
 * Takes the key for this transaction and returns the stored answer of an earlier request, if it is to be given again.
 * Only answers of committed requests are stored: a refused request changed nothing and may be repeated. Who no longer
 * reaches the organization of which the answer tells asks something else than then.
 */
export async function takeIdempotencyKey(ctx: Ctx, attempt: Attempt): Promise<Answer | undefined> {
  const scope = [ctx.caller.credential_id, attempt.method, attempt.path, attempt.key]
  const lock = await ctx.db.row<{ taken: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
    [JSON.stringify(scope)],
  )
  if (!lock?.taken) throw new Refusal(idempotency_key_in_progress, [], still_running)
  const stored = await ctx.db.row<Stored>(
    `select fingerprint, status, organization_id, case when ${isGivenAgain} then body end as body from idempotency_keys
      where credential_id = $2 and method = $3 and path = $4 and key = $5
        and created_at > $1::timestamptz - interval '24 hours'`,
    [ctx.real_now, ...scope],
  )
  if (!stored) return undefined
  const is_same = stored.fingerprint.equals(attempt.fingerprint) && reaches(ctx.caller, stored.organization_id)
  if (!is_same) throw new Refusal(idempotency_key_reused)
  if (attempt.repeats === 'anew') return undefined
  if (!stored.body) throw new Refusal(idempotency_answer_forgotten)
  return { status: stored.status, body: ctx.secrets.decrypt(stored.body) }
}

/** SQL: whether an answer is still to be given; `$1` is the real time. */
const isGivenAgain = `(not holds_secret or created_at > $1::timestamptz - interval '10 minutes')`

const reaches = ({ reach: { organization_ids } }: Caller, organization_id: string | null): boolean =>
  organization_id === null || organization_ids === null || organization_ids.includes(organization_id)

/**
 * Keeps the answer with the change, and the organization of which it tells (null: of none). Encrypted, since answers
 * may hold a secret or personal data. What is done anew each time leaves only the fact.
 */
export async function keepAnswer(
  ctx: Ctx,
  attempt: Attempt,
  answer: Answer,
  organization_id: string | null,
): Promise<void> {
  await ctx.db.rows(
    `insert into idempotency_keys
            (credential_id, method, path, key, fingerprint, status, body, holds_secret, organization_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (credential_id, method, path, key) do update
       set (fingerprint, status, body, holds_secret, organization_id, created_at) =
           (excluded.fingerprint, excluded.status, excluded.body, excluded.holds_secret, excluded.organization_id, excluded.created_at)`,
    [
      ctx.caller.credential_id,
      attempt.method,
      attempt.path,
      attempt.key,
      attempt.fingerprint,
      answer.status,
      attempt.repeats === 'anew' ? null : ctx.secrets.encrypt(answer.body),
      attempt.repeats === 'briefly',
      organization_id,
      ctx.real_now,
    ],
  )
}

/** Forgets keys older than 24 hours, and before them the answers that are not given again. */
export async function forgetIdempotencyKeys(ctx: Ctx): Promise<void> {
  await ctx.db.rows(`delete from idempotency_keys where created_at <= $1::timestamptz - interval '24 hours'`, [
    ctx.real_now,
  ])
  await ctx.db.rows(
    `update idempotency_keys set body = null where holds_secret and body is not null and not ${isGivenAgain}`,
    [ctx.real_now],
  )
}
