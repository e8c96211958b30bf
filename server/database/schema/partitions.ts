import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseError, type Database, type Db } from '../query/database.ts'
import { no_organization } from '../query/rows-of.ts'
import { statement } from '../sql/statement.ts'

const audit_kept = statement('partitions.keepAudit', 'select keep_audit_partitions(:day, :kept_from)')
const passing_kept = statement('partitions.keepPassing', 'select keep_rolling_partitions()')

/** The table was locked, or the server is read only. The next hourly run tries again. */
const retried_codes = new Set(['55P03', '25006'])

/** Milliseconds to wait for a table lock. Later users of the table wait as well. */
const timeout_ms = 1000

/** The UTC day of an instant, which selects the partition of the audit log. */
export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** The first day of the audit log that is kept. */
export const auditKeptFrom = (now: number, years: number): string =>
  Temporal.PlainDate.from(dayOf(now)).subtract({ years }).toString()

export type PartitionKeeping = { database: Database; clock: () => number; log: Pick<FastifyBaseLogger, 'warn'> }

/**
 * Creates the partitions for the coming weeks, and drops expired ones. If that fails, rows go to the default partition,
 * so nothing depends on it.
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
    await database.transaction(no_organization, keep, timeout_ms).catch((error) => {
      if (!isDatabaseError(error)) throw error
      if (!retried_codes.has(error.code ?? '')) log.warn({ err: error }, 'could not create or drop partitions')
    })
}
