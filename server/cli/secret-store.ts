import { chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { keptIn, loadKeys, secretsFile, type Kept } from '../security/keys.ts'
import { ring_fields, type SecretKeys } from '../security/secrets.ts'
import { settingsOf } from './reach.ts'

const fields = { ...ring_fields, OPERATOR_KEY: 'operator_key' } as const satisfies Record<string, keyof SecretKeys>

/** A secret of ours that is a setting, by the name of that. */
type KeyName = keyof typeof fields

/** The same, or the password of the embedded database, which is none. */
export type SecretName = KeyName | 'DATABASE_PASSWORD'

export const secret_names = [...(Object.keys(fields) as KeyName[]), 'DATABASE_PASSWORD'] satisfies SecretName[]

/** Where the secrets of an environment stand, from where its processes take them while they run. */
export type SecretStore = {
  /** Reads them anew. */
  keys(): SecretKeys
  /**
   * Puts another in the place of one; false where it stands in the environment, or in a file that is not ours to write.
   */
  put(name: KeyName, text: string): boolean
  /** Puts the password of the embedded database in place of what was known of it. */
  putPassword(password: Pick<Kept, 'database_password' | 'next_database_password'>): void
}

export const openStore = (env: NodeJS.ProcessEnv): SecretStore => ({
  keys: () => loadKeys(settingsOf(env)),
  put(name, text) {
    if (env[name]) return false
    const named = env[`${name}_FILE`]
    if (named) return replaceFile(named, `${text}\n`)
    const { DATABASE_URL, DATA_DIR } = settingsOf(env)
    if (DATABASE_URL) return false
    return keep(DATA_DIR, { ...keptIn(DATA_DIR), [fields[name]]: text })
  },
  putPassword(password) {
    const { DATA_DIR } = settingsOf(env)
    const { database_password: _, next_database_password: __, ...others } = keptIn(DATA_DIR)
    if (!keep(DATA_DIR, { ...others, ...password }))
      throw new Error(`${secretsFile(DATA_DIR)} can't be written by whoever runs this command.`)
  },
})

const keep = (data_dir: string, kept: Kept): boolean =>
  replaceFile(secretsFile(data_dir), JSON.stringify(kept, null, 2))

/** Not where others mount it, or have put it for reading. */
const not_ours = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'])

/** Puts a file in the place of another, whole or not at all, on the disk, for whoever could read that one. */
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
