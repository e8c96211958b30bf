import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { ReadBatcher, type QueryInTurn } from './read-batcher.ts'
import type { Distribution } from './distribution.ts'
import { isDatabaseError, openPipeline, type Pipeline, type ScopedQuery } from './pipeline.ts'
import { batchedQueryOf, type StatementResult } from './batched-query.ts'
import { FairQueue, type FairQueueOptions } from '../../kernel/concurrency/fair-queue.ts'
import { LRUCache } from 'lru-cache'

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

export type ReadingOptions = {
  config: pg.ClientConfig
  prepared: boolean
  /** connections that quick reads share, many reads on each */
  quick_connections: number
  /** connections for slow reads, one read at a time on each, and one per organization */
  slow_connections: number
  /** how tenants are distributed over several servers, and whether sessions are set up for that when they open */
  distribution?: Distribution | undefined
  is_set_up?: boolean
  /** whether they connect to a replica, which must have replayed the log up to the position of each query */
  is_replica?: boolean
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

/** How many reads of one organization, or of one kind, may be queued, and for how long. */
const waiting = { max_waiting_per_key: 1000, timeout_ms: 10_000 }

/**
 * PostgreSQL canceled the read because it took too long, or did not start it because it canceled the preparation of the
 * statement.
 */
const canceled_codes = new Set(['57014', '26000', '42P05'])
const isCanceled = (error: unknown) => isDatabaseError(error) && canceled_codes.has(error.code ?? '')

/**
 * Runs reads over a few connections. Slow reads have their own lane, and organizations are served round-robin, so one
 * organization can send many slow searches and no other waits for them.
 *
 *   read ─▶ known as quick ────▶ quick lane: shared connections, batched while busy
 *        ─▶ unknown, or was slow ▶ trial: one at a time for each caller, on a connection that others avoid
 *        ─▶ slow for this caller ▶ slow lane: its own connections, one read each
 *
 * Speed is measured, not declared. A statement that was slow for one caller is slow for that caller for a while. A
 * statement that was quick for one caller counts as quick for all. A read that exceeds the limit of its lane is
 * canceled and runs again in the slow lane. Reads of the service itself start in the quick lane and fall back to a
 * separate connection.
 */
export function openReading({
  config,
  quick_connections,
  slow_connections,
  ...session
}: ReadingOptions): ReadConnections {
  const open = (count: number, limit: number) =>
    openShared(Array.from({ length: count }, () => openPipeline(config, { ...session, limit })))
  const quick = open(quick_connections, quick_limit_ms)
  const slow = open(slow_connections, slow_limit_ms)
  const own = open(1, slow_limit_ms)
  const each = (change: (shared: typeof own) => void) => void [quick, slow, own].forEach(change)
  const quick_turns = turns(quick_connections * depth, depth_of_one, { max_running_beside_others: depth_beside_others })
  const max_running_per_tenant = connectionsOfOne(quick_connections)
  const trial_turns = turns(max_running_per_tenant, 1)
  const slow_turns = turns(slow_connections, 1, { max_waiting_per_key: 200 })
  const lanes = openLanes()

  const runQuick = async (tenant: string, statement: string, query: ScopedQuery, alone: boolean, count = 1) => {
    try {
      return await quick.query({ tenant, alone }, query, (ms) => lanes.learn(tenant, statement, ms / count))
    } catch (error) {
      if (!isCanceled(error)) throw error
      if (count > 1) return void lanes.learn(tenant, batched(statement), Infinity)
      lanes.learn(tenant, statement, Infinity)
      return undefined
    }
  }
  const runIn = runInLane(lanes, { trial: trial_turns, quick: quick_turns }, runQuick)
  // More statements of a kind would queue on a connection. They are queued here instead, and are batched.
  const batcher = new ReadBatcher({
    ...waiting,
    max_running: max_running_per_tenant,
    query: queryIn(quick_turns, lanes, runQuick),
  })
  const runSlow = (tenant: string, statement: string, query: ScopedQuery) => {
    // The read was quick and had only waited for something, so try it again soon.
    const learn = (ms: number) => void (ms <= slow_from_ms && lanes.tryAgain(tenant, statement))
    return slow_turns.run(tenant, () => slow.query({ tenant, alone: true }, query, learn))
  }

  return {
    run: async (tenant, statement, query) =>
      (await runBatched({ batcher, lanes }, tenant, statement, query)) ??
      (await runIn('trial', tenant, statement, query)) ??
      (await runIn('quick', tenant, statement, query)) ??
      runSlow(tenant, statement, query),
    async runOwn(query) {
      try {
        return await quick.query({ tenant: undefined, alone: false }, query)
      } catch (error) {
        if (!isCanceled(error)) throw error
        return own.query({ tenant: undefined, alone: false }, query)
      }
    },
    renew: () => each((shared) => shared.renew()),
    drop: () => each((shared) => shared.drop()),
    close: async () => void (await Promise.all([quick.close(), slow.close(), own.close()])),
  }
}

/** The caller of a read. Undefined for the service itself. `alone`: others avoid its connection if possible. */
type QueryOwner = { tenant: string | undefined; alone: boolean }

const turns = (max_running: number, max_running_per_key: number, options: Partial<FairQueueOptions> = {}) =>
  new FairQueue({ ...waiting, max_running, max_running_per_key, ...options })

type RunQuick = (
  tenant: string,
  statement: string,
  query: ScopedQuery,
  alone: boolean,
  count: number,
) => Promise<StatementResult | undefined>

/**
 * Runs a read in a lane when its turn comes, if it still belongs there. Its speed may have been measured in the
 * meantime.
 */
const runInLane =
  (lanes: ReturnType<typeof openLanes>, turns_of: Record<'trial' | 'quick', FairQueue>, run: RunQuick) =>
  (lane: 'trial' | 'quick', tenant: string, statement: string, query: ScopedQuery) => {
    if (lanes.of(tenant, statement) !== lane) return undefined
    const attempt = async () =>
      lanes.of(tenant, statement) === lane ? run(tenant, statement, query, lane === 'trial', 1) : undefined
    return turns_of[lane].run(tenant, attempt)
  }

/** Runs a batched query when its turn has come, if it still belongs in the quick lane. */
const queryIn =
  (quick_turns: FairQueue, lanes: ReturnType<typeof openLanes>, run: RunQuick): QueryInTurn =>
  (tenant, statement, take) =>
    quick_turns.run(tenant, async () => {
      const taken = take()
      if (!taken || lanes.of(tenant, statement) !== 'quick') return undefined
      return run(tenant, statement, taken.query, false, taken.count)
    })

type BatchedReads = { batcher: ReadBatcher; lanes: ReturnType<typeof openLanes> }

/** Batches a read. If batches were slow, such as while PostgreSQL plans them, each read runs alone for a while. */
function runBatched({ batcher, lanes }: BatchedReads, tenant: string, statement: string, query: ScopedQuery) {
  const form = batchedQueryOf(query.text)
  const is_quick = form && lanes.of(tenant, statement) === 'quick' && lanes.of(tenant, batched(statement)) !== 'slow'
  return is_quick ? batcher.run(tenant, statement, query, form) : undefined
}

const batched = (statement: string): string => `${statement} together`

/** How many connections one caller may use at the same time. One is left for others. */
const connectionsOfOne = (connections: number): number => Math.max(1, connections - 1)

/**
 * Shared connections. A read uses the connection with the fewest reads in progress, and no organization uses all of
 * them.
 */
function openShared(pipelines: Pipeline[]) {
  const taken = new Map<string, number[]>()
  const alone_on = pipelines.map(() => 0)

  const choose = (counts: number[] | undefined): number => {
    const held = counts?.reduce((sum, count) => sum + Number(count > 0), 0) ?? 0
    const has_share = held >= connectionsOfOne(pipelines.length)
    const rank = (at: number) => 1000 * alone_on[at]! + pipelines[at]!.waiting()
    let best = -1
    for (let at = 0; at < pipelines.length; at++) {
      if (has_share && counts?.[at] === 0) continue
      if (best < 0 || rank(at) < rank(best)) best = at
    }
    return best
  }
  const countsOf = (tenant: string): number[] => {
    const counts = taken.get(tenant) ?? pipelines.map(() => 0)
    taken.set(tenant, counts)
    return counts
  }

  return {
    async query({ tenant, alone }: QueryOwner, query: ScopedQuery, took?: (ms: number) => void) {
      const counts = tenant === undefined ? undefined : countsOf(tenant)
      const at = choose(counts)
      if (counts) counts[at]!++
      if (alone) alone_on[at]!++
      try {
        return await pipelines[at]!.query(query, took)
      } finally {
        if (alone) alone_on[at]!--
        if (counts) counts[at]!--
        if (counts?.every((count) => count === 0)) taken.delete(tenant!)
      }
    },
    renew() {
      for (const pipeline of pipelines) pipeline.renew()
    },
    drop() {
      for (const pipeline of pipelines) pipeline.drop()
    },
    close: async () => void (await Promise.all(pipelines.map((pipeline) => pipeline.end()))),
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
