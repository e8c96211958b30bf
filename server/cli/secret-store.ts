import { chownSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { loadKeys, secretsFile } from '../platform/keys.ts'
import { ring_fields, type SecretKeys } from '../platform/secrets.ts'
import { settingsOf } from './reach.ts'

const fields = { ...ring_fields, OPERATOR_KEY: 'operator_key' } as const satisfies Record<string, keyof SecretKeys>

/** A secret of ours, by the name of its setting. */
export type SecretName = keyof typeof fields

export const secret_names = Object.keys(fields) as SecretName[]

/** Where the secrets of an environment stand, from where its processes take them while they run. */
export type SecretStore = {
  /** Reads them anew. */
  keys(): SecretKeys
  /**
   * Puts another in the place of one; false where it stands in the environment, or in a file that is not ours to write.
   */
  put(name: SecretName, text: string): boolean
}

export const openStore = (env: NodeJS.ProcessEnv): SecretStore => ({
  keys: () => loadKeys(settingsOf(env)),
  put(name, text) {
    if (env[name]) return false
    const named = env[`${name}_FILE`]
    if (named) return replaceFile(named, `${text}\n`)
    const { DATABASE_URL, DATA_DIR } = settingsOf(env)
    if (DATABASE_URL) return false
    const path = secretsFile(DATA_DIR)
    const kept = JSON.parse(readFileSync(path, 'utf8')) as SecretKeys
    return replaceFile(path, JSON.stringify({ ...kept, [fields[name]]: text }, null, 2))
  },
})

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
