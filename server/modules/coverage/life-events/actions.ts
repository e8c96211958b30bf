import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import type { Ctx } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { findLastDay } from '../dependents/queries.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { announceWindow } from '../enrollments/actions.ts'
import { refusals, whyNotReport, windowFrom, fileNameOf, whyNotAttach, whyNotDetach } from './rules.ts'
import type { LifeEventKey, NewLifeEvent, NewLifeEventAttachment } from './schemas.ts'
import { scanner } from '../../../integrations/scan/scanner.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { Download } from '../../../http/files/downloads.ts'
import type { ReEncryption } from '../../../security/re-encrypt.ts'
import { contextOf, inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { reseal } from '../../../security/secrets.ts'
import {
  insertApproved,
  insertLifeEvent,
  saveDecision,
  type CoverageLost,
  type Decision,
  deleteAttachment,
  findAttachable,
  findAttachment,
  findPiece,
  insertAttachment,
  insertPiece,
  listOutdatedPieces,
  savePiece,
  saveScan,
  type AttachmentKey,
  type AttachmentPath,
} from './queries.ts'

/** Reports a life event of an employee, which the operator then approves or declines. Returns its id. */
export async function reportLifeEvent(
  ctx: Ctx,
  { organization_id, employer_id, employee_id }: EmployeeKey,
  input: NewLifeEvent,
): Promise<string> {
  const employment = await findLastDay(ctx, { organization_id, employee_id })
  refuse(whyNotReport(input.occurred_on, employment!, ctx.today))
  const id = newId('qle')
  await insertLifeEvent(ctx, { ...input, id, organization_id, employer_id, employee_id })
  const details = { employee_id, occurred_on: input.occurred_on }
  await openTasks(ctx, [{ kind: 'life_event_pending', organization_id, employer_id, resource_id: id, details }])
  return id
}

/** Saves the decision. Refused with 409 if the life event is already decided. */
async function decide(ctx: Ctx, { organization_id, life_event_id }: LifeEventKey, made: Decision): Promise<void> {
  if (!(await saveDecision(ctx, organization_id, life_event_id, made))) refuse(refusals.life_event_already_decided)
  await closeTasks(ctx, { organization_id, kind: 'life_event_pending' }, [life_event_id])
}

/**
 * Approves a life event. `exception` is the reason for allowing any change.
 *
 * 1. The decision and a window of 30 days are saved, and the task `life_event_pending` closes.
 * 2. Each enrollment of the employee that is not inactive publishes `enrollment.started` (`announceWindow`).
 *
 * Coverage does not change yet. While the window is open, `electEnrollment` and `waiveEnrollment`
 * (`elections/actions.ts`) and `terminateEnrollment` (`terminations/actions.ts`) accept the changes that
 * `enrollments/rules.ts` lists for the event.
 */
export async function approveLifeEvent(ctx: Ctx, event: LifeEventKey, exception?: string): Promise<void> {
  await decide(ctx, event, { decision: 'approved', reason: exception ?? null, ...windowFrom(ctx.today) })
  await announceWindow(ctx, { organization_id: event.organization_id, employee_ids: [event.employee_id] })
}

/** Declines a life event. The employee sees the reason. */
export async function declineLifeEvent(ctx: Ctx, event: LifeEventKey, reason: string): Promise<void> {
  await decide(ctx, event, { decision: 'declined', reason })
}

/** Opens a window of 30 days after coverage of a dependent ends, one for each employment. */
export async function openWindowsForLostCoverage(
  ctx: Ctx,
  organization_id: string,
  lost: CoverageLost[],
): Promise<void> {
  if (lost.length === 0) return
  await insertApproved(ctx, organization_id, lost, windowFrom(ctx.today))
  await announceWindow(ctx, { organization_id, employee_ids: lost.map(({ employee_id }) => employee_id) })
}

/**
 * The number of bytes that are encrypted and written at a time. Other requests run between the pieces of a large file.
 */
const piece_bytes = 256 * 1024

/** Attaches a document to a pending life event. If a scanner is configured, a job scans the document. */
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

/** Removes a document from a life event and deletes its content. */
export async function detachFile(ctx: Ctx, attachment: LifeEventKey & AttachmentPath): Promise<void> {
  const is_own = ctx.caller.reach.employee_id !== null
  refuse(whyNotDetach(await findAttachable(ctx, attachment), is_own, ctx.today))
  await deleteAttachment(ctx, attachment)
}

/** Reads the content of a file piece by piece. Throws if the file is deleted in the meantime. */
async function* readPieces(ctx: Ctx, key: AttachmentKey, bytes: number): AsyncGenerator<Buffer> {
  for (let position = 0; position * piece_bytes < bytes; position++) {
    const piece = await findPiece(ctx, { ...key, position })
    if (!piece) throw new Error(`${key.attachment_id} was deleted while it was read.`)
    yield ctx.secrets.decryptBytes(piece.content_sealed)
  }
}

/**
 * Scans a document and deletes it if the scanner refuses it. Throws if the scanner returns no verdict, so that the job
 * retries.
 */
async function scanAttachment(runtime: Runtime, { organization_id, attachment_id }: AttachmentKey) {
  const key = { organization_id, attachment_id }
  const ctx = contextOf(runtime, serviceCaller(organization_id), runtime.database.reads([organization_id]))
  const found = await findAttachment(ctx, key)
  if (found?.scan !== 'waiting') return
  const scan_request = integrationOf(runtime, scanner)
  const scan = scan_request ? await scan_request.scan(readPieces(ctx, key, found.bytes), found) : 'none'
  await inOrganization(runtime, organization_id, (writing) => saveScan(writing, { ...key, scan }))
}

/** Opens a document for download. Returns undefined until the scan has finished, and if the scanner refused it. */
export const openAttachment: Download = async (ctx, { organization_id, id }) => {
  const key = { organization_id, attachment_id: id }
  const found = await findAttachment(ctx, key)
  if (!found || (found.scan !== 'none' && found.scan !== 'clean')) return undefined
  const { content_type, bytes } = found
  return { file_name: fileNameOf(id, content_type), content_type, bytes, body: readPieces(ctx, key, bytes) }
}

/** Processing this many pieces takes about 20 ms. */
const pieces_in_a_chunk = 20

/** Re-encrypts the documents of an organization with the current key. */
export const reEncryptAttachments: ReEncryption = async (scope, organization_id) => {
  const { secrets } = scope
  const outdated = await listOutdatedPieces(scope, { organization_id, mark: secrets.mark(), most: pieces_in_a_chunk })
  for (const { attachment_id, position } of outdated) {
    const key = { organization_id, attachment_id, position }
    const { content_sealed } = (await findPiece(scope, key))!
    await savePiece(scope, { ...key, content_sealed: reseal(secrets, content_sealed) })
  }
  return outdated.length === pieces_in_a_chunk ? '' : null
}

/** The jobs that run these actions, by name. */
export const tasks = {
  scan_attachment: task(z.object({ organization_id: z.string(), attachment_id: z.string() }), scanAttachment),
}
