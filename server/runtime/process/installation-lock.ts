import { ConfigError, type Config } from '../../kernel/config.ts'
import type { Database, Db } from '../../database/query/database.ts'
import { every_organization } from '../../database/query/rows-of.ts'
import { statement } from '../../database/sql/statement.ts'
import { listProcesses } from './processes.ts'
import { listNotedKeys, recordKey, requireNotedKeys, type NotedKey } from '../../security/secret-keys.ts'
import { ring_names, ringOf, type RingKey, type RingName, type SecretKeys } from '../../security/secrets.ts'

/** The permanent kind of a database since its first start. A sandbox contains demo keys that reach everything in it. */
export type DatabaseKind = 'sandbox' | 'live'

/**
 * Decides whether a start is that of a sandbox. A new database (undefined) follows the setting, or else is a sandbox if
 * it is the embedded one. A live database stays live without a setting, such as when a backup is tested. Throws
 * ConfigError if the kind would change.
 */
export function kindOf(known: DatabaseKind | undefined, input: boolean | undefined, embedded: boolean): DatabaseKind {
  const sandbox = input ?? (known === 'live' ? false : embedded)
  if (known === 'live' && sandbox) {
    throw new ConfigError(
      'This database is live, and demo organizations would open it to everyone. Set SANDBOX=false, or use a separate ' +
        'database for the sandbox.',
    )
  }
  if (known === 'sandbox' && !sandbox) {
    throw new ConfigError(
      'This database is a sandbox, and its demo keys reach everything in it. Set SANDBOX=true, or use a separate ' +
        'database for production.',
    )
  }
  return sandbox ? 'sandbox' : 'live'
}

/**
 * Locks a migrated database for this start, or for changed keys of a running process, and returns its kind. The first
 * start determines the kind and the keys. Throws ConfigError if this start contradicts the kind, has other keys than
 * the data, or would use a key that other processes do not know yet. `process_id`: the calling process.
 */
export const lockInstallation = (
  database: Database,
  keys: SecretKeys,
  config: Config,
  process_id = '',
): Promise<DatabaseKind> =>
  database.transaction(every_organization, async (db) => {
    const known = await findInstallation(db)
    const kind = kindOf(known?.kind, config.SANDBOX, !config.DATABASE_URL)
    if (!known) await insertInstallation(db, kind)
    // If two processes start at once, the first one's value wins.
    const installation = (await findInstallation(db))!
    const noted = await listNotedKeys({ db })
    requireNotedKeys(noted, keys)
    await recordKeys(db, keys, noted, { process_id, is_first: known === undefined, is_alone: !config.DATABASE_URL })
    return kindOf(installation.kind, kind === 'sandbox', !config.DATABASE_URL)
  })

/**
 * The kind of a migrated database with these keys. Undefined before its first start. Changes nothing. Throws
 * ConfigError if the database belongs to other keys.
 */
export async function requireKeys(db: Db, keys: SecretKeys): Promise<DatabaseKind | undefined> {
  const known = await findInstallation(db)
  if (known) requireNotedKeys(await listNotedKeys({ db }), keys)
  return known?.kind
}

type Noting = { process_id: string; is_first: boolean; is_alone: boolean }

/**
 * Records the key of each ring that protects new data from now on. The other keys may never be used. The first start
 * records all encryption keys, since each may have been used before. Writes nothing if there is nothing new, so that a
 * read-only database can be served.
 */
async function recordKeys(db: Db, keys: SecretKeys, noted: NotedKey[], options: Noting): Promise<void> {
  for (const secret of ring_names) {
    const ring = ringOf(secret, keys)
    const noted_of_secret = noted.filter((note) => note.secret === secret)
    const used = options.is_first && secret === 'ENCRYPTION_KEYS' ? ring : ring.slice(0, 1)
    for (const key of used) {
      if (noted_of_secret.some(({ id }) => id === key.id)) continue
      if (secret !== 'TOKEN_KEY' && noted_of_secret.length > 0 && !options.is_alone)
        await requireKnown(db, options.process_id, secret, key)
      await recordKey(db, secret, key)
    }
  }
}

/** Another process that does not know a key could not find or read data that this process protects with it. */
async function requireKnown(db: Db, process_id: string, secret: RingName, { id }: RingKey): Promise<void> {
  const without = (await listProcesses({ db })).filter(
    (running) => running.id !== process_id && !running.known_keys.includes(`${secret}/${id}`),
  )
  if (without.length === 0) return
  throw new ConfigError(
    `${secret} begins with the key ${id}, which ${without.length} other running processes do not have yet. First add ` +
      'it after the current key in each of them, and then move it to the front.',
  )
}

const found = statement('installation.findInstallation', 'select kind from installation')

const findInstallation = (db: Db) => found.row<{ kind: DatabaseKind }>({ db })

const inserted = statement(
  'installation.insertInstallation',
  'insert into installation (kind, started_at) values (:kind, now()) on conflict do nothing',
)

const insertInstallation = (db: Db, kind: DatabaseKind) => inserted.rows({ db }, { kind })
