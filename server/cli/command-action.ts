import { easternDay } from '../kernel/days.ts'
import { recordAudit } from '../http/audit/audit.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { WriteScope } from '../runtime/ctx.ts'
import type { Db } from '../database/query/database.ts'
import { openKnownSecrets } from '../security/secret-keys.ts'
import type { SecretKeys } from '../security/secrets.ts'

/** What an action of a command needs, over a transaction. */
export function commandScope(db: Db): WriteScope {
  const now = new Date().toISOString()
  const caller = { ...serviceCaller(null), credential_id: 'command' }
  return { db, caller, today: easternDay(Date.parse(now)), now, real_now: now }
}

/** An action of a command; `command`: its words, without blanks, which stand in place of the id of a request. */
export type CommandAction = { command: string; operation: string; resource_id: string; fields: string[] }

/** Writes it into the audit trail, which is told that nobody but whoever has the database did it. */
export async function recordAction(
  scope: WriteScope,
  keys: SecretKeys,
  { command, ...action }: CommandAction,
): Promise<void> {
  const secrets = await openKnownSecrets(scope.db, keys)
  const by_command = { organization_id: null, status: 201, address: null, trace_id: command, holds_lock: false }
  await recordAudit({ ...scope, secrets }, { ...action, ...by_command })
}
