import { createHash } from 'node:crypto'
import type { Caller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { statement } from '../database/sql/statement.ts'
import type { Repeats } from './endpoint.ts'
import { Refusal } from '../kernel/refusal.ts'
import { refusals } from './refusals.ts'
import type { Secrets } from '../security/secrets.ts'
import { isStaleIn, reseal } from '../security/key-age.ts'

/** Unlike other 409s it passes: the first request ends within seconds. */
const still_running = { 'retry-after': '1', 'x-should-retry': 'true' }

/**
 * A POST that may be repeated safely: its scope (24 hours per credential, method and path), what it asked, and what
 * repeats of it are answered where that is not the stored answer.
 */
export type Attempt = { key: string; method: string; path: string; fingerprint: Buffer; repeats: Repeats | undefined }

export type ReadyAnswer = { status: number; body: string }

/** The names of an object as they were sent, and in their order: those of many rows are the same. */
type Names = { sent: string[]; ordered: string[] }

/**
 * Fields in the order of their names: in which order they were sent says nothing. `known`: the names of the latest
 * object of each depth.
 */
function inOrder(value: unknown, known: Names[] = [], depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => inOrder(item, known, depth + 1))
  const sent = Object.keys(value)
  const before = known[depth]
  const is_alike = before?.sent.length === sent.length && sent.every((name, at) => name === before.sent[at])
  const { ordered } = is_alike ? before : (known[depth] = { sent, ordered: sent.toSorted() })
  const made: Record<string, unknown> = {}
  for (const name of ordered) {
    const field = inOrder((value as Record<string, unknown>)[name], known, depth + 1)
    // Set, this one would become what the object inherits from.
    if (name === '__proto__') Object.defineProperty(made, name, { value: field, enumerable: true })
    else made[name] = field
  }
  return made
}

/** What makes two requests the same: their query, the organization they act as, and their parsed body. */
export const fingerprintOf = (query: string, organization: unknown, body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(inOrder([query, organization ?? null, body ?? null])))
    .digest()

/** The same of a body that holds nothing but rows, which come some after the other. */
export function fingerprintOfRows(query: string, organization: unknown, field: string) {
  const asked = [query, organization ?? null, field].map((value) => JSON.stringify(value))
  const hash = createHash('sha256').update(`[${asked[0]},${asked[1]},{${asked[2]}:[`)
  let between = ''
  return {
    add(rows: unknown[]): void {
      if (rows.length > 0) hash.update(between + JSON.stringify(inOrder(rows)).slice(1, -1))
      if (rows.length > 0) between = ','
    },
    digest: (): Buffer => hash.update(']}]').digest(),
  }
}

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

const of_another = {
  field: 'Idempotency-Key',
  message: 'was sent with another request: query, organization or body differ',
}

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
  if (!is_same) throw new Refusal(refusals.idempotency_key_reused, [of_another])
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

/** Where an answer stands among those that are kept, oldest first. */
export type AnswerPlace = { created_at: string; credential_id: string; method: string; path: string; key: string }

export const first_answer: AnswerPlace = { created_at: '-infinity', credential_id: '', method: '', path: '', key: '' }

type StaleAnswer = AnswerPlace & { body: Buffer }

const place = '(created_at, credential_id, method, path, key)'

const stale_listed = statement(
  'idempotency.listStaleAnswers',
  `select created_at::text as created_at, credential_id, method, path, key, body from idempotency_keys
    where ${place} > (:created_at::timestamptz, :credential_id, :method, :path, :key)
      and body is not null and ${isStaleIn('body')}
    order by created_at, credential_id, method, path, key
    limit :most`,
)
const answers_resealed = statement(
  'idempotency.saveSealedAnswers',
  `update idempotency_keys as answer set body = fresh.body
     from unnest(:created_at::timestamptz[], :credential_ids::text[], :methods::text[], :paths::text[], :keys::text[],
                 :bodies::bytea[]) as fresh (created_at, credential_id, method, path, key, body)
    where answer.created_at = fresh.created_at and answer.credential_id = fresh.credential_id
      and answer.method = fresh.method and answer.path = fresh.path and answer.key = fresh.key
      and answer.body is not null`,
)

/**
 * Encrypts kept answers behind a place with the key of now, where a former one did, and returns the place of the last
 * when there may be more. An answer that is forgotten meanwhile stays so.
 */
export async function resealAnswers(
  scope: Pick<Ctx, 'db'> & { secrets: Secrets },
  from: AnswerPlace,
  most: number,
): Promise<AnswerPlace | undefined> {
  const { secrets } = scope
  const stale = await stale_listed.rows<StaleAnswer>(scope, { ...from, mark: secrets.mark(), most })
  await answers_resealed.rows(scope, {
    created_at: stale.map(({ created_at }) => created_at),
    credential_ids: stale.map(({ credential_id }) => credential_id),
    methods: stale.map(({ method }) => method),
    paths: stale.map(({ path }) => path),
    keys: stale.map(({ key }) => key),
    bodies: stale.map(({ body }) => reseal(secrets, body)),
  })
  return stale.length < most ? undefined : stale.at(-1)
}
