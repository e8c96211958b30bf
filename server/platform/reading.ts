import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { isDatabaseError, openPipeline, type Pipeline } from './pipeline.ts'
import { Turns } from './turns.ts'

export type Reading = {
  /** Runs a read for somebody: an organization, or a credential that is at several. `statement` tells its like. */
  run(whose: string, statement: string, query: pg.QueryConfig): Promise<pg.QueryResult>
  close(): Promise<void>
}

export type ReadingOptions = {
  config: pg.ClientConfig
  prepared: boolean
  /** connections that quick reads share, many on each */
  quick_connections: number
  /** connections for slow reads, one at a time on each and one of each organization */
  slow_connections: number
}

/** Milliseconds from which a read of somebody is slow: others should not have to wait behind it. */
const slow_from_ms = 20

/** Milliseconds after which PostgreSQL ends a read on a connection that others share; it begins anew among the slow. */
const quick_limit_ms = 100

/** Milliseconds that a slow read may take. */
const slow_limit_ms = 30_000

/** How long we remember that a read was slow, before we try again whether it still is. */
const slow_for_ms = 10_000

/** How many reads go over one shared connection before others wait for their turn. */
const depth = 16

/** PostgreSQL ended it for its time, or did not come to prepare it since it ended another of that name. */
const isUnfinished = (error: unknown) => isDatabaseError(error) && (error.code === '57014' || error.code === '26000')

/**
 * Reads over a few connections, quick ones apart from slow ones, and by turns among organizations. What is slow is found
 * out and not declared: a statement that took long for somebody goes among the slow for a while, and its like of others
 * does not. Of what nobody knows yet, one at a time is tried, on a connection that others then keep away from; so
 * however many searches somebody sends at once, others wait for none of them.
 */
export function openReading({ config, prepared, quick_connections, slow_connections }: ReadingOptions): Reading {
  const open = (count: number, statement_timeout: number) =>
    Array.from({ length: count }, () => openPipeline({ ...config, statement_timeout }, prepared))
  const quick = openShared(open(quick_connections, quick_limit_ms))
  const slow = openShared(open(slow_connections, slow_limit_ms))
  const known = new LRUCache<string, 'quick' | 'slow'>({ max: 50_000 })
  const turns = (at_once: number, at_once_of_one: number, waiting_of_one: number) =>
    new Turns({ at_once, at_once_of_one, waiting_of_one, patience_ms: 10_000 })
  const room = quick_connections * depth
  const quick_turns = turns(room, Math.ceil(room / 2), 1000)
  const trial_turns = turns(Math.max(1, quick_connections - 1), 1, 1000)
  const slow_turns = turns(slow_connections, 1, 200)

  const runQuick = async (whose: string, kind: string, query: pg.QueryConfig, alone: boolean) => {
    const learn = (ms: number) => {
      // What we ask for ourselves, as who a credential is, goes for everybody: a busy moment of ours does not make it slow.
      if (ms > slow_from_ms && whose !== '') known.set(kind, 'slow', { ttl: slow_for_ms })
      else if (!known.has(kind)) known.set(kind, 'quick')
    }
    try {
      return await quick.query(whose, alone, query, learn)
    } catch (error) {
      if (!isUnfinished(error)) throw error
      known.set(kind, 'slow', { ttl: slow_for_ms })
      return undefined
    }
  }
  const runSlow = (whose: string, kind: string, query: pg.QueryConfig) => {
    // What was only held up is tried again soon.
    const learn = (ms: number) => void (ms <= slow_from_ms && known.delete(kind))
    // What we ask for ourselves does not wait for each other either.
    const turn = whose === '' ? kind : whose
    return slow_turns.run(turn, () => slow.query(turn, true, query, learn))
  }

  return {
    async run(whose, statement, query) {
      const kind = `${whose} ${statement}`
      let result: pg.QueryResult | undefined
      // Its like may have been tried while it waited.
      const attempt = async () => (known.has(kind) ? undefined : runQuick(whose, kind, query, true))
      if (!known.has(kind)) result = await trial_turns.run(whose, attempt)
      if (!result && known.get(kind) === 'quick') {
        result = await quick_turns.run(whose, () => runQuick(whose, kind, query, false))
      }
      return result ?? runSlow(whose, kind, query)
    },
    close: async () => void (await Promise.all([quick.close(), slow.close()])),
  }
}

/** Connections that many share, though nobody has all of them; each read takes the one on which least is waited for. */
function openShared(pipelines: Pipeline[]) {
  const taken = new Map<string, number[]>()
  const alone_on = pipelines.map(() => 0)

  const choose = (counts: number[]): number => {
    const held = counts.reduce((sum, count) => sum + Number(count > 0), 0)
    const has_share = held >= Math.max(1, pipelines.length - 1)
    const rank = (at: number) => 1000 * alone_on[at]! + pipelines[at]!.waiting()
    let best = -1
    for (let at = 0; at < pipelines.length; at++) {
      if (has_share && counts[at] === 0) continue
      if (best < 0 || rank(at) < rank(best)) best = at
    }
    return best
  }

  return {
    /** `alone`: others keep away from its connection as long as they can. */
    async query(whose: string, alone: boolean, query: pg.QueryConfig, took: (ms: number) => void) {
      const counts = taken.get(whose) ?? pipelines.map(() => 0)
      const at = choose(counts)
      counts[at]!++
      taken.set(whose, counts)
      if (alone) alone_on[at]!++
      try {
        return await pipelines[at]!.query(query, took)
      } finally {
        if (alone) alone_on[at]!--
        counts[at]!--
        if (counts.every((count) => count === 0)) taken.delete(whose)
      }
    },
    close: async () => void (await Promise.all(pipelines.map((pipeline) => pipeline.end()))),
  }
}
