import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { Gathering, type AskInTurn } from './read-batcher.ts'
import { openLanes, slow_from_ms } from './read-speeds.ts'
import { isDatabaseError, openPipeline, type Pipeline, type ScopedQuery } from './pipeline.ts'
import { togetherOf, type StatementAnswer } from './batched-query.ts'
import { FairQueue, type FairQueueOptions } from '../../kernel/fair-queue.ts'

export type ReadConnections = {
  /** Runs a read for somebody: an organization, or a credential that is at several. `statement` tells its like. */
  run(whose: string, statement: string, query: ScopedQuery): Promise<StatementAnswer>
  /** Runs what the service asks for itself, as who a credential is; whose turn it is, others have seen to. */
  runOwn(query: ScopedQuery): Promise<StatementAnswer>
  /** The next read connects anew; who waits for an answer gets it still. */
  renew(): void
  /** Hangs up at once: who waits for an answer gets none, and the next read connects anew. */
  drop(): void
  close(): Promise<void>
}

export type ReadingOptions = {
  config: pg.ClientConfig
  prepared: boolean
  /** connections that quick reads share, many on each */
  quick_connections: number
  /** connections for slow reads, one at a time on each and one of each organization */
  slow_connections: number
  /** whether tenants are divided over several servers, and whether sessions are told so at their start */
  divided?: boolean
  told?: boolean
  /** whether they lead to a replica, of which each query says how far it must be */
  is_replica?: boolean
}

/** Milliseconds after which PostgreSQL ends a read on a connection that others share; it begins anew among the slow. */
const quick_limit_ms = 100

/** Milliseconds that a slow read may take. */
const slow_limit_ms = 30_000

/** How many reads go over one shared connection before others wait for their turn. */
const depth = 16

/**
 * How many reads of one organization go over the shared connections: so many are under way when they turn out to be
 * slow.
 */
const depth_of_one = 8

/**
 * How many while others read too, beside what is slow: whose reads come one by one has a connection to himself then,
 * and a processor, where the database has those of this machine.
 */
const depth_beside_others = Math.min(Math.max(1, availableParallelism() - 1), depth_of_one)

/** How many reads of one organization, or of one kind, may wait, and how long. */
const waiting = { waiting_of_one: 1000, patience_ms: 10_000 }

/**
 * PostgreSQL ended it for its time, or began it not at all, since it had ended another of its name while preparing it.
 */
const unfinished = new Set(['57014', '26000', '42P05'])
const isUnfinished = (error: unknown) => isDatabaseError(error) && unfinished.has(error.code ?? '')

/**
 * Reads over a few connections, quick ones apart from slow ones, and by turns among organizations. What is slow is
 * found out and not declared: a statement that took long for somebody goes among the slow for a while, and its like of
 * others does not. What is quick for one is held to be quick for others; what nobody knows yet, or was slow, is tried
 * one at a time, on a connection that others then keep away from. So however many searches somebody sends at once,
 * others wait for none of them. What the service asks for itself is tried among the quick each time, and has another
 * connection else.
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
  const each = (tell: (shared: typeof own) => void) => void [quick, slow, own].forEach(tell)
  const quick_turns = turns(quick_connections * depth, depth_of_one, { at_once_beside_others: depth_beside_others })
  const of_one_at_once = connectionsOfOne(quick_connections)
  const trial_turns = turns(of_one_at_once, 1)
  const slow_turns = turns(slow_connections, 1, { waiting_of_one: 200 })
  const lanes = openLanes()

  const runQuick = async (whose: string, statement: string, query: ScopedQuery, alone: boolean, count = 1) => {
    try {
      return await quick.query({ whose, alone }, query, (ms) => lanes.learn(whose, statement, ms / count))
    } catch (error) {
      if (!isUnfinished(error)) throw error
      if (count > 1) return void lanes.learn(whose, together(statement), Infinity)
      lanes.learn(whose, statement, Infinity)
      return undefined
    }
  }
  const runIn = runInLane(lanes, { trial: trial_turns, quick: quick_turns }, runQuick)
  // With more under way one would wait on a connection behind another of its kind: it waits here, and they go together.
  const gathering = new Gathering({ ...waiting, at_once: of_one_at_once, ask: askIn(quick_turns, lanes, runQuick) })
  const runSlow = (whose: string, statement: string, query: ScopedQuery) => {
    // What was only held up is tried again soon.
    const learn = (ms: number) => void (ms <= slow_from_ms && lanes.tryAgain(whose, statement))
    return slow_turns.run(whose, () => slow.query({ whose, alone: true }, query, learn))
  }

  return {
    run: async (whose, statement, query) =>
      (await runTogether({ gathering, lanes }, whose, statement, query)) ??
      (await runIn('trial', whose, statement, query)) ??
      (await runIn('quick', whose, statement, query)) ??
      runSlow(whose, statement, query),
    async runOwn(query) {
      try {
        return await quick.query({ whose: undefined, alone: false }, query)
      } catch (error) {
        if (!isUnfinished(error)) throw error
        return own.query({ whose: undefined, alone: false }, query)
      }
    },
    renew: () => each((shared) => shared.renew()),
    drop: () => each((shared) => shared.drop()),
    close: async () => void (await Promise.all([quick.close(), slow.close(), own.close()])),
  }
}

/**
 * For whom a read runs: nobody is the service itself. `alone`: others keep away from its connection as long as they
 * can.
 */
type Asker = { whose: string | undefined; alone: boolean }

const turns = (at_once: number, at_once_of_one: number, options: Partial<FairQueueOptions> = {}) =>
  new FairQueue({ ...waiting, at_once, at_once_of_one, ...options })

type RunQuick = (
  whose: string,
  statement: string,
  query: ScopedQuery,
  alone: boolean,
  count: number,
) => Promise<StatementAnswer | undefined>

/** Runs it there if that is where it belongs when its turn has come: its like may have been tried while it waited. */
const runInLane =
  (lanes: ReturnType<typeof openLanes>, turns_of: Record<'trial' | 'quick', FairQueue>, run: RunQuick) =>
  (lane: 'trial' | 'quick', whose: string, statement: string, query: ScopedQuery) => {
    if (lanes.of(whose, statement) !== lane) return undefined
    const attempt = async () =>
      lanes.of(whose, statement) === lane ? run(whose, statement, query, lane === 'trial', 1) : undefined
    return turns_of[lane].run(whose, attempt)
  }

/** Asks for those who wait when their turn has come, if they still belong among the quick. */
const askIn =
  (quick_turns: FairQueue, lanes: ReturnType<typeof openLanes>, run: RunQuick): AskInTurn =>
  (whose, statement, take) =>
    quick_turns.run(whose, async () => {
      const taken = take()
      if (!taken || lanes.of(whose, statement) !== 'quick') return undefined
      return run(whose, statement, taken.query, false, taken.count)
    })

type GatheringReads = { gathering: Gathering; lanes: ReturnType<typeof openLanes> }

/** Several took too long where one is quick, as while PostgreSQL plans them: each goes by itself for a while. */
function runTogether({ gathering, lanes }: GatheringReads, whose: string, statement: string, query: ScopedQuery) {
  const form = togetherOf(query.text)
  const is_quick = form && lanes.of(whose, statement) === 'quick' && lanes.of(whose, together(statement)) !== 'slow'
  return is_quick ? gathering.run(whose, statement, query, form) : undefined
}

const together = (statement: string): string => `${statement} together`

/** How many connections somebody may have at once, so that others find one. */
const connectionsOfOne = (connections: number): number => Math.max(1, connections - 1)

/**
 * Connections that many share, though no organization has all; each read takes the one on which least is waited for.
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
  const countsOf = (whose: string): number[] => {
    const counts = taken.get(whose) ?? pipelines.map(() => 0)
    taken.set(whose, counts)
    return counts
  }

  return {
    async query({ whose, alone }: Asker, query: ScopedQuery, took?: (ms: number) => void) {
      const counts = whose === undefined ? undefined : countsOf(whose)
      const at = choose(counts)
      if (counts) counts[at]!++
      if (alone) alone_on[at]!++
      try {
        return await pipelines[at]!.query(query, took)
      } finally {
        if (alone) alone_on[at]!--
        if (counts) counts[at]!--
        if (counts?.every((count) => count === 0)) taken.delete(whose!)
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
