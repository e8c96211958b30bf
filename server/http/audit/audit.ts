import { createHmac, randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import { crc32 } from 'node:zlib'
import type { Caller } from '../../runtime/caller.ts'
import type { WriteScope } from '../../runtime/ctx.ts'
import { statement, type Scope } from '../../database/sql/statement.ts'
import { newId } from '../../kernel/ids.ts'
import type { Secrets } from '../../security/secrets.ts'

/** Who it was: a kind of caller, the credential, and the user behind it where there is one. */
export type Actor = { kind: string; id: string | null; user_id: string | null }

export const actorOf = ({ kind, credential_id, user_id }: Caller): Actor => ({ kind, id: credential_id, user_id })

/** What the audit trail says of an action, a read or a refusal. Ids and names of ours alone: nothing personal. */
export type AuditEntry = {
  operation: string
  /** null: of none */
  organization_id: string | null
  /** what was read, made or changed; null when that has no id */
  resource_id: string | null
  /** the names of the body's fields, never their values; null where nothing was changed */
  fields: string[] | null
  /** of HTTP */
  status: number
  actor: Actor
  /** of whoever called, as far as proxies are trusted */
  address: string | null
  trace_id: string
}

/** An entry that waits to be written: milliseconds since 1970 by the calendar's clock. */
export type NotedEntry = AuditEntry & { occurred_ms: number }

/**
 * A sheet of the trail: entries of one organization that were written down at once, column by column. One of a write,
 * in its transaction; of reads, those of a moment.
 */
export type Sheet = {
  id: string
  /** empty: of none */
  organization_id: string
  strand: number
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
  /** tells which entry of a sheet was changed */
  checks: number[]
}

/** Sheets of an organization are chained in strands: those of writes that hold its lock, and a few for all others. */
const strand_of_the_lock = 0
const other_strands = 8

/** A strand for what holds no organization's lock, so that such writes seldom wait for each other. */
export const anyStrand = (): number => 1 + randomInt(other_strands)

/** The last 15 bits of a sheet's id are zero, and count its entries: three characters. */
const id_without_place = 'aud_'.length + 23
const newSheetId = (): string => `${newId('aud').slice(0, id_without_place)}000`

/** The columns of a sheet in which each entry has a place. */
const columnsOf = (sheet: Omit<Sheet, 'checks'>) => [
  sheet.occurred_at,
  sheet.operations,
  sheet.resource_ids,
  sheet.statuses,
  sheet.actor_kinds,
  sheet.actor_ids,
  sheet.user_ids,
  sheet.addresses,
  sheet.trace_ids,
  sheet.fields,
]

/** What tells an entry at its place from any other: no secret, since the chain is what can't be forged. */
export const checksOf = (sheet: Omit<Sheet, 'checks'>): number[] => {
  const columns = columnsOf(sheet)
  return sheet.operations.map((_, at) => crc32(JSON.stringify([at, ...columns.map((column) => column[at])])) | 0)
}

/** What a sheet says, as 32 bytes that only a holder of the day's key can make. */
export const sealOf = (key: Buffer, day: string, sheet: Sheet): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([day, sheet.id, sheet.organization_id, sheet.strand, ...columnsOf(sheet), sheet.checks]))
    .digest()

/** The hash of a sheet behind another, as `audit_link` of the database makes it. That of the first is its own seal. */
export const linkOf = (key: Buffer, former: Buffer, number: number, seal: Buffer): Buffer =>
  createHmac('sha256', key).update(former).update(String(number)).update(seal).digest()

/** The two keys into which HMAC-SHA-256 divides one of 32 bytes. */
const padsOf = (key: Buffer) => {
  const padded = Buffer.concat([key, Buffer.alloc(64 - key.length)])
  const pad = (byte: number) => Buffer.from(padded.map((each) => each ^ byte))
  return { inner_pad: pad(0x36), outer_pad: pad(0x5c) }
}

/** Milliseconds as instants. Many of a moment are the same one, which is written once. */
function instantsOf(times_ms: number[]): string[] {
  let latest_ms: number | undefined
  let latest = ''
  return times_ms.map((ms) => {
    if (ms !== latest_ms) latest = new Date((latest_ms = ms)).toISOString()
    return latest
  })
}

function sheetOf(organization_id: string, strand: number, entries: NotedEntry[]): Sheet {
  const sheet = {
    id: newSheetId(),
    organization_id,
    strand,
    occurred_at: instantsOf(entries.map((entry) => entry.occurred_ms)),
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
  return { ...sheet, checks: checksOf(sheet) }
}

/** What stands for null in a list; no value of those columns is one. */
const none = '-'

/** A column whose values hold no blank, as one text: PostgreSQL reads that in half the time of an array in JSON. */
const listed = (column: (string | number | null)[]): string => column.map((value) => value ?? none).join(' ')

/** A sheet as the statement takes it. What names a resource may be any text, and fields may be none. */
const sentOf = (sheet: Sheet) => ({
  ...sheet,
  occurred_at: listed(sheet.occurred_at),
  operations: listed(sheet.operations),
  statuses: listed(sheet.statuses),
  actor_kinds: listed(sheet.actor_kinds),
  actor_ids: listed(sheet.actor_ids),
  user_ids: listed(sheet.user_ids),
  addresses: listed(sheet.addresses),
  trace_ids: listed(sheet.trace_ids),
  checks: listed(sheet.checks),
})

const read = (column: string) => `string_to_array(sheet.${column}, ' ', '${none}')`

const written = statement(
  'audit.writeSheets',
  `with sheet as materialized (
     select * from json_to_recordset(:sheets::json) as sheet (
              id text, organization_id text, strand smallint, seal text, occurred_at text, operations text,
              resource_ids text[], statuses text, actor_kinds text, actor_ids text, user_ids text, addresses text,
              trace_ids text, fields text[], checks text)
   ), linked as (
     insert into audit_chains as chain (day, organization_id, strand, sheets, last_hash)
     select :day, sheet.organization_id, sheet.strand, 1, decode(sheet.seal, 'hex') from sheet
      order by sheet.organization_id, sheet.strand
     on conflict (day, organization_id, strand) do update
       set sheets = chain.sheets + 1,
           last_hash = audit_link(:inner_pad, :outer_pad, chain.last_hash, chain.sheets + 1, excluded.last_hash)
     returning organization_id, strand, sheets, last_hash
   )
   insert into audit_sheets
     (id, organization_id, day, strand, number, occurred_at, operations, resource_ids, statuses, actor_kinds,
      actor_ids, user_ids, addresses, trace_ids, fields, checks, hash)
   select sheet.id, sheet.organization_id, :day, sheet.strand, linked.sheets,
          ${read('occurred_at')}::timestamptz[], ${read('operations')}, sheet.resource_ids,
          ${read('statuses')}::smallint[], ${read('actor_kinds')}, ${read('actor_ids')}, ${read('user_ids')},
          ${read('addresses')}, ${read('trace_ids')}, sheet.fields, ${read('checks')}::int[], linked.last_hash
     from linked join sheet on sheet.organization_id = linked.organization_id and sheet.strand = linked.strand`,
)

/**
 * Appends entries to the chains of a day, in one statement: a sheet for each organization. Whoever appends to a strand
 * holds it until the transaction ends.
 */
export async function writeSheets(
  scope: Scope,
  secrets: Secrets,
  now: string,
  strand: number,
  entries: NotedEntry[],
): Promise<void> {
  const day = now.slice(0, 10)
  const key = secrets.auditKey(day)
  const sheets = [...Map.groupBy(entries, ({ organization_id }) => organization_id ?? '')].map(([whose, theirs]) => {
    const sheet = sheetOf(whose, strand, theirs)
    return { ...sentOf(sheet), seal: sealOf(key, day, sheet).toString('hex') }
  })
  await written.rows(scope, { day, sheets: JSON.stringify(sheets), ...padsOf(key) })
}

/** A write that is done: who did it is the caller, unless told, as of a sign-in, which has none yet. */
export type AuditedAction = Omit<AuditEntry, 'actor' | 'fields'> & {
  fields: string[]
  actor?: Actor
  /** whether the transaction holds the lock of its organization */
  holds_lock: boolean
}

/** Writes who did what in the transaction of the action. Append-only. */
export async function recordAudit(
  ctx: WriteScope & { secrets: Secrets },
  { holds_lock, ...action }: AuditedAction,
): Promise<void> {
  const entry = { actor: actorOf(ctx.caller), ...action, occurred_ms: Date.parse(ctx.real_now) }
  await writeSheets(ctx, ctx.secrets, ctx.real_now, holds_lock ? strand_of_the_lock : anyStrand(), [entry])
}
