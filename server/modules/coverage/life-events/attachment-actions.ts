import { scanner } from '../../../integrations/scan/scanner.ts'
import { newId } from '../../../kernel/ids.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Download } from '../../../http/files/downloads.ts'
import type { Remake } from '../../../security/re-encrypt.ts'
import { contextOf, inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { reseal } from '../../../security/key-age.ts'
import {
  deleteAttachment,
  findAttachable,
  findAttachment,
  findPiece,
  insertAttachment,
  insertPiece,
  listStalePieces,
  savePiece,
  saveScan,
  type AttachmentKey,
  type AttachmentPath,
} from './attachment-queries.ts'
import { fileNameOf, whyNotAttach, whyNotDetach } from './attachment-rules.ts'
import type { NewLifeEventAttachment } from './attachment-schemas.ts'
import type { LifeEventKey } from './queries.ts'

/** Bytes that are encrypted and written at a time, so that no other request waits for a whole file. */
const piece_bytes = 256 * 1024

/** Attaches a document to a life event that is to be decided about; a job has it scanned, where one scans. */
export async function attachFile(
  ctx: Ctx,
  event: LifeEventKey,
  { file_name, content: { bytes, content_type } }: NewLifeEventAttachment,
): Promise<void> {
  refuse(whyNotAttach(await findAttachable(ctx, event), ctx.today))
  const { organization_id, life_event_id } = event
  const key = { organization_id, attachment_id: newId('att') }
  const is_scanned = integrationOf(ctx, scanner) !== undefined
  await insertAttachment(ctx, {
    id: key.attachment_id,
    organization_id,
    life_event_id,
    file_name,
    content_type,
    bytes: bytes.length,
    scan: is_scanned ? 'waiting' : 'none',
  })
  for (let position = 0; position * piece_bytes < bytes.length; position++) {
    const piece = bytes.subarray(position * piece_bytes, (position + 1) * piece_bytes)
    await insertPiece(ctx, { ...key, position, content_sealed: ctx.secrets.encrypt(piece) })
  }
  if (is_scanned) await ctx.enqueue('scan_attachment', key, { key: `scan_attachment:${key.attachment_id}` })
}

/** Takes a document off a life event, and forgets what it holds. */
export async function detachFile(ctx: Ctx, attachment: LifeEventKey & AttachmentPath): Promise<void> {
  const is_own = ctx.caller.reach.employee_id !== null
  refuse(whyNotDetach(await findAttachable(ctx, attachment), is_own, ctx.today))
  await deleteAttachment(ctx, attachment)
}

/** What a file holds, piece by piece. Throws when it is forgotten meanwhile. */
async function* readPieces(ctx: Ctx, key: AttachmentKey, bytes: number): AsyncGenerator<Buffer> {
  for (let position = 0; position * piece_bytes < bytes; position++) {
    const piece = await findPiece(ctx, { ...key, position })
    if (!piece) throw new Error(`${key.attachment_id} was forgotten while it was read.`)
    yield ctx.secrets.decryptBytes(piece.content_sealed)
  }
}

/** Has a document scanned, and forgets it where it is refused. Throws when the scanner can't say, to be tried again. */
export async function scanAttachment(runtime: Runtime, { organization_id, attachment_id }: AttachmentKey) {
  const key = { organization_id, attachment_id }
  const ctx = contextOf(runtime, serviceCaller(organization_id), runtime.database.reads([organization_id]))
  const found = await findAttachment(ctx, key)
  if (found?.scan !== 'waiting') return
  const asked = integrationOf(runtime, scanner)
  const scan = asked ? await asked.scan(readPieces(ctx, key, found.bytes), found) : 'none'
  await inOrganization(runtime, organization_id, (writing) => saveScan(writing, key, scan))
}

/** A document as it was sent. One that waits to be scanned, and one that was refused, is not there. */
export const openAttachment: Download = async (ctx, { organization_id, id }) => {
  const key = { organization_id, attachment_id: id }
  const found = await findAttachment(ctx, key)
  if (!found || (found.scan !== 'none' && found.scan !== 'clean')) return undefined
  const { content_type, bytes } = found
  return { file_name: fileNameOf(id, content_type), content_type, bytes, body: readPieces(ctx, key, bytes) }
}

/** So many pieces are some 20 ms of work. */
const pieces_in_a_chunk = 20

/** Encrypts the documents of an organization with the key of now. */
export const remakeAttachments: Remake = async (scope, organization_id) => {
  const { secrets } = scope
  const stale = await listStalePieces(scope, { organization_id, mark: secrets.mark(), most: pieces_in_a_chunk })
  for (const { attachment_id, position } of stale) {
    const key = { organization_id, attachment_id, position }
    const { content_sealed } = (await findPiece(scope, key))!
    await savePiece(scope, { ...key, content_sealed: reseal(secrets, content_sealed) })
  }
  return stale.length === pieces_in_a_chunk ? '' : null
}
