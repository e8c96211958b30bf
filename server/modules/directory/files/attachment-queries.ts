import type { DownloadLink } from '../../../http/files/download-link.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'

/**
 * SQL: the attachments of a row `owner`, from a table of attachments. In the place of the link, a file that can be
 * opened carries the id that `linkAttachments` replaces.
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
