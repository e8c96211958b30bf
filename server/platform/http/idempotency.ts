import { createHash } from 'node:crypto'
import type { Caller } from '../caller.ts'
import type { Ctx } from '../ctx.ts'
import { statement } from '../database/statement.ts'
import type { Repeats } from '../endpoint.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { refusals } from '../refusals.ts'

/** Unlike other 409s it passes: the first request ends within seconds. */
const still_running = { 'retry-after': '1', 'x-should-retry': 'true' }

/**
 * A POST that may be repeated safely: its scope (24 hours per credential, method and path), what it asked, and what
 * repeats of it are answered where that is not the stored answer.
 */
export type Attempt = { key: string; method: string; path: string; fingerprint: Buffer; repeats: Repeats | undefined }

export type ReadyAnswer = { status: number; body: string }

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

type KeptAnswer = { fingerprint: Buffer; status: number; body: Buffer | null; organization_id: string | null }

/** SQL: whether an answer is still to be given. */
const isGivenAgain = `(not holds_secret or created_at > :real_now::timestamptz - interval '10 minutes')`

const locked = statement(
  'idempotency.lockKey',
  'select pg_try_advisory_xact_lock(hashtextextended(:scope, 0)) as taken',
)
const found = statement(
  'idempotency.findAnswer',
  `select fingerprint, status, organization_id, case when ${isGivenAgain} then body end as body from idempotency_keys
    where credential_id = :credential_id and method = :method and path = :path and key = :key
      and created_at > :real_now::timestamptz - interval '24 hours'
    order by created_at desc limit 1`,
)

/**
 * Takes the key for this transaction and returns the stored answer of an earlier request, if it is to be given again.
 * Only answers of committed requests are stored: a refused request changed nothing and may be repeated. Who no longer
 * reaches the organization of which the answer tells asks something else than then.
 */
export async function takeIdempotencyKey(ctx: Ctx, attempt: Attempt): Promise<ReadyAnswer | undefined> {
  const { credential_id } = ctx.caller
  const { method, path, key } = attempt
  const scope = JSON.stringify([credential_id, method, path, key])
  const lock = await locked.row<{ taken: boolean }>(ctx, { scope })
  if (!lock?.taken) throw new Refusal(refusals.idempotency_key_in_progress, [], still_running)
  const stored = await found.row<KeptAnswer>(ctx, { credential_id, method, path, key })
  if (!stored) return undefined
  const is_same = stored.fingerprint.equals(attempt.fingerprint) && reaches(ctx.caller, stored.organization_id)
  if (!is_same) throw new Refusal(refusals.idempotency_key_reused)
  if (attempt.repeats === 'anew') return undefined
  if (!stored.body) throw new Refusal(refusals.idempotency_answer_forgotten)
  return { status: stored.status, body: ctx.secrets.decrypt(stored.body) }
}

const reaches = ({ reach: { organization_ids } }: Caller, organization_id: string | null): boolean =>
  organization_id === null || organization_ids === null || organization_ids.includes(organization_id)

const kept = statement(
  'idempotency.keepAnswer',
  `insert into idempotency_keys
     (credential_id, method, path, key, fingerprint, status, body, holds_secret, organization_id, created_at)
   values
     (:credential_id, :method, :path, :key, :fingerprint, :status, :body, :holds_secret, :organization_id, :real_now)
   on conflict (credential_id, method, path, key, created_at) do update
     set (fingerprint, status, body, holds_secret, organization_id) =
         (excluded.fingerprint, excluded.status, excluded.body, excluded.holds_secret, excluded.organization_id)`,
)

/**
 * Keeps the answer with the change, and the organization of which it tells (null: of none). Encrypted, since answers
 * may hold a secret or personal data. What is done anew each time leaves only the fact.
 */
export async function keepAnswer(
  ctx: Ctx,
  attempt: Attempt,
  answer: ReadyAnswer,
  organization_id: string | null,
): Promise<void> {
  const { method, path, key, fingerprint, repeats } = attempt
  await kept.rows(ctx, {
    credential_id: ctx.caller.credential_id,
    method,
    path,
    key,
    fingerprint,
    organization_id,
    status: answer.status,
    body: repeats === 'anew' ? null : ctx.secrets.encrypt(answer.body),
    holds_secret: repeats === 'briefly',
  })
}

const forgotten = statement(
  'idempotency.forgetKeys',
  `delete from idempotency_keys where created_at <= :real_now::timestamptz - interval '24 hours'`,
)
const answers_forgotten = statement(
  'idempotency.forgetAnswers',
  `update idempotency_keys set body = null where holds_secret and body is not null and not ${isGivenAgain}`,
)

/** Forgets keys older than 24 hours, and before them the answers that are not given again. */
export async function forgetIdempotencyKeys(ctx: Ctx): Promise<void> {
  await forgotten.rows(ctx)
  await answers_forgotten.rows(ctx)
}
