import { verifyAuditLog, type Verification } from '../modules/access/audit/actions.ts'
import { openAsFound } from '../database/citus/sharding-state.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'
import { loadKeys } from '../security/keys.ts'
import { openKnownSecrets } from '../security/secret-keys.ts'
import { reach } from './connect.ts'
import { readSettings } from '../runtime/settings.ts'
import { easternDay } from '../kernel/days.ts'
import { recordAudit } from '../http/audit/audit.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { WriteScope } from '../runtime/ctx.ts'
import type { Db } from '../database/query/database.ts'
import type { SecretKeys } from '../security/secrets.ts'

export type VerifyOptions = {
  from?: string | undefined
  to?: string | undefined
  /** `day:hex`, each a seal that was kept elsewhere */
  seal?: string[] | undefined
}

/** The result of the command as JSON. Seals are in hex. */
export type VerifiedAuditLog = Omit<Verification, 'last_seal'> & { last_seal: { day: string; seal: string } | null }

/**
 * Verifies the audit log of this environment by its hashes, and returns each entry that was changed, removed or
 * inserted. It only reads, and works while the service runs.
 */
export async function verifyAudit(env: NodeJS.ProcessEnv, options: VerifyOptions): Promise<VerifiedAuditLog> {
  const { from, to, seal = [] } = options
  const config = readSettings(env)
  const keys = loadKeys(config)
  const { url, stop } = await reach(config, keys)
  const database = await openAsFound({ url, prepared_statements: config.PREPARED_STATEMENTS })
  try {
    const secrets = await openKnownSecrets(database.reads(no_organization), keys)
    const { last_seal, ...found } = await verifyAuditLog(database.reads(every_organization), secrets, {
      from,
      to,
      known: new Map(seal.map((day_seal) => day_seal.split(':') as [string, string])),
      now: Date.now(),
      retention_years: config.AUDIT_RETENTION_YEARS,
    })
    return { ...found, last_seal: last_seal ? { day: last_seal.day, seal: last_seal.seal.toString('hex') } : null }
  } finally {
    await database.close()
    await stop()
  }
}

/** The result of the command as lines of text. */
export function linesOf({ faults, unsealed, last_seal, entries, days }: VerifiedAuditLog): string[] {
  return [
    ...faults.map((fault) => `! ${fault}`),
    ...unsealed.map((day) => `  ${day} is not sealed yet. A removal of its last entries cannot be detected.`),
    ...(last_seal ? [`The last seal is ${last_seal.day}:${last_seal.seal}; keep it elsewhere.`] : []),
    `Entries: ${entries}. Days: ${days}. Faults: ${faults.length}.`,
  ]
}

/** The scope of a command's writes in a transaction. */
export function commandScope(db: Db): WriteScope {
  const now = new Date().toISOString()
  const caller = { ...serviceCaller(null), credential_id: 'command' }
  return { db, caller, today: easternDay(Date.parse(now)), now, real_now: now }
}

/** A write of a command. `command`: its words joined by slashes, the request id of the audit entry. */
type CommandAction = { command: string; operation: string; resource_id: string; fields: string[] }

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
