import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Database, Db } from '../query/database.ts'
import { configOf, scopedDb } from '../query/open-database.ts'
import { isDatabaseError } from '../query/scoped-query.ts'
import { openReading, type ReadConnections } from '../query/reads.ts'
import { no_organization } from '../query/rows-of.ts'
import { findPositions, saveHeartbeat, savePositions } from './write-positions.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** Why a read went to the primary: the replica was behind, cannot run it, or did not respond. */
type FallbackReason = 'behind' | 'refused' | 'gone'

export type ReplicaHealth = {
  /** seconds since the replica was last known to be up to date; infinite before that is known */
  late_seconds: number
  /** why the replica is not used now; undefined while it is used */
  why_not: string | undefined
  /** reads that the replica answered, and reads that fell back to the primary, by reason */
  answered: number
  fallen: Readonly<Record<FallbackReason, number>>
}

/** A replica of our database that serves reads (docs/design/data/scaling-out.md). */
export type Replica = {
  /** Saves the write positions of organizations and credentials. Call it before their writes are confirmed. */
  note(organization_ids: string[]): Promise<void>
  /** Reads for a request that must see all writes of these ids. They use the replica or the primary. */
  readsFor(organization_ids: string[]): Promise<Database['readsOf']>
  /** Starts to check twice a second whether the replica is usable. */
  watch(): void
  check(): Promise<void>
  health(): ReplicaHealth
  close(): Promise<void>
}

export type ReplicaOptions = {
  url: string
  /** the primary */
  database: Database
  log: FastifyBaseLogger
  prepared_statements?: boolean
  /** a monotonic clock in milliseconds */
  now?: () => number
  /** milliseconds after which a replica that does not respond counts as gone */
  timeout_ms?: number
}

/** The maximum age of reads from the replica. It equals the time during which a revoked key may still be accepted. */
const max_late_ms = 4000
const check_every_ms = 500

/** Requests with more ids read from the primary. */
const max_positions_read = 50

/** The replica is not used for this many milliseconds after a write position could not be saved. */
const unusable_ms = 10_000

/**
 * Opens the connections to a replica. They open lazily, so this never fails. The replica is not used before it is
 * watched.
 */
export function openReplica(options: ReplicaOptions): Replica {
  const { url, database, log, prepared_statements: prepared = true, now = () => performance.now() } = options
  const { timeout_ms = 2000 } = options
  const config = { ...configOf({ url }, prepared), connectionTimeoutMillis: timeout_ms }
  const reading = openReading({ config, prepared, quick_connections: 4, slow_connections: 3, is_replica: true })
  const own = database.reads(no_organization)
  const query = batchQueries((organization_ids) => findPositions(own, organization_ids))
  const fitness = openFitness({ own, log, config, now, drop: () => reading.drop() })
  const { readsAt, counts } = openReads({ reading, fitness, database, prepared })
  let unnoted_until = -Infinity
  let timer: NodeJS.Timeout | undefined
  let checking = Promise.resolve()
  let closed = false
  const keepChecking = () => {
    checking = fitness.check().finally(() => {
      if (!closed) timer = setTimeout(keepChecking, check_every_ms).unref()
    })
  }
  return {
    async note(organization_ids) {
      if (organization_ids.length === 0) return
      const save = () => savePositions({ db: own }, { writer_ids: organization_ids })
      try {
        await save().catch(save)
      } catch (error) {
        log.warn({ err: error as Error }, 'could not save write positions; reading from the primary for a while')
        unnoted_until = now() + unusable_ms
      }
    },
    async readsFor(organization_ids) {
      if (!fitness.isUsable() || organization_ids.length > max_positions_read || now() < unnoted_until)
        return database.readsOf
      const positionOf = await query(organization_ids).catch(() => undefined)
      return positionOf ? readsAt(Math.max(0, ...organization_ids.map(positionOf))) : database.readsOf
    },
    watch: keepChecking,
    check: fitness.check,
    health: () => ({ ...fitness.health(), ...counts() }),
    async close() {
      closed = true
      clearTimeout(timer)
      await checking
      await Promise.all([fitness.close(), reading.close()])
    },
  }
}

type ReadsOptions = {
  reading: ReadConnections
  fitness: Fitness
  database: Database
  prepared: boolean
}

/** Reads of the replica that fall back to the primary if the replica fails. */
function openReads({ reading, fitness, database, prepared }: ReadsOptions) {
  const fallen = { behind: 0, refused: 0, gone: 0 }
  const refused = new Set<string>()
  let answered = 0
  const countFallback = (error: Error, text: string): void => {
    const code = isDatabaseError(error) ? error.code! : ''
    const reason = code === 'OB002' ? 'behind' : unsupported.test(code) ? 'refused' : 'gone'
    fallen[reason]++
    if (reason === 'refused') refused.add(text)
    if (reason === 'gone' && !conflicts.test(code)) fitness.leave(error.message)
  }
  /**
   * The reads of one request. After the first fallback, all later reads of the request use the primary, so that its
   * data does not go back in time.
   */
  const readsAt = (position: number): Database['readsOf'] => {
    let has_fallen = false
    return (turn, rows_of) => {
      const primary = database.readsOf(turn, rows_of)
      const replica = scopedDb(rows_of, prepared, (query, name) => reading.run(turn, name, { ...query, position }))
      const either = async <T>(text: string, read: (db: Db) => Promise<T>): Promise<T> => {
        has_fallen ||= !fitness.isUsable() || refused.has(text)
        if (has_fallen) return read(primary)
        try {
          const found = await read(replica)
          answered++
          return found
        } catch (error) {
          if (wouldFailAtPrimary(error)) throw error
          countFallback(error as Error, text)
          has_fallen = true
          return read(primary)
        }
      }
      return {
        ...primary,
        distribution: undefined,
        rows: <Row extends object>(text: string, values?: unknown[]) =>
          either(text, (db) => db.rows<Row>(text, values)),
        row: <Row extends object>(text: string, values?: unknown[]) => either(text, (db) => db.row<Row>(text, values)),
        json: (text, values) => either(text, (db) => db.json(text, values)),
      }
    }
  }
  return { readsAt, counts: () => ({ answered, fallen }) }
}

/** Queries that no replica can run, such as a read of an unlogged table. */
const unsupported = /^(0A000|25006)$/

/** Conflicts with replay, such as a row that was removed during the read. The next read may use the replica. */
const conflicts = /^40/

/** Failures that would also occur at the primary: too many reads, a timeout, or an invalid value. */
const wouldFailAtPrimary = (error: unknown): boolean =>
  error instanceof Refusal || (isDatabaseError(error) && /^(57014$|22|23)/.test(error.code ?? ''))

/** Batches queries: all ids that arrive while a query runs share the next one. */
function batchQueries<Result>(query: (ids: string[]) => Promise<Result>): (ids: string[]) => Promise<Result> {
  let batch: { ids: Set<string>; answer: Promise<Result> } | undefined
  let under_way: Promise<unknown> = Promise.resolve()
  const collect = () => {
    const ids = new Set<string>()
    const answer = under_way.then(() => {
      batch = undefined
      return query([...ids])
    })
    under_way = answer.catch(() => undefined)
    return { ids, answer }
  }
  return (ids) => {
    batch ??= collect()
    for (const id of ids) batch.ids.add(id)
    return batch.answer
  }
}

type Fitness = {
  isUsable(): boolean
  /** Stops using the replica until the next check. */
  leave(reason: string): void
  /** Checks the primary and the replica. */
  check(): Promise<void>
  health(): Pick<ReplicaHealth, 'late_seconds' | 'why_not'>
  close(): Promise<void>
}

type FitnessOptions = {
  /** the primary */
  own: Db
  log: FastifyBaseLogger
  config: pg.ClientConfig
  now: () => number
  /** closes the connections to the replica */
  drop: () => void
}

/**
 * Checks whether a server replicates our database with little delay: it must have a heartbeat that we saved a moment
 * ago. This excludes a promoted replica, a replica of another server, and a replica of another database.
 */
function openFitness({ own, log, config, now, drop }: FitnessOptions): Fitness {
  const seen_at = new Map<string, number>()
  let current_at = -Infinity
  let why_not: string | undefined = 'it was not checked yet'
  const { probe, hangUp } = openProbe(config)

  const isUsable = () => why_not === undefined && now() - current_at < max_late_ms
  const leave = (reason: string) => {
    if (why_not === undefined) log.warn({ reason }, 'not reading from the replica')
    why_not = reason
  }
  const checkHere = async (): Promise<string | undefined> => {
    const requested_at = now()
    const { heartbeat, silent_processes } = await saveHeartbeat(own)
    if (heartbeat !== null && !seen_at.has(heartbeat)) seen_at.set(heartbeat, requested_at)
    for (const old of [...seen_at.keys()].slice(0, -20)) seen_at.delete(old)
    return silent_processes > 0 ? `${silent_processes} processes do not have READ_DATABASE_URL` : undefined
  }
  const checkReplica = async (): Promise<string | undefined> => {
    const { is_replica, heartbeat } = await probe().catch((error: Error) => {
      drop()
      throw error
    })
    if (!is_replica) return 'it is not a replica'
    current_at = Math.max(current_at, seen_at.get(heartbeat ?? '') ?? -Infinity)
    return now() - current_at < max_late_ms ? undefined : 'it is too far behind, or follows another server'
  }
  return {
    isUsable,
    leave,
    async check() {
      try {
        const reason = (await checkHere()) ?? (await checkReplica())
        if (reason !== undefined) return leave(reason)
        if (why_not !== undefined) log.info('reading from the replica')
        why_not = undefined
      } catch (error) {
        leave((error as Error).message)
      }
    },
    health: () => ({
      late_seconds: (now() - current_at) / 1000,
      why_not: isUsable() ? undefined : (why_not ?? 'late'),
    }),
    close: async () => hangUp(),
  }
}

/** Queries the state of a replica over a separate session, which is replaced when it breaks. */
function openProbe(config: pg.ClientConfig) {
  let client: pg.Client | undefined
  const connect = async (): Promise<pg.Client> => {
    const query_timeout = config.connectionTimeoutMillis!
    const opened = new pg.Client({ ...config, query_timeout, application_name: 'openbenefits replica' })
    opened.on('error', () => undefined)
    await opened.connect()
    return opened
  }
  const hangUp = () => {
    client?.end().catch(() => undefined)
    client = undefined
  }
  return {
    async probe(): Promise<{ is_replica: boolean; heartbeat: string | null }> {
      try {
        client ??= await connect()
        const { rows } = await client.query(
          'select pg_is_in_recovery() as is_replica, (select heartbeat from replica_heartbeats) as heartbeat',
        )
        return rows[0]
      } catch (error) {
        hangUp()
        throw error
      }
    },
    hangUp,
  }
}
