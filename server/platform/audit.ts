import type { WriteScope } from './ctx.ts'
import { statement } from './database/statement.ts'
import { newId } from '../kernel/ids.ts'

export type AuditedWrite = {
  operation: string
  organization_id: string | null
  /** the resource that was made or changed */
  resource_id: string | null
  /** the names of the body's fields, never their values */
  fields: string[]
  trace_id: string
}

const recorded = statement(
  'audit.recordAudit',
  `insert into audit_entries
     (id, organization_id, operation, resource_id, fields, credential_id, user_id, trace_id, created_at)
   values
     (:id, :organization_id, :operation, :resource_id, :fields, :credential_id, :user_id, :trace_id, :real_now)`,
)

/** Writes who did what in the transaction of the deed. Append-only. */
export async function recordAudit(ctx: WriteScope, deed: AuditedWrite): Promise<void> {
  const { credential_id, user_id } = ctx.caller
  await recorded.rows(ctx, { id: newId('aud'), credential_id, user_id, ...deed })
}
