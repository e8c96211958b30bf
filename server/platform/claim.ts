import { ConfigError, type Config } from '../kernel/config.ts'
import type { Database, Db } from './database/database.ts'
import { every_organization } from './database/rows-of.ts'
import { statement } from './database/statement.ts'
import { openSecrets, type SecretKeys } from './secrets.ts'

/** What a database is for good, since its first start: a sandbox holds demo keys that reach everything in it. */
export type DatabaseKind = 'sandbox' | 'live'

/** Whose keys these are is asked of values that are the same for ever. */
const hash_probe = 'the hash key of this database'
const encryption_probe = 'an encryption key of this database'

const other_hash_key =
  'The hash key is another than the one by which this database finds EINs: start with the one that it was ' +
  'started with before, from HASH_KEY or secrets.json.'
const otherEncryptionKey = (id: string) =>
  `The encryption key ${id} is missing, or another than the one with which values of this database are ` +
  'encrypted: start with the one that it was started with before, from ENCRYPTION_KEYS or secrets.json.'

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
 * Takes the migrated database for this start, and answers what it is. The first start sets that, and whose keys it
 * has. Throws ConfigError when this start says otherwise, or brings other keys than the data's.
 */
export const claimDatabase = (database: Database, keys: SecretKeys, config: Config): Promise<DatabaseKind> =>
  database.transaction(every_organization, async (db) => {
    const known = await findInstallation(db)
    const kind = kindOf(known?.kind ?? (await kindOfData(db)), config.SANDBOX, !config.DATABASE_URL)
    const { lookupHash } = openSecrets(keys)
    if (!known) {
      await requireKeysOfData(db, keys)
      await insertInstallation(db, kind, lookupHash(hash_probe))
    }
    // Of two first starts at once one was faster: what it has set counts.
    const { hash_key_check, ...set } = (await findInstallation(db))!
    if (!hash_key_check.equals(lookupHash(hash_probe))) throw new ConfigError(other_hash_key)
    await noteEncryptionKeys(db, keys, known === undefined)
    await requireEncryptionKeys(db, keys)
    return kindOf(set.kind, kind === 'sandbox', !config.DATABASE_URL)
  })

/**
 * What a migrated database is, whose keys these are; undefined before its first start. Changes nothing. Throws
 * ConfigError when they are another's.
 */
export async function requireKeys(db: Db, keys: SecretKeys): Promise<DatabaseKind | undefined> {
  const known = await findInstallation(db)
  if (!known) return undefined
  if (!known.hash_key_check.equals(openSecrets(keys).lookupHash(hash_probe))) throw new ConfigError(other_hash_key)
  await requireEncryptionKeys(db, keys)
  return known.kind
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
  const ein = opened(keys, employer.ein_sealed)
  const digits = ein.replaceAll(/\D/g, '')
  if (!openSecrets(keys).lookupHash(digits).equals(employer.ein_hash)) throw new ConfigError(other_hash_key)
}

const noted_keys = statement('claim.listNotedKeys', 'select id from encryption_keys')
const key_noted = statement(
  'claim.noteEncryptionKey',
  'insert into encryption_keys (id, check_value, noted_at) values (:id, :check_value, now()) on conflict do nothing',
)

/**
 * Notes the key that encrypts from now on: only that one, since the others may never come to encrypt anything. At first
 * all of them, since each may have done so before. Writes nothing when nothing is new: a database that takes no writes
 * can be served from.
 */
async function noteEncryptionKeys(db: Db, keys: SecretKeys, all: boolean): Promise<void> {
  const entries = keys.encryption_keys.split(',')
  const noted = new Set((await noted_keys.rows<{ id: string }>({ db })).map(({ id }) => id))
  for (const entry of all ? entries : entries.slice(0, 1)) {
    const id = entry.split(':')[0]!
    if (noted.has(id)) continue
    const { encrypt } = openSecrets({ ...keys, encryption_keys: entry })
    await key_noted.rows({ db }, { id, check_value: encrypt(encryption_probe) })
  }
}

const check_values = statement('claim.listCheckValues', 'select check_value from encryption_keys order by noted_at, id')

async function requireEncryptionKeys(db: Db, keys: SecretKeys): Promise<void> {
  const noted = await check_values.rows<{ check_value: Buffer }>({ db })
  for (const { check_value } of noted) opened(keys, check_value)
}

function opened(keys: SecretKeys, sealed: Buffer): string {
  try {
    return openSecrets(keys).decrypt(sealed)
  } catch {
    throw new ConfigError(otherEncryptionKey(sealed.subarray(1, 1 + sealed[0]!).toString()))
  }
}

const found = statement('claim.findInstallation', 'select kind, hash_key_check from installation')

const findInstallation = (db: Db) => found.row<{ kind: DatabaseKind; hash_key_check: Buffer }>({ db })

const inserted = statement(
  'claim.insertInstallation',
  `insert into installation (kind, hash_key_check, started_at) values (:kind, :hash_key_check, now())
   on conflict do nothing`,
)

const insertInstallation = (db: Db, kind: DatabaseKind, hash_key_check: Buffer) =>
  inserted.rows({ db }, { kind, hash_key_check })
