import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseError, type Database, type Db } from '../query/database.ts'
import { no_organization } from '../query/rows-of.ts'
import { statement } from '../sql/statement.ts'

const audit_kept = statement('partitions.keepAudit', 'select keep_audit_partitions(:day, :kept_from)')
const passing_kept = statement('partitions.keepPassing', 'select keep_passing_partitions()')

/** Taken by others for long, or not to be had where nothing can be written: tried again at the next hour. */
const tried_later = new Set(['55P03', '25006'])

/** How long it waits for a table that others use; those who come after it wait too meanwhile. */
const patience_ms = 1000

/** The day of an instant in UTC, by which the audit trail is divided. */
export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** The day before which nothing of the audit trail is kept. */
export const auditKeptFrom = (now: number, years: number): string =>
  Temporal.PlainDate.from(dayOf(now)).subtract({ years }).toString()

export type PartitionKeeping = { database: Database; clock: () => number; log: Pick<FastifyBaseLogger, 'warn'> }

/**
 * Makes the partitions into which rows of the coming weeks go, and drops those whose time is over. Where that fails,
 * rows go where those without a partition are, so nothing waits for it.
 */
export async function keepPartitions(
  { database, clock, log }: PartitionKeeping,
  audit_retention_years: number,
): Promise<void> {
  const now = clock()
  const day = dayOf(now)
  const kept_from = auditKeptFrom(now, audit_retention_years)
  const keeps: ((db: Db) => Promise<unknown>)[] = [
    (db) => audit_kept.rows({ db }, { day, kept_from }),
    (db) => passing_kept.rows({ db }),
  ]
  for (const keep of keeps)
    await database.transaction(no_organization, keep, patience_ms).catch((error) => {
      if (!isDatabaseError(error)) throw error
      if (!tried_later.has(error.code ?? '')) log.warn({ err: error }, 'partitions are not made or dropped')
    })
}
