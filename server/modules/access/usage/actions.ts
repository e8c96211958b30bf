import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../runtime/ctx.ts'
import { isDatabaseError } from '../../../database/query/database.ts'
import { every_organization } from '../../../database/query/rows-of.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { addDays, easternDay } from '../../../kernel/days.ts'
import { purgeUsage, saveUsage, type CountedUse } from './queries.ts'
import { kept_days } from './schemas.ts'

/** How often the counts are written, in milliseconds. A killed process loses the counts since the last write. */
const kept_for_ms = 30_000

/** The maximum number of counts that are buffered, and then written in one statement. */
const max_kept = 5000

/** A buffered count. The time of the last response is formatted only when it is written. */
type NotedUse = Omit<CountedUse, 'last_used_at'> & { last_used_ms: number }

type Use = { organization_id: string; credential_id: string; operation: string; status: number }

/** Counts the requests of credentials in memory, and writes the counts in batches. */
function openUsage({ clock, database, log }: Pick<Runtime, 'clock' | 'database' | 'log'>) {
  let counted = new Map<string, NotedUse>()
  let timer: NodeJS.Timeout | undefined
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const uses = [...counted.values()].map(({ last_used_ms, ...use }) => ({
      ...use,
      last_used_at: new Date(last_used_ms).toISOString(),
    }))
    counted = new Map()
    if (uses.length === 0) return
    await database
      .transaction(every_organization, (db) => saveUsage(db, uses))
      .catch((error: unknown) => {
        const code = isDatabaseError(error) ? error.code : undefined
        log.warn({ counts: uses.length, code }, 'could not save the usage of some credentials')
      })
  }
  const note = ({ status, ...of }: Use) => {
    const now = clock()
    const day = easternDay(now)
    const key = `${day} ${of.credential_id} ${of.operation} ${of.organization_id}`
    const none = { request_count: 0, refused_count: 0, limited_count: 0, failed_count: 0 }
    const use = counted.getOrInsertComputed(key, () => ({ day, ...of, ...none, last_used_ms: now }))
    use.request_count++
    if (status === 429) use.limited_count++
    else if (status >= 500) use.failed_count++
    else if (status >= 400) use.refused_count++
    use.last_used_ms = now
    if (counted.size >= max_kept) void flush()
    else timer ??= setTimeout(() => void flush(), kept_for_ms).unref()
  }
  return { note, flush }
}

/** Counts every response to an authenticated request of an operation. */
export function countResponses(app: FastifyInstance, runtime: Runtime): void {
  const usage = openUsage(runtime)
  app.addHook('onResponse', ({ caller, routeOptions }, { statusCode: status }, done) => {
    const { endpoint } = routeOptions.config
    if (!endpoint || !caller) return done()
    const { organization_ids } = caller.reach
    usage.note({
      organization_id: organization_ids?.length === 1 ? organization_ids[0]! : '',
      credential_id: caller.key_id ?? caller.credential_id,
      operation: endpoint.operation,
      status,
    })
    done()
  })
  app.addHook('onClose', () => usage.flush())
}

/** How many counts are deleted in one transaction. */
const rows_per_purge = 10_000

/** Deletes usage past its retention. Returns whether more may remain. */
export async function cleanUpUsage(ctx: Ctx): Promise<boolean> {
  const before = addDays(easternDay(Date.parse(ctx.real_now)), -kept_days)
  return (await purgeUsage(ctx, { before, most: rows_per_purge })) === rows_per_purge
}
