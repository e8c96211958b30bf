import { verifyTrail } from '../modules/audit/actions.ts'
import { openDatabase } from '../platform/database/database.ts'
import { every_organization } from '../platform/database/rows-of.ts'
import { loadKeys } from '../platform/keys.ts'
import { name as database_name } from '../platform/postgres/data.ts'
import { roleUrls } from '../platform/postgres/roles.ts'
import { startCluster, urlOfRunning } from '../platform/postgres/cluster.ts'
import { openSecrets } from '../platform/secrets.ts'
import { readConfig } from '../kernel/config.ts'

export type VerifyOptions = {
  from?: string | undefined
  to?: string | undefined
  /** `day:hex`, each a seal that was noted elsewhere */
  seal?: string[] | undefined
}

/**
 * Holds the audit trail of the service of this environment against its hashes, and says each entry that was changed,
 * removed or put in. Answers whether all is as it was written. It only reads, also beside a service that runs.
 */
export async function verifyAudit(
  env: NodeJS.ProcessEnv,
  { from, to, seal = [] }: VerifyOptions,
  say: (line: string) => void,
): Promise<boolean> {
  const config = readConfig(env)
  const keys = loadKeys(config)
  const { url, stop } = await reach(config.DATABASE_URL, config.DATA_DIR, keys.database_password)
  const database = openDatabase({ url, prepared_statements: config.PREPARED_STATEMENTS })
  try {
    const found = await verifyTrail(database.reads(every_organization), openSecrets(keys), {
      from,
      to,
      known: new Map(seal.map((each) => each.split(':') as [string, string])),
      now: Date.now(),
      retention_years: config.AUDIT_RETENTION_YEARS,
    })
    for (const fault of found.faults) say(`! ${fault}`)
    for (const day of found.unsealed) say(`  ${day} is over and not sealed yet: its end may have been cut off.`)
    const { last_seal } = found
    if (last_seal) say(`The last seal is ${last_seal.day}:${last_seal.seal.toString('hex')}; keep it elsewhere.`)
    const read = `${found.entries} entries of ${found.days} days`
    say(found.faults.length === 0 ? `${read} are as they were written.` : `${read}, and ${found.faults.length} faults.`)
    return found.faults.length === 0
  } finally {
    await database.close()
    await stop()
  }
}

/** The database of a service: the one of the settings, or the embedded one, which is started if nobody runs it. */
async function reach(url: string | undefined, data_dir: string, password: string) {
  if (url !== undefined) return { url, stop: async () => undefined }
  const running = await urlOfRunning(data_dir, password)
  const cluster = running === undefined ? await startCluster({ data_dir, password }) : undefined
  const roles = roleUrls({ url: running ?? cluster!.url }, password, database_name)
  return { url: roles.url, stop: async () => cluster?.stop() }
}
