import type { FastifyBaseLogger } from 'fastify'
import { nextShard, writeBatches, type AuditEntry, type NotedEntry } from './audit.ts'
import type { Clock } from '../../runtime/ctx.ts'
import type { Database, Db } from '../../database/query/database.ts'
import { every_organization } from '../../database/query/rows-of.ts'
import type { Secrets } from '../../security/secrets.ts'

/** The actor kind of requests without a valid credential. */
export const unauthenticated = 'unauthenticated'

/**
 * The audit entries of reads and refusals, until they are written. A write records its entry in its own transaction.
 */
export type AuditLog = {
  /** Queues an entry for the next batch. Call it before the response is sent. */
  note(entry: AuditEntry): void
  /** Whether so many entries are queued that reads must be refused. The database has not accepted any for a while. */
  isFull(): boolean
  /** Writes the queued entries. If the database does not accept them, they go to the service log. */
  close(): Promise<void>
}

/** Milliseconds until a queued entry is written. */
const pause_ms = 600

/** Milliseconds until the next attempt after a failure, and how long a write may wait for locks. */
const retry_ms = 1000
const timeout_ms = 5000

/** The maximum number of entries per statement, and in the queue. */
const max_batch = 5000
const max_waiting = 20_000

/** How many refusals of unauthenticated clients are written per pause. The rest are only counted in the service log. */
const max_refused = 100

export type AuditLogOptions = { database: Database; clock: Clock; secrets: Secrets; log: FastifyBaseLogger }

/** Opens the audit log of a process. Its reads use a separate chain shard. */
export function openAuditLog({ database, clock, secrets, log }: AuditLogOptions): AuditLog {
  const shard = nextShard()
  const waiting: NotedEntry[] = []
  let refused_count = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const logRefused = () => {
    if (refused_count > max_refused)
      log.warn({ refused: refused_count - max_refused }, 'omitted refusals of unauthenticated clients')
    refused_count = 0
  }
  /** Writes the queued entries. New ones wait for the next batch: small statements cost as much as large ones. */
  const writeWaiting = async () => {
    logRefused()
    for (let left = waiting.length; left > 0; left -= max_batch) {
      const batch = waiting.slice(0, Math.min(left, max_batch))
      const now = new Date(clock()).toISOString()
      const write = (db: Db) => writeBatches({ db }, secrets, now, shard, batch)
      await database.transaction(every_organization, write, timeout_ms)
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
          log.error({ err: error, waiting: waiting.length }, 'could not write audit entries; they stay queued')
          flushLater(retry_ms)
        },
      )
    }, ms).unref()
  }
  return {
    note(entry) {
      if (entry.actor.kind === unauthenticated && ++refused_count > max_refused) return
      waiting.push({ ...entry, occurred_ms: clock() })
      if (!writing) flushLater(pause_ms)
    },
    isFull: () => waiting.length >= max_waiting,
    async close() {
      try {
        // The write in progress does not include the latest entries.
        await writing?.catch(() => undefined)
        while (waiting.length > 0) await flush()
      } catch (error) {
        log.error({ err: error, entries: waiting }, 'could not write audit entries; this line contains them')
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
