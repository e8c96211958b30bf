/**
 * Reads over a few connections that all organizations share.
 *
 *     read ─▶ known as quick ────────▶ quick lane: shared connections, many reads on each, batched while busy
 *          ─▶ unknown, or was slow ──▶ trial: one at a time for each caller, on a connection that others avoid
 *          ─▶ slow for this caller ──▶ slow lane: its own connections, one read each
 *
 * 1. A read is sent with its scope, the organizations whose rows it may touch, in one message (`scoped-query.ts`).
 * 2. A connection sends the reads of one turn of the event loop in one system call, and further reads before the first
 *    results arrive (`pipeline.ts`).
 * 3. Quick reads of the same kind that arrive together, or wait for their turn, become one statement
 *    (`read-batcher.ts`). Batching raises the rate of hot reads by a quarter, from 0.56 to 0.70 of the rate of a bare
 *    server.
 * 4. Organizations are served round-robin, so one organization can send many slow searches and no other waits for them.
 *
 * Speed is measured, not declared. A statement that was slow for one caller is slow for that caller for a while. A
 * statement that was quick for one caller counts as quick for all. A read that exceeds the limit of its lane is
 * canceled and runs again in the slow lane. Reads of the service itself start in the quick lane and fall back to a
 * separate connection.
 */
import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import { openPipeline, type Pipeline } from './pipeline.ts'
import { batchedQueryOf, openReadBatcher } from './read-batcher.ts'
import { isDatabaseError, type ScopedQuery, type Session, type StatementResult } from './scoped-query.ts'

export type ReadConnections = {
  /** Runs a read for `tenant`: an organization, or a credential with several. `statement` is the name of its kind. */
  run(tenant: string, statement: string, query: ScopedQuery): Promise<StatementResult>
  /** Runs a read of the service itself, such as the lookup of a credential by its key. The caller manages the turns. */
  runOwn(query: ScopedQuery): Promise<StatementResult>
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

/** Milliseconds after which PostgreSQL cancels a read on a shared connection. It then runs again in the slow lane. */
const quick_limit_ms = 100

/** Milliseconds that a slow read may take. */
const slow_limit_ms = 30_000

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

/** How many connections one caller may use at the same time. One is left for others. */
const connectionsOfOne = (connections: number): number => Math.max(1, connections - 1)

const together = (statement: string): string => `${statement} together`

/** The queues in which reads wait for their turn. */
function openTurns(quick_connections: number, slow_connections: number) {
  const most_of_one = connectionsOfOne(quick_connections)
  return {
    quick: new FairQueue({
      ...waiting,
      max_running: quick_connections * depth,
      max_running_per_key: depth_of_one,
      max_running_beside_others: depth_beside_others,
    }),
    trial: new FairQueue({ ...waiting, max_running: most_of_one, max_running_per_key: 1 }),
    slow: new FairQueue({
      ...waiting,
      max_running: slow_connections,
      max_running_per_key: 1,
      max_waiting_per_key: 200,
    }),
    // More statements of a kind would queue on a connection. They are queued here instead, and are batched.
    of_kind: new FairQueue({ ...waiting, max_running: Infinity, max_running_per_key: most_of_one }),
  }
}

export function openReading(options: ReadingOptions): ReadConnections {
  const { config, quick_connections, slow_connections, ...session } = options
  const open = (count: number, limit: number) =>
    openShared(Array.from({ length: count }, () => openPipeline(config, { ...session, limit })))
  const quick = open(quick_connections, quick_limit_ms)
  const slow = open(slow_connections, slow_limit_ms)
  const own = open(1, slow_limit_ms)
  const turns = openTurns(quick_connections, slow_connections)
  const lanes = openLanes()

  /** Runs a read, or `count` reads as one, on the shared connections. Returns undefined if it was canceled. */
  const runQuick = async (tenant: string, statement: string, query: ScopedQuery, alone: boolean, count = 1) => {
    try {
      return await quick.query({ tenant, alone }, query, (ms) => lanes.learn(tenant, statement, ms / count))
    } catch (error) {
      if (!isCanceled(error)) throw error
      lanes.learn(tenant, count > 1 ? together(statement) : statement, Infinity)
      return undefined
    }
  }
  const batched = openReadBatcher(turns.of_kind, (tenant, statement, take) =>
    turns.quick.run(tenant, async () => {
      if (lanes.of(tenant, statement) !== 'quick') return undefined
      const { query, count } = take()
      return runQuick(tenant, statement, query, false, count)
    }),
  )
  /** Batches a quick read. If batches were slow, such as while PostgreSQL plans them, it runs alone for a while. */
  const runBatched = (tenant: string, statement: string, query: ScopedQuery) => {
    const form = batchedQueryOf(query.text)
    const is_quick = form && lanes.of(tenant, statement) === 'quick' && lanes.of(tenant, together(statement)) !== 'slow'
    return is_quick ? batched(tenant, statement, query, form) : undefined
  }
  /** Runs a read in a lane, if it belongs there and still does when its turn comes. */
  const runIn = async (lane: 'trial' | 'quick', tenant: string, statement: string, query: ScopedQuery) => {
    const belongs = () => lanes.of(tenant, statement) === lane
    if (!belongs()) return undefined
    return turns[lane].run(tenant, async () =>
      belongs() ? runQuick(tenant, statement, query, lane === 'trial') : undefined,
    )
  }
  const runSlow = (tenant: string, statement: string, query: ScopedQuery) => {
    // The read was quick and had only waited for something, so try it again soon.
    const learn = (ms: number) => void (ms <= slow_from_ms && lanes.tryAgain(tenant, statement))
    return turns.slow.run(tenant, () => slow.query({ tenant, alone: true }, query, learn))
  }

  const all = [quick, slow, own].flatMap(({ pipelines }) => pipelines)
  return {
    run: async (tenant, statement, query) =>
      (await runBatched(tenant, statement, query)) ??
      (await runIn('trial', tenant, statement, query)) ??
      (await runIn('quick', tenant, statement, query)) ??
      runSlow(tenant, statement, query),
    runOwn: (query) => runForService(quick, own, query),
    renew: () => all.forEach((pipeline) => pipeline.renew()),
    drop: () => all.forEach((pipeline) => pipeline.drop()),
    close: async () => void (await Promise.all(all.map((pipeline) => pipeline.end()))),
  }
}

/** The owner of reads of the service itself. */
const service = Symbol('service')

type Owner = string | typeof service

/** The caller of a read. `alone`: others avoid its connection if possible. */
type QueryOwner = { tenant: Owner; alone: boolean }

/**
 * Shared connections. A read uses the connection with the fewest reads in progress, and no organization uses all of
 * them.
 */
function openShared(pipelines: Pipeline[]) {
  /** For each connection, the reads in progress by their owner, and the reads that others avoid. */
  const in_use = pipelines.map((pipeline) => ({ pipeline, tenants: new Map<Owner, number>(), alone: 0 }))
  const rankOf = ({ pipeline, alone }: (typeof in_use)[number]) => 1000 * alone + pipeline.waiting()
  const choose = (tenant: Owner) => {
    const own = in_use.filter(({ tenants }) => tenants.has(tenant))
    const has_share = tenant !== service && own.length >= connectionsOfOne(pipelines.length)
    const candidates = has_share ? own : in_use
    return candidates.reduce((best, other) => (rankOf(other) < rankOf(best) ? other : best))
  }
  return {
    pipelines,
    async query({ tenant, alone }: QueryOwner, query: ScopedQuery, took?: (ms: number) => void) {
      const chosen = choose(tenant)
      const { tenants, pipeline } = chosen
      tenants.set(tenant, (tenants.get(tenant) ?? 0) + 1)
      chosen.alone += Number(alone)
      try {
        return await pipeline.query(query, took)
      } finally {
        chosen.alone -= Number(alone)
        const left = tenants.get(tenant)! - 1
        if (left > 0) tenants.set(tenant, left)
        else tenants.delete(tenant)
      }
    },
  }
}

type Shared = ReturnType<typeof openShared>

/** Runs a read of the service itself on the shared connections, or on its own one if it takes too long. */
async function runForService(quick: Shared, own: Shared, query: ScopedQuery): Promise<StatementResult> {
  try {
    return await quick.query({ tenant: service, alone: false }, query)
  } catch (error) {
    if (!isCanceled(error)) throw error
    return own.query({ tenant: service, alone: false }, query)
  }
}

/** A read that takes more milliseconds than this is slow: other reads should not wait behind it. */
const slow_from_ms = 20

/** Milliseconds for which a read counts as slow before it is tried again. */
const slow_for_ms = 10_000

/** Measured speeds: statements that are quick for all callers, and statements that were slow for a caller recently. */
export function openLanes(now = () => performance.now()) {
  const quick = new Set<string>()
  const slow_until = new LRUCache<string, number>({ max: 50_000 })
  const keyOf = (tenant: string, statement: string) => `${tenant} ${statement}`
  return {
    of(tenant: string, statement: string): 'quick' | 'slow' | 'trial' {
      const until = slow_until.get(keyOf(tenant, statement))
      if (until !== undefined) return now() < until ? 'slow' : 'trial'
      return quick.has(statement) ? 'quick' : 'trial'
    },
    learn(tenant: string, statement: string, ms: number): void {
      const key = keyOf(tenant, statement)
      if (ms > slow_from_ms) return void slow_until.set(key, now() + slow_for_ms)
      quick.add(statement)
      // If several run at the same time, the slowest one determines the speed.
      if (this.of(tenant, statement) === 'trial') slow_until.delete(key)
    },
    tryAgain: (tenant: string, statement: string) => void slow_until.set(keyOf(tenant, statement), 0),
  }
}
