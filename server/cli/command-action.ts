import { easternDay } from '../kernel/days.ts'
import { recordAudit } from '../http/audit/audit.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { WriteScope } from '../runtime/ctx.ts'
import type { Db } from '../database/query/database.ts'
import { openKnownSecrets } from '../security/secret-keys.ts'
import type { SecretKeys } from '../security/secrets.ts'

/** The scope of a command's writes in a transaction. */
export function commandScope(db: Db): WriteScope {
  const now = new Date().toISOString()
  const caller = { ...serviceCaller(null), credential_id: 'command' }
  return { db, caller, today: easternDay(Date.parse(now)), now, real_now: now }
}

/** A write of a command. `command`: its words joined by slashes, the request id of the audit entry. */
export type CommandAction = { command: string; operation: string; resource_id: string; fields: string[] }

/** Adds the action to the audit log, as an action of someone with access to the database. */
export async function recordAction(
  scope: WriteScope,
  keys: SecretKeys,
  { command, ...action }: CommandAction,
): Promise<void> {
  const secrets = await openKnownSecrets(scope.db, keys)
  const by_command = { organization_id: null, status: 201, address: null, trace_id: command, holds_lock: false }
  await recordAudit({ ...scope, secrets }, { ...action, ...by_command })
}
