import { chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readStoredKeys, loadKeys, secretsFile, type StoredKeys } from '../security/keys.ts'
import { ring_fields, type SecretKeys } from '../security/secrets.ts'
import { readSettings } from '../runtime/settings.ts'

const fields = { ...ring_fields, OPERATOR_KEY: 'operator_key' } as const satisfies Record<string, keyof SecretKeys>

/** The name of a setting that holds a secret. */
type KeyName = keyof typeof fields

/** The name of such a setting, or of the password of the embedded database, which is not a setting. */
export type SecretName = KeyName | 'DATABASE_PASSWORD'

export const secret_names = [...(Object.keys(fields) as KeyName[]), 'DATABASE_PASSWORD'] satisfies SecretName[]

/** The place from which running processes load the secrets of an environment. */
export type SecretStore = {
  /** Reads the current keys. */
  keys(): SecretKeys
  /** Replaces a secret. False if it comes from the environment or from a file that this command cannot write. */
  put(name: KeyName, text: string): boolean
  /** Replaces the stored passwords of the embedded database. */
  putPassword(password: Pick<StoredKeys, 'database_password' | 'next_database_password'>): void
}

export const openStore = (env: NodeJS.ProcessEnv): SecretStore => ({
  keys: () => loadKeys(readSettings(env)),
  put(name, text) {
    if (env[name]) return false
    const named = env[`${name}_FILE`]
    if (named) return replaceFile(named, `${text}\n`)
    const { DATABASE_URL, DATA_DIR } = readSettings(env)
    if (DATABASE_URL) return false
    return keep(DATA_DIR, { ...readStoredKeys(DATA_DIR), [fields[name]]: text })
  },
  putPassword(password) {
    const { DATA_DIR } = readSettings(env)
    const { database_password: _, next_database_password: __, ...others } = readStoredKeys(DATA_DIR)
    if (!keep(DATA_DIR, { ...others, ...password }))
      throw new Error(`${secretsFile(DATA_DIR)} is not writable by the user of this command.`)
  },
})

const keep = (data_dir: string, kept: StoredKeys): boolean =>
  replaceFile(secretsFile(data_dir), JSON.stringify(kept, null, 2))

/** The file is mounted or read-only. */
const not_ours = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'])

/**
 * Replaces a file atomically and durably. Owner and permissions stay the same. False if this process may not write the
 * file.
 */
function replaceFile(path: string, text: string): boolean {
  const fresh = `${path}.${process.pid}`
  try {
    const { mode, uid, gid } = statSync(path)
    writeFileSync(fresh, text, { mode: mode & 0o777, flush: true })
    if (uid !== process.geteuid?.()) chownSync(fresh, uid, gid)
    renameSync(fresh, path)
    return true
  } catch (error) {
    rmSync(fresh, { force: true })
    if (not_ours.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
