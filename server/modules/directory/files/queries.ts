import type { ReadCtx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { DownloadLink } from '../../../http/files/download-link.ts'
import { downloadLink } from '../../../http/files/downloads.ts'

/** The key of a file: the id of the record that it belongs to. */
export type FileKey = { organization_id: string; file_id: string }

export const insertFile = statement(
  'files.insertFile',
  `insert into files (id, organization_id, content_type, bytes, sha256, scan, created_at)
   values (:file_id, :organization_id, :content_type, :bytes, :sha256, :scan, :now)`,
).rows

export const insertPiece = statement(
  'files.insertPiece',
  `insert into file_pieces (organization_id, file_id, position, content_sealed)
   values (:organization_id, :file_id, :position, :content_sealed)`,
).rows

/** One encrypted piece of a file. Undefined after the last piece, or if the file was deleted. */
export const findPiece = statement(
  'files.findPiece',
  `select content_sealed from file_pieces
    where file_id = :file_id and organization_id = :organization_id and position = :position`,
).row<{ content_sealed: Buffer }>

/** The type and size of a file, and the result of its scan. */
export const findFile = statement(
  'files.findFile',
  'select content_type, bytes, scan from files where id = :file_id and organization_id = :organization_id',
).row<{ content_type: string; bytes: number; scan: string }>

// The final select reads from `scanned`. A sharded database skips a statement if its final
// delete matches no rows.
/** Saves the result of a scan and deletes the content of a refused file. */
export const saveScan = statement(
  'files.saveScan',
  `with scanned as (
     update files set scan = :scan
      where id = :file_id and organization_id = :organization_id and scan = 'waiting'
     returning scan)
   delete from file_pieces
    where file_id = :file_id and organization_id = :organization_id and (select scan from scanned) = 'refused'`,
).rows

/** Deletes a file with its content and the record that it belongs to. */
export const deleteFile = statement(
  'files.deleteFile',
  'delete from files where id = :file_id and organization_id = :organization_id',
).rows

/**
 * SQL: the attachments of a row `owner`, from a table of attachments. A file that can be opened
 * contains an id instead of its link. `linkAttachments` replaces the id with the link.
 */
export const attachmentsJson = (table: string, owner_column: string, owner: string): string => `
  coalesce((
    select json_agg(json_build_object(
             'id', attachment.id, 'file_name', attachment.file_name, 'scan', file.scan,
             'file', case when file.scan in ('none', 'clean')
                          then json_build_object('organization_id', attachment.organization_id) end,
             'created_at', iso(attachment.created_at)) order by attachment.created_at, attachment.id)
      from ${table} as attachment
      join files as file on file.id = attachment.id and file.organization_id = attachment.organization_id
     where attachment.${owner_column} = ${owner}.id
       and attachment.organization_id = ${owner}.organization_id), '[]')`

export type ShownAttachment = { id: string; file: { organization_id: string } | DownloadLink | null }

/** Replaces the id of each file that can be opened with a download link. */
export async function linkAttachments(ctx: ReadCtx, kind: string, attachments: ShownAttachment[]): Promise<void> {
  for (const attachment of attachments) {
    if (!attachment.file || !('organization_id' in attachment.file)) continue
    const { organization_id } = attachment.file
    attachment.file = await downloadLink(ctx, { kind, organization_id, id: attachment.id })
  }
}
