import { readFile } from 'node:fs/promises'
import type { Config } from '../kernel/config.ts'
import { lockInstallation } from '../runtime/process/installation-lock.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { namesOf, saveLeaving, saveProcess, report_every_ms } from '../runtime/process/processes.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { renewSecrets } from './secret-keys.ts'
import type { SecretKeys } from './secrets.ts'

type WatchOptions = {
  id: string
  role: string
  records_writes: boolean
  /** The keys with which the process started. */
  keys: SecretKeys
  /** Files with keys that may change while the process runs. */
  paths: string[]
  /** Reads the current settings. Throws ConfigError. */
  read(): { config: Config; keys: SecretKeys }
}

const check_every_ms = 1000

/**
 * Loads new keys from the files without a restart, and records in the database that this process runs and which keys it
 * knows. Keys that a start would refuse are logged and tried again; meanwhile the current keys stay in
 * use.
 */
export function watchKeys(
  { database, secrets, log }: Pick<Runtime, 'database' | 'secrets' | 'log'>,
  { id, role, records_writes, paths, read, ...begun }: WatchOptions,
): { close(): Promise<void> } {
  let { keys } = begun
  let taken: string | undefined
  let complained: string | undefined
  let reported_at = -Infinity
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const take = async (text: string) => {
    const found = read()
    await lockInstallation(database, found.keys, found.config, id)
    await renewSecrets(database.reads(no_organization), secrets, found.keys)
    const { used_keys } = namesOf(found.keys)
    if (taken !== undefined) log.info({ used_keys }, 'loaded new keys from the key files')
    keys = found.keys
    taken = text
    reported_at = -Infinity
  }
  const report = async () => {
    // Another process may have introduced a hash key, which protects the audit log starting on some day.
    await renewSecrets(database.reads(no_organization), secrets, keys)
    await database.transaction(no_organization, (db) =>
      saveProcess({ db }, { id, role, records_writes, ...namesOf(keys) }),
    )
    reported_at = performance.now()
  }
  const check = async () => {
    const text = (await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')))).join('\n')
    if (text !== taken)
      await take(text).catch((error: Error) => {
        if (complained !== text) log.error({ err: error }, 'ignored new key files')
        complained = text
      })
    if (performance.now() - reported_at > report_every_ms)
      await report().catch((error: Error) => log.debug({ err: error }, 'could not record this process in the database'))
    if (!closed) timer = setTimeout(keepChecking, check_every_ms).unref()
  }
  let checking = Promise.resolve()
  const keepChecking = () => void (checking = check())
  keepChecking()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await checking
      await database.transaction(no_organization, (db) => saveLeaving({ db }, { id })).catch(() => undefined)
    },
  }
}
