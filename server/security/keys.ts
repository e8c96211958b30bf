import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { ConfigError, secret_settings, type Config } from '../kernel/config.ts'
import { newSecretKeys, type SecretKeys } from './secrets.ts'

/** The content of DATA_DIR/secrets.json of an embedded database: the keys and the password of PostgreSQL. */
export type StoredKeys = SecretKeys & {
  database_password: string
  /** during a rotation: the next password, which may already be valid */
  next_database_password?: string
}

/**
 * Loads the keys from the settings, or for an embedded database from DATA_DIR/secrets.json. Changes nothing. Throws
 * ConfigError if the file is missing.
 */
export function loadKeys(config: Config): StoredKeys {
  const given = {
    ...(config.ENCRYPTION_KEYS && { encryption_keys: config.ENCRYPTION_KEYS }),
    ...(config.HASH_KEY && { hash_key: config.HASH_KEY }),
    ...(config.TOKEN_KEY && { token_key: config.TOKEN_KEY }),
    ...(config.OPERATOR_KEY && { operator_key: config.OPERATOR_KEY }),
  }
  if (config.DATABASE_URL) return { ...(given as SecretKeys), database_password: '' }
  return { ...readStoredKeys(config.DATA_DIR), ...given }
}

/** Loads the keys at the start of the service. The first start with an embedded database creates them. */
export function makeKeys(config: Config): StoredKeys {
  if (!config.DATABASE_URL) makeStoredKeys(config.DATA_DIR)
  return loadKeys(config)
}

/** The files with keys that may change while a process runs. */
export const keyFiles = (env: NodeJS.ProcessEnv, { DATABASE_URL, DATA_DIR }: Config): string[] => [
  ...(DATABASE_URL ? [] : [secretsFile(DATA_DIR)]),
  ...secret_settings.flatMap((name) => env[`${name}_FILE`] || []),
]

/** The file with the password of the embedded database and the keys that are not set by settings. */
export const secretsFile = (data_dir: string): string => join(data_dir, 'secrets.json')

/** Reads secrets.json of an embedded database. Throws ConfigError if it is missing or not JSON. */
export function readStoredKeys(data_dir: string): StoredKeys {
  const path = secretsFile(data_dir)
  if (!existsSync(path))
    throw new ConfigError(
      existsSync(join(data_dir, 'postgres')) ? withoutKeys(data_dir) : `There is no database in ${data_dir}.`,
    )
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as StoredKeys
  } catch {
    throw new ConfigError(
      `${path} is not valid JSON. Restore it from a backup: stored values cannot be decrypted without its keys.`,
    )
  }
}

const withoutKeys = (data_dir: string) =>
  `${data_dir} contains a database but not its secrets.json. Restore the file from a backup, because stored ` +
  'values cannot be read without its keys.'

export const newDatabasePassword = (): string => randomBytes(24).toString('base64url')

function makeStoredKeys(data_dir: string): void {
  const path = secretsFile(data_dir)
  if (existsSync(path)) return
  if (existsSync(join(data_dir, 'postgres'))) throw new ConfigError(withoutKeys(data_dir))
  mkdirSync(data_dir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  const keys: StoredKeys = { ...newSecretKeys(), database_password: newDatabasePassword() }
  // The keys are written to disk before the database exists: after a power failure, its encrypted values need these
  // keys.
  writeFileSync(draft, JSON.stringify(keys, null, 2), { mode: 0o600, flush: true })
  try {
    // Creating a hard link fails if the file exists. If two processes start at once, one writes the keys and both read
    // them.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}
