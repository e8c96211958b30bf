import { read, statement } from '../../../database/sql/statement.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { attachmentsJson, linkAttachments, type ShownAttachment } from '../../directory/files/queries.ts'
import { inReachOfDependent, type DependentKey } from './queries.ts'
import type { VerificationFacts } from './rules.ts'

const attachable_found = statement(
  'dependents.findAttachable',
  `select dependent.verification, dependent.ended_on is not null as is_ended,
          (select count(*) from dependent_attachments
            where dependent_id = dependent.id and organization_id = :organization_id)::int as attachment_count
     from dependents as dependent
    where dependent.id = :dependent_id and dependent.organization_id = :organization_id`,
)

/** The facts that decide whether a document can be attached to a dependent. */
export const findAttachable = async (ctx: Ctx, { organization_id, dependent_id }: DependentKey) =>
  (await attachable_found.row<VerificationFacts>(ctx, { organization_id, dependent_id }))!

/** Finds a document of a dependent within reach. */
export const locateAttachment = read(
  'dependents.locateAttachment',
  `select attachment.id as attachment_id, dependent.id as dependent_id, dependent.organization_id, dependent.member_id
     from dependents as dependent
     join dependent_attachments as attachment
       on attachment.dependent_id = dependent.id and attachment.organization_id = dependent.organization_id
    where dependent.id = :dependent_id and attachment.id = :dependent_attachment_id and ${inReachOfDependent}`,
).row<DependentKey & { attachment_id: string }>

export const insertAttachment = statement(
  'dependents.insertAttachment',
  `insert into dependent_attachments (id, organization_id, dependent_id, file_name, created_at)
   values (:id, :organization_id, :dependent_id, :file_name, :now)`,
).rows

/** Saves the status of the verification without a decision. Undefined if it is the status already. */
export const saveStatus = statement(
  'dependents.saveStatus',
  `update dependents
      set verification = :status, verification_decided_at = null, verification_reason = null, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id and verification <> :status
   returning id`,
).row<{ id: string }>

export const saveDecision = statement(
  'dependents.saveDecision',
  `update dependents
      set verification = :status, verification_decided_at = :now, verification_reason = :reason, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id`,
).rows

const listed = read(
  'dependents.listAttachments',
  `select ${attachmentsJson('dependent_attachments', 'dependent_id', 'dependent')} as attachments
     from dependents as dependent
    where dependent.id = :dependent_id and ${inReachOfDependent}`,
)

/** The documents of a dependent with download links. Undefined if the dependent is out of reach. */
export async function listAttachments(ctx: ReadCtx, dependent_id: string) {
  const found = await listed.row<{ attachments: ShownAttachment[] }>(ctx, { dependent_id })
  if (found) await linkAttachments(ctx, 'dependent_attachment', found.attachments)
  return found?.attachments
}
