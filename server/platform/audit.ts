import type { Ctx } from './ctx.ts'
import { newId } from '../kernel/ids.ts'

export type Deed = {
  operation: string
  organization_id: string | null
  /** the resource that was made or changed */
  resource_id: string | null
  /** the names of the body's fields, never their values */
  fields: string[]
  trace_id: string
}

/** Writes who did what in the transaction of the deed. Append-only. */
export async function recordAudit(ctx: Ctx, deed: Deed): Promise<void> {
  await ctx.db.rows(
    `insert into audit_entries (id, organization_id, operation, resource_id, fields, credential_id, user_id, trace_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      newId('aud'),
      deed.organization_id,
      deed.operation,
      deed.resource_id,
      deed.fields,
      ctx.caller.credential_id,
      ctx.caller.user_id,
      deed.trace_id,
      ctx.real_now,
    ],
  )
}
