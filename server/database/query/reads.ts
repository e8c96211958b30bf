/**
 * Reads over a few connections that all organizations share.
 *
 *     read ─▶ usually ───────────────▶ quick lane: shared connections, many reads on each, batched while busy
 *          ─▶ slow for this caller ──▶ slow lane: its own connections, one read each
 *
 * 1. A read is sent with its scope, the organizations whose rows it may touch, in one message (`scoped-query.ts`).
 * 2. A connection sends the reads of one turn of the event loop in one system call, and further reads before the first
 *    results arrive (`pipeline.ts`).
 * 3. Quick reads of the same kind that arrive together, or wait for their turn, become one statement
 *    (`read-batcher.ts`). Batching raises the rate of hot reads from 0.60 to 0.95 of the rate of a bare server.
 * 4. Organizations are served round-robin, so one organization can send many slow searches and no other waits for them.
 *
 * Speed is measured, not declared. A statement that was slow for a caller uses the slow lane for a while. A read that
 * exceeds the limit of the quick lane is canceled and runs again in the slow lane. Reads of the service itself use the
 * quick lane too, and fall back to a separate connection.
 */
import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import { openPipeline, type Pipeline } from './pipeline.ts'
import { batchedQueryOf, openReadBatcher, type RunInTurn } from './read-batcher.ts'
import { isDatabaseError, type ScopedQuery, type Session, type StatementResult } from './scoped-query.ts'
import { limit_ms } from './session.ts'

export type ReadConnections = {
  /** Runs a read for `tenant`: an organization, or a credential with several. `statement` is the name of its kind. */
  run(tenant: string, statement: string, query: ScopedQuery): Promise<StatementResult>
  /** Runs a read of the service itself, such as the lookup of a credential by its key. The caller manages the turns. */
  runOwn(query: ScopedQuery): Promise<StatementResult>
  /** Reads a large value. No other read waits behind it. */
  runFile(query: ScopedQuery): Promise<StatementResult>
  /** Makes the next read open a new connection. Reads in progress still get their results. */
  renew(): void
  /** Closes the connections immediately. Reads in progress fail, and the next read opens a new connection. */
  drop(): void
  close(): Promise<void>
}

export type ReadingOptions = Omit<Session, 'limit'> & {
  config: pg.ClientConfig
  /** connections that quick reads share, many reads on each */
  quick_connections: number
  /** connections for slow reads, one read at a time on each, and one per organization */
  slow_connections: number
}

/** Connections that read files, piece by piece. */
export const file_connections = 2

/** Milliseconds after which PostgreSQL cancels a read in the quick lane. It then runs again in the slow lane. */
const quick_limit_ms = 100

/** Milliseconds that a slow read may take. */
const slow_limit_ms = 30_000

/** A read that takes more milliseconds than this is slow: other reads should not wait behind it. */
const slow_from_ms = 20

/** A statement that was slow for a caller uses the slow lane for this many milliseconds. */
const slow_for_ms = 10_000

/** How many reads are in progress on a shared connection before others are queued. */
const depth = 16

/** How many reads of one organization run on the shared connections. All of them may turn out to be slow. */
const depth_of_one = 8

/**
 * The same limit while other organizations read too. It leaves a connection, and a processor if the database is on this
 * machine, for organizations that send one read at a time.
 */
const depth_beside_others = Math.min(Math.max(1, availableParallelism() - 1), depth_of_one)

/** How many reads of one organization, or batches of one kind, may be queued, and for how long. */
const waiting = { max_waiting_per_key: 1000, timeout_ms: 10_000 }

/**
 * PostgreSQL canceled the read because it took too long, or did not start it because it canceled the preparation of the
 * statement.
 */
const canceled_codes = new Set(['57014', '26000', '42P05'])
const isCanceled = (error: unknown) => isDatabaseError(error) && canceled_codes.has(error.code ?? '')

/** How many of the connections one caller may use at the same time. One is left for others. */
const maxPerCaller = (connections: number): number => Math.max(1, connections - 1)

const batchedName = (statement: string): string => `${statement} together`

/** The queues in which reads wait for their turn. */
function openTurns(quick_connections: number, slow_connections: number) {
  return {
    quick: new FairQueue({
      ...waiting,
      max_running: quick_connections * depth,
      max_running_per_key: depth_of_one,
      max_running_beside_others: depth_beside_others,
    }),
    slow: new FairQueue({
      ...waiting,
      max_running: slow_connections,
      max_running_per_key: 1,
      max_waiting_per_key: 200,
    }),
    // More statements of a kind would queue on a connection. They are queued here instead, and are batched.
    of_kind: new FairQueue({ ...waiting, max_running: Infinity, max_running_per_key: maxPerCaller(quick_connections) }),
  }
}

export function openReading(options: ReadingOptions): ReadConnections {
  const { config, quick_connections, slow_connections, ...session } = options
  const open = (count: number, limit: number) =>
    Array.from({ length: count }, () => openPipeline(config, { ...session, limit }))
  const quick = open(quick_connections, quick_limit_ms)
  const slow = open(slow_connections, slow_limit_ms)
  const own = open(1, slow_limit_ms)
  const files = open(file_connections, limit_ms)
  const quickFor = openShares(quick)
  const turns = openTurns(quick_connections, slow_connections)
  const slow_reads = openSlowReads()

  /** Runs a read, or several as one, in the quick lane. Undefined if it is slow for the caller or was canceled. */
  const runQuick: RunInTurn = (tenant, statement, take) =>
    turns.quick.run(tenant, async () => {
      if (slow_reads.has(tenant, statement)) return undefined
      const { query, count } = take()
      try {
        return await quickFor(tenant, (pipeline) =>
          pipeline.query(query, (ms) => slow_reads.note(tenant, statement, ms / count)),
        )
      } catch (error) {
        if (!isCanceled(error)) throw error
        slow_reads.note(tenant, count > 1 ? batchedName(statement) : statement, Infinity)
        return undefined
      }
    })
  const runSlow = (tenant: string, statement: string, query: ScopedQuery) =>
    turns.slow.run(tenant, () =>
      leastBusyPipeline(slow).query(query, (ms) => {
        slow_reads.forget(tenant, statement)
        slow_reads.note(tenant, statement, ms)
      }),
    )
  const runBatched = openReadBatcher(turns.of_kind, runQuick)
  /** If batches were slow, such as while PostgreSQL plans them, a read runs alone for a while. */
  const batchOf = (tenant: string, statement: string, { text }: ScopedQuery) =>
    slow_reads.has(tenant, batchedName(statement)) ? undefined : batchedQueryOf(text)

  const all = [...quick, ...slow, ...own, ...files]
  return {
    run: async (tenant, statement, query) => {
      const batch = batchOf(tenant, statement, query)
      return (
        (batch && (await runBatched(tenant, statement, query, batch))) ??
        (await runQuick(tenant, statement, () => ({ query, count: 1 }))) ??
        runSlow(tenant, statement, query)
      )
    },
    runOwn: (query) => runForService(quick, own, query),
    runFile: (query) => leastBusyPipeline(files).query(query),
    renew: () => all.forEach((pipeline) => pipeline.renew()),
    drop: () => all.forEach((pipeline) => pipeline.drop()),
    close: async () => void (await Promise.all(all.map((pipeline) => pipeline.end()))),
  }
}

const leastBusyPipeline = (pipelines: Pipeline[]): Pipeline =>
  pipelines.reduce((best, other) => (other.waiting() < best.waiting() ? other : best))

/** Runs a read of the service itself in the quick lane, or on its own connection if it takes too long. */
async function runForService(quick: Pipeline[], own: Pipeline[], query: ScopedQuery): Promise<StatementResult> {
  try {
    return await leastBusyPipeline(quick).query(query)
  } catch (error) {
    if (!isCanceled(error)) throw error
    return leastBusyPipeline(own).query(query)
  }
}

/** Runs reads over the least busy of these connections, but no caller uses all of them. */
function openShares(pipelines: Pipeline[]) {
  const in_use = new Map<string, Pipeline[]>()
  return async <T>(tenant: string, run: (pipeline: Pipeline) => Promise<T>): Promise<T> => {
    const own = in_use.get(tenant) ?? []
    in_use.set(tenant, own)
    const has_share = new Set(own).size >= maxPerCaller(pipelines.length)
    const chosen = leastBusyPipeline(has_share ? own : pipelines)
    own.push(chosen)
    try {
      return await run(chosen)
    } finally {
      own.splice(own.indexOf(chosen), 1)
      if (own.length === 0) in_use.delete(tenant)
    }
  }
}

/** The statements that were slow for a caller recently. */
function openSlowReads() {
  const noted = new LRUCache<string, true>({ max: 50_000, ttl: slow_for_ms })
  const keyOf = (tenant: string, statement: string) => `${tenant} ${statement}`
  return {
    has: (tenant: string, statement: string) => noted.has(keyOf(tenant, statement)),
    note: (tenant: string, statement: string, ms: number) =>
      void (ms > slow_from_ms && noted.set(keyOf(tenant, statement), true)),
    forget: (tenant: string, statement: string) => void noted.delete(keyOf(tenant, statement)),
  }
}
