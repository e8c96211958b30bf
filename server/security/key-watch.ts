import { readFile } from 'node:fs/promises'
import type { Config } from '../kernel/config.ts'
import { claimDatabase } from '../runtime/installation-lock.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { namesOf, saveLeaving, saveTold, tell_every_ms } from '../runtime/processes.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { renewSecrets } from './secret-keys.ts'
import type { SecretKeys } from './secrets.ts'

type WatchOptions = {
  /** of this process, as others know it */
  id: string
  role: string
  notes_writes: boolean
  /** the keys that it has begun with */
  keys: SecretKeys
  /** where keys stand that may be replaced while it runs */
  paths: string[]
  /** Reads the settings anew; throws ConfigError. */
  read(): { config: Config; keys: SecretKeys }
}

const look_every_ms = 1000

/**
 * Takes the keys that stand in the files as soon as they are others, without a restart, and tells the database that
 * this process is there and which keys it knows. Keys that a start would be refused with are not taken; it goes on with
 * those that it has, tries again, and the log says why.
 */
export function watchKeys(
  { database, secrets, log }: Pick<Runtime, 'database' | 'secrets' | 'log'>,
  { id, role, notes_writes, paths, read, ...begun }: WatchOptions,
): { close(): Promise<void> } {
  let { keys } = begun
  let taken: string | undefined
  let complained: string | undefined
  let reported_at = -Infinity
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const take = async (text: string) => {
    const found = read()
    await claimDatabase(database, found.keys, found.config, id)
    await renewSecrets(database.reads(no_organization), secrets, found.keys)
    const { used_keys } = namesOf(found.keys)
    if (taken !== undefined) log.info({ used_keys }, 'the keys of the files are taken')
    keys = found.keys
    taken = text
    reported_at = -Infinity
  }
  const tell = async () => {
    // Another process may have brought a hash key into use: from a day on it holds the audit trail.
    await renewSecrets(database.reads(no_organization), secrets, keys)
    await database.transaction(no_organization, (db) => saveTold(db, { id, role, notes_writes, ...namesOf(keys) }))
    reported_at = performance.now()
  }
  const look = async () => {
    const text = (await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')))).join('\n')
    if (text !== taken)
      await take(text).catch((error: Error) => {
        if (complained !== text) log.error({ err: error }, 'the keys of the files are not taken')
        complained = text
      })
    if (performance.now() - reported_at > tell_every_ms)
      await tell().catch((error: Error) => log.debug({ err: error }, 'the database is not told of this process'))
    if (!closed) timer = setTimeout(keepLooking, look_every_ms).unref()
  }
  let looking = Promise.resolve()
  const keepLooking = () => void (looking = look())
  keepLooking()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
      await database.transaction(no_organization, (db) => saveLeaving(db, id)).catch(() => undefined)
    },
  }
}
