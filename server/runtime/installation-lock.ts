import { ConfigError, type Config } from '../kernel/config.ts'
import type { Database, Db } from '../database/query/database.ts'
import { every_organization } from '../database/query/rows-of.ts'
import { statement } from '../database/sql/statement.ts'
import { listProcesses } from './processes.ts'
import {
  listNotedKeys,
  noteKey,
  other_hash_key,
  otherEncryptionKey,
  requireNotedKeys,
  type NotedKey,
} from '../security/secret-keys.ts'
import {
  openSecrets,
  ring_names,
  ringOf,
  sealedBy,
  type RingKey,
  type RingName,
  type SecretKeys,
} from '../security/secrets.ts'

/** What a database is for good, since its first start: a sandbox holds demo keys that reach everything in it. */
export type DatabaseKind = 'sandbox' | 'live'

/**
 * Whether a start is that of a sandbox. A database that is not known yet (undefined) becomes what is said, else a
 * sandbox when it is the embedded one. A live one stays live where nothing is said, as when a back-up is tried.
 * Throws ConfigError where it would become something else.
 */
export function kindOf(known: DatabaseKind | undefined, said: boolean | undefined, embedded: boolean): DatabaseKind {
  const sandbox = said ?? (known === 'live' ? false : embedded)
  if (known === 'live' && sandbox) {
    throw new ConfigError(
      'This database is live, and demo organizations would open it to everybody: set SANDBOX=false, or give ' +
        'the sandbox a database of its own.',
    )
  }
  if (known === 'sandbox' && !sandbox) {
    throw new ConfigError(
      'This database is a sandbox, whose demo keys reach everything in it: set SANDBOX=true, or begin ' +
        'production with a database of its own.',
    )
  }
  return sandbox ? 'sandbox' : 'live'
}

/**
 * Takes the migrated database for this start, or for keys that a process that runs goes by from now on, and answers
 * what it is. The first start sets that, and whose keys it has. Throws ConfigError when this start says otherwise,
 * brings other keys than the data's, or would use one that other processes don't know yet. `process_id`: of the one
 * that asks.
 */
export const claimDatabase = (
  database: Database,
  keys: SecretKeys,
  config: Config,
  process_id = '',
): Promise<DatabaseKind> =>
  database.transaction(every_organization, async (db) => {
    const known = await findInstallation(db)
    const kind = kindOf(known?.kind ?? (await kindOfData(db)), config.SANDBOX, !config.DATABASE_URL)
    if (!known) {
      await requireKeysOfData(db, keys)
      await insertInstallation(db, kind)
    }
    // Of two first starts at once one was faster: what it has set counts.
    const set = (await findInstallation(db))!
    const noted = await listNotedKeys(db)
    requireNotedKeys(noted, keys)
    await noteKeys(db, keys, noted, { process_id, is_first: known === undefined, is_alone: !config.DATABASE_URL })
    return kindOf(set.kind, kind === 'sandbox', !config.DATABASE_URL)
  })

/**
 * What a migrated database is, whose keys these are; undefined before its first start. Changes nothing. Throws
 * ConfigError when they are another's.
 */
export async function requireKeys(db: Db, keys: SecretKeys): Promise<DatabaseKind | undefined> {
  const known = await findInstallation(db)
  if (known) requireNotedKeys(await listNotedKeys(db), keys)
  return known?.kind
}

type Noting = { process_id: string; is_first: boolean; is_alone: boolean }

/**
 * Notes the key of each ring that makes what is new from now on: only that one, since the others may never come to make
 * anything. At first all that encrypt, since each may have done so before. Writes nothing when nothing is new: a
 * database that takes no writes can be served from.
 */
async function noteKeys(db: Db, keys: SecretKeys, noted: NotedKey[], asked: Noting): Promise<void> {
  for (const secret of ring_names) {
    const ring = ringOf(secret, keys)
    const theirs = noted.filter((each) => each.secret === secret)
    const used = asked.is_first && secret === 'ENCRYPTION_KEYS' ? ring : ring.slice(0, 1)
    for (const key of used) {
      if (theirs.some(({ id }) => id === key.id)) continue
      if (secret !== 'TOKEN_KEY' && theirs.length > 0 && !asked.is_alone)
        await requireKnown(db, asked.process_id, secret, key)
      await noteKey(db, secret, key)
    }
  }
}

/** What one process makes with a key, another that does not know it would not find or read. */
async function requireKnown(db: Db, process_id: string, secret: RingName, { id }: RingKey): Promise<void> {
  const without = (await listProcesses(db)).filter(
    (each) => each.id !== process_id && !each.known_keys.includes(`${secret}/${id}`),
  )
  if (without.length === 0) return
  throw new ConfigError(
    `${secret} begins with the key ${id}, which ${without.length} other running processes don't know yet: put it ` +
      'behind the present one in each of them first, and then in front.',
  )
}

const any_organization = statement(
  'claim.findAnyOrganization',
  'select sandbox from organizations order by sandbox desc limit 1',
)

/** What a database is that was started before databases remembered it. */
async function kindOfData(db: Db): Promise<DatabaseKind | undefined> {
  const found = await any_organization.row<{ sandbox: boolean }>({ db })
  return found && (found.sandbox ? 'sandbox' : 'live')
}

const last_employer = statement(
  'claim.findLastEmployer',
  'select ein_sealed, ein_hash from employers order by created_at desc, id desc limit 1',
)

/** Asks data from before the check values whose keys it has. */
async function requireKeysOfData(db: Db, keys: SecretKeys): Promise<void> {
  const employer = await last_employer.row<{ ein_sealed: Buffer; ein_hash: Buffer }>({ db })
  if (!employer) return
  const { decrypt, lookupHashes } = openSecrets(keys)
  let ein: string
  try {
    ein = decrypt(employer.ein_sealed)
  } catch {
    throw new ConfigError(otherEncryptionKey(sealedBy(employer.ein_sealed)))
  }
  const hashes = lookupHashes(ein.replaceAll(/\D/g, ''))
  if (!hashes.some((hash) => hash.equals(employer.ein_hash))) throw new ConfigError(other_hash_key)
}

const found = statement('claim.findInstallation', 'select kind from installation')

const findInstallation = (db: Db) => found.row<{ kind: DatabaseKind }>({ db })

const inserted = statement(
  'claim.insertInstallation',
  'insert into installation (kind, started_at) values (:kind, now()) on conflict do nothing',
)

const insertInstallation = (db: Db, kind: DatabaseKind) => inserted.rows({ db }, { kind })
