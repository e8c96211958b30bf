import { statement } from './statement.ts'
import { isDatabaseError, type Database } from './database.ts'
import type { Clock } from '../ctx.ts'

const audit_kept = statement('partitions.keepAudit', 'select keep_audit_partitions(:day, :kept_from)')

/** Taken by others for long, or not to be had where nothing can be written: tried again at the next hour. */
const tried_later = new Set(['55P03', '25006'])

/** How long it waits for a table that others use; those who come after it wait too meanwhile. */
const patience_ms = 1000

/** The day of an instant in UTC, by which the audit trail is divided. */
export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** The day before which nothing of the audit trail is kept. */
export const auditKeptFrom = (now: number, years: number): string =>
  Temporal.PlainDate.from(dayOf(now)).subtract({ years }).toString()

/** Makes the partitions into which rows of the coming weeks go, and drops those whose time is over. */
export async function keepPartitions(database: Database, clock: Clock, audit_retention_years: number): Promise<void> {
  const now = clock()
  const day = dayOf(now)
  const kept_from = auditKeptFrom(now, audit_retention_years)
  const keeps = [() => database.transaction((db) => audit_kept.rows({ db }, { day, kept_from }), patience_ms)]
  for (const keep of keeps)
    await keep().catch((error) => {
      if (!isDatabaseError(error) || !tried_later.has(error.code ?? '')) throw error
    })
}
