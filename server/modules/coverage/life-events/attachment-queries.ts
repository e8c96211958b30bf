import type { Day } from '../../../kernel/days.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { DownloadLink } from '../../../http/files/download-link.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import { isOutdatedIn } from '../../../security/secrets.ts'
import type { Attachable } from './rules.ts'
import type { LifeEventKey } from './schemas.ts'

const inReachOfEvent = inReach('event.organization_id', 'event.employer_id', 'event.employee_id')

const attachable_found = statement(
  'life-events.findAttachable',
  `select event.decision, employee.terminated_on,
          (select count(*) from life_event_attachments
            where life_event_id = event.id and organization_id = :organization_id)::int as attachment_count
     from qualifying_life_events as event
     join employees as employee on employee.id = event.employee_id and employee.organization_id = :organization_id
    where event.id = :life_event_id and event.organization_id = :organization_id`,
)

/** The facts that decide whether a document can be attached to a life event. Locks the organization. */
export const findAttachable = async (ctx: Ctx, { organization_id, life_event_id }: LifeEventKey) =>
  (await attachable_found.row<Attachable & { terminated_on: Day | null }>(ctx, { organization_id, life_event_id }))!

/** Finds a document of a life event within reach. */
export const locateAttachment = read(
  'life-events.locateAttachment',
  `select attachment.id as attachment_id, event.id as life_event_id, event.organization_id, event.employee_id
     from qualifying_life_events as event
     join life_event_attachments as attachment
       on attachment.life_event_id = event.id and attachment.organization_id = event.organization_id
    where event.id = :life_event_id and attachment.id = :attachment_id
      and ${inReachOfEvent}`,
).row<LifeEventKey & AttachmentPath>

export type AttachmentPath = { life_event_id: string; attachment_id: string }

export const insertAttachment = statement(
  'life-events.insertAttachment',
  `insert into life_event_attachments
     (id, organization_id, life_event_id, file_name, content_type, bytes, scan, created_at)
   values
     (:id, :organization_id, :life_event_id, :file_name, :content_type, :bytes, :scan, :now)`,
).rows

type PieceKey = { organization_id: string; attachment_id: string; position: number }

export const insertPiece = statement(
  'life-events.insertPiece',
  `insert into life_event_attachment_pieces (organization_id, attachment_id, position, content_sealed)
   values (:organization_id, :attachment_id, :position, :content_sealed)`,
).rows

/** One encrypted piece of a file. Undefined after the last piece, or if the file was deleted. */
export const findPiece = statement(
  'life-events.findPiece',
  `select content_sealed from life_event_attachment_pieces
    where attachment_id = :attachment_id and organization_id = :organization_id and position = :position`,
).row<{ content_sealed: Buffer }>

const found = statement(
  'life-events.findAttachment',
  `select content_type, bytes, scan from life_event_attachments
    where id = :attachment_id and organization_id = :organization_id`,
)

export type AttachmentKey = Pick<PieceKey, 'organization_id' | 'attachment_id'>

/** The type and size of a file, and the result of its scan. */
export const findAttachment = (ctx: Ctx, attachment: AttachmentKey) =>
  found.row<{ content_type: string; bytes: number; scan: string }>(ctx, attachment)

// The final select reads from `scanned`. Citus skips a statement if its final delete matches no rows.
/** Saves the result of a scan and deletes the content of a refused document. */
export const saveScan = statement(
  'life-events.saveScan',
  `with scanned as (
     update life_event_attachments set scan = :scan
      where id = :attachment_id and organization_id = :organization_id and scan = 'waiting'
     returning scan)
   delete from life_event_attachment_pieces
    where attachment_id = :attachment_id and organization_id = :organization_id
      and (select scan from scanned) = 'refused'`,
).rows

/** Deletes a document with its content. */
export const deleteAttachment = statement(
  'life-events.deleteAttachment',
  'delete from life_event_attachments where id = :attachment_id and organization_id = :organization_id',
).rows

/** Lists pieces of an organization that are not encrypted with the current key. */
export const listOutdatedPieces = statement(
  'life-events.listOutdatedPieces',
  `select attachment_id, position from life_event_attachment_pieces
    where organization_id = :organization_id and ${isOutdatedIn('content_sealed')} limit :most`,
).rows<Omit<PieceKey, 'organization_id'>>

export const savePiece = statement(
  'life-events.savePiece',
  `update life_event_attachment_pieces set content_sealed = :content_sealed
    where attachment_id = :attachment_id and organization_id = :organization_id and position = :position`,
).rows

/**
 * SQL: the attachments of a row `event`. In the place of the link, a file that can be opened carries the ids that
 * `linkFiles` replaces.
 */
export const attachmentsJson = `
  coalesce((
    select json_agg(json_build_object(
             'id', attachment.id, 'file_name', attachment.file_name, 'scan', attachment.scan,
             'file', case when attachment.scan in ('none', 'clean')
                          then json_build_object('organization_id', attachment.organization_id) end,
             'created_at', iso(attachment.created_at)) order by attachment.created_at, attachment.id)
      from life_event_attachments as attachment
     where attachment.life_event_id = event.id and attachment.organization_id = event.organization_id), '[]')`

type Shown = { id: string; file: { organization_id: string } | DownloadLink | null }
type ShownEvent = { attachments: Shown[] }

/** Replaces the ids of each file that can be opened with a download link. */
async function linkFiles(ctx: ReadCtx, attachments: Shown[]): Promise<void> {
  for (const attachment of attachments) {
    if (!attachment.file || !('organization_id' in attachment.file)) continue
    const { organization_id } = attachment.file
    attachment.file = await downloadLink(ctx, { kind: 'life_event_attachment', organization_id, id: attachment.id })
  }
}

/** Adds the download links to one life event or to a page of them. */
export async function withFiles<Text extends string | undefined>(ctx: ReadCtx, json: Text): Promise<Text> {
  // String values cannot contain this, because their quotes are escaped.
  if (!json?.includes('"file" : {')) return json
  const shown = JSON.parse(json) as ShownEvent | { data: ShownEvent[] }
  const events = 'data' in shown ? shown.data : [shown]
  for (const { attachments } of events) await linkFiles(ctx, attachments)
  return JSON.stringify(shown) as Text
}

const listed = read(
  'life-events.listAttachments',
  `select ${attachmentsJson} as attachments from qualifying_life_events as event
    where event.id = :life_event_id and ${inReachOfEvent}`,
)

/** The attachments of a life event with download links. Undefined if the life event is out of reach. */
export async function listAttachments(ctx: ReadCtx, life_event_id: string) {
  const found = await listed.row<ShownEvent>(ctx, { life_event_id })
  if (!found) return undefined
  await linkFiles(ctx, found.attachments)
  return found.attachments
}
