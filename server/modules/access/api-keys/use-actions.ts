import { isId } from '../../../kernel/ids.ts'
import { isDatabaseError } from '../../../database/query/database.ts'
import { every_organization } from '../../../database/query/rows-of.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { saveKeyUses } from '../operators/queries.ts'
import { listOrigins, saveUses } from './queries.ts'

/** Milliseconds: with the time that it takes to write, a use is known within a minute. */
const kept_for_ms = 30_000

/** What is noted of keys, partners' and operators', in memory, and written many at once. */
export type KeyUses = {
  /** Notes that a key was used just now, by its secret when that has an end to it. */
  note(key_id: string, last_four?: string): void
  /** Writes what was noted. */
  flush(): Promise<void>
}

/**
 * Notes the last use of keys: a write for each batch of 30 seconds, and none for a request. What a process noted that
 * is killed is lost.
 */
export function openKeyUses(runtime: Runtime): KeyUses {
  let noted = new Map<string, { used_at: number; last_four: string | null }>()
  let timer: NodeJS.Timeout | undefined
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const all = [...noted].map(([key_id, { used_at, last_four }]) => ({
      key_id,
      used_at: new Date(used_at).toISOString(),
      last_four,
    }))
    noted = new Map()
    if (all.length === 0) return
    const of_operators = all.filter(({ key_id }) => isId('opkey', key_id))
    const of_partners = all.filter(({ key_id }) => !isId('opkey', key_id))
    await runtime.database
      .transaction(every_organization, async (db) => {
        if (of_partners.length > 0) await saveUses(db, of_partners)
        if (of_operators.length > 0) await saveKeyUses(db, of_operators)
      })
      .catch((error: unknown) => {
        // A database that takes no writes serves reads; the next use is noted again.
        const code = isDatabaseError(error) ? error.code : undefined
        runtime.log.warn({ keys: all.length, code }, 'the last use of some keys was not written down')
      })
  }
  return {
    note(key_id, last_four) {
      const before = noted.get(key_id)
      noted.set(key_id, { used_at: runtime.clock(), last_four: last_four ?? before?.last_four ?? null })
      timer ??= setTimeout(() => void flush(), kept_for_ms).unref()
    },
    flush,
  }
}

/** Milliseconds for which a process trusts what it read of them. */
const origins_trusted_for_ms = 3000

/** From where tokens of any key may be sent: read once in a few seconds, however many ask. */
export function openOrigins(runtime: Runtime): () => Promise<ReadonlySet<string>> {
  let read_at = -Infinity
  let known: Promise<ReadonlySet<string>> = Promise.resolve(new Set())
  return () => {
    const now = runtime.clock()
    if (now < read_at || now >= read_at + origins_trusted_for_ms) {
      read_at = now
      known = listOrigins(runtime.database.reads(every_organization)).then((origins) => new Set(origins))
      known.catch(() => (read_at = -Infinity))
    }
    return known
  }
}
