import { z } from 'zod'
import type { Download, DownloadedFile } from '../../../http/files/downloads.ts'
import { scanner } from '../../../integrations/scan/scanner.ts'
import { task } from '../../../jobs/worker.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { contextOf, inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { reEncryptionOf } from '../../../security/re-encryption.ts'
import { findFile, findPiece, insertFile, insertPiece, saveScan, type FileKey } from './queries.ts'
import { fileNameOf } from './rules.ts'
import type { FileContent } from './schemas.ts'

/**
 * The number of bytes that are encrypted and written at a time. Other requests run between the pieces of a large file.
 */
const piece_bytes = 256 * 1024

/** Stores a file encrypted. If a scanner is configured, a job scans the file before anyone can open it. */
export async function storeFile(ctx: Ctx, key: FileKey, content: FileContent): Promise<void> {
  const is_scanned = integrationOf(ctx, scanner) !== undefined
  await writeFile(ctx, key, content, is_scanned ? 'waiting' : 'none')
  if (is_scanned) await ctx.enqueue('scan_file', key, { key: `scan_file:${key.file_id}` })
}

/** Stores a document of this service encrypted. It needs no scan. */
export const storeDocument = (ctx: Ctx, key: FileKey, content: FileContent): Promise<void> =>
  writeFile(ctx, key, content, 'none')

async function writeFile(
  ctx: Ctx,
  key: FileKey,
  { bytes, content_type, sha256 }: FileContent,
  scan: 'waiting' | 'none',
): Promise<void> {
  await insertFile(ctx, { ...key, content_type, bytes: bytes.length, sha256, scan })
  for (let position = 0; position * piece_bytes < bytes.length; position++) {
    const piece = bytes.subarray(position * piece_bytes, (position + 1) * piece_bytes)
    await insertPiece(ctx, { ...key, position, content_sealed: ctx.secrets.encrypt(piece) })
  }
}

/** Reads the content of a file piece by piece. Throws if the file is deleted in the meantime. */
async function* readPieces(ctx: Ctx, key: FileKey, bytes: number): AsyncGenerator<Buffer> {
  for (let position = 0; position * piece_bytes < bytes; position++) {
    const piece = await findPiece(ctx, { ...key, position })
    if (!piece) throw new Error(`${key.file_id} was deleted while it was read.`)
    yield ctx.secrets.decryptBytes(piece.content_sealed)
  }
}

/**
 * Scans a file and deletes its content if the scanner refuses it. Throws if the scanner returns no verdict, so that the
 * job retries.
 */
async function scanFile(runtime: Runtime, key: FileKey): Promise<void> {
  const { organization_id } = key
  const ctx = contextOf(runtime, serviceCaller(organization_id), runtime.database.reads([organization_id]))
  const found = await findFile(ctx, key)
  if (found?.scan !== 'waiting') return
  const scan_request = integrationOf(runtime, scanner)
  const scan = scan_request ? await scan_request.scan(readPieces(ctx, key, found.bytes), found) : 'none'
  await inOrganization(runtime, organization_id, (writing) => saveScan(writing, { ...key, scan }))
}

/**
 * Opens a file for download under a name without an extension. Returns undefined until the scan has finished, and if
 * the scanner refused it.
 */
export async function openFile(ctx: Ctx, key: FileKey, name: string): Promise<DownloadedFile | undefined> {
  const found = await findFile(ctx, key)
  if (!found || (found.scan !== 'none' && found.scan !== 'clean')) return undefined
  const { content_type, bytes } = found
  return { file_name: fileNameOf(name, content_type), content_type, bytes, body: readPieces(ctx, key, bytes) }
}

/** Opens an attachment for download, under its id. */
export const openAttachment: Download = (ctx, { organization_id, id }) =>
  openFile(ctx, { organization_id, file_id: id }, id)

/** Processing this many pieces takes about 20 ms. */
const pieces_in_a_chunk = 20

/** Re-encrypts the files of an organization with the current key. */
export const reEncryptFiles = reEncryptionOf({
  table: 'file_pieces',
  key: ['file_id', 'position'],
  sealed: ['content_sealed'],
  most: pieces_in_a_chunk,
})

export const tasks = {
  scan_file: task(z.object({ organization_id: z.string(), file_id: z.string() }), scanFile),
}
