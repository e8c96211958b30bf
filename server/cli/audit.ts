import { verifyTrail, type Verification } from '../modules/access/audit/actions.ts'
import { openAsFound } from '../database/citus/sharding-state.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'
import { loadKeys } from '../security/keys.ts'
import { openKnownSecrets } from '../security/secret-keys.ts'
import { reach, settingsOf } from './reach.ts'

export type VerifyOptions = {
  from?: string | undefined
  to?: string | undefined
  /** `day:hex`, each a seal that was noted elsewhere */
  seal?: string[] | undefined
}

/** What was found, as programs are told it: seals in hex. */
export type VerifiedTrail = Omit<Verification, 'last_seal'> & { last_seal: { day: string; seal: string } | null }

/**
 * Holds the audit trail of the service of this environment against its hashes, and answers each entry that was changed,
 * removed or put in. It only reads, also beside a service that runs.
 */
export async function verifyAudit(env: NodeJS.ProcessEnv, asked: VerifyOptions): Promise<VerifiedTrail> {
  const { from, to, seal = [] } = asked
  const config = settingsOf(env)
  const keys = loadKeys(config)
  const { url, stop } = await reach(config, keys)
  const database = await openAsFound({ url, prepared_statements: config.PREPARED_STATEMENTS })
  try {
    const secrets = await openKnownSecrets(database.reads(no_organization), keys)
    const { last_seal, ...found } = await verifyTrail(database.reads(every_organization), secrets, {
      from,
      to,
      known: new Map(seal.map((each) => each.split(':') as [string, string])),
      now: Date.now(),
      retention_years: config.AUDIT_RETENTION_YEARS,
    })
    return { ...found, last_seal: last_seal ? { day: last_seal.day, seal: last_seal.seal.toString('hex') } : null }
  } finally {
    await database.close()
    await stop()
  }
}

/** The same for people. */
export function toldOf({ faults, unsealed, last_seal, entries, days }: VerifiedTrail): string[] {
  const read = `${entries} entries of ${days} days`
  return [
    ...faults.map((fault) => `! ${fault}`),
    ...unsealed.map((day) => `  ${day} is over and not sealed yet: its end may have been cut off.`),
    ...(last_seal ? [`The last seal is ${last_seal.day}:${last_seal.seal}; keep it elsewhere.`] : []),
    faults.length === 0 ? `${read} are as they were written.` : `${read}, and ${faults.length} faults.`,
  ]
}
