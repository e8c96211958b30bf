import { createHash } from 'node:crypto'
import type { Ctx } from './ctx.ts'
import { refusal, Refusal } from './refusal.ts'

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

/** A POST that may be repeated safely: its scope (24 hours per credential, method and path) and what it asked. */
export type Attempt = { key: string; method: string; path: string; fingerprint: Buffer }

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

/**
 * Takes the key for this transaction and returns the stored answer of an earlier request, if there is one.
 * Only answers of committed requests are stored: a refused request changed nothing and may be repeated.
 */
export async function takeIdempotencyKey(ctx: Ctx, attempt: Attempt): Promise<Answer | undefined> {
  const scope = [ctx.caller.credential_id, attempt.method, attempt.path, attempt.key]
  const lock = await ctx.db.row<{ taken: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
    [JSON.stringify(scope)],
  )
  if (!lock?.taken) throw new Refusal(idempotency_key_in_progress)
  const stored = await ctx.db.row<{ fingerprint: Buffer; status: number; body: Buffer }>(
    `select fingerprint, status, body from idempotency_keys
      where credential_id = $1 and method = $2 and path = $3 and key = $4
        and created_at > $5::timestamptz - interval '24 hours'`,
    [...scope, ctx.real_now],
  )
  if (!stored) return undefined
  if (!stored.fingerprint.equals(attempt.fingerprint)) throw new Refusal(idempotency_key_reused)
  return { status: stored.status, body: ctx.secrets.decrypt(stored.body) }
}

/** Keeps the answer with the change. Encrypted, since answers may hold a token or personal data. */
export async function keepAnswer(ctx: Ctx, attempt: Attempt, answer: Answer): Promise<void> {
  await ctx.db.rows(
    `insert into idempotency_keys (credential_id, method, path, key, fingerprint, status, body, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (credential_id, method, path, key) do update
       set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = excluded.created_at`,
    [
      ctx.caller.credential_id,
      attempt.method,
      attempt.path,
      attempt.key,
      attempt.fingerprint,
      answer.status,
      ctx.secrets.encrypt(answer.body),
      ctx.real_now,
    ],
  )
}

/** Forgets keys older than 24 hours. */
export async function forgetIdempotencyKeys(ctx: Ctx): Promise<void> {
  await ctx.db.rows(`delete from idempotency_keys where created_at <= $1::timestamptz - interval '24 hours'`, [
    ctx.real_now,
  ])
}
