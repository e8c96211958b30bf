import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Db } from '../../../database/query/database.ts'
import { auditKeptFrom } from '../../../database/schema/partitions.ts'
import { downloadLink, type DownloadedFile, type DownloadKey } from '../../../http/files/downloads.ts'
import { writeCsv } from '../../../kernel/write-csv.ts'
import type { Secrets } from '../../../security/secrets.ts'
import {
  findLastSeal,
  findUnsealedDay,
  insertSeal,
  listChains,
  listDays,
  listEntries,
  listSeals,
  sheetsOf,
  type Place,
} from './queries.ts'
import { DayReader, digestOf, faultsInSeals, sealOfDay, type Chain, type Seal, type TrailFault } from './rules.ts'
import { AuditExport, type EntriesAsked } from './schemas.ts'

/** How long after a day's end it is sealed: what was written down at its end is committed by then. */
const seal_after_ms = 60 * 60_000

/**
 * Seals the first day that is over and has no seal, and has the log tell of it, so that it is known outside too.
 * Returns whether there may be another.
 */
export async function sealDay(ctx: Ctx): Promise<boolean> {
  const today = new Date(Date.parse(ctx.real_now) - seal_after_ms).toISOString().slice(0, 10)
  const former = await findLastSeal(ctx)
  const day = await findUnsealedDay(ctx, former?.day ?? '-infinity', today)
  if (day === undefined) return false
  const found = { day, ...digestOf(await listChains(ctx.db, day)) }
  const seal = sealOfDay(ctx.secrets.auditKey(day), found, former?.seal)
  await insertSeal(ctx, { ...found, seal })
  const { chains, sheets } = found
  ctx.log.info({ day, chains, sheets, seal: seal.toString('hex') }, 'a day of the audit trail is sealed')
  return true
}

export type Verification = {
  faults: TrailFault[]
  days: number
  entries: number
  /** days that are over and not sealed yet */
  unsealed: string[]
  last_seal: Seal | undefined
}

export type VerificationAsked = {
  /** the first and the last day; all unless said */
  from?: string | undefined
  to?: string | undefined
  /** a seal that was kept elsewhere, in hex, by its day */
  known?: ReadonlyMap<string, string>
  now: number
  retention_years: number
}

/**
 * Holds the trail against its hashes: each sheet that was changed, removed or put in is a fault, and so are seals that
 * are not ours or other than was noted elsewhere. Days whose time is over may be gone.
 */
export async function verifyTrail(db: Db, secrets: Secrets, asked: VerificationAsked): Promise<Verification> {
  const kept_from = auditKeptFrom(asked.now, asked.retention_years)
  const [from, to] = [asked.from ?? '-infinity', asked.to ?? 'infinity']
  const seals = await listSeals(db)
  const sealed = new Set(seals.map(({ day }) => day))
  const today = new Date(asked.now - seal_after_ms).toISOString().slice(0, 10)
  const verification: Verification = { faults: [], days: 0, entries: 0, unsealed: [], last_seal: seals.at(-1) }
  const chains_of = new Map<string, Chain[]>()
  for (const day of await listDays(db, from, to)) {
    const chains = await listChains(db, day)
    // What is dropped goes month by month: a whole day of it, and never the end alone.
    if (chains.length > 0 || day >= kept_from) chains_of.set(day, chains)
    const reader = new DayReader(secrets.auditKey(day), day, chains)
    for await (const sheet of sheetsOf(db, day)) verification.faults.push(...reader.read(sheet))
    verification.faults.push(...reader.end())
    verification.days++
    verification.entries += reader.entries
    if (day < today && !sealed.has(day)) verification.unsealed.push(day)
  }
  verification.faults.push(...faultsInSeals(secrets.auditKey, seals, chains_of))
  for (const [day, hex] of asked.known ?? []) {
    const seal = seals.find((each) => each.day === day)
    if (seal?.seal.toString('hex') !== hex)
      verification.faults.push(`${day}: the seal is ${seal ? 'another than' : 'gone that'} was noted elsewhere`)
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

/** How many entries are read at once. */
const entries_in_piece = 500

/** The kind of file that the links of an export lead to. */
export const export_kind = 'audit_entries'

/** A link to the entries that are asked for, as a file that is read when it is opened; null: of all organizations. */
export const linkToExport = (ctx: ReadCtx, organization_id: string | null, asked: AuditExport) =>
  downloadLink(ctx, {
    kind: export_kind,
    organization_id: organization_id ?? '',
    id: Buffer.from(JSON.stringify(asked)).toString('base64url'),
  })

/** Opens an export, newest entry first, in pieces. */
export async function openExport(
  ctx: Ctx,
  { organization_id, id }: Omit<DownloadKey, 'kind'>,
): Promise<DownloadedFile | undefined> {
  const { format, ...filters } = AuditExport.parse(JSON.parse(Buffer.from(id, 'base64url').toString()))
  const of_all = organization_id === ''
  const reading = of_all ? { ...ctx, caller: serviceCaller(null) } : ctx
  const asked: EntriesAsked = { ...filters, organization_id: of_all ? null : organization_id }
  const pieces = async function* () {
    let from: Place | undefined
    do {
      const { items, next } = await listEntries(reading, asked, entries_in_piece, from)
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
