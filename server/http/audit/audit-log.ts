import type { FastifyBaseLogger } from 'fastify'
import { anyStrand, writeSheets, type AuditEntry, type NotedEntry } from './audit.ts'
import type { Clock } from '../../runtime/ctx.ts'
import type { Database, Db } from '../../database/query/database.ts'
import { every_organization } from '../../database/query/rows-of.ts'
import type { Secrets } from '../../security/secrets.ts'

/** Kind of an actor who showed no credential that is good. */
export const stranger = 'stranger'

/** What is read and refused, on its way into the audit trail; actions go there in their own transactions. */
export type Trail = {
  /** Has an entry written with those of the same moment. Call it before what was read is sent. */
  note(entry: AuditEntry): void
  /** Whether so many entries wait that nothing more may be read: the database has not taken any for a while. */
  isFull(): boolean
  /** Writes what waits; when that can't be, the log has it. */
  close(): Promise<void>
}

/** Milliseconds after which an entry is on its way to the disk. */
const pause_ms = 600

/** Milliseconds after which the database is asked again, and how long it may wait for others' locks. */
const retry_ms = 1000
const patience_ms = 5000

/** Entries that go in one statement, and that may wait. */
const most_at_once = 5000
const most_waiting = 20_000

/** Refusals of strangers within a pause that are written; of the others it is told how many they were. */
const most_strangers = 100

export type TrailOptions = { database: Database; clock: Clock; secrets: Secrets; log: FastifyBaseLogger }

/** Opens the trail of a process, whose reads have a strand of their own. */
export function openTrail({ database, clock, secrets, log }: TrailOptions): Trail {
  const strand = anyStrand()
  const waiting: NotedEntry[] = []
  let strangers = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const tellOfStrangers = () => {
    if (strangers > most_strangers)
      log.warn({ refused: strangers - most_strangers }, 'strangers were refused beyond those in the audit trail')
    strangers = 0
  }
  /** Those that wait by now: who comes meanwhile waits for more of his kind, since a statement of few costs as much. */
  const writeWaiting = async () => {
    tellOfStrangers()
    for (let left = waiting.length; left > 0; left -= most_at_once) {
      const batch = waiting.slice(0, Math.min(left, most_at_once))
      const now = new Date(clock()).toISOString()
      const write = (db: Db) => writeSheets({ db }, secrets, now, strand, batch)
      await database.transaction(every_organization, write, patience_ms)
      waiting.splice(0, batch.length)
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    return (writing ??= writeWaiting().finally(() => (writing = undefined)))
  }
  const flushLater = (ms: number) => {
    timer ??= setTimeout(() => {
      flush().then(
        () => waiting.length > 0 && flushLater(pause_ms),
        (error: Error) => {
          log.error({ err: error, waiting: waiting.length }, 'the audit trail takes no entries; they wait')
          flushLater(retry_ms)
        },
      )
    }, ms).unref()
  }
  return {
    note(entry) {
      if (entry.actor.kind === stranger && ++strangers > most_strangers) return
      waiting.push({ ...entry, occurred_ms: clock() })
      if (!writing) flushLater(pause_ms)
    },
    isFull: () => waiting.length >= most_waiting,
    async close() {
      try {
        // What is being written was begun before the last came.
        await writing?.catch(() => undefined)
        while (waiting.length > 0) await flush()
      } catch (error) {
        log.error({ err: error, entries: waiting }, 'the audit trail takes no entries; this is what was to be in it')
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
