import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Db } from '../../../database/query/database.ts'
import { auditKeptFrom } from '../../../database/schema/partitions.ts'
import { downloadLink, type DownloadedFile, type DownloadKey } from '../../../http/files/downloads.ts'
import { writeCsv } from '../../../kernel/formats/csv.ts'
import type { Secrets } from '../../../security/secrets.ts'
import {
  findLastSeal,
  findUnsealedDay,
  insertSeal,
  listChains,
  listDays,
  listEntries,
  listSeals,
  batchesOf,
  type EntryPosition,
} from './queries.ts'
import { DayReader, digestOf, faultsInSeals, sealOfDay, type Chain, type Seal, type AuditFault } from './rules.ts'
import { AuditExport, type EntriesFilter } from './schemas.ts'

/** How long after midnight a day is sealed, in milliseconds. By then, entries from the end of the day are committed. */
const seal_after_ms = 60 * 60_000

/**
 * Seals the first unsealed day that is over, and logs the seal so that a copy exists outside the database. Returns
 * whether another day may be due.
 */
export async function sealDay(ctx: Ctx): Promise<boolean> {
  const today = new Date(Date.parse(ctx.real_now) - seal_after_ms).toISOString().slice(0, 10)
  const former = await findLastSeal(ctx)
  const day = await findUnsealedDay(ctx, former?.day ?? '-infinity', today)
  if (day === undefined) return false
  const found = { day, ...digestOf(await listChains(ctx, { day })) }
  const seal = sealOfDay(ctx.secrets.auditKey(day), found, former?.seal)
  await insertSeal(ctx, { ...found, seal })
  const { chain_count, batch_count } = found
  ctx.log.info({ day, chain_count, batch_count, seal: seal.toString('hex') }, 'sealed a day of the audit log')
  return true
}

export type Verification = {
  faults: AuditFault[]
  days: number
  entries: number
  /** The days that are over but not sealed. */
  unsealed: string[]
  last_seal: Seal | undefined
}

export type VerificationOptions = {
  /** The first and the last day to verify. Defaults to all. */
  from?: string | undefined
  to?: string | undefined
  /** Copies of seals that were kept elsewhere, in hex, by day. */
  known?: ReadonlyMap<string, string>
  now: number
  retention_years: number
}

/**
 * Checks the audit log against its hashes. Reports every batch that was changed, removed or inserted, and every seal
 * that was not made with our key or differs from its copy. Days past retention may be missing.
 */
export async function verifyAuditLog(db: Db, secrets: Secrets, requested: VerificationOptions): Promise<Verification> {
  const kept_from = auditKeptFrom(requested.now, requested.retention_years)
  const [from, to] = [requested.from ?? '-infinity', requested.to ?? 'infinity']
  const seals = await listSeals({ db })
  const sealed = new Set(seals.map(({ day }) => day))
  const today = new Date(requested.now - seal_after_ms).toISOString().slice(0, 10)
  const verification: Verification = { faults: [], days: 0, entries: 0, unsealed: [], last_seal: seals.at(-1) }
  const chains_of = new Map<string, Chain[]>()
  for (const day of await listDays({ db }, { from, to })) {
    const chains = await listChains({ db }, { day })
    // Retention drops whole months, so an expired day is either complete or gone. It never loses only its last entries.
    if (chains.length > 0 || day >= kept_from) chains_of.set(day, chains)
    const reader = new DayReader(secrets.auditKey(day), day, chains)
    for await (const batch of batchesOf(db, day)) verification.faults.push(...reader.read(batch))
    verification.faults.push(...reader.end())
    verification.days++
    verification.entries += reader.entries
    if (day < today && !sealed.has(day)) verification.unsealed.push(day)
  }
  verification.faults.push(...faultsInSeals(secrets.auditKey, seals, chains_of))
  for (const [day, hex] of requested.known ?? []) {
    const seal = seals.find((sealed) => sealed.day === day)
    if (seal?.seal.toString('hex') !== hex)
      verification.faults.push(
        `${day}: the seal ${seal ? 'differs from the copy' : 'is missing, but a copy was'} kept elsewhere`,
      )
  }
  return verification
}

const csv_columns = [
  'id',
  'organization_id',
  'occurred_at',
  'operation',
  'resource_id',
  'outcome',
  'status',
  'actor_kind',
  'actor_id',
  'user_id',
  'address',
  'trace_id',
  'fields',
]

type ShownEntry = { actor: { kind: string; id: string | null; user_id: string | null }; fields: string[] | null }

const inColumns = ({ actor, fields, ...entry }: ShownEntry) => ({
  ...entry,
  actor_kind: actor.kind,
  actor_id: actor.id,
  user_id: actor.user_id,
  fields: fields?.join(' ') ?? null,
})

/** How many entries an export reads at once. */
const entries_in_piece = 500

export const export_kind = 'audit_entries'

/**
 * A link to a file of the requested entries, which is generated when the link is opened. Without an organization, it
 * covers all of them.
 */
export const linkToExport = (ctx: ReadCtx, organization_id: string | null, requested: AuditExport) =>
  downloadLink(ctx, {
    kind: export_kind,
    organization_id: organization_id ?? '',
    id: Buffer.from(JSON.stringify(requested)).toString('base64url'),
  })

/** Streams an export in pieces, newest entry first. */
export async function openExport(
  ctx: Ctx,
  { organization_id, id }: Omit<DownloadKey, 'kind'>,
): Promise<DownloadedFile | undefined> {
  const { format, ...filters } = AuditExport.parse(JSON.parse(Buffer.from(id, 'base64url').toString()))
  const of_all = organization_id === ''
  const reading = of_all ? { ...ctx, caller: serviceCaller(null) } : ctx
  const requested: EntriesFilter = { ...filters, organization_id: of_all ? null : organization_id }
  const pieces = async function* () {
    let from: EntryPosition | undefined
    do {
      const { items, next } = await listEntries(reading, requested, entries_in_piece, from)
      yield items
      from = next ?? undefined
    } while (from)
  }
  const rows = async function* () {
    for await (const items of pieces()) yield (JSON.parse(`[${items}]`) as ShownEntry[]).map(inColumns)
  }
  const lines = async function* () {
    for await (const items of pieces()) for (const entry of JSON.parse(`[${items}]`)) yield `${JSON.stringify(entry)}\n`
  }
  const day = ctx.real_now.slice(0, 10)
  return format === 'csv'
    ? {
        file_name: `audit-entries-${day}.csv`,
        content_type: 'text/csv; charset=utf-8',
        body: writeCsv(rows(), csv_columns),
      }
    : { file_name: `audit-entries-${day}.ndjson`, content_type: 'application/x-ndjson', body: lines() }
}
