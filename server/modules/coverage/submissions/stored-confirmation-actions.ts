import { createHash } from 'node:crypto'
import { z } from 'zod'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import { task } from '../../../jobs/worker.ts'
import { newId } from '../../../kernel/ids.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { contextOf, inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import type { ReEncryption } from '../../../security/re-encrypt.ts'
import { reseal } from '../../../security/secrets.ts'
import { openFile, storeDocument } from '../../directory/files/actions.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { confirmationOf, present_elections } from './confirmation-actions.ts'
import {
  findSealedConfirmation,
  insertConfirmation,
  listOutdatedConfirmations,
  listConfirmations,
  saveRendered,
  saveSealedConfirmation,
  type ConfirmationKey,
} from './queries.ts'

/**
 * Stores the confirmation of a submission, in the transaction of the submission. Its contents are encrypted at once,
 * and a job renders them as a PDF, which never changes again.
 */
export async function storeConfirmation(
  ctx: Ctx,
  { employee_id, organization_id }: EmployeeKey,
  { language, enrollment_ids }: { language: 'en' | 'es'; enrollment_ids: string[] },
): Promise<void> {
  const document = await confirmationOf(ctx, { organization_id, employee_id }, language)
  const key = { organization_id, confirmation_id: newId('conf') }
  const document_sealed = ctx.secrets.encrypt(JSON.stringify(document))
  await insertConfirmation(ctx, { ...key, employee_id, language, enrollment_ids, document_sealed })
  await ctx.enqueue('render_confirmation', key, { key: `render_confirmation:${key.confirmation_id}` })
}

/** The confirmations of an employee with download links, latest first. Undefined if the employee is out of reach. */
export async function showConfirmations(ctx: ReadCtx, employee_id: string): Promise<string | undefined> {
  const found = await listConfirmations(ctx, { employee_id })
  if (!found) return undefined
  const { organization_id, confirmations } = found
  const linked = confirmations.map(async (one) => ({
    ...one,
    file: await downloadLink(ctx, { kind: 'enrollment_confirmation', organization_id, id: one.id }),
  }))
  return JSON.stringify(await Promise.all(linked))
}

/** Renders the PDF of a confirmation and stores it encrypted, unless it is stored. Returns the PDF if it was not. */
async function renderConfirmation(runtime: Runtime, key: ConfirmationKey): Promise<Buffer | undefined> {
  const { organization_id, confirmation_id: file_id } = key
  const ctx = contextOf(runtime, serviceCaller(organization_id), runtime.database.reads([organization_id]))
  const found = await findSealedConfirmation(ctx, key)
  if (!found?.document_sealed) return undefined
  const bytes = await renderForOrganization(
    organization_id,
    'confirmation',
    ctx.secrets.decryptBytes(found.document_sealed).toString(),
  )
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await inOrganization(runtime, organization_id, async (writing) => {
    if (!(await saveRendered(writing, { ...key, sha256 }))) return
    await storeDocument(writing, { organization_id, file_id }, { bytes, content_type: 'application/pdf', sha256 })
  })
  return bytes
}

/** Opens the PDF of a confirmation. Renders it first if its job has not run yet. */
const openConfirmation: Download = async (ctx, { organization_id, id }, runtime) => {
  const openStored = () => openFile(ctx, { organization_id, file_id: id }, `benefits-${id}`)
  const stored = await openStored()
  if (stored) return stored
  const body = await renderConfirmation(runtime, { organization_id, confirmation_id: id })
  // The job may have stored the PDF in the meantime.
  if (!body) return openStored()
  return { file_name: `benefits-${id}.pdf`, content_type: 'application/pdf', bytes: body.length, body }
}

/** The download kinds: the stored confirmations, and the current elections in each language. */
export const confirmations = { enrollment_confirmation: openConfirmation, ...present_elections }

/** Re-encrypts the confirmations of an organization that are not rendered yet with the current key. */
export const reEncryptConfirmations: ReEncryption = async (scope, organization_id, { most }) => {
  const { secrets } = scope
  const outdated = await listOutdatedConfirmations(scope, { organization_id, mark: secrets.mark(), most })
  for (const { confirmation_id, document_sealed } of outdated) {
    const fresh = reseal(secrets, document_sealed)
    await saveSealedConfirmation(scope, { organization_id, confirmation_id, document_sealed: fresh })
  }
  return outdated.length === most ? '' : null
}

/** The jobs that run these actions, by name. */
export const tasks = {
  render_confirmation: task(
    z.object({ organization_id: z.string(), confirmation_id: z.string() }),
    async (runtime, key) => void (await renderConfirmation(runtime, key)),
  ),
}
