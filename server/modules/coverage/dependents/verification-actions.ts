import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { storeFile } from '../../directory/files/actions.ts'
import { deleteFile } from '../../directory/files/queries.ts'
import type { NewAttachment } from '../../directory/files/schemas.ts'
import { publishVerification, requireEmployed, withdrawDecision } from './actions.ts'
import type { DependentKey } from './queries.ts'
import { whyNotAttach, whyNotDetach } from './rules.ts'
import type { VerificationDecision } from './schemas.ts'
import { findAttachable, insertAttachment, saveDecision } from './verification-queries.ts'

/** Attaches a document that proves the relationship of a dependent, whose verification is then pending. */
export async function attachFile(
  ctx: Ctx,
  dependent: DependentKey,
  { file_name, content }: NewAttachment,
): Promise<void> {
  const { organization_id, dependent_id } = dependent
  await requireEmployed(ctx, organization_id)
  refuse(whyNotAttach(await findAttachable(ctx, dependent)))
  const id = newId('att')
  await storeFile(ctx, { organization_id, file_id: id }, content)
  await insertAttachment(ctx, { id, organization_id, dependent_id, file_name })
  await withdrawDecision(ctx, dependent, 1)
}

/** Removes a document and deletes its content. Without documents, a pending dependent is unverified again. */
export async function detachFile(ctx: Ctx, dependent: DependentKey & { attachment_id: string }): Promise<void> {
  const { organization_id, attachment_id: file_id } = dependent
  await requireEmployed(ctx, organization_id)
  const about = await findAttachable(ctx, dependent)
  refuse(whyNotDetach(about, ctx.caller.reach.employee_id !== null))
  await deleteFile(ctx, { organization_id, file_id })
  if (about.verification === 'pending' && about.attachment_count === 1) await withdrawDecision(ctx, dependent, 0)
}

/** Verifies or rejects a dependent, even in place of an earlier decision. The audit log records the member. */
export async function decideVerification(
  ctx: Ctx,
  dependent: DependentKey,
  { status, reason }: VerificationDecision,
): Promise<void> {
  const { organization_id, dependent_id } = dependent
  await saveDecision(ctx, { organization_id, dependent_id, status, reason: reason ?? (null as unknown as string) })
  await publishVerification(ctx, dependent, 'decided')
}
