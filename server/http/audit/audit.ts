import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { crc32 } from 'node:zlib'
import type { Caller } from '../../runtime/caller.ts'
import type { WriteScope } from '../../runtime/ctx.ts'
import { statement, type Scope } from '../../database/sql/statement.ts'
import { newId } from '../../kernel/ids.ts'
import type { Secrets } from '../../security/secrets.ts'

/** The kind of caller, its credential, and its user if it has one. */
export type Actor = { kind: string; id: string | null; user_id: string | null }

export const actorOf = ({ kind, credential_id, user_id }: Caller): Actor => ({ kind, id: credential_id, user_id })

/** The audit entry of an action, a read or a refusal. It contains only our ids and names, no personal data. */
export type AuditEntry = {
  operation: string
  /** null if it concerns no organization */
  organization_id: string | null
  /** the resource that was read, created or changed; null if it has no id */
  resource_id: string | null
  /** the names of the body's fields, never their values; null if nothing was changed */
  fields: string[] | null
  status: number
  actor: Actor
  /** the client's address; behind a trusted proxy, the one that the proxy reports */
  address: string | null
  trace_id: string
}

/** A queued entry. `occurred_ms` is in milliseconds since 1970 by the service's clock. */
export type NotedEntry = AuditEntry & { occurred_ms: number }

/**
 * An audit batch: entries of one organization that are written together, column by column. A write has its own batch,
 * in its transaction. Reads share a batch.
 */
export type AuditBatch = {
  id: string
  /** empty if the entries concern no organization */
  organization_id: string
  shard: number
  occurred_at: string[]
  operations: string[]
  resource_ids: (string | null)[]
  statuses: number[]
  actor_kinds: string[]
  actor_ids: (string | null)[]
  user_ids: (string | null)[]
  addresses: (string | null)[]
  trace_ids: string[]
  fields: (string | null)[]
  /** a checksum per entry, which shows the entries of a batch that were changed */
  checks: number[]
}

/**
 * The batches of an organization are chained in shards: one for writes that hold its lock, and a few for all others.
 */
const shard_of_the_lock = 0
const other_shards = 8

let latest_shard = 0

/** The shard of a write without the lock of its organization. Concurrent writes take different ones in turn. */
export const nextShard = (): number => 1 + (latest_shard++ % other_shards)

/** The last 15 bits of a batch id, which are three characters, are zero. An entry's id has its position there. */
const id_prefix_length = 'aud_'.length + 23
const newBatchId = (): string => `${newId('aud').slice(0, id_prefix_length)}000`

/** The columns of a batch that have a value per entry. */
const columnsOf = (batch: Omit<AuditBatch, 'checks'>) => [
  batch.occurred_at,
  batch.operations,
  batch.resource_ids,
  batch.statuses,
  batch.actor_kinds,
  batch.actor_ids,
  batch.user_ids,
  batch.addresses,
  batch.trace_ids,
  batch.fields,
]

/** A checksum of each entry and its position. It is not secret: the hash chain prevents forgery. */
export const checksOf = (batch: Omit<AuditBatch, 'checks'>): number[] => {
  const columns = columnsOf(batch)
  return batch.operations.map(
    (_, index) => crc32(JSON.stringify([index, ...columns.map((column) => column[index])])) | 0,
  )
}

/** The seal of a batch: 32 bytes that only a holder of the day's key can compute. */
export const sealOf = (key: Buffer, day: string, batch: AuditBatch): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([day, batch.id, batch.organization_id, batch.shard, ...columnsOf(batch), batch.checks]))
    .digest()

/**
 * The hash of a batch after a previous one, as the database function `audit_link` computes it. For the first batch, it
 * is the seal.
 */
export const linkOf = (key: Buffer, previous: Buffer, number: number, seal: Buffer): Buffer =>
  createHmac('sha256', key).update(previous).update(String(number)).update(seal).digest()

/** The inner and outer pad of a 32-byte key for HMAC-SHA-256. */
const padsOf = (key: Buffer) => {
  const padded = Buffer.concat([key, Buffer.alloc(64 - key.length)])
  const pad = (byte: number) => Buffer.from(padded.map((byte_of_key) => byte_of_key ^ byte))
  return { inner_pad: pad(0x36), outer_pad: pad(0x5c) }
}

function batchOf(organization_id: string, shard: number, entries: NotedEntry[]): AuditBatch {
  const batch = {
    id: newBatchId(),
    organization_id,
    shard,
    occurred_at: entries.map((entry) => new Date(entry.occurred_ms).toISOString()),
    operations: entries.map((entry) => entry.operation),
    resource_ids: entries.map((entry) => entry.resource_id),
    statuses: entries.map((entry) => entry.status),
    actor_kinds: entries.map((entry) => entry.actor.kind),
    actor_ids: entries.map((entry) => entry.actor.id),
    user_ids: entries.map((entry) => entry.actor.user_id),
    addresses: entries.map(({ address }) => (address !== null && isIP(address) ? address : null)),
    trace_ids: entries.map((entry) => entry.trace_id),
    fields: entries.map(({ fields }) => fields && fields.join(',')),
  }
  return { ...batch, checks: checksOf(batch) }
}

const written = statement(
  'audit.writeBatches',
  `with batch as materialized (
     select * from json_to_recordset(:batches::json) as batch (
              id text, organization_id text, shard smallint, seal text, occurred_at timestamptz[], operations text[],
              resource_ids text[], statuses smallint[], actor_kinds text[], actor_ids text[], user_ids text[],
              addresses text[], trace_ids text[], fields text[], checks int[])
   ), linked as (
     insert into audit_chains as chain (day, organization_id, shard, batch_count, last_hash)
     select :day, batch.organization_id, batch.shard, 1, decode(batch.seal, 'hex') from batch
      order by batch.organization_id, batch.shard
     on conflict (day, organization_id, shard) do update
       set batch_count = chain.batch_count + 1,
           last_hash = audit_link(:inner_pad, :outer_pad, chain.last_hash, chain.batch_count + 1, excluded.last_hash)
     returning organization_id, shard, batch_count, last_hash
   )
   insert into audit_batches
     (id, organization_id, day, shard, number, occurred_at, operations, resource_ids, statuses, actor_kinds,
      actor_ids, user_ids, addresses, trace_ids, fields, checks, hash)
   select batch.id, batch.organization_id, :day, batch.shard, linked.batch_count, batch.occurred_at, batch.operations,
          batch.resource_ids, batch.statuses, batch.actor_kinds, batch.actor_ids, batch.user_ids, batch.addresses,
          batch.trace_ids, batch.fields, batch.checks, linked.last_hash
     from linked join batch on batch.organization_id = linked.organization_id and batch.shard = linked.shard`,
)

/**
 * Appends entries to the chains of a day in one statement, with one batch per organization. The transaction holds the
 * shard until it ends.
 */
export async function writeBatches(
  scope: Scope,
  secrets: Secrets,
  now: string,
  shard: number,
  entries: NotedEntry[],
): Promise<void> {
  const day = now.slice(0, 10)
  const key = secrets.auditKey(day)
  const batches = [...Map.groupBy(entries, ({ organization_id }) => organization_id ?? '')].map(([tenant, own]) => {
    const batch = batchOf(tenant, shard, own)
    return { ...batch, seal: sealOf(key, day, batch).toString('hex') }
  })
  await written.rows(scope, { day, batches: JSON.stringify(batches), ...padsOf(key) })
}

/** An audited write. `actor` is the caller by default. A sign-in passes it, because it has no caller yet. */
export type AuditedAction = Omit<AuditEntry, 'actor' | 'fields'> & {
  fields: string[]
  actor?: Actor
  /** whether the transaction holds the lock of its organization */
  holds_lock: boolean
}

/** Records a write in its transaction. Audit entries are append-only. */
export async function recordAudit(
  ctx: WriteScope & { secrets: Secrets },
  { holds_lock, ...action }: AuditedAction,
): Promise<void> {
  const entry = { actor: actorOf(ctx.caller), ...action, occurred_ms: Date.parse(ctx.real_now) }
  await writeBatches(ctx, ctx.secrets, ctx.real_now, holds_lock ? shard_of_the_lock : nextShard(), [entry])
}
