import { createHash } from 'node:crypto'
import { stableJson } from '../kernel/formats/print-json.ts'
import type { Caller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { statement } from '../database/sql/statement.ts'
import type { Repeats } from './endpoint.ts'
import { Refusal } from '../kernel/refusal.ts'
import { idempotency_hours, refusals, secret_response_minutes } from './refusals.ts'
import { type Secrets, isOutdatedIn, reseal } from '../security/secrets.ts'

/** This 409 can be retried: the first request ends within seconds. */
const still_running = { 'retry-after': '1', 'x-should-retry': 'true' }

/**
 * A POST with an idempotency key. The key is valid for `idempotency_hours` per credential, method and path.
 * `fingerprint` identifies the content of the request, and `repeats` selects another response to a repetition than the
 * stored one.
 */
export type Attempt = { key: string; method: string; path: string; fingerprint: Buffer; repeats: Repeats | undefined }

/** A response as stored and sent: HTTP status and JSON. */
export type SavedResponse = { status: number; body: string }

/** Two requests are the same if query, organization and parsed body are equal. */
export const fingerprintOf = (query: string, organization: unknown, body: unknown): Buffer =>
  createHash('sha256')
    .update(stableJson([query, organization ?? null, body ?? null]))
    .digest()

type StoredAttempt = { fingerprint: Buffer; status: number; body: Buffer | null; organization_id: string | null }

/** SQL: whether a stored response may be replayed. */
const isReplayable = `
  (not holds_secret or created_at > :real_now::timestamptz - interval '${secret_response_minutes} minutes')`

const locked = statement(
  'idempotency.lockKey',
  'select pg_try_advisory_xact_lock(hashtextextended(:scope, 0)) as taken',
)
const found = statement(
  'idempotency.findResponse',
  `select fingerprint, status, organization_id, case when ${isReplayable} then body end as body from idempotency_keys
    where credential_id = :credential_id and method = :method and path = :path and key = :key
      and created_at > :real_now::timestamptz - interval '${idempotency_hours} hours'
    order by created_at desc limit 1`,
)

const of_another = {
  field: 'Idempotency-Key',
  message: 'was already used for a request with another query, organization or body',
}

/**
 * Reserves the key for this transaction and returns the stored response of an earlier request. Only committed requests
 * store one, because a refused request changed nothing and may be repeated. A caller who has lost access to the
 * organization does not get the stored response: 422 `idempotency_key_reused`.
 */
export async function reserveIdempotencyKey(ctx: Ctx, attempt: Attempt): Promise<SavedResponse | undefined> {
  const { credential_id } = ctx.caller
  const { method, path, key } = attempt
  const scope = JSON.stringify([credential_id, method, path, key])
  // Two statements, because a statement does not see rows that are committed while it waits for the lock.
  const [lock, stored] = await Promise.all([
    locked.row<{ taken: boolean }>(ctx, { scope }),
    found.row<StoredAttempt>(ctx, { credential_id, method, path, key }),
  ])
  if (!lock?.taken) throw new Refusal(refusals.idempotency_key_in_progress, [], still_running)
  if (!stored) return undefined
  const is_same = stored.fingerprint.equals(attempt.fingerprint) && reaches(ctx.caller, stored.organization_id)
  if (!is_same) throw new Refusal(refusals.idempotency_key_reused, [of_another])
  if (attempt.repeats === 'rerun') return undefined
  if (!stored.body) throw new Refusal(refusals.idempotency_response_expired)
  return { status: stored.status, body: ctx.secrets.decrypt(stored.body) }
}

const reaches = ({ reach: { organization_ids } }: Caller, organization_id: string | null): boolean =>
  organization_id === null || organization_ids === null || organization_ids.includes(organization_id)

const saved = statement(
  'idempotency.saveResponse',
  `insert into idempotency_keys
     (credential_id, method, path, key, fingerprint, status, body, holds_secret, organization_id, created_at)
   values
     (:credential_id, :method, :path, :key, :fingerprint, :status, :body, :holds_secret, :organization_id, :real_now)
   on conflict (credential_id, method, path, key, created_at) do update
     set (fingerprint, status, body, holds_secret, organization_id) =
         (excluded.fingerprint, excluded.status, excluded.body, excluded.holds_secret, excluded.organization_id)`,
)

/**
 * Stores the response in the transaction of the change, encrypted because it may contain a secret or personal data. An
 * operation that runs again on each repetition stores no body. `organization_id`: null for writes outside any
 * organization.
 */
export async function saveResponse(
  ctx: Ctx,
  attempt: Attempt,
  response: SavedResponse,
  organization_id: string | null,
): Promise<void> {
  const { method, path, key, fingerprint, repeats } = attempt
  await saved.rows(ctx, {
    credential_id: ctx.caller.credential_id,
    method,
    path,
    key,
    fingerprint,
    organization_id,
    status: response.status,
    body: repeats === 'rerun' ? null : ctx.secrets.encrypt(response.body),
    holds_secret: repeats === 'briefly',
  })
}

const keys_deleted = statement(
  'idempotency.deleteKeys',
  `delete from idempotency_keys where created_at <= :real_now::timestamptz - interval '${idempotency_hours} hours'`,
)
const responses_deleted = statement(
  'idempotency.deleteResponses',
  `update idempotency_keys set body = null where holds_secret and body is not null and not ${isReplayable}`,
)

/** Deletes expired keys, and earlier the responses that may not be replayed. */
export async function purgeIdempotencyKeys(ctx: Ctx): Promise<void> {
  await keys_deleted.rows(ctx)
  await responses_deleted.rows(ctx)
}

/** The position of a stored response in a scan from the oldest response to the newest. */
export type ResponseKey = { created_at: string; credential_id: string; method: string; path: string; key: string }

export const first_response: ResponseKey = { created_at: '-infinity', credential_id: '', method: '', path: '', key: '' }

type OutdatedResponse = ResponseKey & { body: Buffer }

const cursor = '(created_at, credential_id, method, path, key)'

const outdated_listed = statement(
  'idempotency.listOutdatedResponses',
  `select created_at::text as created_at, credential_id, method, path, key, body from idempotency_keys
    where ${cursor} > (:created_at::timestamptz, :credential_id, :method, :path, :key)
      and body is not null and ${isOutdatedIn('body')}
    order by created_at, credential_id, method, path, key
    limit :most`,
)
const responses_resealed = statement(
  'idempotency.saveSealedResponses',
  `update idempotency_keys as response set body = fresh.body
     from unnest(:created_at::timestamptz[], :credential_ids::text[], :methods::text[], :paths::text[], :keys::text[],
                 :bodies::bytea[]) as fresh (created_at, credential_id, method, path, key, body)
    where response.created_at = fresh.created_at and response.credential_id = fresh.credential_id
      and response.method = fresh.method and response.path = fresh.path and response.key = fresh.key
      and response.body is not null`,
)

/**
 * Re-encrypts up to `most` stored responses after `from` that an earlier key encrypted. Returns the position of the
 * last one if more may follow. A response that is deleted at the same time stays deleted.
 */
export async function resealResponses(
  scope: Pick<Ctx, 'db'> & { secrets: Secrets },
  from: ResponseKey,
  most: number,
): Promise<ResponseKey | undefined> {
  const { secrets } = scope
  const outdated = await outdated_listed.rows<OutdatedResponse>(scope, { ...from, mark: secrets.mark(), most })
  await responses_resealed.rows(scope, {
    created_at: outdated.map(({ created_at }) => created_at),
    credential_ids: outdated.map(({ credential_id }) => credential_id),
    methods: outdated.map(({ method }) => method),
    paths: outdated.map(({ path }) => path),
    keys: outdated.map(({ key }) => key),
    bodies: outdated.map(({ body }) => reseal(secrets, body)),
  })
  return outdated.length < most ? undefined : outdated.at(-1)
}
