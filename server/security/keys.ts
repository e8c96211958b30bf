import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { ConfigError, secret_settings, type Config } from '../kernel/config.ts'
import { newSecretKeys, type SecretKeys } from './secrets.ts'

/** What an installation with the embedded database keeps for itself: its keys and the password of its PostgreSQL. */
export type Kept = SecretKeys & {
  database_password: string
  /** while it is replaced: the one that follows it, and may be good already */
  next_database_password?: string
}

/**
 * The keys: from the settings, or with the embedded database from DATA_DIR/secrets.json. Changes nothing. Throws
 * ConfigError where there is no such file.
 */
export function loadKeys(config: Config): Kept {
  const given = {
    ...(config.ENCRYPTION_KEYS && { encryption_keys: config.ENCRYPTION_KEYS }),
    ...(config.HASH_KEY && { hash_key: config.HASH_KEY }),
    ...(config.TOKEN_KEY && { token_key: config.TOKEN_KEY }),
    ...(config.OPERATOR_KEY && { operator_key: config.OPERATOR_KEY }),
  }
  if (config.DATABASE_URL) return { ...(given as SecretKeys), database_password: '' }
  return { ...keptIn(config.DATA_DIR), ...given }
}

/** The same for a start of the service: the first one with the embedded database makes them. */
export function makeKeys(config: Config): Kept {
  if (!config.DATABASE_URL) makeKept(config.DATA_DIR)
  return loadKeys(config)
}

/** Where keys stand that may be replaced while a process runs. */
export const keyFiles = (env: NodeJS.ProcessEnv, { DATABASE_URL, DATA_DIR }: Config): string[] => [
  ...(DATABASE_URL ? [] : [secretsFile(DATA_DIR)]),
  ...secret_settings.flatMap((name) => env[`${name}_FILE`] || []),
]

/** What the embedded database is opened with, and its secrets unless settings say others. */
export const secretsFile = (data_dir: string): string => join(data_dir, 'secrets.json')

/** What an installation with the embedded database keeps. Throws ConfigError where there is no such file. */
export function keptIn(data_dir: string): Kept {
  const path = secretsFile(data_dir)
  if (!existsSync(path))
    throw new ConfigError(
      existsSync(join(data_dir, 'postgres')) ? withoutKeys(data_dir) : `There is no database in ${data_dir}.`,
    )
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Kept
  } catch {
    throw new ConfigError(
      `${path} can't be read as JSON: restore it from a backup, since without its keys stored values are lost.`,
    )
  }
}

const withoutKeys = (data_dir: string) =>
  `${data_dir} holds a database but not its secrets.json: restore that from a backup, since without its keys stored ` +
  'values are lost.'

export const newDatabasePassword = (): string => randomBytes(24).toString('base64url')

function makeKept(data_dir: string): void {
  const path = secretsFile(data_dir)
  if (existsSync(path)) return
  if (existsSync(join(data_dir, 'postgres'))) throw new ConfigError(withoutKeys(data_dir))
  mkdirSync(data_dir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  const keys: Kept = { ...newSecretKeys(), database_password: newDatabasePassword() }
  // To the disk before the database is: what it encrypts could not be read without them after a power failure.
  writeFileSync(draft, JSON.stringify(keys, null, 2), { mode: 0o600, flush: true })
  try {
    // A link is made only where nothing stands: of two first starts at once, one writes the keys and both read them.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}
